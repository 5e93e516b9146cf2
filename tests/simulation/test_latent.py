"""Drawn scores hang together as the model says, by SciPy's multivariate normal and by algebra."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from deadheat.errors import UsageError
from deadheat.intraclass import intra_class_correlation
from deadheat.simulation import Design, Drawn, Points, blocks, draw
from deadheat.simulation.marginals import Normal

N = 200_000
GAP = (Points(1, 0.72), Points(1, 0.76))
LATENT = (Normal(0.0, 1.0), Normal(0.0, 1.0))

FAR = 4.5
"""Standard errors that a share or correlation may be off: one in 150,000 of them is, by chance."""


def both_right(p: float, q: float, correlation: float) -> float:
    """P(both scores are 1), by SciPy's bivariate normal."""
    judge = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    return float(judge.cdf([stats.norm.ppf(p), stats.norm.ppf(q)]))


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.reshape(-1), other.reshape(-1))[0, 1])


# -- systems ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("latent", [-0.5, 0.0, 0.36, 0.6, 0.95])
def test_four_cells_are_those_of_the_bivariate_normal(latent: float) -> None:
    scores = draw(Design(items=N, marginals=GAP, correlation=latent), seed=5).scores[:, :, 0]
    both = both_right(0.72, 0.76, latent)
    for share, wanted in [
        (scores[0], 0.72),
        (scores[1], 0.76),
        (scores[0] * scores[1], both),
        (np.abs(scores[1] - scores[0]), 0.72 + 0.76 - 2 * both),
    ]:
        assert abs(share.mean() - wanted) < FAR * math.sqrt(wanted * (1 - wanted) / N)


def test_the_shares_of_seed_two() -> None:
    """The correlation of a loading of .6 is .36, and gives what is published for that design."""
    scores = draw(Design(items=N, marginals=GAP, correlation=0.6**2), seed=2).scores[:, :, 0]
    counts = [
        ((scores[0] == a) & (scores[1] == b)).sum() for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))
    ]
    wanted = np.array([0.58815, 0.13185, 0.17185, 0.10815])
    assert stats.chisquare(counts, N * wanted / wanted.sum()).pvalue > 1e-3


@pytest.mark.parametrize("latent", [1.0, -1.0])
def test_extreme_correlations(latent: float) -> None:
    marginals = (Points(1, 0.4), Points(1, 0.5))
    first, second = draw(Design(items=5_000, marginals=marginals, correlation=latent), 0).scores
    if latent > 0:
        assert (second >= first).all()
    else:
        assert not (first * second).any()


def test_many_systems_share_one_correlation() -> None:
    design = Design(items=N, marginals=LATENT * 2, correlation=0.3)
    found = np.corrcoef(draw(design, 1).scores[:, :, 0])
    assert found[~np.eye(4, dtype=bool)] == pytest.approx(0.3, abs=FAR / math.sqrt(N))


# -- runs and clusters -----------------------------------------------------------------------------


