"""The kinds of the fault benchmark: each can be read and still fits the code, and a bad file is told by its line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.reds.kind import Kind
from benchmarks.reds.kind_file import KINDS, load_kind, load_kinds
from benchmarks.reds.site import ROOT, target_of

from marg_runtime.errors import UsageError

ALL = load_kinds(KINDS)
GOOD = """\
kind: other_order
family: blocks
truth: regression
about: The options come in the other order.
scenarios: [plain_yes]
patches:
  - of: runtime
    file: marg_runtime/option_loading.py
    replace:
      - {old: "return tuple(each.values())", new: "return tuple(reversed(each.values()))"}
"""


def written(folder: Path, text: str, name: str = "a") -> Path:
    path = folder / f"{name}.kind.yaml"
    path.write_text(text)
    return path


def test_a_kind_says_what_is_changed_where_and_what_its_reds_are(tmp_path: Path) -> None:
    kind = load_kind(written(tmp_path, GOOD))
    assert (kind.name, kind.truth, kind.scenarios, kind.seeds) == (
        "other_order",
        "regression",
        ("plain_yes",),
        (1, 2, 3),
    )
    assert kind.patches[0].applied("x = 1\nreturn tuple(each.values())\n") == (
        "x = 1\nreturn tuple(reversed(each.values()))\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("truth: regression", "truth: regresion", "a.kind.yaml:3: .*'regression'"),
        ("of: runtime", "of: rumtime", "a.kind.yaml:7: "),
        ("scenarios: [plain_yes]\n", "", "a.kind.yaml:1: there are no scenarios"),
        ("    file: marg_runtime/option_loading.py\n", "", "a.kind.yaml:7: the key 'file' is missing"),
        ("file: marg_runtime/option_loading.py", "file: ../setup.py", "a.kind.yaml:8: 'file' is '../setup.py'"),
        ("    replace:", "    append: more\n    replace:", "a.kind.yaml:7: a patch has one of"),
        ("truth: regression", "truth: pre_existing", "a.kind.yaml:3: the truth 'pre_existing' does not hold"),
        ("truth: regression", "truth: transport", "a.kind.yaml:3: .*transport needs faults of the wire"),
        ("truth: regression", "truth: unclassified", "a.kind.yaml:3: .*says what is missing"),
        ("scenarios: [plain_yes]", "add: [nowhere.scenario.yaml]", "a.kind.yaml:5: 'nowhere.scenario.yaml' is no file"),
        ("about: The", "abuot: The", "a.kind.yaml:4: .*'about'"),
        ("[plain_yes]", "[plain_yse]", "a.kind.yaml:5: the domain 'support_intake' has no scenario 'plain_yse'"),
        ("scenarios:", "domain: inn\nscenarios:", "a.kind.yaml:5: there is no domain 'inn'"),
        ("patches:", "run: {faults: html@1}\npatches:", "a.kind.yaml:6: 'faults' needs a wire"),
        ("patches:", "run: {over: openai_chat, faults: htmll@1}\npatches:", "a.kind.yaml:6: .*no fault 'htmll'"),
        ("patches:", "run: {tool_faults: dead@1}\npatches:", "a.kind.yaml:6: .*'dead'"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(UsageError, match=said):
        load_kind(written(tmp_path, GOOD.replace(old, new)))


def test_two_kinds_of_one_name_are_refused(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    written(tmp_path, GOOD, "b")
    with pytest.raises(UsageError, match=r"the kind 'other_order' is also in .*a\.kind\.yaml"):
        load_kinds(tmp_path)


def test_a_text_that_does_not_stand_there_once_is_refused_with_the_place_of_the_patch(tmp_path: Path) -> None:
    patch = load_kind(written(tmp_path, GOOD)).patches[0]
    with pytest.raises(UsageError, match=r"a\.kind\.yaml:7: .* stands 0 times"):
        patch.applied("nothing of it")


def test_the_command_exits_2_on_a_bad_file_and_names_its_line(tmp_path: Path) -> None:
    written(tmp_path, GOOD.replace("about", "abuot"))
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.reds", "--kinds", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "a.kind.yaml:4: " in done.stderr


@pytest.mark.parametrize("kind", ALL, ids=[kind.name for kind in ALL])
def test_every_patch_still_finds_what_it_changes(kind: Kind) -> None:
    texts: dict[Path, str] = {}
    for side in ("head", "base"):
        texts.clear()
        for patch in kind.patches:
            if patch.on not in (side, "both", "start"):
                continue
            for name in kind.scenarios if patch.file == "*" else (patch.file,):
                path = target_of(kind, patch, name)
                there = ROOT / path
                text = texts.get(path, there.read_text() if there.is_file() else "")
                texts[path] = patch.applied(text)
        assert texts or kind.run or kind.missing


def test_every_class_has_its_kinds() -> None:
    assert {kind.truth for kind in ALL} == {
        "regression",
        "pre_existing",
        "brittle_check",
        "model_flake",
        "transport",
        "unclassified",
    }
