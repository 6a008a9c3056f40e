"""Taking layers of the gate away, to see what the others hold alone.

Only an exploration can do this, for the time of a block and in its own process; no setting of the runtime does.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from marg_runtime import gate
from marg_runtime.domain import Domain
from marg_runtime.events.write import LayerDecision, LayerName


@contextmanager
def without(layers: Iterable[LayerName]) -> Iterator[None]:
    """While the block runs, these layers allow everything."""
    with ExitStack() as stack:
        for layer in sorted(set(layers)):
            stack.enter_context(in_place_of(gate, f"{layer}_layer", partial(_open, layer)))
        yield


@contextmanager
def in_place_of(module: ModuleType, name: str, other: object) -> Iterator[None]:
    """While the block runs, the module has another object under this name."""
    own = getattr(module, name)
    setattr(module, name, other)
    try:
        yield
    finally:
        setattr(module, name, own)


def _open(layer: LayerName, **_: Any) -> LayerDecision:
    return LayerDecision(layer=layer, allowed=True, reason="taken away for an exploration")


def without_skill(domain: Domain) -> Domain:
    """The domain with its skill text gone: the model is sent nothing that forbids the write.

    A domain refuses to be made like this, so the text is taken from a copy.
    """
    bare = copy.copy(domain)
    object.__setattr__(bare, "skill", "")
    return bare
