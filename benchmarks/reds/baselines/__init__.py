"""What others would say of the same reds: each a function over what a CI log, reruns, the base and a history show."""

from benchmarks.reds.baselines.baseline import Baseline
from benchmarks.reds.baselines.named import BASELINES

__all__ = ["BASELINES", "Baseline"]
