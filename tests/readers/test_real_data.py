"""Published evaluations, with the counts that their sources state."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from deadheat.evaluation import Answers
from deadheat.readers import read


def right(answers: Answers, references: pl.Series) -> pl.Series:
    assert answers.outputs is not None
    return answers.outputs == references


def test_sst2_labels_and_a_table_with_stray_quotes(shared: Path) -> None:
    folder = shared / "data" / "explainaboard_sst2"
    evaluation = read(
        f"cnn={folder}/sst2-cnn-output.txt",
        f"lstm={folder}/sst2-lstm-output.txt",
        references=folder / "sst2-dataset.tsv",
        reference_column="2",
    )
    assert evaluation.references is not None
    references = evaluation.references.values
    assert len(references) == 1_821
    cnn, lstm = (right(answers, references) for answers in evaluation.answers)
    # The README of the data set: .8572, .8803, discordant 59 and 101.
    assert (round(float(cnn.mean()), 4), round(float(lstm.mean()), 4)) == (0.8572, 0.8803)  # type: ignore[arg-type]
    assert ((cnn & ~lstm).sum(), (lstm & ~cnn).sum()) == (59, 101)
    assert evaluation.answers[0].source.sha256 == (
        "dbb9e5cf6ea3e1fb7e23ad307ad9418cae85d1941a3489e0655d4989f84bd311"
    )


def test_hans_in_another_row_order_with_clusters_and_a_label_map(shared: Path) -> None:
    folder = shared / "data" / "hans_nli"
    evaluation = read(
        f"bert={folder}/bert_preds.txt",
        f"spinn={folder}/spinn_preds_heur.txt",
        references=folder / "gold.csv",
        item="pairID",
        output_column="gold_label",
        reference_column="gold_label",
        cluster="subcase",
        label_map={"neutral": "non-entailment", "contradiction": "non-entailment"},
    )
    references = evaluation.references
    assert references is not None
    assert references.items is not None
    assert references.clusters is not None
    assert Counter(references.clusters.to_list()).most_common()[-1][1] == 1_000
    truth = dict(zip(references.items, references.values, strict=True))
    values = []
    for answers in evaluation.answers:
        assert answers.items is not None
        assert answers.outputs is not None
        pairs = zip(answers.items, answers.outputs, strict=True)
        values.append(sum(truth[item] == output for item, output in pairs) / 30_000)
    assert [round(value, 3) for value in values] == [0.548, 0.505]


def test_livecodebench_arrays_with_clusters_and_strata(shared: Path) -> None:
    folder = shared / "data" / "livecodebench"
    name = "Scenario.codegeneration_1_0.2_eval_all.json"
    evaluation = read(
        f"mini={folder}/O1-Mini-2024-09-12 (N=1)/{name}",
        f"preview={folder}/O1-Preview-2024-09-12 (N=1)/{name}",
        score="pass@1",
        cluster="contest_id",
        stratum="difficulty",
    )
    mini, preview = evaluation.answers
    assert mini.scores is not None
    assert preview.scores is not None
    assert (round(float(mini.scores.mean()), 4), round(float(preview.scores.mean()), 4)) == (  # type: ignore[arg-type]
        0.6841,
        0.5557,
    )
    assert mini.strata is not None
    assert Counter(mini.strata) == {"easy": 279, "medium": 331, "hard": 270}
    assert mini.clusters is not None


@pytest.mark.parametrize(
    ("name", "systems", "scores"),
    [
        ("wide", ("model_a", "model_b", "model_c"), [[1, 1, 0], [0, 0, 1], [1, None, None]]),
        ("long", ("a", "b"), [[1, 0, 0, 0], [1, 1, 1, None]]),
        ("wide_semicolon_decimal_comma", ("system A", "system B"), [[0.75, 0.5], [0.8, 0.25]]),
    ],
)
def test_tables_of_scores(
    shared: Path, name: str, systems: tuple[str, ...], scores: list[list[float | None]]
) -> None:
    evaluation = read(shared / "formats" / "csv" / f"{name}.csv")
    assert evaluation.systems == systems
    found = [a.scores.to_list() for a in evaluation.answers if a.scores is not None]
    assert found == scores


def test_examples_of_this_repository() -> None:
    examples = Path(__file__).parents[2] / "examples"
    evaluation = read(examples / "gap500" / "gap500.csv")
    assert evaluation.systems == ("a", "b")
    totals = [a.scores.sum() for a in evaluation.answers if a.scores is not None]
    assert totals == [356, 374]
