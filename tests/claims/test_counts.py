"""Which counts printed values allow, held against every outcome of a few items."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.exactly import tables
from deadheat import claim
from deadheat.claims.counts import Margins, items_of, nearest_items
from deadheat.claims.printed import percent, points

Span = tuple[int, int]


@st.composite
def designs(draw: st.DrawFn) -> tuple[int, Span | None, Span | None, Span | None]:
    n = draw(st.integers(1, 7))

    def span(low: int, high: int) -> Span | None:
        if draw(st.booleans()):
            return None
        first, last = sorted(draw(st.tuples(*[st.integers(low, high)] * 2)))
        return first, last

    return n, span(0, n), span(0, n), span(-n, n)


def inside(number: int, span: Span | None) -> bool:
    return span is None or span[0] <= number <= span[1]


@given(designs())
def test_margins_are_those_of_some_outcome(
    design: tuple[int, Span | None, Span | None, Span | None],
) -> None:
    n, baseline, candidate, net = design
    outcomes = [
        (both + b, both + c, c - b, b + c)
        for both, b, c, _ in tables(n)
        if inside(both + b, baseline) and inside(both + c, candidate) and inside(c - b, net)
    ]
    margins = Margins.of(n, baseline=baseline, candidate=candidate, net=net)
    if not outcomes:
        assert margins is None
        return
    assert margins is not None
    right, also_right, nets, _ = (set(column) for column in zip(*outcomes, strict=True))
    assert margins.baseline == (min(right), max(right))
    assert margins.candidate == (min(also_right), max(also_right))
    assert set(margins.spread(None)) == nets
    assert margins.smallest in nets
    assert abs(margins.smallest) == min(map(abs, nets))
    assert abs(margins.largest) == max(map(abs, nets))
    for one in nets:
        assert set(margins.discordants(one)) == {d for *_, w, d in outcomes if w == one}
    all_discordant = {d for *_, d in outcomes}
    assert margins.discordant == (min(all_discordant), max(all_discordant))
    if len(nets) > 1:
        # None between them is missing, so that "need 20 to 560" is true.
        assert all_discordant == set(range(margins.discordant[0], margins.discordant[1] + 1))
    spread = {(w, d): n * d - w * w for *_, w, d in outcomes}
    assert margins.narrowest in spread
    assert margins.widest in spread
    assert spread[margins.narrowest] == min(spread.values())
    assert spread[margins.widest] == max(spread.values())
    for at in all_discordant:
        sizes = {abs(w) for *_, w, d in outcomes if d == at}
        assert [abs(w) for w in margins.sizes(at)] == [min(sizes), max(sizes)]
    for w, d in spread:
        both = {b for b, first, second, _ in tables(n)
                if inside(b + first, baseline) and inside(b + second, candidate)
                and (second - first, first + second) == (w, d)}  # fmt: skip
        assert set(margins.both(w, d)) == both
    for discordant in range(n + 3):
        going = {w for *_, w, d in outcomes if d == discordant}
        assert set(margins.spread(discordant)) == going
        assert (margins.allows(discordant) is None) == (not going)


@given(st.integers(1, 300), st.integers(0, 3), st.data())
def test_items_are_all_that_round_to_the_text(n: int, places: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    share = Fraction(100 * k, n)
    text = f"{float(share):.{places}f}"
    half = Fraction(1, 2 * 10**places)
    fitting = [j for j in range(n + 1) if abs(Fraction(100 * j, n) - Fraction(text)) <= half]
    assert items_of(percent(text, "baseline", n), n) == (fitting[0], fitting[-1])
    assert k in fitting


def test_a_number_between_two_items_is_none() -> None:
    assert items_of(points("0.4", "gap", 300), 300) is None
    assert nearest_items(points("0.4", "gap", 300), 300) == 1
    assert items_of(points("-0.3", "gap", 300), 300) == (-1, -1)


@pytest.mark.parametrize("n", [10**7, 10**9])
def test_nothing_is_listed_where_there_are_many_items(n: int) -> None:
    margins = Margins.of(
        n,
        baseline=items_of(percent("71.2", "baseline", n), n),
        candidate=items_of(percent("74.8", "candidate", n), n),
        net=None,
    )
    assert margins is not None
    assert margins.nets == (n * 35 // 1000, n * 37 // 1000)
    assert margins.most(margins.nets[0]) == n * (28_75 + 25_25) // 10_000


@pytest.mark.parametrize(
    ("n", "values", "wanted"),
    [
        (1_000, ("71", "74"), (20, 560)),
        (5_000, ("71.2", "73.0"), (86, 2_794)),
        (1_234, ("97", "99"), (13, 61)),
        (400, ("3", "2"), (0, 24)),
    ],
)
def test_discordant_items_over_all_counts_that_round_so(
    n: int, values: tuple[str, str], wanted: Span
) -> None:
    """Every pair of counts that the digits allow, one after the other."""
    half = [Fraction(1, 2 * 10 ** len(text.partition(".")[2])) for text in values]
    first, second = (
        [k for k in range(n + 1) if abs(Fraction(100 * k, n) - Fraction(text)) <= room]
        for text, room in zip(values, half, strict=True)
    )
    pairs = [(a, b, min(a + b, 2 * n - a - b)) for a in first for b in second]
    assert wanted == (min(abs(b - a) for a, b, _ in pairs), max(most for *_, most in pairs))
    told = claim(n=n, baseline=values[0], candidate=values[1]).to_dict()
    assert (told["discordant"]["least"], told["discordant"]["most"]) == wanted
    rows = {what: row for row in told["table"] for what in row["what"]}
    for what in ("narrowest", "widest"):
        assert told[what]["discordant"] == rows[what]["discordant"]
        assert told[what]["only_candidate"] == rows[what]["only_candidate"]
    assert rows["widest"]["discordant"] == wanted[1]
    spread = max(n * most - (b - a) ** 2 for a, b, most in pairs)
    wide = told["widest"]
    net = wide["only_candidate"] - wide["only_baseline"]
    assert n * wide["discordant"] - net * net == spread
