"""Gzip, inflated chunk by chunk: all that is whole comes out before an error does, and memory stays constant."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

GZIP_MAGIC = b"\x1f\x8b"
CHUNK = 256 * 1024
"""Bytes inflated at a time."""

_COMPRESSED_CHUNK = 8 * 1024
"""Bytes read at a time: where a stream is damaged, what these held is lost, so they are few."""

_GZIP_WINDOW = 31
"""zlib's word for a gzip header and the largest window."""


def inflated(raw: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a gzip stream in chunks of at most 256 KiB; several members and zero padding are allowed.

    The standard GzipFile drops what it has read when the stream breaks off, so that no line could be named.

    Raises EOFError where the stream breaks off, and zlib.error where it is damaged or its checksum does not fit.
    """
    inflater = None
    pending = b""
    while pending or (pending := raw.read(_COMPRESSED_CHUNK)):
        if inflater is None:
            pending = pending.lstrip(b"\0")
            inflater = zlib.decompressobj(_GZIP_WINDOW) if pending else None
        if inflater is not None:
            yield inflater.decompress(pending, CHUNK)
            pending = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
            inflater = None if inflater.eof else inflater
    if inflater is None:
        return
    while more := inflater.decompress(b"", CHUNK):
        yield more
    if not inflater.eof:
        raise EOFError
