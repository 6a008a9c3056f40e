"""The readers that a command was asked for, by name."""

from __future__ import annotations

from difflib import get_close_matches

from marg_corpora import RecordReader, ShippedReader, peer_names, peer_reader
from marg_runtime import reader_names
from marg_runtime.errors import ReadingError

DEFAULT_READER = "whole_message"


def chosen_readers(names: tuple[str, ...]) -> tuple[RecordReader, ...]:
    """Give a reader for each name, each once, in the order asked for; the default reader where none was named.

    Raises ReadingError for a name that no reader has.
    """
    return tuple(chosen_reader(name) for name in dict.fromkeys(names or (DEFAULT_READER,)))


def chosen_reader(name: str) -> RecordReader:
    """Give the reader of one name, shipped or third-party.

    Raises ReadingError, naming the nearest, where there is none; PeerMissing where a third-party one is not installed.
    """
    if name in reader_names():
        return ShippedReader(name=name)
    if name in peer_names():
        return peer_reader(name)
    known = (*reader_names(), *peer_names())
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the readers are {', '.join(known)}."
    raise ReadingError(f"no reader {name!r}; {hint}")
