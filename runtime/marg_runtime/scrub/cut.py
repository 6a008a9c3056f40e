"""The beginning of a text, for an error: its secrets are removed before, since half of one is known by nobody."""

from __future__ import annotations

from marg_runtime.scrub.known import own_secrets
from marg_runtime.scrub.text import scrub


def scrub_cut(text: str, most: int) -> str:
    """At most so many characters of the text, without secrets."""
    return scrub(text, secrets=own_secrets())[:most]
