"""The stopwatch around a reader, with a scripted clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from marg_corpora import ShippedReader, TimedReader
from marg_runtime import Question


def clock(*times: float) -> Iterator[float]:
    return iter(times)


def test_the_rate_is_readings_by_the_time_they_took() -> None:
    times = clock(10.0, 10.5, 99.0, 100.5)
    timed = TimedReader(reader=ShippedReader(name="leading_word"), clock=lambda: next(times))
    timed.read("yes", Question(), language="en")
    timed.read("no", Question(), language="en")
    assert timed.replies_per_second == pytest.approx(2 / 2.0)


def test_the_reading_is_that_of_the_reader() -> None:
    reader = ShippedReader(name="leading_word")
    timed = TimedReader(reader=reader)
    assert timed.read("yes but", Question(), language="en") == reader.read("yes but", Question(), language="en")


def test_the_name_is_that_of_the_reader() -> None:
    assert TimedReader(reader=ShippedReader(name="literal")).name == "literal"


def test_before_any_reading_there_is_no_rate() -> None:
    assert TimedReader(reader=ShippedReader(name="literal")).replies_per_second is None
