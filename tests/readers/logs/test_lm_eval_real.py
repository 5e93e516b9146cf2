"""Samples of lm-evaluation-harness that people published."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadheat.evaluation import Answers
from deadheat.readers import read
from deadheat.readers.unreadable import NoAnswersError


@pytest.fixture
def examples(shared: Path) -> Path:
    folder = shared / "formats" / "lm_eval"
    if not folder.is_dir():
        pytest.skip("the examples of formats are not beside this checkout")
    return folder


def only(path: Path, score: str | None = None) -> Answers:
    (answers,) = read(path, score=score).answers
    return answers


def test_ten_samples_of_version_0_4_9_2(examples: Path) -> None:
    stem = "2026-01-21T03-44-18.458309"
    path = examples / f"samples_math_perturbed_full_{stem}.jsonl"
    evaluation = read(path)
    (answers,) = evaluation.answers
    model = "RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1"
    assert answers.system == model
    assert answers.items is not None
    assert answers.scores is not None
    assert answers.items.to_list() == [*range(10)]
    assert answers.scores.to_list() == [0.0] * 10
    assert answers.item_hashes is not None
    about = answers.about
    assert about["model"] == model
    assert about["version"] == "0.4.9.2"
    assert about["checkpoint"] == "82047f5e5d5245c1b3a4cd75ad98aa441d6487cd"
    assert (about["num_fewshot"], about["temperature"], about["max_tokens"]) == ("0", "0", "512")
    (note,) = [note for note in evaluation.notes if note.code == "samples_incomplete"]
    assert "5,000 documents of math_perturbed_full" in note.message
    # The published 0.0 is what ten samples give as well.
    assert "published_disagrees" not in {note.code for note in evaluation.notes}
    with pytest.raises(NoAnswersError):
        read(examples / f"results_{stem}.json")


def test_the_stated_hashes_are_those_of_the_documents(examples: Path, tmp_path: Path) -> None:
    """Without doc_hash, as before 0.4.3, it is taken of the document, and is the same."""
    import json

    (path,) = examples.glob("samples_math*.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    stripped = [{k: v for k, v in row.items() if not k.endswith("_hash")} for row in rows]
    array = tmp_path / "array.jsonl"
    array.write_text(json.dumps(stripped, indent=2, ensure_ascii=False))
    stated, taken = only(path).item_hashes, only(array).item_hashes
    assert stated is not None
    assert taken is not None
    assert taken.to_list() == [row["doc_hash"][:12] for row in rows]
    assert stated.to_list() == taken.to_list()


def test_samples_of_version_0_4_5_without_filters(examples: Path) -> None:
    folder = examples / "metabench_pythia14m_v0.4.5_style"
    (gsm8k,) = folder.glob("samples_metabench_gsm8k*")
    answers = only(gsm8k)
    assert answers.items is not None
    # doc_id 0, 1, 2 and again: two filters of three documents.
    assert answers.items.to_list() == [0, 1, 2]
    assert only(gsm8k, "exact_match,filter 2").scores is not None
    (winogrande,) = folder.glob("samples_metabench_winogrande*")
    found = only(winogrande)
    assert found.scores is not None
    assert found.scores.to_list() == [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    (arc,) = folder.glob("samples_metabench_arc*")
    assert only(arc, "acc_norm").scores is not None
    whole = only(folder)
    assert whole.system == folder.name
    assert whole.items is not None
    assert whole.tasks is not None
    assert len(whole.items) == 15
    assert whole.tasks.n_unique() == 3


def test_the_other_versions(examples: Path) -> None:
    (old,) = (examples / "v0.4.0_style").glob("*.jsonl")
    answers = only(old)
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0]
    assert only(old, "acc_norm").scores.to_list() == [1.0, 1.0]  # type: ignore[union-attr]
    (new,) = (examples / "v0.4.7plus_two_filters").glob("*.jsonl")
    assert only(new).scores.to_list() == [1.0, 0.0]  # type: ignore[union-attr]
    second = only(new, "exact_match,flexible-extract")
    assert second.scores.to_list() == [1.0, 1.0]  # type: ignore[union-attr]


def test_a_folder_of_everything(examples: Path) -> None:
    assert len(read(examples).systems) == 4
