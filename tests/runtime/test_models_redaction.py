"""No key reaches a record, a message or a repr, wherever it was put and whatever the server sends back."""

from __future__ import annotations

import json
import traceback
from base64 import b64encode
from typing import Any

import pytest
from tests.runtime.dialects import APIS, ONCE, REQUEST, ApiName, Said, error_event, events_of, frames
from tests.runtime.loopback import Answer, failed, head, loopback

from marg_runtime.errors import ModelError, UsageError
from marg_runtime.models import AnthropicModel, OpenAIModel
from marg_runtime.models.redaction import LONGEST_TEXT, STRUCK, Redaction
from marg_runtime.wire import WireLog

KEYS = {
    "api_key": "first-secret-11",
    "header": "second-secret-22",
    "option": "third-secret-33",
    "user": "fourth-secret-44",
    "password": "fifth-secret-55",
    "query": "sixth-secret-66",
    "other": "sk-somebody-elses-77",
    "environment": "eighth-secret-88",
    "proxy": "ninth-secret-99",
}
BASIC = b64encode(f"{KEYS['user']}:{KEYS['password']}".encode()).decode()
KEYS["basic"] = BASIC
LEAK = " ".join(KEYS.values())


@pytest.fixture(autouse=True)
def keys_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{provider}_CUSTOM_HEADERS", f"x-more: {KEYS['environment']}\nx-plain: no")
    monkeypatch.setenv("https_proxy", f"http://user:{KEYS['proxy']}@proxy.example:3128")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def model_with_keys(api: ApiName, url: str, log: WireLog) -> OpenAIModel | AnthropicModel:
    """A model with a key in every place that takes one."""
    place = url.replace("http://", f"http://{KEYS['user']}:{KEYS['password']}@")
    options: dict[str, Any] = {
        "api_key": KEYS["api_key"],
        "headers": {"x-proxy-key": KEYS["header"]},
        "extra_body": {"gateway": {"keys": [KEYS["option"]]}},
        "retries": ONCE,
        "wire": log,
        "base_url": f"{place}/v1?key={KEYS['query']}",
    }
    return AnthropicModel("m", **options) if api == "messages" else OpenAIModel("m", api=api, **options)


def stream_with(headers: dict[str, str], sent: list[bytes]) -> Answer:
    """A stream behind these headers."""
    return Answer(pieces=(head(200, **headers), *sent))


def leaks(api: ApiName) -> list[Answer]:
    """Answers that give the keys back in every place that an answer has."""
    named = {"x_request_id": KEYS["api_key"], "request_id": KEYS["header"], "retry_after": KEYS["query"]}
    error = {"type": KEYS["other"], "code": KEYS["api_key"], "message": LEAK, "param": LEAK}
    odd = {"type": "response.output_item.added", "output_index": 0, "item": {"type": LEAK}}
    events = events_of(api, Said())
    return [
        failed(400, {"error": error}, **named),
        failed(401, {"error": error}, **named),
        failed(429, {"error": error, "message": LEAK}, **named),
        failed(500, LEAK, **named),
        stream_with(named, frames([*events[:2], error_event(api, KEYS["api_key"])])),
        stream_with(named, frames([*events[:2], {"type": LEAK, "choices": LEAK, "error": LEAK}])),
        stream_with(
            named, frames([*events[:2], {**odd, "choices": [{"index": 0, "delta": {}, "finish_reason": LEAK}]}])
        ),
        Answer(pieces=(head(200, media=KEYS["api_key"] + "/x"), LEAK.encode())),
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("api", APIS)
async def test_a_key_is_in_no_record_no_message_and_no_repr(api: ApiName, number: int) -> None:
    log = WireLog()
    async with loopback(leaks(api)[number]) as server, model_with_keys(api, server.url, log) as model:
        with pytest.raises(ModelError) as raised:
            async for _ in model.stream(REQUEST):
                pass
        shown = "\n".join([repr(model), repr(log), *traceback.format_exception(raised.value), repr(vars(raised.value))])
        sent = json.dumps([server.requests[0].headers, server.requests[0].body, server.requests[0].line])
    assert [name for name, key in KEYS.items() if key in shown] == []
    # It did go where it belongs, so that the line above can fail.
    assert [name for name in ("header", "option", "query", "environment") if KEYS[name] not in sent] == []
    assert BASIC in sent


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
async def test_an_error_holds_no_exception_of_the_sdks_which_would_hold_the_request(api: ApiName) -> None:
    log = WireLog()
    async with loopback(failed(401, {})) as server, model_with_keys(api, server.url, log) as model:
        with pytest.raises(ModelError) as raised:
            async for _ in model.stream(REQUEST):
                pass
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)


def test_a_base_url_that_is_none_is_refused_without_being_shown() -> None:
    with pytest.raises(UsageError) as raised:
        OpenAIModel("m", api_key="k", base_url=KEYS["password"])
    assert KEYS["password"] not in str(raised.value)


def test_a_value_that_holds_another_is_struck_out_whole() -> None:
    assert Redaction(["abcd", "abcdefgh"]).text("is abcdefgh") == f"is {STRUCK}"


def test_what_looks_like_a_key_is_struck_out_though_nobody_named_it() -> None:
    assert Redaction([]).text("Incorrect key: sk-proj-ab12cd34. Send Bearer abc") == (
        f"Incorrect key: {STRUCK}. Send {STRUCK}"
    )


def test_a_text_is_one_short_line() -> None:
    text = Redaction([]).text("a\n\x1b[31mb" + "x" * 500)
    assert (len(text), text.isprintable()) == (LONGEST_TEXT, True)


@pytest.mark.parametrize(
    "word", [None, True, 1.5, "two words", "", "x" * 81, "naïve", "sk-abcdefghij", "has-hidden-in"]
)
def test_what_is_no_plain_word_or_holds_a_secret_is_no_code(word: object) -> None:
    assert Redaction(["hidden"]).word(word) is None


@pytest.mark.parametrize(("word", "kept"), [("rate_limit_exceeded", "rate_limit_exceeded"), (429, "429")])
def test_a_plain_word_is_kept(word: object, kept: str) -> None:
    assert Redaction(["hidden"]).word(word) == kept


def test_the_repr_of_a_redaction_shows_no_value() -> None:
    assert "hidden" not in repr(Redaction(["hidden"]))
