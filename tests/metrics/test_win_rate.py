"""Win rates: policies on ties, the scale of preferences, published figures."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import ItemError, MetricError, UsageError
from deadheat.metrics import win_rate
from deadheat.metrics.metric import OfSums, Settings

POLICIES = ["half", "win", "loss", "drop"]


def made(ties="half"):
    return win_rate.metric(Settings(name="win_rate", ties=ties))


def value(scores, ties="half", *, others=()):
    scores = np.asarray(scores, dtype=float)
    metric = made(ties).bind_values(None, [scores, *map(np.asarray, others)])
    return float(metric.value(metric.statistics(None, scores).sum(axis=0)))


def outcomes(wins, ties, losses):
    return [1.0] * wins + [0.5] * ties + [0.0] * losses


def test_ties_in_the_numerator_too():
    # CASES 49
    assert value(outcomes(1, 98, 1)) == 0.5
    assert round(100 * value(outcomes(371, 17, 417)), 6) == 47.142857
    assert value(outcomes(371, 17, 417)) == pytest.approx(float(Fraction(759, 1610)), abs=1e-15)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_policies_on_ties(wins, ties, losses):
    scores = outcomes(wins, ties, losses)
    n = wins + ties + losses
    if n:
        assert value(scores, "half") == pytest.approx((wins + ties / 2) / n)
        assert value(scores, "win") == pytest.approx((wins + ties) / n)
        assert value(scores, "loss") == pytest.approx(wins / n)
    decided = wins + losses
    assert value(scores, "drop") == (
        pytest.approx(wins / decided) if decided else pytest.approx(np.nan, nan_ok=True)
    )


def test_weighted_preferences_are_no_ties():
    scores = [0.25, 0.75, 0.5, 0.9]
    assert [value(scores, ties) for ties in POLICIES] == pytest.approx(
        [2.4 / 4, 2.9 / 4, 1.9 / 4, 1.9 / 3]
    )


def test_dropped_ties_leave_the_denominator():
    rows = made("drop").statistics(None, np.array([1.0, 0.5, 0.0, 0.2]))
    assert rows.tolist() == [[1, 1], [0, 0], [0, 1], [0.2, 1]]
    assert made("drop").undefined(np.zeros(2))
    assert [made(ties).is_mean for ties in POLICIES] == [True, True, True, False]


# The scale of preferences


@given(
    st.lists(st.sampled_from([0.0, 0.125, 0.5, 0.75, 1.0]), min_size=1, max_size=8),
    st.sampled_from(POLICIES),
)
def test_both_scales_say_the_same(scores, ties):
    winner = [1.0, *scores]
    assert value([1 + x for x in winner], ties) == value(winner, ties)


def test_the_old_code_of_a_tie():
    assert value([2.0, 1.0, 0.0, 1.5]) == 0.5
    assert value([2.0, 1.0, 0.0, 1.5], "drop") == 0.5
    assert value([2.0, 2.0, 0.0, 1.5], "win") == 1.0


def test_the_scale_is_that_of_all_systems():
    # A system that loses everything: 1 is a loss because others have more.
    assert value([1.0, 1.0], others=[[1.5, 2.0]]) == 0.0
    assert value([1.0, 1.0], others=[[0.0, 1.0]]) == 1.0
    assert value([0.0, 1.0]) == 0.5


def test_the_worst_score_is_a_loss_on_either_scale():
    for others in ([0.0, 1.0], [1.0, 1.7]):
        metric = made().bind_values(None, [np.array(others)])
        assert metric.statistics(None, np.array([metric.worst]))[0, 0] == 0.0


def test_a_mixture_of_scales_is_refused():
    with pytest.raises(MetricError, match=r"such as 0\.3.*such as 1\.7.*from 1 to 2"):
        made().bind_values(None, [np.array([0.3, 1.0]), np.array([1.0, 1.7])])


@pytest.mark.parametrize("score", [2.5, -0.1, 1e9, 7.0])
def test_scores_off_every_scale_name_the_item(score):
    scores = np.array([1.0, 1.5, score])
    metric = made().bind_values(None, [scores])
    with pytest.raises(ItemError, match="outside of the scale") as caught:
        metric.statistics(None, scores)
    assert caught.value.row == 2
    scores = np.array([0.0, 0.3, 37.0])
    with pytest.raises(ItemError, match="the score 37 lies") as caught:
        made().bind_values(None, [scores]).statistics(None, scores)
    assert caught.value.row == 2


def test_remarks_count_wins_ties_and_losses():
    # CASES 33: win + tie + loss = n, ties apart from losses.
    scores = np.array(outcomes(3, 4, 5))
    (note,) = made().remarks("a", None, scores)
    assert note.code == "wins_ties_losses"
    assert note.message == "Of 12 items a wins 3, ties 4 and loses 5; a tie counts half."
    preferences = np.array([2.0, 1.6, 1.5, 0.0, 1.2])
    counts, scale = made("drop").bind_values(None, [preferences]).remarks("b", None, preferences)
    assert "b wins 2, ties 2 and loses 1; ties are left out." in counts.message
    assert scale.code == "preference_scale"


def test_signatures_say_what_changes_the_value():
    bound = made("win").bind_values(None, [np.array([1.0, 2.0])])
    assert made().signature == "win_rate|ties:half|scale:0-1|v:1"
    assert bound.signature == "win_rate|ties:win|scale:1-2|v:1"
    assert type(made("drop").bind_values(None, [np.array([1.0, 2.0])])) is type(made("drop"))
    assert len({made(ties).signature for ties in POLICIES}) == 4
    for metric in map(made, POLICIES):
        assert isinstance(metric, OfSums)
        assert (metric.takes, metric.bounds, metric.greater_is_better) == ("scores", (0, 1), True)


def test_a_policy_that_does_not_exist():
    with pytest.raises(UsageError, match="half"):
        made("halves")


def test_published_win_rates_of_alpaca_eval(shared):
    folder = shared / "data" / "alpaca_eval"
    with (folder / "weighted_alpaca_eval_gpt4_turbo_leaderboard.csv").open(encoding="utf-8") as f:
        board = {row[""]: row for row in csv.DictReader(f)}
    systems, columns = [], []
    for path in sorted((folder / "results").glob("*/*/annotations.json")):
        rows = json.loads(path.read_text(encoding="utf-8"))
        found = [row["preference"] for row in rows]
        systems.append(path.parts[-3])
        columns.append(np.array([x for x in found if x is not None]))
    assert len(systems) == 12
    metric = made().bind_values(None, columns)
    got = {}
    for system, scores in zip(systems, columns, strict=True):
        rows = metric.statistics(None, scores)
        rate = 100 * float(metric.value(rows.sum(axis=0)))
        error = 100 * float(rows[:, 0].std(ddof=1) / np.sqrt(len(rows)))
        (counts, _) = metric.remarks(system, None, scores)
        row = board[system]
        assert len(scores) == int(row["n_total"])
        assert rate == pytest.approx(float(row["win_rate"]), rel=1e-6)
        assert error == pytest.approx(float(row["standard_error"]), rel=1e-6)
        assert f"wins {int(row['n_wins'])}, ties {int(row['n_draws'])} " in counts.message
        got[system] = rate
    assert round(got["claude-2"], 4) == 17.1882


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
def test_policies_are_ordered(scores):
    rates = [value(scores, ties) for ties in ("loss", "half", "win")]
    assert all(a <= b for a, b in pairwise(rates))
