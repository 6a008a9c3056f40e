"""What users of other systems reported: a scenario or a test that shows how it goes here names each report."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PLACES = ("tests", "scenarios")
KINDS = (".py", ".yaml")
REPORTS = (
    "Agenta-AI/agenta 4854",
    "CopilotKit/CopilotKit 4953",
    "CopilotKit/aimock 166",
    "Drakon-Systems-Ltd/ShieldCortex 183",
    "NousResearch/hermes-agent 18945",
    "TulipFarm/tulipfarm 429",
    "UKGovernmentBEIS/inspect_ai 3707",
    "alexa/alexa-skills-kit-sdk-for-java 93",
    "decocms/studio 2498",
    "dorny/test-reporter 57",
    "dotnet/aspnetcore 67278",
    "google/adk-python 2757",
    "google/adk-python 6198",
    "homeassistant-ai/ha-mcp 2387",
    "jferreiros/vortex 256",
    "jferreiros/vortex 313",
    "langchain-ai/langchain 33787",
    "langchain-ai/langchain 40491",
    "langchain-ai/langgraph 8837",
    "mcp-hangar/mcp-hangar 674",
    "microsoft/BotFramework-Composer 940",
    "microsoft/botframework-sdk 1846",
    "nowireless4u/hpe-networking-mcp 99",
    "promptfoo/promptfoo 5847",
    "pydantic/pydantic-ai 3350",
    "pydantic/pydantic-ai 4830",
    "pydantic/pydantic-ai 6968",
    "pytest-dev/pytest-rerunfailures 170",
    "reportportal/reportportal 1005",
    "sierra-research/tau2-bench 297",
    "tourmind-com/Tourmind-Booking-Skills 14",
    "vercel/ai 15947",
    "vercel/eve 2471",
    "vercel/eve 312",
    "whoz-oss/coday 993",
)


@pytest.fixture(scope="module")
def written() -> str:
    """All of the tests and scenarios but this page, with a space for every run of spaces and line ends."""
    files = sorted(file for place in PLACES for file in (REPOSITORY / place).rglob("*") if file.suffix in KINDS)
    return " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in files if file != Path(__file__))


@pytest.mark.parametrize("report", REPORTS)
def test_a_scenario_or_a_test_names_the_report(written: str, report: str) -> None:
    assert f"{report})" in written or f"{report};" in written or f"{report}," in written or f"{report}." in written
