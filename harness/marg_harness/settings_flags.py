"""The settings of a run's record as the options of `marg replay` that ask for the same again."""

from __future__ import annotations

from collections.abc import Mapping

from marg_runtime.canonical import Json

SETTING_FLAGS = {
    "seed": "--seed",
    "over": "--over",
    "faults": "--faults",
    "read": "--read",
    "retries": "--retries",
    "tool_faults": "--tool-faults",
    "tool_timeout": "--tool-timeout",
    "model": "--model",
    "base_url": "--base-url",
}
"""The option of each setting that has a value."""


def flags_of(settings: Mapping[str, Json]) -> list[str]:
    """The options, in a fixed order."""
    named = [(flag, str(settings[name])) for name, flag in SETTING_FLAGS.items() if name in settings]
    given = [part for flag_and_value in named for part in flag_and_value]
    return [*given, "--no-slips"] if settings.get("slips") is False else given


def only_model(settings: Mapping[str, Json]) -> Mapping[str, Json]:
    """What of the settings says which real model is asked."""
    return {name: settings[name] for name in ("model", "base_url") if name in settings}
