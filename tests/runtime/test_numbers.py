"""How numbers look in every table and message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime import numbers
from marg_runtime.intervals import Interval


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (999, "999"), (40838, "40,838"), (-1234, "-1,234")])
def test_a_count_has_thousands_separators(number: int, text: str) -> None:
    assert numbers.count(number) == text


def test_x_of_n_keeps_both_numbers() -> None:
    assert numbers.of(3, 1234) == "3/1,234"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0.0 %"), (1.0, "100.0 %"), (0.6139, "61.4 %"), (0.00042, "0.04 %"), (0.00003, "< 0.01 %")],
)
def test_a_percentage_keeps_two_figures_where_it_is_small(share: float, text: str) -> None:
    assert numbers.percent(share) == text


def test_a_share_of_nothing_is_a_dash() -> None:
    assert numbers.percent_of(0, 0) == numbers.NOTHING


def test_a_share_of_something_is_a_percentage() -> None:
    assert numbers.percent_of(1, 8) == "12.5 %"


def test_an_interval_shows_both_ends_in_percent() -> None:
    assert numbers.interval(Interval(low=0.602, high=0.625)) == "60.2–62.5 %"


@pytest.mark.parametrize(("share", "text"), [(0.000179, "≤ 0.02 %"), (0.0001, "≤ 0.01 %"), (0.00705, "≤ 0.71 %")])
def test_an_upper_bound_rounds_up(share: float, text: str) -> None:
    assert numbers.at_most(share) == text


@given(share=st.floats(0, 1))
def test_a_printed_upper_bound_is_never_below_the_bound(share: float) -> None:
    printed = float(numbers.at_most(share).removeprefix("≤ ").removesuffix(" %"))
    assert printed >= share * 100 - 1e-9


@pytest.mark.parametrize(("per_second", "text"), [(10234.5, "10,234/s"), (2.51, "2.5/s")])
def test_a_rate_is_per_second(per_second: float, text: str) -> None:
    assert numbers.rate(per_second) == text


@pytest.mark.parametrize(
    ("duration", "text"), [(0.042, "42 ms"), (3.21, "3.2 s"), (125.2, "2 min 5 s"), (3600.0, "60 min 0 s")]
)
def test_a_duration_takes_the_unit_that_fits(duration: float, text: str) -> None:
    assert numbers.seconds(duration) == text


@pytest.mark.parametrize(
    ("octets", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (14_620_240, "13.9 MiB"), (1024**2 - 1, "1.0 MiB")],
)
def test_bytes_take_the_unit_that_fits(octets: int, text: str) -> None:
    assert numbers.size(octets) == text
