"""Which variables, URLs and headers hold secrets, and which values of them are too short to be one."""

from __future__ import annotations

import pytest

from marg_runtime.scrub import own_secrets, scrub, secrets_of, secrets_of_headers


def test_a_value_of_the_environment_is_removed_wherever_it_stands() -> None:
    secrets = secrets_of({"VENDOR_API_KEY": "correct horse", "HOME": "/somewhere/long", "MY_TOKEN": "1"})
    assert scrub("he said correct horse at /somewhere/long 1", secrets=secrets) == (
        "he said [removed] at /somewhere/long 1"
    )


def test_what_a_variable_names_by_its_file_is_no_secret() -> None:
    assert secrets_of({"TLS_KEY_FILE": "/somewhere/long", "SSH_AUTH_SOCK": "/somewhere/long"}) == frozenset()


def test_the_password_in_a_url_is_one_unless_it_is_the_users_name() -> None:
    found = secrets_of(
        {
            "DATABASE_URL": "postgresql://bob:open%20sesame@example.test/db",
            "https_proxy": "http://bob:proxysecret@example.test",
            "MARG_STORE": "postgresql://postgres:postgres@127.0.0.1/db",
        }
    )
    assert found == {"open%20sesame", "open sesame", "proxysecret"}


def test_of_a_variable_with_headers_the_values_of_secret_ones_are_secret() -> None:
    assert secrets_of({"OPENAI_CUSTOM_HEADERS": "x-api-key: open-sesame\nx-plain: nothing-here"}) == {"open-sesame"}


def test_a_value_that_is_a_word_of_eight_letters_at_least_is_taken_from_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_VENDOR_API_KEY", "open-sesame")
    assert scrub("it is open-sesame", secrets=own_secrets()) == "it is [removed]"


def test_a_secret_header_is_known_without_its_scheme() -> None:
    headers = [(b"authorization", b"Bearer open-sesame"), (b"X-Api-Key", b"short"), (b"accept", b"text/plain-long")]
    assert secrets_of_headers(headers) == {"open-sesame"}


def test_each_cookie_is_known() -> None:
    found = secrets_of_headers([(b"cookie", b"sid=open5sesame; theme=dark; other=shut6sesame")])
    assert found >= {"open5sesame", "shut6sesame"}
    assert not {"theme=dark", "theme", "dark"} & found
