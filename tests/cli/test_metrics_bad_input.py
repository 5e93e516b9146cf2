"""Bad input of metrics: one paragraph that says what and where, exit code 2, nothing written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import deadheat
from cases.data import Write

Refusal = Callable[..., str]

TEXTS = ("bleu", "chrf", "ter", "wer", "cer", "rouge1", "exact_match", "squad_f1")
OF_NUMBERS = ("auroc", "average_precision", "brier", "log_loss", "ece", "pearson", "kendall")
OF_RANKINGS = ("ndcg@3", "mrr", "recall@3")


def lines(*values: Any) -> str:
    """Return items 1, 2, ... with an output and a reference each."""
    return "".join(
        json.dumps({"id": f"q{item}", "output": output, "reference": reference}) + "\n"
        for item, (output, reference) in enumerate(values, start=1)
    )


# --- files that do not fit ------------------------------------------------------------------------


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("metric", TEXTS)
@pytest.mark.parametrize("short", ["b.txt", "ref.txt"])
def test_unequal_numbers_of_lines(refused: Refusal, write: Write, metric: str, short: str) -> None:
    write(short, "one\ntwo\n")
    told = refused("compare", "a.txt", "b.txt", "--reference", "ref.txt", "--metric", metric)
    assert "a 3 (a.txt)" in told
    assert f" 2 ({short})" in told


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("latin-1", "line 2 holds byte 0xfc, which is not UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-32", "UTF-32"),
    ],
)
@pytest.mark.parametrize("file", ["b.txt", "ref.txt"])
def test_another_encoding(
    refused: Refusal, write: Write, encoding: str, said: str, file: str
) -> None:
    write(file, "the cat\nüber\nmat\n".encode(encoding))
    told = refused("compare", "a.txt", "b.txt", "--reference", "ref.txt", "--metric", "bleu")
    assert f"{file}: " in told
    assert said in told
    assert "Save it as UTF-8" in told


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "b.txt: the file is empty"),
        ("\n\n\n", "b.txt: the file is empty"),
        ("a b\x00 c\nd\ne\n", "zero byte"),
        (b"a \xed\xa0\x80 b\nc\nd\n", "line 1 holds byte 0xed"),
        ("the cat\rsat on\rmat\r", "carriage returns"),
    ],
    ids=["empty", "blank", "nul", "lone surrogate", "old Mac"],
)
@pytest.mark.parametrize("metric", ["bleu", "wer", "exact_match"])
def test_lines_that_are_no_text(
    refused: Refusal, write: Write, metric: str, content: str | bytes, said: str
) -> None:
    write("b.txt", content)
    told = refused("compare", "a.txt", "b.txt", "--reference", "ref.txt", "--metric", metric)
    assert said in told


def test_a_lone_surrogate_in_json(refused: Refusal, write: Write) -> None:
    write("x.jsonl", '{"id": 1, "output": "a\\ud800", "reference": "a"}\n')
    assert "x.jsonl, line 1:" in refused("score", "x.jsonl", "--metric", "bleu")


# --- what a metric lacks --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metric", [*TEXTS, *OF_NUMBERS, *OF_RANKINGS, "span_f1", "macro_f1", "mcc", "majority_vote"]
)
@pytest.mark.parametrize("output", ["x", ["x"]], ids=["text", "list"])
def test_no_references(refused: Refusal, write: Write, metric: str, output: Any) -> None:
    rows = ({"id": item, "output": output} for item in range(3))
    write("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    told = refused("score", "x.jsonl", "--metric", metric)
    assert "no references" in told
    assert "--reference" in told


@pytest.mark.parametrize("metric", ["mean", "win_rate", "pass@1", "pass^2"])
def test_no_scores(refused: Refusal, write: Write, metric: str) -> None:
    write("x.jsonl", lines(("x", "x"), ("y", "x")))
    told = refused("score", "x.jsonl", "--metric", metric)
    assert f"{metric} takes scores, and there are none for x" in told


@pytest.mark.parametrize("metric", [*TEXTS, "span_f1", "macro_f1", *OF_RANKINGS])
def test_an_item_without_a_reference(refused: Refusal, write: Write, metric: str) -> None:
    write("x.jsonl", lines(("x", "x"), ("y", None), ("z", "z")))
    told = refused("score", "x.jsonl", "--metric", metric)
    assert "1 of 3 items have no reference, such as item 'q2'" in told


# --- values that a metric cannot score ------------------------------------------------------------


@pytest.mark.parametrize("metric", TEXTS)
@pytest.mark.parametrize(
    ("output", "reference", "said"),
    [
        (["x"], "x", "the output is a list"),
        ({"text": "x"}, "x", "the output is an object"),
        ("x", {"text": "x"}, "the reference is an object"),
        ("x", [["x"]], "the reference is a list inside a list"),
        (0.5, 0.5, "the number 0.5, which can be written in several ways"),
    ],
    ids=["list", "object", "reference object", "nested references", "number"],
)
def test_what_is_no_text(
    refused: Refusal, write: Write, metric: str, output: Any, reference: Any, said: str
) -> None:
    fine = (None, reference) if not isinstance(output, str) else ("x", "x")
    write("x.jsonl", lines(fine, (output, reference)))
    told = refused("score", "x.jsonl", "--metric", metric)
    assert said in told
    assert "x.jsonl, line " in told


@pytest.mark.parametrize("metric", OF_NUMBERS)
@pytest.mark.parametrize("output", ["high", ["x"]], ids=["text", "list"])
def test_what_is_no_number(refused: Refusal, write: Write, metric: str, output: Any) -> None:
    write("x.jsonl", lines((output, "1"), (output, "0"), (output, "1")))
    told = refused("score", "x.jsonl", "--metric", metric)
    assert "x.jsonl, line 1, item 'q1': the output is" in told


@pytest.mark.parametrize("metric", ["brier", "log_loss", "ece"])
@pytest.mark.parametrize("score", [1.2, -0.25, 70])
def test_scores_that_are_no_probabilities(
    refused: Refusal, write: Write, metric: str, score: float
) -> None:
    write("s.csv", f"id,score,reference\nx,0.5,1\ny,{score},0\nz,0.1,0\n")
    told = refused("score", "s.csv", "--metric", metric)
    assert f"s.csv, line 3, item 'y': the output {float(score)} is not a probability" in told


@pytest.mark.parametrize("metric", ["auroc", "brier", "ece", "f1"])
def test_three_classes_where_one_is_positive(refused: Refusal, write: Write, metric: str) -> None:
    role = "output" if metric == "f1" else "score"
    write("s.csv", f"id,{role},reference\nx,1,1\ny,0,0\nz,0,2\n")
    assert "--positive" in refused("score", "s.csv", "--metric", metric)


def test_tags_that_are_not_tags(refused: Refusal, write: Write) -> None:
    gold = "x B-PER\ny I-PER\n\nz O\nu B-LOC\n"
    write("gold.conll", gold)
    for name, old, new in (
        ("word.conll", "y I-PER", "y PERSON"),
        ("labels.conll", "x B-PER", "x per"),
    ):
        write(name, gold.replace(old, new))
        told = refused("score", name, "--reference", "gold.conll", "--metric", "span_f1")
        assert f"{name}, line {1 + (old[0] == 'y')}: '{new[2:]}' in column 2 is not a tag" in told
    write("short.conll", gold.replace("y I-PER\n", ""))
    told = refused("score", "short.conll", "--reference", "gold.conll", "--metric", "span_f1")
    assert "short.conll, line 1: the output has 1 tags and its reference 2" in told


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (["B-PER", "PER"], "tag 2 of 2 is 'PER'"),
        (["B-PER"], "the output has 1 tags and its reference 2"),
        ("B-PER O", "'B-PER O' is no list"),
        ([[0, 2], [3, 4, "LOC"]], "entry 1 of 2 is [0, 2]"),
    ],
    ids=["no tag", "too few", "text", "no span"],
)
def test_lists_that_are_no_tags(refused: Refusal, write: Write, output: Any, said: str) -> None:
    write("x.jsonl", lines((["B-PER", "O"], ["B-PER", "O"]), (output, ["B-PER", "O"])))
    told = refused("score", "x.jsonl", "--metric", "span_f1")
    assert "x.jsonl, line 2, item 'q2':" in told
    assert said in told


@pytest.mark.parametrize("metric", ["pass@3", "pass^3"])
def test_more_runs_asked_for_than_there_are(refused: Refusal, write: Write, metric: str) -> None:
    runs = [("q1", 3), ("q2", 2), ("q3", 2)]
    rows = "".join(f"{item},{run},{run % 2}\n" for item, n in runs for run in range(n))
    write("r.csv", f"id,run,score\n{rows}")
    told = refused("score", "r.csv", "--metric", metric)
    assert "r.csv, line 5, item 'q2': the item has 2 runs and k is 3" in told
    assert "2 of 3 items" in told
    assert "k of at most 2" in told


def test_runs_that_neither_pass_nor_fail(refused: Refusal, write: Write) -> None:
    write("r.csv", "id,run,score\nq1,1,1\nq1,2,0.5\n")
    told = refused("score", "r.csv", "--metric", "pass@1")
    assert "r.csv" in told
    assert "a run has the score 0.5" in told


def test_a_list_of_outputs_is_not_the_runs_of_an_item(refused: Refusal, write: Write) -> None:
    """A list would be one output, and could never be right."""
    write("x.jsonl", lines((["x", "x", "y"], "x"), (["y", "y", "y"], "y")))
    told = refused("score", "x.jsonl", "--metric", "majority_vote")
    assert "x.jsonl, line 1, item 'q1':" in told
    assert "--run" in told


def test_several_references_where_one_is_counted(refused: Refusal, write: Write) -> None:
    write("x.jsonl", lines(("x", ["x", "y"])))
    assert "line 1, item 'q1': the item has 2 references" in refused(
        "score", "x.jsonl", "--metric", "wer"
    )


@pytest.mark.parametrize("score", [3, -1, 0.5])
def test_preferences_off_the_scale(refused: Refusal, write: Write, score: float) -> None:
    write("w.csv", f"id,score\nx,2\ny,1\nz,{score}\n")
    told = refused("score", "w.csv", "--metric", "win_rate")
    assert f"{score:g}" in told
    assert "from 1 to 2" in told


# --- from Python ----------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", [*TEXTS, "auroc", "span_f1"])
@pytest.mark.parametrize("longer", [0, 1])
def test_lists_of_unequal_length(metric: str, longer: int) -> None:
    """Row 15: what pairs by position never stops at the shorter list."""
    cell: Any = {"auroc": 0.5, "span_f1": ["O"]}.get(metric, "x")
    lists = [[cell] * 4, [1 if metric == "auroc" else cell] * 4]
    lists[longer].append(lists[longer][0])
    with pytest.raises(deadheat.DeadheatError, match=r"4.*5|5.*4"):
        deadheat.score(lists[0], references=lists[1], metric=metric)


def test_a_traceback_is_for_no_user(write: Write) -> None:
    """The whole way through a process of its own."""
    write("x.jsonl", lines((["x"], "x")))
    done = subprocess.run(
        [sys.executable, "-m", "deadheat", "score", "x.jsonl", "--metric", "bleu"],
        cwd=write("y.txt", "").parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "deadheat: x.jsonl, line 1, item 'q1': the output is a list, not a text. Give a text; "
        "references may be a list of texts.\n"
    )
