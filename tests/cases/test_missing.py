"""Class C of the faults of other tools: missing, errored, refused and unparseable answers."""

from __future__ import annotations

from typing import Any

import pytest

import deadheat
from cases.data import Answer, Write, codes, csv, json_lines, said
from processes import Run, refused


def outcomes(right: int, wrong: int, errors: int) -> list[float | None]:
    return [1.0] * right + [0.0] * wrong + [None] * errors


ERRORED = [
    ("100 items", outcomes(80, 10, 10), 80 / 90, 80 / 100),
    ("8 items", outcomes(2, 4, 2), 2 / 6, 2 / 8),
    ("a flaky run", outcomes(2, 3, 5), 2 / 5, 2 / 10),
    ("805 items", outcomes(400, 402, 3), 400 / 802, 400 / 805),
]
IDS = [name for name, *_ in ERRORED]


@pytest.mark.parametrize(("name", "scores", "valid", "of_all"), ERRORED, ids=IDS)
def test_errored_items_leave_the_denominator_only_on_request(
    name: str, scores: list[float | None], valid: float, of_all: float
) -> None:
    """Rows 18, 20, 21: refused by default; of the valid ones or of all, and the counts say which.

    The rows ask for various defaults; STATISTICS 5.4 refuses until a policy is named.
    """
    errors = scores.count(None)
    with pytest.raises(deadheat.DeadheatError, match=f"{errors} no score"):
        deadheat.score(scores)
    dropped = deadheat.score(scores, missing="drop").to_dict()
    assert dropped["systems"][0]["value"] == pytest.approx(valid, rel=1e-12)
    assert dropped["systems"][0]["items"]["n"] == len(scores) - errors
    assert dropped["systems"][0]["items"]["dropped"] == [{"reason": "no score", "n": errors}]
    assert f"{errors} of {len(scores)} items" in said(dropped)
    wrong = deadheat.score(scores, missing="wrong").to_dict()
    assert wrong["systems"][0]["value"] == pytest.approx(of_all, rel=1e-12)
    assert wrong["systems"][0]["items"]["n"] == len(scores)
    assert f" {errors}." in said(wrong)


@pytest.mark.parametrize(("name", "scores", "valid", "of_all"), ERRORED, ids=IDS)
def test_one_rule_for_both_systems_of_a_pair(
    name: str, scores: list[float | None], valid: float, of_all: float
) -> None:
    """Row 18: an item that failed for one system is left out of, or kept for, both."""
    steady = [1.0] * len(scores)
    errors = scores.count(None)
    dropped = deadheat.compare(steady, scores, missing="drop").to_dict()
    assert dropped["items"]["n"] == len(scores) - errors
    assert dropped["difference"]["estimate"] == pytest.approx(valid - 1.0)
    assert sum(dropped["counts"].values()) == len(scores) - errors
    wrong = deadheat.compare(steady, scores, missing="wrong").to_dict()
    assert wrong["items"]["n"] == len(scores)
    assert wrong["difference"]["estimate"] == pytest.approx(of_all - 1.0)
    assert sum(wrong["counts"].values()) == len(scores)


def test_a_flaky_run_does_not_gain_by_failing() -> None:
    """Row 18: failing on every hard item must not be better than getting it wrong."""
    steady = [1.0] * 80 + [0.0] * 20
    flaky: list[float | None] = [1.0] * 80 + [None] * 20
    found = deadheat.compare(steady, flaky, missing="wrong")
    assert found.difference.estimate == 0.0
    with pytest.raises(deadheat.DeadheatError, match="candidate: 20 no score"):
        deadheat.compare(steady, flaky)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_page_says_how_many_and_which_rule(run: Run, write: Write, form: str) -> None:
    """Rows 18, 20, 21: the policy and the counts stand on the page, not in a log."""
    rows = [(i, score, 1) for i, score in enumerate([1] * 40 + [0] * 12 + ["NA"] * 8)]
    table = write("t.csv", csv("item,a,b", *rows))
    for policy, words in (("drop", "8 no score"), ("wrong", "a 8, b 0")):
        done = run("compare", table, "--missing", policy, "--format", form)
        page = " ".join(done.stdout.split())
        assert words in page
        assert policy in page


