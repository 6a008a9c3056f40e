"""All kinds tried, in processes of their own, and what they gave together."""

from __future__ import annotations

import multiprocessing
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from benchmarks.reds.ablation import Ablated, ablated
from benchmarks.reds.kind import Kind
from benchmarks.reds.site import make_pristine
from benchmarks.reds.trial import Ground, Trial, run_trial
from marg_runtime.errors import MargError


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A kind's trial, and its reds with evidence taken away. broken: why there is no trial."""

    kind: Kind
    trial: Trial | None
    ablated: tuple[Ablated, ...] = ()
    broken: str = ""


def score(kinds: Sequence[Kind], *, jobs: int, folder: Path | None = None) -> Iterator[Scored]:
    """Try all kinds, `jobs` at once, and give each as it is done. folder: where to work, by default a temporary one."""
    with tempfile.TemporaryDirectory(prefix="marg-reds-") as temporary:
        root = folder or Path(temporary)
        ground = Ground(pristine=root / "pristine", folder=root / "sites", cache=root / "cache")
        if not ground.pristine.is_dir():
            make_pristine(ground.pristine)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=jobs, mp_context=context) as pool:
            futures = [pool.submit(_scored, kind, ground) for kind in kinds]
            for future in as_completed(futures):
                yield future.result()


def _scored(kind: Kind, ground: Ground) -> Scored:
    try:
        trial = run_trial(kind, ground)
    except Exception as error:
        # One kind that cannot be tried shows nothing, and takes no other with it.
        said = str(error) if isinstance(error, MargError) else "".join(traceback.format_exception(error))
        return Scored(kind=kind, trial=None, broken=said)
    return Scored(kind=kind, trial=trial, ablated=tuple(ablated(one.evidence) for one in trial.tried))