def test_latent_correlations_are_those_of_the_model() -> None:
    """c between systems, k between answers; icc times either between items of a cluster."""
    c, k, icc, size = 0.3, 0.6, 0.5, 4
    design = Design(
        items=N,
        marginals=LATENT,
        correlation=c,
        cluster_size=size,
        icc=icc,
        runs=2,
        answer_correlation=k,
    )
    drawn = draw(design, seed=3)
    z = drawn.scores.reshape(2, N // size, size, 2)
    # Averages over clusters: their number is what counts.
    slack = FAR * 2.0 / math.sqrt(N // size)
    for one, other, wanted in [
        (z[0, ..., 0], z[0, ..., 1], k),
        (z[0], z[1], c),
        (z[0, ..., 0], z[1, ..., 1], c),
        (z[0, :, 0], z[0, :, 1], icc * k),
        (z[0, :, 0, 0], z[0, :, 3, 1], icc * k),
        (z[0, :, 0], z[1, :, 1], icc * c),
        (z[0, :-1], z[0, 1:], 0.0),
    ]:
        assert abs(correlation(one, other) - wanted) < slack
    assert z.var() == pytest.approx(1.0, abs=slack)


def test_intra_class_correlation_of_right_and_wrong() -> None:
    """Of 0/1 scores it is (P(both right) - p^2) / (p (1 - p)), smaller than the latent one."""
    p, icc, size = 0.72, 0.5, 5
    design = Design(
        items=N, marginals=(Points(1, p),) * 2, correlation=0.2, cluster_size=size, icc=icc
    )
    drawn = draw(design, seed=11)
    wanted = (both_right(p, p, icc) - p * p) / (p * (1 - p))
    assert wanted < icc
    assert drawn.clusters is not None
    found = intra_class_correlation(drawn.per_item, drawn.clusters)
    assert found == pytest.approx(wanted, abs=FAR / math.sqrt(N / size))
    latent = replace(design, marginals=LATENT)
    found = intra_class_correlation(draw(latent, seed=11).per_item, drawn.clusters)
    assert found == pytest.approx(icc, abs=FAR / math.sqrt(N / size))


def test_answers_that_never_differ_and_answers_that_share_nothing() -> None:
    design = Design(items=400, marginals=GAP, correlation=0.0, runs=3, answer_correlation=1.0)
    same = draw(design, 0).scores
    assert (same == same[:, :, :1]).all()
    alone = draw(replace(design, items=N, marginals=LATENT, answer_correlation=0.0), 0).scores
    assert abs(correlation(alone[0, :, 0], alone[0, :, 1])) < FAR / math.sqrt(N)


def test_the_last_cluster_may_be_smaller() -> None:
    drawn = draw(Design(items=10, marginals=GAP, correlation=0, cluster_size=4, icc=0.1), 0)
    assert drawn.clusters is not None
    assert np.bincount(drawn.clusters).tolist() == [4, 4, 2]


# -- bits ------------------------------------------------------------------------------------------


def test_scores_follow_from_raw_words() -> None:
    """By NumPy's generator alone: three words an item, the upper 52 bits of each."""
    bits = np.random.SFC64(np.random.SeedSequence(7, spawn_key=(6, 2)))
    words = bits.random_raw(30).reshape(10, 3)
    z = special.ndtri([[((int(w) >> 12) + 0.5) / 2**52 for w in row] for row in words])
    latent = 0.6 * z[:, :1] + math.sqrt(1 - 0.36) * z[:, 1:]
    right = latent > -special.ndtri([0.72, 0.76])
    design = Design(items=10, marginals=GAP, correlation=0.36)
    assert np.array_equal(draw(design, seed=7, replay=2).scores[:, :, 0], right.T)


@given(
    items=st.integers(2, 60),
    size=st.integers(1, 60),
    at_once=st.integers(1, 400),
    noise=st.booleans(),
)
def test_blocks_of_any_size_give_the_same_bits(
    items: int, size: int, at_once: int, noise: bool
) -> None:
    design = Design(
        items=items,
        marginals=LATENT,
        correlation=0.2,
        cluster_size=min(size, items),
        icc=0.3,
        runs=2,
        answer_correlation=0.5 if noise else 1.0,
    )
    parts = list(blocks(design, seed=1, replay=4, at_once=at_once))
    whole, found = draw(design, seed=1, replay=4), Drawn.of(parts)
    assert np.array_equal(found.scores, whole.scores)
    if whole.clusters is not None:
        assert np.array_equal(found.clusters, whole.clusters)


def test_seeds_and_replays_are_streams_of_their_own() -> None:
    design = Design(items=50, marginals=LATENT, correlation=0.2)
    tables = {
        (seed, replay): draw(design, seed, replay).scores.tobytes()
        for seed in range(4)
        for replay in range(4)
    }
    assert len(set(tables.values())) == 16
    assert draw(design, 3, 2).scores.tobytes() == tables[3, 2]


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"items": 1}, "--items is 1"),
        ({"items": 2.5}, "--items is 2.5"),
        ({"items": True}, "--items is True"),
        ({"items": 10**9}, "--items is 1,000,000,000"),
        ({"items": 10**8}, "200,000,000 scores"),
        ({"runs": 10**7}, "scores"),
        ({"runs": 0}, "--runs is 0"),
        ({"correlation": 1.1}, "--correlation is 1.1"),
        ({"correlation": math.nan}, "--correlation is nan"),
        ({"correlation": -0.1, "marginals": GAP * 2}, "0 or more"),
        ({"correlation": 0.5, "answer_correlation": 0.4}, "cannot be more alike"),
        ({"correlation": -0.5, "answer_correlation": 0.4}, "cannot be more alike"),
        ({"answer_correlation": -0.1}, "--answer-correlation is -0.1"),
        ({"cluster_size": 101}, "--cluster-size is 101"),
        ({"cluster_size": 0}, "--cluster-size is 0"),
        ({"icc": 1.2, "cluster_size": 2}, "--icc is 1.2"),
        ({"marginals": GAP[:1]}, "one mean"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change: dict[str, object], said: str) -> None:
    good = {"items": 100, "marginals": GAP, "correlation": 0.3}
    with pytest.raises(UsageError, match=said):
        Design(**(good | change))  # type: ignore[arg-type]
