"""The search finds the counts that give what is printed, and no others."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from claims.exactly import bootstrap_p, mcnemar, percentile, rounds_to, shares
from deadheat.claims.counts import Margins
from deadheat.claims.matching import search
from deadheat.claims.outcome import METHODS, TESTS, Outcome
from deadheat.claims.printed import p_value, points, share
from deadheat.claims.stated import Stated


def gap_alone(n: int, net: int) -> Margins:
    margins = Margins.of(n, baseline=None, candidate=None, net=(net, net))
    assert margins is not None
    return margins


def printed(number: Fraction, places: int) -> str:
    return f"{float(number):.{places}f}"


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int, int]:
    n = draw(st.integers(6, 40))
    only_baseline = draw(st.integers(0, n // 2))
    return n, only_baseline, draw(st.integers(0, n - only_baseline))


@hypothesis_settings(max_examples=40)
@given(counts(), st.integers(0, 2))
def test_intervals_of_few_items(given: tuple[int, int, int], places: int) -> None:
    n, only_baseline, only_candidate = given
    low, high = (printed(end, places) for end in percentile(*given))
    margins = gap_alone(n, only_candidate - only_baseline)
    interval = points(low, "low", n), points(high, "high", n)
    found = search(margins, Stated(interval=interval), 0.95)
    assert found.complete
    wanted = set()
    for discordant in margins.discordants(margins.nets[0]):
        split = Outcome.of(n, margins.nets[0], discordant, 0.95)
        ends = percentile(n, split.only_baseline, split.only_candidate)
        if rounds_to(ends[0], low) and rounds_to(ends[1], high):
            wanted.add(discordant)
    assert only_baseline + only_candidate in wanted
    got = {m.outcome.discordant for m in found.exact if "percentile" in m.methods}
    assert got == wanted


@hypothesis_settings(max_examples=40)
@given(counts(), st.integers(2, 4))
def test_p_values_of_few_items(given: tuple[int, int, int], places: int) -> None:
    n, only_baseline, only_candidate = given
    margins = gap_alone(n, only_candidate - only_baseline)
    for test, p in (
        ("exact", mcnemar(only_baseline, only_candidate)),
        ("bootstrap", bootstrap_p(*given)),
    ):
        text = printed(p, places)
        found = search(margins, Stated(p_value=p_value(text)), 0.95)
        wanted = set()
        for discordant in margins.discordants(margins.nets[0]):
            split = Outcome.of(n, margins.nets[0], discordant, 0.95)
            here = split.only_baseline, split.only_candidate
            value = mcnemar(*here) if test == "exact" else bootstrap_p(n, *here)
            if rounds_to(value, text):
                wanted.add(discordant)
        assert only_baseline + only_candidate in wanted
        assert {m.outcome.discordant for m in found.exact if test in m.tests} == wanted


def test_shares_of_few_items() -> None:
    n, only_baseline, only_candidate = 30, 3, 8
    below, above = shares(n, only_baseline, only_candidate)
    margins = gap_alone(n, 5)
    for ahead in (1 - below, above):
        found = search(margins, Stated(share=share(printed(100 * ahead, 1))), 0.95)
        assert 11 in {match.outcome.discordant for match in found.exact}


@cache
def printable(
    n: int, net: int, discordant: int
) -> tuple[list[tuple[float, float]], list[float], list[float]]:
    """All intervals, p-values and shares in percent that may be printed of two counts."""
    one = Outcome.of(n, net, discordant, 0.95)
    intervals = [one.interval(method) for method in METHODS]
    return (
        [(100 * found.low, 100 * found.high) for found in intervals],
        [one.p_value(test) for test in TESTS],
        [100 * share for share in one.ahead],
    )


@pytest.mark.parametrize("discordant", [60, 300, 900])
@pytest.mark.parametrize("what", ["interval", "p", "share", "interval and p"])
def test_a_window_holds_what_a_scan_of_all_counts_finds(discordant: int, what: str) -> None:
    n, net, level = 1_200, 40, 0.95
    margins = gap_alone(n, net)
    true = Outcome.of(n, net, discordant, level)
    ends = true.interval("percentile")
    stated = Stated(
        interval=(
            points(f"{100 * ends.low:.1f}", "low", n),
            points(f"{100 * ends.high:.1f}", "high", n),
        )
        if "interval" in what
        else None,
        p_value=p_value(f"{true.p_value():.2g}") if "p" in what else None,
        share=share(f"{100 * true.ahead[0]:.1f}") if what == "share" else None,
    )
    found = search(margins, stated, level)
    # Newcombe's interval depends on more than these counts.
    got = {m.outcome.discordant for m in found.exact if m.methods != ("newcombe",)}
    assert discordant in got
    wanted = set()
    for d in margins.discordants(net):
        intervals, p_values, ahead = printable(n, net, d)
        fits = stated.interval is None or any(
            stated.interval[0].holds(low) and stated.interval[1].holds(high)
            for low, high in intervals
        )
        fits = fits and (stated.p_value is None or any(map(stated.p_value.holds, p_values)))
        fits = fits and (stated.share is None or any(map(stated.share.holds, ahead)))
        if fits:
            wanted.add(d)
    assert got <= wanted
    if found.complete:
        assert got == wanted
    else:
        assert (min(got), max(got)) == (min(wanted), max(wanted))


def test_draws_are_asked_only_where_no_counts_give_it() -> None:
    margins = gap_alone(120, 16)
    interval = points("5.0", "low", 120), points("22.5", "high", 120)
    stated = Stated(interval=interval, p_value=p_value(".004"), n_resamples=5_000)
    found = search(margins, stated, 0.95)
    assert found.exact == ()
    listed = [(m.outcome.only_candidate, m.outcome.only_baseline) for m in found.drawn]
    assert listed == [(24, 8), (23, 7)]
    # Published values of the three chances multiplied: 7.8% and 7.4%.
    assert [m.chance for m in found.drawn] == pytest.approx([0.078, 0.074], abs=0.0005)


def test_many_net_numbers_are_not_all_tried() -> None:
    margins = Margins.of(100_000, baseline=(71_150, 71_250), candidate=(74_750, 74_850), net=None)
    assert margins is not None
    interval = points("3.31", "low", 100_000), points("3.89", "high", 100_000)
    found = search(margins, Stated(interval=interval), 0.95)
    assert found.exact
    assert not found.complete
    for match in found.exact:
        ends = match.outcome.interval(match.methods[0])
        assert (100 * ends.low, 100 * ends.high) == pytest.approx((3.31, 3.89), abs=0.005001)
