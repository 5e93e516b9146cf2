"""SQuAD: predictions by id, n best ones, odds and data sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import texts, tool

IDS = [f"56be4db0acb8001400a502{k:02x}" for k in range(6)]


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def data_set(path: Path, paragraphs: list[dict[str, list[str]]], title: str = "Opera") -> Path:
    """Write a data set: for each paragraph its questions with their answers."""
    return write(
        path,
        {
            "version": "v2.0",
            "data": [
                {
                    "title": title,
                    "paragraphs": [
                        {
                            "context": f"Context {k}.",
                            "qas": [
                                {
                                    "id": item,
                                    "question": "Who?",
                                    "answers": [{"text": t, "answer_start": 0} for t in answers],
                                    "is_impossible": not answers,
                                }
                                for item, answers in questions.items()
                            ],
                        }
                        for k, questions in enumerate(paragraphs)
                    ],
                }
            ],
        },
    )


def test_predictions_against_a_data_set(tmp_path: Path) -> None:
    """Worked by hand: F1 of 1, 2/3, 1 (no answer), 0; exact 1, 0, 1, 0."""
    right = data_set(
        tmp_path / "dev.json",
        [
            {IDS[0]: ["Denver Broncos", "Broncos"], IDS[1]: ["the tall tower"]},
            {IDS[2]: [], IDS[3]: ["x"]},
        ],
    )
    said = dict(zip(IDS, ["broncos!", "tower", "", "y"], strict=False))
    path = write(tmp_path / "m1" / "predictions.json", said)
    assert tool(right) == tool(path) == "squad"
    assert texts(read(path)) == {"predictions": said}
    card = deadheat.score(path, references=right, metric="squad_f1,squad_em")
    f1, exact = (one.systems[0] for one in card.scorecards)
    assert f1.value == pytest.approx((1 + 2 / 3 + 1 + 0) / 4)
    assert exact.value == pytest.approx(2 / 4)
    found = read(path, references=right).references
    assert found is not None
    assert found.clusters is not None
    assert found.clusters.to_list() == ["Opera 1", "Opera 1", "Opera 2", "Opera 2"]


def test_paragraphs_are_clusters_of_the_comparison(tmp_path: Path) -> None:
    paragraphs = [{f"{IDS[k][:-3]}{j}a{k}": ["x"] for j in range(2)} for k in range(4)]
    right = data_set(tmp_path / "dev.json", paragraphs)
    items = [item for questions in paragraphs for item in questions]
    a = write(tmp_path / "a.json", {item: "x" if k % 3 else "y" for k, item in enumerate(items)})
    b = write(tmp_path / "b.json", {item: "x" if k % 2 else "y" for k, item in enumerate(items)})
    found = deadheat.compare(a, b, references=right, metric="squad_em")
    assert "unit:cluster-4" in found.signature


def test_n_best(tmp_path: Path) -> None:
    best = {
        item: [{"text": f"t{k}", "probability": 0.9}, {"text": "z", "probability": 0.1}]
        for k, item in enumerate(IDS[:2])
    }
    best["q-3"] = []
    path = write(tmp_path / "nbest_predictions.json", best)
    assert tool(path) == "squad"
    assert texts(read(path)) == {"nbest_predictions": {IDS[0]: "t0", IDS[1]: "t1", "q-3": None}}


def test_odds_are_passed_over(tmp_path: Path) -> None:
    for model in "ab":
        write(tmp_path / model / "eval_predictions.json", dict.fromkeys(IDS, "x"))
        path = write(tmp_path / model / "eval_null_odds.json", dict.fromkeys(IDS, -3.5))
        write(tmp_path / model / "all_results.json", {"eval_f1": 1.0, "eval_samples": 6})
    with pytest.raises(InputError, match=r"predictions\.json"):
        read(path)
    assert [*texts(read(tmp_path))] == ["a", "b"]


def test_ids_of_other_kinds_need_the_name(tmp_path: Path) -> None:
    said = {"q1": "Paris", "q2": 'a "b"', "q3": ""}
    assert texts(read(write(tmp_path / "dev_predictions.json", said))) == {"dev_predictions": said}
    assert tool(write(tmp_path / "m1.json", said)) is None
    long = {f"q{k}": "word " * 20 for k in range(2_000)}
    assert len(texts(read(write(tmp_path / "preds.json", long)))["preds"]) == 2_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", {"model": "m1", "version": "1"}),
        ("predictions.json", {"model": "m1", "dataset": "d2"}),
        ("predictions.json", {"q1": "a", "q2": 3}),
        ("predictions.json", {"q1": {"text": "a"}}),
        ("predictions.json", {}),
        ("predictions.json", '{"id": "q1", "prediction": "a"}\n{"id": "q2", "prediction": "b"}\n'),
        ("predictions.json", {"q1": 0.5, "q2": 0.7}),
        ("x.json", {"data": [{"title": "t"}]}),
        ("x.json", [{"id": 1, "context": "c", "question": "q", "answer": "a"}]),
    ],
)
def test_other_documents_are_not_taken(tmp_path: Path, name: str, content: Any) -> None:
    assert tool(write(tmp_path / name, content)) is None


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (f'{{"{IDS[0]}": "a", "{IDS[0]}": "b"}}', "stands in the file twice"),
        (f'{{"{IDS[0]}": "a", "{IDS[1]}": "b"', "truncated"),
        (f'{{"{IDS[0]}": "a", "{IDS[1]}": 3}}', "str"),
        (f'{{"{IDS[0]}": "a", "{IDS[1]}": {"[" * 9_000}', "SQuAD|predictions"),
    ],
)
def test_broken_predictions(tmp_path: Path, content: str, match: str) -> None:
    with pytest.raises(FormatError, match=match):
        read(write(tmp_path / "x.json", content))


def test_the_shape_of_hugging_face_data_sets(tmp_path: Path) -> None:
    """Answers as an object of lists; ids pair with predictions."""
    rows = [
        {
            "id": item,
            "context": "c",
            "question": "q",
            "answers": {"text": ["x", "y"], "answer_start": [0, 1]},
        }
        for item in IDS[:3]
    ]
    right = write(tmp_path / "dev.json", rows)
    said = write(tmp_path / "predictions.json", dict.fromkeys(reversed(IDS[:3]), "y"))
    assert deadheat.score(said, references=right, metric="squad_em").systems[0].value == 1.0


def test_shared_examples(shared: Path) -> None:
    """ExplainaBoard's pair has no ids in its outputs: 2 of 5 are right, in order."""
    folder = shared / "formats" / "squad"
    said, right = folder / "squad_mini-example-output.json", folder / "squad_mini-dataset.json"
    expected = [row["answers"]["text"] for row in json.loads(right.read_text(encoding="utf-8"))]
    given = [
        row["predicted_answers"]["text"] for row in json.loads(said.read_text(encoding="utf-8"))
    ]
    same = sum(a == b for a, b in zip(expected, given, strict=True)) / len(expected)
    assert deadheat.score(said, references=right, metric="squad_em").systems[0].value == same
    path = shared / "formats" / "hf_trainer" / "eval_predictions.json"
    assert texts(read(path)) == {
        "eval_predictions": {
            "56be4db0acb8001400a502ec": "Denver Broncos",
            "56be4db0acb8001400a502ed": "Carolina Panthers",
        }
    }
