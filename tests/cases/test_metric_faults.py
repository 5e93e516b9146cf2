"""Faults of other classes that a metric can have.

Texts that become NaN (row 24), shares that do not add up (33), ties (48, 49), k and runs (50),
lines that break where no line ends (64, 65), metrics made again for each resample (75), directions
(79).
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as judge

import deadheat
from calls import call
from cases.data import Write, codes, json_lines, said
from cases.scoring import PERFECT, TEXTS, scored, value

LOWER = ("ter", "wer", "cer", "brier", "log_loss", "ece")


SAME = [0.5] * 6


# --- 24: texts that look like no value ------------------------------------------------------------

NOTHINGS = ["NA", "nan", "null", "None", "inf", "-", "#N/A", "N/A", "true"]


@pytest.mark.parametrize("metric", ["exact_match", "squad_em", "wer", "cer", "chrf"])
def test_a_text_is_a_text(write: Write, metric: str) -> None:
    """Row 24: "nan" and "NA" are words here, in lines, CSV and JSON."""
    rows = [{"id": k, "output": t, "reference": t} for k, t in enumerate(NOTHINGS)]
    lines = str(write("t.txt", "".join(f"{text}\n" for text in NOTHINGS)))
    table = "id,output,reference\n" + "".join(f"{k},{t},{t}\n" for k, t in enumerate(NOTHINGS))
    sources: list[tuple[str, str | None]] = [
        (lines, lines),
        (str(write("t.csv", table)), None),
        (str(write("t.jsonl", json_lines(*rows))), None),
    ]
    for source, references in sources:
        card = deadheat.score(source, references=references, metric=metric, n_resamples=99)
        assert card.systems[0].value == PERFECT.get(metric, 1.0)
        assert (card.systems[0].n, card.systems[0].unparseable) == (len(NOTHINGS), 0)


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", ""])
@pytest.mark.parametrize(
    "metric", ["brier", "log_loss", "ece", "auroc", "average_precision", "win_rate", "mean"]
)
def test_a_score_that_is_not_finite_is_missing(write: Write, metric: str, cell: str) -> None:
    """Row 24: it poisons no mean and takes no rank; without it the value is that of the rest."""
    scores = ["0.25", cell, "0.75", "0.5"]
    rows = "".join(f"{k},{s},{k % 2}\n" for k, s in enumerate(scores))
    table = str(write("t.csv", f"id,score,reference\n{rows}"))
    with pytest.raises(deadheat.DeadheatError, match="1 no score, such as item '1'"):
        deadheat.score(table, metric=metric)
    dropped = deadheat.score(table, metric=metric, missing="drop", n_resamples=99)
    bare = str(write("u.csv", f"id,score,reference\n{rows}".replace(f"1,{cell},1\n", "")))
    left = deadheat.score(bare, metric=metric, n_resamples=99)
    assert dropped.systems[0].value == left.systems[0].value


# --- 33, 48, 49: ties -----------------------------------------------------------------------------


@pytest.mark.parametrize("ties", ["half", "win", "loss", "drop"])
@pytest.mark.parametrize(("wins", "draws", "losses"), [(1, 98, 1), (371, 17, 417), (3, 0, 4)])
@pytest.mark.parametrize("scale", ["0-1", "1-2", "1-2 and 0 for a tie"])
def test_wins_ties_and_losses_add_up(
    ties: str, wins: int, draws: int, losses: int, scale: str
) -> None:
    """Rows 33 and 49: counted apart, and a tie is half a win unless something else is asked."""
    codes_of = {"0-1": (1.0, 0.5, 0.0), "1-2": (2.0, 1.5, 1.0)}.get(scale, (2.0, 0.0, 1.0))
    counts = (wins, draws, losses)
    scores = [code for code, n in zip(codes_of, counts, strict=True) for _ in range(n)]
    n = len(scores)
    right = {
        "half": (wins + draws / 2) / n,
        "win": (wins + draws) / n,
        "loss": wins / n,
        "drop": wins / (wins + losses),
    }
    found = scored(scores, None, "win_rate", ties=ties)
    assert found["systems"][0]["value"] == pytest.approx(right[ties], rel=1e-12)
    assert f"Of {n} items s wins {wins}, ties {draws} and loses {losses};" in said(found)
    assert f"ties:{ties}" in found["metric"]["signature"]


def test_published_shares_of_ties() -> None:
    """Row 49: 1 win, 1 loss and 98 ties are a half; 371 wins and 17 draws of 805 are 47.142857%."""
    assert value([1.0, 0.0] + [0.5] * 98, None, "win_rate") == 0.5
    drawn = [1.0] * 371 + [0.5] * 17 + [0.0] * 417
    assert round(100 * value(drawn, None, "win_rate"), 6) == 47.142857


TIED = [0.5, 0.5, 0.25, 0.25, 0.5, 0.75, 0.25, 0.5]
OUTCOMES = [1, 0, 0, 1, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("metric", "right"),
    [
        ("auroc", judge.roc_auc_score),
        ("average_precision", judge.average_precision_score),
        ("spearman", lambda y, s: stats.spearmanr(y, s)[0]),
        ("kendall", lambda y, s: stats.kendalltau(y, s)[0]),
    ],
)
def test_tied_scores_have_no_order(metric: str, right: Callable[..., float]) -> None:
    """Row 48: no tie is won by who stands first in the file."""
    expected = float(right(OUTCOMES, TIED))
    for seed in range(5):
        order = random.Random(seed).sample(range(8), 8)
        outputs, references = [TIED[i] for i in order], [OUTCOMES[i] for i in order]
        assert value(outputs, references, metric) == pytest.approx(expected, rel=1e-12)
    assert value(SAME, [0, 1] * 3, "auroc") == 0.5


@pytest.mark.parametrize("metric", ["ndcg@2", "mrr@2", "recall@1"])
def test_tied_documents_have_no_order(metric: str) -> None:
    """Row 48: the mean over both orders, whatever the order in the file."""
    relevant = [["d1"]]
    first = {"ndcg@2": 1.0, "mrr@2": 1.0, "recall@1": 1.0}[metric]
    second = {"ndcg@2": 1.0 / math.log2(3.0), "mrr@2": 0.5, "recall@1": 0.0}[metric]
    for ranking in ({"d1": 0.5, "d2": 0.5}, {"d2": 0.5, "d1": 0.5}):
        assert value([ranking], relevant, metric) == pytest.approx((first + second) / 2)


def test_tied_votes_are_shared(write: Write) -> None:
    """Row 48: two answers with two votes each are half right, in any order of the runs."""
    for votes in (["x", "y", "x", "y"], ["y", "y", "x", "x"]):
        rows = [{"id": 1, "run": k, "output": v, "reference": "x"} for k, v in enumerate(votes)]
        table = str(write("v.jsonl", json_lines(*rows)))
        assert deadheat.score(table, metric="majority_vote").systems[0].value == 0.5


# --- 50: k and the runs there are -----------------------------------------------------------------


def runs(write: Write, *passes: Sequence[int]) -> str:
    rows = [
        {"id": item, "run": run, "score": score}
        for item, scores in enumerate(passes)
        for run, score in enumerate(scores)
    ]
    return str(write("runs.jsonl", json_lines(*rows)))


def test_pass_at_k_is_unbiased(write: Write) -> None:
    """Row 50: n = 10, c = 3, k = 5 is 1 - C(7, 5) / C(10, 5)."""
    table = runs(write, [1, 1, 1] + [0] * 7)
    found = deadheat.score(table, metric=["pass@5", "pass^2", "pass@1"])
    assert [card.systems[0].value for card in found] == pytest.approx(
        [1 - math.comb(7, 5) / math.comb(10, 5), math.comb(3, 2) / math.comb(10, 2), 0.3]
    )
    assert round(found["pass@5"].systems[0].value, 6) == 0.916667


@pytest.mark.parametrize("metric", ["pass@5", "pass^5"])
@pytest.mark.parametrize("passes", [[0, 0], [1, 1], [1]])
def test_k_beyond_the_runs_is_refused(write: Write, metric: str, passes: list[int]) -> None:
    """Row 50: neither 1 nor 0."""
    with pytest.raises(deadheat.DeadheatError, match=f"{len(passes)} runs? and k is 5"):
        deadheat.score(runs(write, passes), metric=metric)


def test_problems_are_not_samples(write: Write) -> None:
    """Row 50: 50 of 164 problems with one sample each have a pass@1 and no pass@10."""
    table = runs(write, *([int(problem < 50)] for problem in range(164)))
    assert deadheat.score(table, metric="pass@1").systems[0].value == pytest.approx(50 / 164)
    with pytest.raises(deadheat.DeadheatError, match="164 of 164 items"):
        deadheat.score(table, metric="pass@10")


def test_rankings_shorter_than_k_are_counted() -> None:
    """Row 50: what was not retrieved counts as missed, and is said."""
    found = scored([["d1"]], [["d1", "d2"]], "recall@10")
    assert found["systems"][0]["value"] == 0.5
    assert "1 of 1 rankings of s have fewer than 10 documents" in said(found)


# --- 64, 65: where lines end ----------------------------------------------------------------------

BREAKS = ["a\u2028b", "c\x85d e", "f\x0bg h", "i\x0cj", "k\x1cl m", "n\u2029o"]


@pytest.mark.parametrize("metric", TEXTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_lines_end_where_lines_end(write: Write, metric: str, end: str) -> None:
    """Rows 64 and 65: outputs in either form beside references in LF, item by item."""
    outputs = str(write("a.txt", "".join(text + end for text in BREAKS)))
    references = str(write("r.txt", "".join(f"{text}\n" for text in BREAKS)))
    card = deadheat.score(outputs, references=references, metric=metric, n_resamples=99)
    assert card.systems[0].n == len(BREAKS)
    assert card.systems[0].value == value(BREAKS, BREAKS, metric)


def test_conll_files_end_lines_either_way(write: Write) -> None:
    """Row 65: the last tag of a line is B-PER, not B-PER and a carriage return."""
    gold = "Anna B-PER\nsleeps O\n\nBerlin B-LOC\n"
    outputs = str(write("a.conll", gold.replace("\n", "\r\n")))
    references = str(write("gold.conll", gold))
    card = deadheat.score(outputs, references=references, metric="span_f1")
    assert card.systems[0].value == 1.0


@pytest.mark.parametrize("metric", ["exact_match", "accuracy"])
def test_what_ends_in_a_carriage_return_is_said(write: Write, metric: str) -> None:
    """Row 65: in JSON it is part of the text, and every output ends so."""
    rows = [{"id": k, "output": f"{k}\r", "reference": f"{k}"} for k in range(4)]
    card = scored_file(write("t.jsonl", json_lines(*rows)), metric)
    assert card["systems"][0]["value"] == 0.0
    assert codes(card) & {"white_space_at_ends", "written_differently"}
    assert "4 of" in said(card)


@pytest.mark.parametrize("metric", ["squad_em", "squad_f1", "wer", "rouge1"])
def test_metrics_of_words_do_not_see_a_carriage_return(write: Write, metric: str) -> None:
    """Row 65."""
    rows = [{"id": k, "output": f"w{k} v\r", "reference": f"w{k} v"} for k in range(4)]
    card = scored_file(write("t.jsonl", json_lines(*rows)), metric)
    assert card["systems"][0]["value"] == PERFECT.get(metric, 1.0)


def scored_file(path: Path, metric: str) -> dict[str, Any]:
    return deadheat.score(str(path), metric=metric, n_resamples=99).to_dict()


# --- 75: looked at once ---------------------------------------------------------------------------


@pytest.mark.parametrize("n_resamples", [99, 2_999])
def test_items_are_looked_at_once(n_resamples: int) -> None:
    """Row 75: resamples weigh the statistics and do not make them again."""
    seen: list[int] = []

    class Ratio:
        def statistics(self, references: Any, outputs: Any) -> Any:
            seen.append(len(outputs))
            return np.stack([np.ones(len(outputs)), np.asarray(outputs, float)], axis=-1)

        def value(self, totals: Any) -> Any:
            return totals[..., 1] / totals[..., 0]

    a, b = np.arange(40.0), np.arange(40.0)[::-1].copy()
    b[0] += 1.5
    deadheat.compare(a, b, references=a, metric=Ratio, n_resamples=n_resamples)
    # Once for each system, and once more to see that the same items have the same numbers.
    assert sum(seen) < 5 * 40


def test_a_function_of_all_items_is_called_anew_and_that_is_said() -> None:
    """Row 75: right for any metric, slow, and announced."""
    calls: list[int] = []

    def spread(references: Any, outputs: Any) -> float:
        calls.append(len(outputs))
        return float(np.ptp(outputs))

    found = deadheat.score(
        np.arange(30.0), references=np.arange(30.0), metric=spread, n_resamples=99
    )
    assert len(calls) >= 99
    assert "recomputed" in {note.code for note in found.notes}


# --- 79: which way is better ----------------------------------------------------------------------


def worse_and_better(metric: str) -> tuple[Any, Any, Any]:
    """Return outputs of a worse and of a better system, and references, of 40 items."""
    rng = random.Random(5)
    if metric in TEXTS:
        right = [" ".join(rng.choices("abcdefgh", k=8)) for _ in range(40)]
        return (
            [
                text.replace("a", "x").replace("b", "y") if k % 4 else text
                for k, text in enumerate(right)
            ],
            [text.replace("a", "x") if k % 2 else text for k, text in enumerate(right)],
            right,
        )
    truths = [k % 2 for k in range(40)]
    near = [abs(t - 0.05 - rng.random() / 8) for t in truths]
    far = [abs(t - 0.7 - rng.random() / 5) for t in truths]
    for item in (3, 8, 21, 30):
        near[item], far[item] = far[item], near[item]
    return far, near, truths


@pytest.mark.parametrize("metric", [*TEXTS, "brier", "log_loss", "ece", "auroc", "kendall"])
def test_the_better_system_is_ahead(metric: str) -> None:
    """Row 79: whichever side it is on, and whichever way the metric runs."""
    worse, better, references = worse_and_better(metric)
    for sides in (("worse", "better"), ("better", "worse")):
        data = {name: {"worse": worse, "better": better}[name] for name in sides}
        found = deadheat.compare(data, references=references, metric=metric, n_resamples=999)
        told = found.to_dict()
        assert told["metric"]["greater_is_better"] == (metric not in LOWER)
        gain = told["difference"]["estimate"] * (1 if sides[1] == "better" else -1)
        assert (gain > 0.0) == (metric not in LOWER)
        assert found.reading.text.startswith("better is ahead of worse")
        direction = "lower" if metric in LOWER else "greater"
        assert f"{metric} ({direction} is better)" in found.to_text()


@pytest.mark.parametrize("name", ["mean_squared_error", "my_loss", "rmse", "edit_distance"])
def test_a_direction_that_can_be_doubted_is_asked_for(name: str) -> None:
    """Row 79: what is called an error is not taken for a score."""

    def function(references: Any, outputs: Any) -> float:
        return float(np.mean((references - outputs) ** 2))

    function.__name__ = name
    y = np.arange(20.0)
    with pytest.raises(deadheat.DeadheatError, match="greater_is_better"):
        deadheat.compare(y + 2, y + 1, references=y, metric=function)
    found = deadheat.compare(
        {"far": y + [1, 3] * 10, "near": y + [1, 1.5] * 10},
        references=y,
        metric=function,
        greater_is_better=False,
        n_resamples=199,
    )
    assert found.reading.text.startswith("near is ahead of far")


def test_json_holds_the_direction(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 79: stored with the metric, for whoever reads it."""
    scores = write("s.csv", "id,score,reference\n1,0.2,0\n2,0.9,1\n")
    for metric in ("brier", "auroc"):
        done = call(capsys, "score", scores, "--metric", metric, "--format", "json")
        told = json.loads(done.out)
        assert told["metric"]["greater_is_better"] == (metric == "auroc")
