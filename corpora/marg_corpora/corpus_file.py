"""Corpus files, streamed: JSON Lines, plain or gzip, of any size at constant memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from marg_corpora.errors import CorpusError, CorpusMissing
from marg_corpora.gzip_stream import CHUNK, GZIP_MAGIC, inflated
from marg_corpora.line import Model, parse_model
from marg_corpora.record import Record

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of one line beyond which a file is refused: without a limit one endless line would fill the memory."""

CORPUS_NAMES = re.compile(r"[^.]+\.jsonl(\.gz)?")
"""The names that count as corpora when a whole folder is given: `own.jsonl`, and not `own.second.jsonl`, for a name
with another dot is something beside a corpus, such as a second labelling of it."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WATCH_EVERY = 500


def corpus_files(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Name the files to read: each file as given, each folder as its `NAME.jsonl` and `NAME.jsonl.gz` in order of name.

    Raises CorpusMissing when a path is not there, a folder holds no corpus, or a file is named twice.
    """
    files = [file for path in paths for file in _expand(path)]
    for index, file in enumerate(files):
        if file.resolve() in {other.resolve() for other in files[:index]}:
            raise CorpusMissing(f"{str(file)!r} is named twice, and its replies would count twice; name it once")
    return tuple(files)


def read_records(path: Path, *, watch: Callable[[int], None] | None = None) -> Iterator[Record]:
    """Stream the records of one file. Gzip is known by its first bytes, not by the name.

    `watch` is told now and then how many bytes of the file itself have been consumed; of a pipe it is told nothing.

    Raises CorpusMissing when the file cannot be opened; CorpusError, with file and line, for a line that is not a
    record, for a line over 16 MiB, for gzip that breaks off or is damaged, and for a file without a record.
    """
    return read_models(path, Record, watch=watch)


def read_models(path: Path, model: type[Model], *, watch: Callable[[int], None] | None = None) -> Iterator[Model]:
    """Stream a file of records of any kind, one JSON object a line; everything else as in `read_records`."""
    for number, line in numbered_lines(path, watch=watch):
        yield parse_model(line, model, path=str(path), number=number)


def numbered_lines(path: Path, *, watch: Callable[[int], None] | None = None) -> Iterator[tuple[int, bytes]]:
    """Stream the lines of a file with their numbers, not yet parsed; raises what `read_records` raises of the file."""
    with _open(path) as raw:
        number = 0
        if not raw.seekable():
            watch = None
        for number, line in _located_lines(raw, path=path):
            if watch and number % _WATCH_EVERY == 0:
                watch(raw.tell())
            yield number, line
        if not number:
            raise CorpusError("the file is empty; expected one JSON record a line", path=str(path), line=1)
        if watch:
            watch(raw.tell())


def _expand(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(file for file in path.iterdir() if CORPUS_NAMES.fullmatch(file.name) and file.is_file())
        if not found:
            raise CorpusMissing(f"the folder {str(path)!r} holds no NAME.jsonl or NAME.jsonl.gz; name the files")
        return found
    if not path.exists():
        raise CorpusMissing(f"there is no file {str(path)!r}; check the path")
    return [path]


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CorpusMissing(f"cannot open {str(path)!r}: {reason}; check the path") from None


def _located_lines(raw: BinaryIO, *, path: Path) -> Iterator[tuple[int, bytes]]:
    """Split into lines, with the troubles of the file itself located at the line that could not be read."""
    number = 0
    try:
        for number, line in enumerate(_lines(_chunks(raw)), start=1):
            if len(line) > LONGEST_LINE:
                break
            yield number, line
        else:
            return
        trouble = "the line is longer than 16 MiB; one record a line"
    except EOFError:
        number, trouble = number + 1, "the gzip file breaks off here; get it again, whole"
    except zlib.error as error:
        number, trouble = number + 1, f"the gzip file is damaged from about here on ({error}); get it again"
    except OSError as error:
        number, trouble = number + 1, f"the file cannot be read on: {error.strerror or error}"
    raise CorpusError(trouble, path=str(path), line=number)


def _chunks(raw: BinaryIO) -> Iterator[bytes]:
    buffered = cast(BufferedReader, raw)
    if buffered.peek(2).startswith(GZIP_MAGIC):
        return inflated(raw)
    return iter(lambda: raw.read(CHUNK), b"")


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines without their end; one that is over the limit is yielded as far as it was read, and is the last."""
    rest = b""
    for place, chunk in enumerate(chunks):
        *whole, rest = (rest + (chunk if place else chunk.removeprefix(_BYTE_ORDER_MARK))).split(b"\n")
        yield from whole
        if len(rest) > LONGEST_LINE:
            break
    if rest:
        yield rest
