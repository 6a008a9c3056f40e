"""The fault benchmark end to end, on two small kinds: repositories, replays, triage, figures.

All kinds run with `python -m benchmarks.reds`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.reds import trial as trial_module
from benchmarks.reds.ablation import ablated
from benchmarks.reds.figures import Figures
from benchmarks.reds.kind_file import load_kind
from benchmarks.reds.score import Scored
from benchmarks.reds.site import make_pristine
from benchmarks.reds.table import lines_of
from benchmarks.reds.trial import Ground, run_trial

from marg_harness.evidence import gather as gather_module

STORY = """\
scenario: a question is answered
domain: support_intake
turns:
  - id: report
    say: My login fails since this morning. I get error 500 on every try.
    expect: {block: {step: priority, options: [Low, Medium, High, Urgent]}}
"""
ORDER = """\
  - of: runtime
    file: marg_runtime/option_loading.py
    replace:
      - {old: "return tuple(each.values())", new: "return tuple(reversed(each.values()))"}
"""
EDITED = """\
  - of: scenario
    file: "*"
    replace:
      - {old: "[Low, Medium, High, Urgent]", new: "[Low, Medium, High]"}
"""
PATCHES = {
    "regression": ORDER,
    "brittle_check": EDITED,
}


def scored(folder: Path) -> list[Scored]:
    """Two kinds, tried with one hash seed: what wavering shows is another test's."""
    (folder / "story.scenario.yaml").write_text(STORY)
    ground = Ground(pristine=make_pristine(folder / "pristine"), folder=folder / "sites", cache=folder / "cache")
    found = []
    for truth, patches in PATCHES.items():
        path = folder / f"{truth}.kind.yaml"
        head = f"kind: small_{truth}\nfamily: small\ntruth: {truth}\nabout: Small.\nseeds: [1]\n"
        path.write_text(f"{head}add: [story.scenario.yaml]\npatches:\n{patches}")
        kind = load_kind(path)
        trial = run_trial(kind, ground)
        found.append(Scored(kind=kind, trial=trial, ablated=tuple(ablated(one.evidence) for one in trial.tried)))
    return found


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    with pytest.MonkeyPatch.context() as patch:
        for module in (gather_module, trial_module):
            patch.setattr(module, "VARIATIONS", module.VARIATIONS[:1])
        return Figures(scored(tmp_path_factory.mktemp("reds")))


def test_the_reds_of_each_kind_are_called_what_they_are(figures: Figures) -> None:
    assert figures.invalid == ()
    assert {one.case.truth: one.verdict.red_class for one in figures.tried} == {truth: truth for truth in PATCHES}


def test_cells_that_are_taken_away_make_no_other_class(figures: Figures) -> None:
    assert figures.subsets > 100
    assert figures.changes == ()


def test_the_figures_have_what_the_issue_names(figures: Figures) -> None:
    said = figures.as_json(seconds=1.0)
    assert (said["reds"], said["accuracy"], said["exonerated"], said["regressions"], said["proven_wrong"]) == (
        2,
        1.0,
        0,
        1,
        0,
    )
    assert said["confusion"]["regression"]["regression"] == 1


def test_the_base_and_the_history_of_a_red_are_its_own(figures: Figures) -> None:
    bases = {one.case.truth: (one.case.base, set(one.case.history)) for one in figures.tried}
    assert bases == {"regression": (True, {True}), "brittle_check": (True, {True})}


def test_the_table_names_the_bound_of_what_was_exonerated(figures: Figures) -> None:
    text = "\n".join(lines_of(figures, seconds=1.0))
    assert "0/1 (≤ 97.50 %)" in text
