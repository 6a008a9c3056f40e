"""Secrets are removed by shape, by the name beside them, and by value; ordinary words stay."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime.scrub import REMOVED, scrub, scrub_url, secrets_in

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
        "Cookie: a=hunter2secret; session=hunter2secret; c=hunter2secret\nHost: example.test",
        'Authorization: Digest username="hunter2secret", response="hunter2secret"',
        "authorization: AWS4-HMAC-SHA256 Credential=hunter2secret/2026, Signature=hunter2secret",
        "[('authorization', 'Bearer hunter2secret'), ('host', 'x')]",
        "(b'x-api-key', b'hunter2secret')",
        '{"password":"hunter2\\"secret hunter2secret","a":1}',
        json.dumps({"body": json.dumps({"Authorization": "Bearer hunter2secret"})}),
        "https://example.test/v1?key=hunter2secret&q=1",
        "https://example.test/v1?q=1&X-Amz-Signature=hunter2secret",
        "export MY_TOKEN='hunter2secret'",
        "-H 'cookie: sid=hunter2secret' -d x",
        "postgresql://user:hunter2@secret@example.test/db and postgresql://user:hunter2/secret@example.test/db",
        "https://hunter2secrethunter2secret@example.test/repository",
        "accessToken=hunter2secret openaiApiKey: hunter2secret",
        "Bearer hunterTwoSecret",
        "-----BEGIN PRIVATE KEY-----\nhunter2secret\n-----END PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_is_removed(text: str) -> None:
    cleaned = scrub(text)
    assert "[removed]" in cleaned
    assert not any(secret in cleaned for secret in (KEY, "hunter2", "hunterTwo", "ABCDABCD", "x1x1x1", "eyJzdWIi"))


def test_what_is_json_is_still_json_without_its_secrets() -> None:
    said = {"password": 'hunter2\\"secret', "headers": [["cookie", "a=1; b=2"], ["accept", "text"]], "kept": "yes"}
    assert json.loads(scrub(json.dumps(said))) == {
        "password": "[removed]",
        "headers": [["cookie", "[removed]"], ["accept", "text"]],
        "kept": "yes",
    }


def test_a_value_of_the_environment_is_removed_as_json_and_as_a_url_write_it() -> None:
    secret = 'corr"ect h\u00f6rse'
    written = json.dumps([secret]) + "?q=" + quote(secret, safe="")
    assert scrub(written, secrets={secret}) == '["[removed]"]?q=[removed]'


@pytest.mark.parametrize(
    "text",
    [
        "Priority set to High.",
        "the key point is 5",
        "task-force",
        "Is a password needed?",
        "a basic question",
        "tokens: 15",
        '["cookie","tea","milk"]',
        "http://127.0.0.1:8000/a@b and http://127.0.0.1:8000?to=a@b",
        "contact: ann@example.org",
        "a bearer certificate",
        "one signature == another, token=None, {'secret': null}",
        '{"password":"","a":"b"}',
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert scrub(text) == text


def test_a_value_of_the_environment_is_removed_in_other_letters_and_as_a_part_of_a_name() -> None:
    said = "say-it-is-correct-horse-battery-9 and CORRECT horse battery 9, correct horse battery 9"
    assert (
        scrub(said, secrets={"Correct Horse Battery 9"})
        == f"say-it-is-{REMOVED} and CORRECT horse battery 9, {REMOVED}"
    )


def test_what_gives_itself_away_is_known_with_its_parts() -> None:
    assert secrets_in(f"password: required, api_key=Open-Sesame1234 and {KEY}") == {
        "Open-Sesame1234",
        "Sesame1234",
        KEY,
        KEY.removeprefix("sk-"),
    }


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("bob:hunter2@x/y", "[removed]@x/y"),
        ("//bob:hunter2@x/y", "//[removed]@x/y"),
        ("http://x/?key=hunter2", "http://x/?key=[removed]"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
    ],
)
def test_a_url_is_shown_without_its_password_also_without_a_scheme(url: str, shown: str) -> None:
    assert scrub_url(url) == shown


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
BODY = st.text(LETTERS, min_size=20, max_size=40).map(lambda text: f"{text[:8]}7q{text[8:]}")
FORMS = (
    "Authorization: Bearer {}\n",
    '{{"x-api-key": "{}"}}',
    "sk-{}",
    "sk-ant-{}",
    "Bearer {}",
    "https://user:{}@example.test/db",
    "https://example.test/v1?key={}&q=1",
    "password={}",
    "('api-key', '{}')",
)
WORDS = (
    "Priority",
    "set to High.",
    "the key point is",
    "task-force",
    "a:b",
    '"quoted"',
    "(5)",
    "[removed]",
    "{",
    "\n",
    "\\",
)


@st.composite
def planted(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text with secrets in it, and those secrets."""
    parts, secrets = [], []
    for _ in range(draw(st.integers(1, 5))):
        parts += draw(st.lists(st.sampled_from(WORDS), max_size=3))
        secrets.append(draw(BODY))
        parts.append(draw(st.sampled_from(FORMS)).format(secrets[-1]))
    return " ".join(parts), secrets


@settings(max_examples=60, deadline=None)
@given(planted())
def test_no_planted_secret_is_left_of_any_text(given_text: tuple[str, list[str]]) -> None:
    text, secrets = given_text
    assert [secret for secret in secrets if secret in scrub(text)] == []


ANY = st.text(max_size=60) | planted().map(lambda found: found[0]) | st.lists(st.sampled_from(FORMS)).map("".join)


@settings(max_examples=100, deadline=None)
@given(text=st.lists(ANY, max_size=3).map("".join), secrets=st.lists(st.text(min_size=1, max_size=9), max_size=2))
def test_what_was_scrubbed_is_scrubbed_no_further(text: str, secrets: list[str]) -> None:
    once = scrub(text, secrets=secrets)
    assert scrub(once, secrets=secrets) == once


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.text("abc XYZ.,!?()-5äß\n", max_size=12), max_size=12).map(" ".join))
def test_a_text_without_secrets_is_the_same(text: str) -> None:
    assert scrub(text) == text
