"""The one place where Marg turns a number into text: every table, report and message formats through here."""

from __future__ import annotations

from marg_runtime.intervals import Interval

NOTHING = "–"
"""What stands where there is no number, such as a share of nothing."""

TWO_DECIMALS_BELOW = 0.1
"""Percentages under this many percent get two decimals, so that 0.04 % is not printed as 0.0 %."""

SMALLEST_PERCENT = 0.01
"""A percentage above zero that would round below this is printed as "< 0.01"."""

WHOLE_RATE_FROM = 100
"""Rates of this many per second and more are printed without decimals."""

MILLISECONDS_BELOW = 1.0
"""Durations shorter than this many seconds are printed in milliseconds."""

MINUTES_FROM = 120.0
"""Durations of this many seconds and more are printed as minutes and seconds."""

BYTES_PER_STEP = 1024
_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def count(number: int) -> str:
    """Format a count with thousands separators: 40838 gives "40,838"."""
    return f"{number:,}"


def plural(number: int, things: str) -> str:
    """Format a count with what is counted: 2, "scenarios" gives "2 scenarios", 1 gives "1 scenario"."""
    return f"{count(number)} {things.removesuffix('s') if number == 1 else things}"


def of(hits: int, total: int) -> str:
    """Format x/n: 3 of 1234 gives "3/1,234"."""
    return f"{count(hits)}/{count(total)}"


def percent(share: float) -> str:
    """Format a share between 0 and 1 as a percentage: 0.6139 gives "61.4 %", 0.00042 gives "0.04 %"."""
    return f"{_percent_digits(share)} %"


def percent_of(hits: int, total: int) -> str:
    """Format the percentage that `hits` is of `total`; of nothing it is "–"."""
    return percent(hits / total) if total else NOTHING


def interval(ends: Interval) -> str:
    """Format an interval of a share in percent: "60.2–62.5 %"."""
    return f"{_percent_digits(ends.low)}–{_percent_digits(ends.high)} %"


def at_most(share: float) -> str:
    """Format an upper bound of a share: 0.00018 gives "≤ 0.02 %".

    It rounds up, for a bound that is rounded down is no longer one.
    """
    steps = share * 100 / SMALLEST_PERCENT
    whole = int(steps)
    rounded = whole if steps - whole < 1e-9 else whole + 1
    return f"≤ {rounded * SMALLEST_PERCENT:.2f} %"


def rate(per_second: float) -> str:
    """Format a rate in events per second: 10234.5 gives "10,234/s", 2.51 gives "2.5/s"."""
    return f"{per_second:,.0f}/s" if per_second >= WHOLE_RATE_FROM else f"{per_second:.1f}/s"


def seconds(duration: float) -> str:
    """Format a duration in seconds: 0.042 gives "42 ms", 3.21 gives "3.2 s", 125 gives "2 min 5 s"."""
    if duration < MILLISECONDS_BELOW:
        return f"{duration * 1000:.0f} ms"
    if duration < MINUTES_FROM:
        return f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    return f"{count(minutes)} min {rest} s"


def size(octets: int) -> str:
    """Format a number of bytes: 512 gives "512 B", 14620240 gives "13.9 MiB"."""
    if octets < BYTES_PER_STEP:
        return f"{octets} B"
    amount, unit = float(octets), 0
    while round(amount, 1) >= BYTES_PER_STEP and unit < len(_BYTE_UNITS) - 1:
        amount, unit = amount / BYTES_PER_STEP, unit + 1
    return f"{amount:,.1f} {_BYTE_UNITS[unit]}"


def _percent_digits(share: float) -> str:
    number = share * 100
    if 0 < number < SMALLEST_PERCENT:
        return f"< {SMALLEST_PERCENT}"
    return f"{number:.2f}" if 0 < number < TWO_DECIMALS_BELOW else f"{number:.1f}"
