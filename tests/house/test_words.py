"""Nothing that git tracks names a package host, a path of somebody's machine, or unfinished business."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# Every word is written in two halves, so that this file does not hold what it looks for.
HOSTS = (
    ("pyp", "i.org"),
    ("pyp", "i.io"),
    ("pyp", "i.python.org"),
    ("python", "hosted.org"),
    ("npm", "js.com"),
    ("npm", "js.org"),
    ("ana", "conda.com"),
    ("ana", "conda.org"),
    ("crates", ".io"),
    ("proxy.gol", "ang.org"),
    ("deb.deb", "ian.org"),
    ("archive.ubu", "ntu.com"),
)
FOLDERS = (("wor", "k"), ("tm", "p"), ("roo", "t"), ("hom", "e"), ("Use", "rs"), ("fa", "rm"), ("op", "t"), ("mn", "t"))
WORDS = (("TO", "DO"), ("FIX", "ME"), ("XX", "X"))


def _either(words: tuple[tuple[str, str], ...]) -> str:
    return "|".join(re.escape("".join(halves)) for halves in words)


PACKAGE_HOST = re.compile(rf"\b(?:{_either(HOSTS)})\b")
MACHINE_PATH = re.compile(rf"(?<![\w./~$}}*-])/(?:{_either(FOLDERS)})/\w")
UNFINISHED = re.compile(rf"\b(?:{_either(WORDS)})\b")


def _found(tracked: Mapping[str, str], pattern: re.Pattern[str]) -> Iterator[str]:
    for path, text in tracked.items():
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                yield f"{path}:{number} {line.strip()[:100]}"


def test_no_file_names_a_package_host(tracked: Mapping[str, str]) -> None:
    assert list(_found(tracked, PACKAGE_HOST)) == []


def test_no_file_holds_a_path_of_a_machine(tracked: Mapping[str, str]) -> None:
    assert list(_found(tracked, MACHINE_PATH)) == []


def test_no_file_holds_unfinished_business(tracked: Mapping[str, str]) -> None:
    assert list(_found(tracked, UNFINISHED)) == []


def test_a_host_a_path_and_unfinished_business_would_be_found() -> None:
    lines = (f"https://{''.join(HOSTS[0])}/simple", f"read /{''.join(FOLDERS[3])}/ada", f"# {''.join(WORDS[0])}: later")
    patterns = (PACKAGE_HOST, MACHINE_PATH, UNFINISHED)
    found = [list(_found({"file": line}, pattern)) for line, pattern in zip(lines, patterns, strict=True)]
    assert found == [[f"file:1 {line}"] for line in lines]
