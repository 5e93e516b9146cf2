"""Narrowest, widest and border, held against all counts."""

from __future__ import annotations

import pytest
from scipy import stats

from claims.exactly import mcnemar, percentile
from deadheat.claims.counts import Margins
from deadheat.claims.outcome import Outcome
from deadheat.claims.possible import possible

LEVEL = 0.95


def margins_of(n: int, baseline: int, candidate: int) -> Margins:
    found = Margins.of(n, baseline=(baseline, baseline), candidate=(candidate, candidate), net=None)
    assert found is not None
    return found


@pytest.mark.parametrize("n", [8, 20, 49, 50, 60, 90])
def test_the_border_is_where_the_gap_stops_being_resolved(n: int) -> None:
    for net in range(n // 2 + 1):
        margins = margins_of(n, n // 4, n // 4 + net)
        found = possible(margins, net, LEVEL, known=True, stated=None)
        resolved = []
        for discordant in margins.discordants(net):
            one = Outcome.of(n, net, discordant, LEVEL)
            rejected = mcnemar(one.only_baseline, one.only_candidate) <= 0.05
            if rejected and one.usual.excludes(0.0):
                resolved.append(discordant)
        assert found.border == (max(resolved) if resolved else None)
        if resolved:
            # No hole below it.
            assert resolved == list(range(net, max(resolved) + 1, 2))
        assert found.never == (not resolved)
        assert found.always == (len(resolved) == len(margins.discordants(net)))


@pytest.mark.parametrize(
    ("n", "baseline", "candidate"), [(20, 10, 14), (40, 10, 10), (40, 3, 30), (60, 50, 58)]
)
def test_narrowest_and_widest_are_so_among_all(n: int, baseline: int, candidate: int) -> None:
    margins, net = margins_of(n, baseline, candidate), candidate - baseline
    found = possible(margins, net, LEVEL, known=True, stated=None)
    widths = {}
    for discordant in margins.discordants(net):
        one = Outcome.of(n, net, discordant, LEVEL)
        low, high = percentile(n, one.only_baseline, one.only_candidate)
        widths[discordant] = high - low
    assert widths[found.narrowest.discordant] == min(widths.values())
    assert widths[found.widest.discordant] == max(widths.values())


def test_seed_2() -> None:
    """356 and 374 of 500: the largest number that the exact test rejects is 46 against 28."""
    found = possible(margins_of(500, 356, 374), 18, LEVEL, known=True, stated=None)
    assert found.border == 74
    assert stats.binomtest(46, 74).pvalue < 0.05 < stats.binomtest(47, 76).pvalue
    assert (found.narrowest.discordant, found.widest.discordant) == (18, 500 - 356 + 500 - 374)
    labels = {what: row for row in found.rows for what in row.what}
    assert list(labels) == [
        *("narrowest", "correlation 0.9", "last resolved", "first not resolved"),
        *("correlation 0.4", "independent", "widest"),
    ]
    # Independent systems differ on p(1 - q) + q(1 - p) of the items.
    expected = 500 * (0.712 * 0.252 + 0.748 * 0.288)
    assert abs(labels["independent"].outcome.discordant - expected) <= 1.0


@pytest.mark.parametrize("correlation", [0.9, 0.4])
def test_typical_discordance_is_that_of_two_correlated_normals(correlation: float) -> None:
    n, baseline, candidate = 2_000, 1_400, 1_500
    found = possible(margins_of(n, baseline, candidate), 100, LEVEL, known=True, stated=None)
    assert found.typical is not None
    cuts = stats.norm.ppf([baseline / n, candidate / n])
    law = stats.multivariate_normal([0.0, 0.0], [[1.0, correlation], [correlation, 1.0]])
    expected = baseline + candidate - 2 * n * law.cdf(cuts)
    labels = {what: row for row in found.rows for what in row.what}
    row = labels[f"correlation {correlation:g}"]
    assert abs(row.outcome.discordant - expected) <= 1.5


def test_items_for_power_are_connors() -> None:
    """Connor (1987) by hand, at the discordance of 152 of 500."""
    found = possible(margins_of(500, 356, 374), 18, LEVEL, known=True, stated=152)
    (row,) = [row for row in found.rows if "stated" in row.what]
    share, gap = 152 / 500, 18 / 500
    first, second = stats.norm.isf([0.025, 0.2])
    wanted = ((first * share**0.5 + second * (share - gap**2) ** 0.5) / gap) ** 2
    assert row.items == pytest.approx(wanted, abs=1.0)
    assert row.items >= wanted
    assert [one.discordant for one in found.limits] == [152, 152]
    assert (found.narrowest.discordant, found.widest.discordant) == (18, 270)


def test_no_gap_needs_no_number_of_items() -> None:
    found = possible(margins_of(50, 20, 20), 0, LEVEL, known=True, stated=None)
    assert found.never
    assert not found.always
    assert {row.items for row in found.rows} == {None}