def test_unanswered_items_are_not_left_out(run: Run, answer: Answer, write: Write) -> None:
    """Row 19: 3 answers to 10 items: refused, or 3 of 10 at best, or shown as 3 of which.

    The row asks for missing = wrong by default; STATISTICS 5.4 makes it a named choice.
    """
    right = write("y.csv", csv("item,reference", *((i, "x") for i in range(10))))
    few = write("a.csv", csv("item,output", *((i, "x") for i in range(3))))
    assert "7 not answered" in refused(run("score", few, "--reference", right))
    wrong = answer("score", few, "--reference", right, "--missing", "wrong")
    assert wrong["systems"][0]["value"] == 0.3
    assert "missing_scored_wrong" in codes(wrong)
    dropped = answer("score", few, "--reference", right, "--missing", "drop")
    assert dropped["systems"][0]["items"]["n"] == 3
    assert sum(part["n"] for part in dropped["systems"][0]["items"]["dropped"]) == 7


@pytest.mark.parametrize("blank", [None, ""], ids=["null", "empty"])
def test_back_filled_answers_are_wrong_and_counted(
    answer: Answer, write: Write, blank: str | None
) -> None:
    """Row 19: an answer that was never given is wrong, and is counted as unparseable where null."""
    rows = [{"id": i, "output": "x" if i < 3 else blank, "reference": "x"} for i in range(10)]
    found = answer("score", write("a.jsonl", json_lines(*rows)))["systems"][0]
    assert found["value"] == 0.3
    assert found["items"]["n"] == 10
    assert found["unparseable"] == (7 if blank is None else 0)


def test_an_empty_answer_in_a_table_is_an_absent_one(answer: Answer, write: Write) -> None:
    """Row 19: a CSV cannot tell an empty answer from none; it is wrong and counted."""
    rows = [(i, "x" if i < 3 else "", "x") for i in range(10)]
    found = answer("score", write("a.csv", csv("item,output,reference", *rows)))
    assert found["systems"][0]["value"] == 0.3
    assert found["systems"][0]["unparseable"] == 7


def test_null_verdicts_are_not_ties() -> None:
    """Rows 21, 22: a verdict that failed is neither half a win nor a win for the baseline."""
    verdicts: list[float | None] = [1.0] * 40 + [0.0] * 20 + [None] * 40
    with pytest.raises(deadheat.DeadheatError, match="40 no score"):
        deadheat.score(verdicts)
    found = deadheat.score(verdicts, missing="drop").systems[0]
    assert (found.value, found.n) == (pytest.approx(40 / 60), 60)


@pytest.mark.parametrize("policy", ["error", "drop"])
@pytest.mark.parametrize("n", [1, 5, 100])
def test_nothing_but_failed_verdicts_is_an_error(policy: str, n: int) -> None:
    """Row 22: an outage of the judge is not a score of 0.5, nor of 0."""
    for call in (
        lambda: deadheat.score([None] * n, missing=policy),
        lambda: deadheat.compare([None] * n, [1.0] * n, missing=policy),
    ):
        with pytest.raises(deadheat.DeadheatError):
            call()


def test_nothing_but_unparseable_outputs_scores_nothing_and_says_so() -> None:
    """Row 23: 10 options, no usable output: 0 right, 100% counted; never 1/k."""
    references = list("abcdefghij") * 6
    card = deadheat.score([None] * 60, references=references).to_dict()
    assert card["systems"][0]["value"] == 0.0
    assert card["systems"][0]["unparseable"] == 60
    assert "unparseable_scored_wrong" in codes(card)


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "balanced_accuracy", "mcc"])
def test_unusable_outputs_never_count_for_a_system(metric: str) -> None:
    """Row 23: replacing right answers by unusable ones lowers every metric."""
    references = list("abc") * 20
    outputs: list[str | None] = list(references)
    outputs[:15] = [None] * 15
    found = deadheat.compare(
        references,
        outputs,
        references=references,
        metric=metric,
        n_resamples=99,
        method="percentile",
    )
    assert found.baseline.value == pytest.approx(1.0)
    assert found.candidate.value < 0.9
    assert found.candidate.unparseable == 15


