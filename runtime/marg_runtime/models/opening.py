"""A model by a short name, as a configuration or a command line gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from marg_runtime.errors import UsageError
from marg_runtime.models.anthropic import AnthropicModel
from marg_runtime.models.openai import OpenAIModel
from marg_runtime.models.retry import Retries, Timeout
from marg_runtime.wire import WireSink, ignore_wire

OpenedModel: TypeAlias = OpenAIModel | AnthropicModel

_FORMS = "openai:MODEL, openai-responses:MODEL or anthropic:MODEL"


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    timeout: Timeout | None = None,
    retries: Retries | None = None,
    extra_body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    stream: bool = True,
    wire: WireSink = ignore_wire,
) -> OpenedModel:
    """The model of a name: `openai:MODEL` (Chat Completions), `openai-responses:MODEL` or `anthropic:MODEL`.

    Keys and URLs that are not given come from `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY` and
    `ANTHROPIC_BASE_URL`. Raises `UsageError` for another name, a missing key, and a missing SDK.
    """
    provider, _, model = name.partition(":")
    if provider not in ("openai", "openai-responses", "anthropic") or not model:
        raise UsageError(f"no model {name!r}: write {_FORMS}")
    common: dict[str, Any] = {
        "base_url": base_url,
        "api_key": api_key,
        "timeout": timeout,
        "retries": retries,
        "extra_body": extra_body,
        "headers": headers,
        "stream": stream,
        "wire": wire,
    }
    if provider == "anthropic":
        return AnthropicModel(model, **common)
    return OpenAIModel(model, api="responses" if provider == "openai-responses" else "chat", **common)
