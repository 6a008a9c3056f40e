"""Secrets are removed by shape, by the name beside them, and by value; ordinary words stay."""

from __future__ import annotations

import pytest

from marg_reports.report import scrub, secrets_of

KEY = "sk-" + "a1B2c3D4e5F6g7H8"


@pytest.mark.parametrize(
    "text",
    [
        f"used {KEY} twice",
        f"Authorization: Bearer {KEY}",
        '{"x-api-key": "' + KEY + '"}',
        f"api_key={KEY}&q=1",
        f"token ghp_{'x1' * 18}",
        "https://user:hunter2secret@example.test/db",
        "password: hunter2secret",
        f"AKIA{'ABCD' * 4}",
        "eyJhbGciOiJub25l.eyJzdWIiOiJtYXJnIn0.c2lnbmF0dXJl",
    ],
)
def test_what_looks_like_a_secret_is_removed(text: str) -> None:
    cleaned = scrub(text)
    assert "[removed]" in cleaned
    assert not any(secret in cleaned for secret in (KEY, "hunter2secret", "ABCDABCD", "x1x1x1", "eyJzdWIi"))


def test_a_value_of_the_environment_is_removed_wherever_it_stands() -> None:
    secrets = secrets_of({"VENDOR_API_KEY": "correct horse", "HOME": "/somewhere/long", "MY_TOKEN": "1"})
    assert scrub("he said correct horse at /somewhere/long 1", secrets=secrets) == (
        "he said [removed] at /somewhere/long 1"
    )


@pytest.mark.parametrize(
    "text", ["Priority set to High.", "the key point is 5", "task-force", "Is a password needed?", "a basic question"]
)
def test_ordinary_words_stay(text: str) -> None:
    assert scrub(text) == text