def test_unusable_outputs_may_be_moved_to_missing_by_name() -> None:
    """Row 23: 315 of 600 empty outputs: wrong and counted, or missing and counted; never silent."""
    references = ["x"] * 600
    outputs: list[str | None] = ["x"] * 285 + [None] * 315
    assert deadheat.score(outputs, references=references).systems[0].value == 0.475
    with pytest.raises(deadheat.DeadheatError, match="315 no usable output"):
        deadheat.score(outputs, references=references, unparseable="missing")
    moved = deadheat.score(outputs, references=references, unparseable="missing", missing="drop")
    assert (moved.systems[0].value, moved.systems[0].n) == (1.0, 285)
    assert moved.systems[0].dropped == (("no usable output", 315),)


NOT_FINITE = ["nan", "NaN", "inf", "-inf", "Infinity", "-Infinity", "NA", "N/A", "null", "None", ""]


@pytest.mark.parametrize("word", NOT_FINITE, ids=[word or "empty" for word in NOT_FINITE])
def test_what_is_not_finite_is_missing_and_not_a_number(
    run: Run, answer: Answer, write: Write, word: str
) -> None:
    """Row 24: the text "nan" neither poisons a mean nor counts as 0."""
    table = write("t.csv", csv("item,a,b", (1, 1, 1), (2, word, 0), (3, 0, 1), (4, 1, 1)))
    assert "a: 1 no score, such as item '2'" in refused(run("compare", table))
    found = answer("compare", table, "--missing", "drop")
    assert found["items"]["n"] == 3
    assert found["baseline"]["value"] == pytest.approx(2 / 3)
    assert found["candidate"]["value"] == 1.0


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity", '"nan"', "null"])
def test_bare_constants_in_json_are_missing(
    run: Run, answer: Answer, write: Write, constant: str
) -> None:
    """Row 24: what Python writes for NaN is read, as a missing score."""
    lines = "".join(f'{{"id": {i}, "score": {s}}}\n' for i, s in enumerate(["1", constant, "0"]))
    table = write("a.jsonl", lines)
    assert "1 no score" in refused(run("score", table))
    found = answer("score", table, "--missing", "drop")["systems"][0]
    assert (found["value"], found["items"]["n"]) == (0.5, 2)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_arrays_with_what_is_not_finite(bad: float) -> None:
    """Row 24: the same from Python."""
    scores = [1.0, bad, 0.0, 1.0]
    with pytest.raises(deadheat.DeadheatError, match="1 no score"):
        deadheat.compare(scores, [1.0] * 4)
    assert deadheat.compare(scores, [1.0] * 4, missing="drop").items.n == 3


@pytest.mark.parametrize("bad", ["1.7", "-1", "2", "0.5", "100"])
def test_accuracy_takes_nothing_but_0_and_1(run: Run, write: Write, bad: str) -> None:
    """Row 24: 1.7 is no accuracy; the error names the item and points to the mean."""
    table = write("t.csv", csv("item,a,b", (1, 1, 1), (2, bad, 0), (3, 0, 1)))
    message = refused(run("compare", table, "--system", "a,b", "--metric", "accuracy"))
    assert f"{float(bad):g}" in message
    assert "item '2'" in message
    assert "mean" in message


@pytest.mark.parametrize("letter", ["C", "I", "P", "yes", "1;0", "1,5.0", "0x1"])
def test_grades_that_are_not_numbers_are_refused_where_they_stand(
    run: Run, write: Write, letter: str
) -> None:
    """Row 24: C and I are no scores; file, line and value are named, nothing becomes NaN."""
    cell = f'"{letter}"'
    table = write("t.csv", csv("item,score", *((i, i % 2) for i in range(20)), (20, cell)))
    message = refused(run("score", table))
    assert "t.csv" in message
    assert "22" in message
    assert letter in message


def test_the_worst_score_is_only_given_where_it_is_known() -> None:
    """Row 24: scoring what is missing as wrong needs a scale; without one it is refused."""
    a: list[Any] = [3.5, 12.0, None, 7.0]
    with pytest.raises(deadheat.DeadheatError, match="--missing drop"):
        deadheat.compare(a, [1.0] * 4, missing="wrong")
    with pytest.raises(deadheat.DeadheatError, match="less is better"):
        deadheat.compare(
            [0.5, None, 0.1], [0.2] * 3, missing="wrong", metric="mean", greater_is_better=False
        )
