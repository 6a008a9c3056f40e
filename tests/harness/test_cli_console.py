"""Consoles: safe text, width, colours, progress, JSON."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_harness.cli import console
from marg_harness.cli.printable import printable


class Terminal(io.StringIO):
    """A stream that says it is a terminal and keeps what it got."""

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Terminal:
    """Put a terminal in the place of both streams; in the test itself, since capturing swaps them before it."""
    stream = Terminal()
    for name in ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc\r", "a\\x0ab\\x09c\\x0d"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\x9b31m", "\\x9b31m"),
        ("\udcff", "\\udcff"),
        ("[red]yes[/red] 👍🏽 हाँ", "[red]yes[/red] 👍🏽 हाँ"),
    ],
)
def test_what_could_steer_a_terminal_is_written_out(raw: str, shown: str) -> None:
    assert printable(raw) == shown


def test_line_feeds_stay_where_they_are_wanted() -> None:
    assert printable("a\nb\x1b", newlines=True) == "a\nb\\x1b"


@given(text=st.text())
def test_printable_text_holds_no_control_character(text: str) -> None:
    shown = printable(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)


def test_markup_in_a_cell_is_printed_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_line("[bold]no[/bold] :smile:")
    assert capsys.readouterr().out == "[bold]no[/bold] :smile:\n"


def test_a_line_is_not_folded_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_line("x " * 500)
    assert capsys.readouterr().out.count("\n") == 1


def test_without_a_terminal_nothing_is_folded_before_the_wide_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert console.stdout().width == console.PIPED_WIDTH


def test_columns_of_the_environment_decide_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert console.stdout().width == 77


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    console.stdout().print(console.cell("3/4", style="red"))
    assert "\x1b[31m" in terminal.getvalue()


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, NO_COLOR="1")
    console.stdout().print(console.cell("3/4", style="red"))
    assert terminal.getvalue() == "3/4\n"


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    with console.progress("scoring", total=10, quiet=False) as watch:
        watch(10)
    assert "scoring" in terminal.getvalue()


def test_quiet_hides_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    with console.progress("scoring", total=10, quiet=True) as watch:
        watch(10)
    assert terminal.getvalue() == ""


def test_ci_hides_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch, CI="true")
    with console.progress("scoring", total=10, quiet=False) as watch:
        watch(10)
    assert terminal.getvalue() == ""


def test_a_pipe_gets_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("scoring", total=10, quiet=False) as watch:
        watch(10)
    assert capsys.readouterr().err == ""


def test_quiet_hides_notes(capsys: pytest.CaptureFixture[str]) -> None:
    console.note("left out", quiet=True)
    console.note("shown", quiet=False)
    assert capsys.readouterr().err == "shown\n"


def test_json_keeps_its_letters_where_the_stream_can_show_them(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"reply": "हाँ"})
    assert "हाँ" in capsys.readouterr().out


def test_json_is_ascii_where_the_stream_is_not_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    console.print_json({"reply": "हाँ"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode("ascii")) == {"reply": "हाँ"}
