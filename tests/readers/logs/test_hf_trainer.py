"""What the example scripts of Transformers write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import only, texts, tool


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def predictions(path: Path, values: list[str]) -> Path:
    rows = "".join(f"{k}\t{value}\n" for k, value in enumerate(values))
    return write(path, f"index\tprediction\n{rows}")


def test_two_folders(tmp_path: Path) -> None:
    """Systems are the folders; 2 of 3 and 3 of 3 right."""
    a = predictions(
        tmp_path / "a" / "predict_results_mnli.txt", ["entailment", "neutral", "neutral"]
    )
    b = predictions(tmp_path / "b" / "predict_results_mnli.txt", ["entailment", "neutral", "other"])
    write(tmp_path / "a" / "all_results.json", {"epoch": 3.0, "eval_loss": 0.5, "eval_samples": 3})
    right = write(tmp_path / "gold.csv", "id,label\n0,entailment\n1,neutral\n2,other\n")
    assert tool(a) == "hf_trainer"
    for sources in ((tmp_path / "a", tmp_path / "b"), (a, b)):
        found = deadheat.compare(*sources, references=right)
        assert (found.baseline.system, found.candidate.system) == ("a", "b")
        assert found.difference.estimate == pytest.approx(1 / 3)


def test_numbers_of_a_regression(tmp_path: Path) -> None:
    path = predictions(tmp_path / "m" / "predict_results_stsb.txt", ["3.142", "0.500", "5.000"])
    right = write(tmp_path / "gold.csv", "id,label\n0,3\n1,1\n2,5\n")
    card = deadheat.score(path, references=right, metric="spearman")
    assert card.systems[0].value == pytest.approx(1.0)


def test_the_index_pairs_in_any_order(tmp_path: Path) -> None:
    path = predictions(tmp_path / "m" / "predict_results_x.txt", ["a", "b"])
    right = write(tmp_path / "gold.jsonl", '{"id": 1, "label": "b"}\n{"id": 0, "label": "a"}\n')
    assert deadheat.score(path, references=right).systems[0].value == 1.0


def test_lines_of_tags(tmp_path: Path) -> None:
    path = write(tmp_path / "m1" / "predictions.txt", "O O B-PER I-PER O\nB-ORG O\nO\n")
    assert tool(path) == "hf_trainer"
    assert only(read(path)).system == "m1"
    conll = "a O\nb O\nc B-PER\nd I-PER\ne O\n\nf B-ORG\ng B-LOC\n\nh O\n"
    right = write(tmp_path / "gold.conll", conll)
    card = deadheat.score(path, references=right, metric="span_f1")
    assert card.systems[0].value == pytest.approx(2 * 2 / (2 * 2 + 0 + 1))


def test_an_empty_sentence_is_a_list_without_tags(tmp_path: Path) -> None:
    path = write(tmp_path / "m1" / "predictions.txt", "O B-PER\n\nO\n")
    outputs = only(read(path)).outputs
    assert outputs is not None
    assert outputs.to_list() == [b'["O","B-PER"]', b"[]", b'["O"]']


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("all_results.json", {"epoch": 3.0, "eval_loss": 0.5, "eval_runtime": 1.0}),
        (
            "trainer_state.json",
            {"best_metric": 1, "global_step": 3, "log_history": [{}]},
        ),
        ("predict_results.json", {"predict_samples": 10, "predict_loss": 0.25, "predict_f1": 0.5}),
    ],
)
def test_metrics_are_refused(tmp_path: Path, name: str, content: Any) -> None:
    path = write(tmp_path / name, content)
    assert tool(path) == "hf_trainer"
    with pytest.raises(InputError, match="metrics of whole sets"):
        read(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("generated_predictions.txt", "First summary .\nSecond summary .\n"),
        ("predictions.txt", "entailment\nneutral\n"),
        ("predictions.txt", "O\nO\nB-PER\n"),
        ("predictions.txt", "O O\nO O\n"),
        ("gold_pred.txt", "B-PER B-PER\nI-PER O\n\nO O\n"),
        ("x.tsv", "index\tprediction\ta\n0\tb\tc\n"),
        ("x.tsv", "index\tlabel\n0\tb\n"),
        ("x.json", {"eval_loss": 0.5, "rows": [1, 2]}),
        ("x.json", {"accuracy": 0.5, "loss": 0.1}),
    ],
)
def test_plain_files_stay_what_they_are(tmp_path: Path, name: str, content: Any) -> None:
    assert tool(write(tmp_path / name, content)) is None


def test_generated_predictions_are_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "generated_predictions.txt", "First summary .\nSecond summary .\n")
    right = write(tmp_path / "ref.txt", "First summary .\nSecond one .\n")
    assert deadheat.score(path, references=right, metric="exact_match").systems[0].value == 0.5


@pytest.mark.parametrize("tail", ["3", "x\ty\n", "\n \t\n-1\ta\n", f"{'9' * 40}\ta\n"])
def test_broken_predictions(tmp_path: Path, tail: str) -> None:
    path = predictions(tmp_path / "m" / "predict_results_x.txt", ["a", "b", "c"])
    write(path, path.read_text(encoding="utf-8") + tail)
    with pytest.raises(FormatError, match="line"):
        read(path)


def test_broken_tags(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", "O B-PER\nO\n" * 9_000 + "O B-PER word\n")
    with pytest.raises(FormatError, match=r"line 18001: the line holds what is no tag"):
        read(path)


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "hf_trainer"
    assert texts(read(folder / "predict_results_mnli.txt")) == {
        "hf_trainer": {0: "entailment", 1: "neutral", 2: "contradiction"}
    }
    outputs = only(read(folder / "predictions_ner.txt")).outputs
    assert outputs is not None
    assert outputs.to_list() == [b'["O","O","B-PER","I-PER","O"]', b'["B-ORG","O"]']
    assert tool(folder / "all_results.json") == "hf_trainer"
    assert tool(folder / "generated_predictions.txt") is None
