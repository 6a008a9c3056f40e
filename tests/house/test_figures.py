"""Every figure in README and docs is what its command prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.figures import FIGURES, NEEDS_CORPORA, Stated, replay_in_numbers, stated_figures

if TYPE_CHECKING:
    from tests.conftest import Once

    from marg_reports import RunRecord

STATED = list(stated_figures())


def _params(needs_corpora: bool) -> list[object]:
    return [
        pytest.param(figure, id=f"{figure.document.name}-{figure.name}")
        for figure in STATED
        if (figure.name in NEEDS_CORPORA) is needs_corpora and figure.name != "replay"
    ]


def test_every_figure_has_a_command() -> None:
    assert {figure.name for figure in STATED} <= set(FIGURES)


def test_the_readme_states_the_replay_and_both_kinds_of_corpora() -> None:
    assert {figure.name for figure in STATED if figure.document.name == "README.md"} >= {"replay", "shipped", "public"}


def test_the_figure_of_the_replay_is_that_of_all_that_ships(shipped_run: RunRecord) -> None:
    computed = replay_in_numbers(shipped_run)
    assert [figure.text for figure in STATED if figure.name == "replay"] == [computed]


@pytest.mark.parametrize("figure", _params(needs_corpora=False))
def test_a_figure_is_what_is_computed(figure: Stated, once: Once) -> None:
    # More than one document states some of them.
    assert figure.text == once(f"figure-{figure.name}", FIGURES[figure.name])


@pytest.mark.parametrize("figure", _params(needs_corpora=True))
def test_a_figure_of_the_public_corpora_is_what_is_computed(figure: Stated, corpora_folder: Path, once: Once) -> None:
    assert figure.text == once(f"figure-{figure.name}", FIGURES[figure.name])
