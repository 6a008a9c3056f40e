"""A model is opened by its name, and what is missing is said with the next step."""

from __future__ import annotations

import subprocess
import sys

import pytest

from marg_runtime.errors import UsageError
from marg_runtime.models import AnthropicModel, OpenAIModel, open_model

VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [
        ("openai:m-1", OpenAIModel, "OpenAIModel('m-1', 'POST /chat/completions' at '127.0.0.1')"),
        ("openai-responses:m-1", OpenAIModel, "OpenAIModel('m-1', 'POST /responses' at '127.0.0.1')"),
        ("anthropic:m-1", AnthropicModel, "AnthropicModel('m-1', 'POST /v1/messages' at '127.0.0.1')"),
        ("openai:org/model:8b", OpenAIModel, "OpenAIModel('org/model:8b', 'POST /chat/completions' at '127.0.0.1')"),
    ],
)
def test_a_name_opens_its_model(name: str, kind: type, shown: str) -> None:
    model = open_model(name, base_url="http://127.0.0.1:9/v1", api_key="any")
    assert (type(model), repr(model)) == (kind, shown)


@pytest.mark.parametrize("name", ["", "m-1", "openai:", "openai", "mistral:m", ":m"])
def test_another_name_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(UsageError, match="write openai:MODEL, openai-responses:MODEL or anthropic:MODEL"):
        open_model(name, api_key="any")


@pytest.mark.parametrize(("name", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
def test_a_missing_key_is_said_with_the_variable_that_holds_it(name: str, variable: str) -> None:
    with pytest.raises(UsageError, match=f"set {variable}, or give api_key"):
        open_model(name)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_the_key_and_the_url_come_from_the_environment(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "any")
    monkeypatch.setenv(f"{provider.upper()}_BASE_URL", "http://elsewhere.example/v1")
    assert "elsewhere.example" in repr(open_model(f"{provider}:m"))


def test_anthropics_other_variable_of_a_key_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "any")
    assert isinstance(open_model("anthropic:m"), AnthropicModel)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "http://[bad"])
def test_a_base_url_without_scheme_or_host_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="base_url is no http or https URL"):
        open_model("openai:m", base_url=url, api_key="any")


def test_a_longest_reply_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="max_tokens is a number from 1"):
        AnthropicModel("m", max_tokens=0, api_key="any")


@pytest.mark.parametrize(("name", "package"), [("openai:m", "openai"), ("anthropic:m", "anthropic")])
def test_a_missing_sdk_is_said_with_the_extra_that_brings_it(name: str, package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
from marg_runtime.errors import UsageError
from marg_runtime.models import open_model
try:
    open_model({name!r}, api_key="any")
except UsageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'marg[models]'" in done.stdout


def test_the_door_of_the_models_imports_no_sdk() -> None:
    code = "import sys, marg_runtime.models; print({'openai', 'anthropic', 'httpx2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
