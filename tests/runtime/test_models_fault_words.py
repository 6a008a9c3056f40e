"""A provider's words, codes and statuses name the kind of its error; its message is never read."""

from __future__ import annotations

import pytest

from marg_runtime.models.fault_words import kind_of_answer, kind_of_failed_status, kind_of_words, words_of
from marg_runtime.wire import WireKind


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"type": "a_error", "code": "b", "message": "m"}}, ("b", "a_error")),
        ({"type": "error", "error": {"type": "overloaded_error"}}, ("overloaded_error",)),
        ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, (429, "RESOURCE_EXHAUSTED")),
        ({"error": "overloaded"}, ("overloaded",)),
        ({"code": "x", "type": None}, ("x",)),
        ({"error": {"code": True, "type": ["a"]}}, ()),
        ("a page", ("a page",)),
        (None, ()),
        ([1], ()),
    ],
)
def test_the_words_of_a_body_are_its_code_then_its_type(body: object, words: tuple[str | int, ...]) -> None:
    assert words_of(body) == words


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("overloaded_error", "overload"),
        ("api_error", "overload"),
        ("server_error", "overload"),
        ("rate_limit_exceeded", "rate_limit"),
        ("RESOURCE_EXHAUSTED", "rate_limit"),
        ("insufficient_quota", "quota"),
        ("billing_error", "quota"),
        ("authentication_error", "auth"),
        ("permission_error", "auth"),
        ("timeout_error", "timeout"),
        ("invalid_request_error", "request"),
        ("not_found_error", "request"),
        (502, "overload"),
        ("429", "rate_limit"),
        (200, None),
        (99999, None),
        ("brand_new_error", None),
        ("the server is overloaded_error", None),
    ],
)
def test_a_word_or_a_number_names_a_kind(word: str | int, kind: WireKind | None) -> None:
    assert kind_of_words([word]) == kind


def test_the_first_known_word_counts() -> None:
    assert kind_of_words(["brand_new", "insufficient_quota", "server_error"]) == "quota"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *[(400, "request"), (404, "request"), (413, "request"), (422, "request"), (401, "auth"), (403, "auth")],
        *[
            (402, "quota"),
            (408, "timeout"),
            (504, "timeout"),
            (429, "rate_limit"),
            (500, "overload"),
            (529, "overload"),
        ],
    ],
)
def test_a_status_names_a_kind(status: int, kind: WireKind) -> None:
    assert kind_of_failed_status(status) == kind


def test_an_empty_purse_behind_a_429_is_the_quota() -> None:
    assert kind_of_answer(429, ["insufficient_quota"]) == "quota"


def test_but_for_that_the_status_counts_before_the_word() -> None:
    assert kind_of_answer(500, ["rate_limit_error"]) == "overload"


def test_inside_a_stream_the_word_counts_and_one_that_nobody_knows_is_a_breakdown() -> None:
    words = [["rate_limit_error"], ["brand_new"], []]
    assert [kind_of_answer(200, word) for word in words] == ["rate_limit", "overload", "overload"]
