"""The statistics of the reds: exact tests, posterior of a difference, pass^k, staged live runs."""

from marg_reports.statistics.fisher import fisher_greater
from marg_reports.statistics.holm import holm
from marg_reports.statistics.mcnemar import mcnemar
from marg_reports.statistics.pass_power import pass_power, zero_passes_bound
from marg_reports.statistics.rate_difference import Rate, difference_below
from marg_reports.statistics.stages import STAGES, Stage, stage_after

__all__ = [
    "STAGES",
    "Rate",
    "Stage",
    "difference_below",
    "fisher_greater",
    "holm",
    "mcnemar",
    "pass_power",
    "stage_after",
    "zero_passes_bound",
]
