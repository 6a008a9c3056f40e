"""Secrets stay in: what every door calls on the text that leaves by it. What is compared or sent is not touched."""

from marg_runtime.scrub.cut import scrub_cut
from marg_runtime.scrub.known import own_secrets, secrets_of, secrets_of_headers, secrets_of_url
from marg_runtime.scrub.pieces import scrub_pieces
from marg_runtime.scrub.text import REMOVED, is_secret_name, scrub, scrub_url, secrets_in
from marg_runtime.scrub.value import scrub_json, scrub_together

__all__ = [
    "REMOVED",
    "is_secret_name",
    "own_secrets",
    "scrub",
    "scrub_cut",
    "scrub_json",
    "scrub_pieces",
    "scrub_together",
    "scrub_url",
    "secrets_in",
    "secrets_of",
    "secrets_of_headers",
    "secrets_of_url",
]
