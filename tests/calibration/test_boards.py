"""Whether claims about whole boards hold together, by simulation.

Ten systems on 200 items with 0/1 scores that share the difficulty of the items; three of them are
equal and best. A board is right when all its simultaneous intervals hold the true differences;
its rank sets are right when all of them hold the true ranks (ties may have any rank that the
group shares), and the set of systems that may be best when it holds all three.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pytest
from scipy import integrate, stats

import deadheat

SKILLS = np.array([-0.9, -0.6, -0.45, -0.3, -0.2, -0.1, 0.05, 0.3, 0.3, 0.3])
N_ITEMS, N_RESAMPLES, N_SETS = 200, 999, 1_000


def true_shares() -> np.ndarray:
    """P(skill + difficulty + noise > 0), both standard normal."""
    return stats.norm.cdf(SKILLS / np.sqrt(2.0))


def made(number: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng((20261130, number))
    difficulty = rng.normal(size=N_ITEMS)
    noise = rng.normal(size=(SKILLS.size, N_ITEMS))
    right = SKILLS[:, None] + difficulty + noise > 0.0
    return {f"s{at}": scores.astype(int) for at, scores in enumerate(right)}


def claims(number: int) -> tuple[bool, bool, bool]:
    """Whether all intervals, all rank sets and the best set of one board are right."""
    found = deadheat.rank(made(number), n_resamples=N_RESAMPLES, rng=number)
    truth = true_shares()
    gaps = truth[found.pairs.members[:, 1]] - truth[found.pairs.members[:, 0]]
    intervals = bool(((found.pairs.low <= gaps) & (gaps <= found.pairs.high)).all())
    best_rank = {f"s{at}": 1 + int((truth > share + 1e-12).sum()) for at, share in enumerate(truth)}
    worst_rank = {f"s{at}": int((truth > share - 1e-12).sum()) for at, share in enumerate(truth)}
    ranks = all(
        row.rank_interval[0] <= best_rank[row.system]
        and worst_rank[row.system] <= row.rank_interval[1]
        for row in found.systems
    )
    return intervals, ranks, {"s7", "s8", "s9"} <= set(found.best_set)


def test_the_true_shares() -> None:
    """By quadrature over the difficulty of an item."""
    share, _ = integrate.quad(lambda d: stats.norm.pdf(d) * stats.norm.cdf(0.3 + d), -9.0, 9.0)
    assert true_shares()[-1] == pytest.approx(share, rel=1e-7)


def test_a_few_boards() -> None:
    found = np.array([claims(number) for number in range(4)])
    assert found.mean() > 0.5


@pytest.mark.slow
def test_claims_hold_together() -> None:
    began = time.process_time()
    found = np.array([claims(number) for number in range(N_SETS)])
    shares = found.mean(axis=0)
    names = ("all 45 intervals", "all rank sets", "the set of the best")
    for name, share in zip(names, shares, strict=True):
        sys.stdout.write(f"{name}: {share:.3f}\n")
    sys.stdout.write(f"{time.process_time() - began:.0f} s of CPU\n")
    # Two standard errors of a share of .95 over 1,000 boards are .014.
    assert (shares > 0.95 - 0.021).all()
