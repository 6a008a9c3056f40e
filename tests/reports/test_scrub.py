"""Secrets are removed by shape, by the name beside them, and by value; ordinary words stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from marg_reports.report import TriagedRed, TriageReport, report_lines, scrub, scrubbed, secrets_of

MakeReport = Callable[..., TriageReport]

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
        "-----BEGIN PRIVATE KEY-----\nhunter2secret\n-----END PRIVATE KEY-----",
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


def test_a_report_is_scrubbed_wherever_a_text_stands(red: Callable[..., TriagedRed], report: MakeReport) -> None:
    one = scrubbed(report([red(1, text=f"used {KEY} twice")]))
    assert KEY not in "".join(report_lines(one))
    assert one.reds[0].place == one.checks[0].place


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
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert scrub(text) == text
