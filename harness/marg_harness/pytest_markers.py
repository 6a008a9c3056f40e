"""A scenario's tags as pytest's markers: a tag is any text, a marker a word that pytest must know."""

from __future__ import annotations

import re

import pytest

TAKEN = frozenset({"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"})
"""Markers that mean something to pytest: a tag of that name is `tag_skip`, and so on."""


def marker_of(tag: str, config: pytest.Config) -> str:
    """The marker of a tag: its letters, digits and `_`; registered, so that `--strict-markers` holds."""
    word = re.sub(r"\W+", "_", tag).strip("_") or "tag"
    name = f"tag_{word}" if word in TAKEN or not word.isidentifier() else word
    # A marker that the project registers itself is its own, whatever is said of it there.
    registered = {re.split(r"[:(]", line)[0].strip() for line in config.getini("markers")}
    if name not in registered:
        config.addinivalue_line("markers", f"{name}: scenarios with the tag {tag!r}")
    return name
