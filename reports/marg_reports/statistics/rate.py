"""A rate: so many of so many runs. A run that is invalid counts in neither."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """`hits` of `of` runs. Raises ValueError where `hits` is not between 0 and `of`."""

    hits: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.of:
            raise ValueError(f"hits must be between 0 and of; got hits={self.hits!r}, of={self.of!r}")

    @property
    def misses(self) -> int:
        """The runs that were no hits."""
        return self.of - self.hits
