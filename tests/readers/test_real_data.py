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


def test_xsum_systems_and_items_glued_in_one_column(shared: Path) -> None:
    evaluation = read(
        shared / "data" / "xsum_hallucination" / "eval_scores_xsum_summaries.csv",
        system_column=r"system_bbcid:^(.+)_\d+$",
        item=r"system_bbcid:(\d+)$",
        score="R1",
    )
    # The README of the data set: R1 of the four systems under their names in this file.
    wanted = {"bert_withckpt": 0.390, "ptgen": 0.305, "tconvs2s": 0.313, "bert_nockpt": 0.325}
    means = {a.system: a.scores.mean() for a in evaluation.answers if a.scores is not None}
    assert {name: round(float(mean), 3) for name, mean in means.items()} == wanted  # type: ignore[arg-type]
    items = [a.items for a in evaluation.answers if a.items is not None]
    assert [len(ids) for ids in items] == [498] * 4
    assert len({frozenset(ids) for ids in items}) == 1


def test_tau_bench_trials_are_runs(shared: Path) -> None:
    path = shared / "data" / "tau_bench_airline" / "gpt-4o-airline.json"
    (answers,) = read(path, item="task_id", score="reward").answers
    assert answers.scores is not None
    assert answers.runs is not None
    assert Counter(answers.runs.to_list()) == dict.fromkeys(range(4), 50)
    assert answers.scores.mean() == pytest.approx(0.420)  # pass^1 of the README


def test_asr_texts_with_four_empty_references(shared: Path) -> None:
    paths = sorted((shared / "data" / "asr_voxpopuli").glob("*.jsonl"))
    evaluation = read(
        *paths,
        item="audio_filepath",
        output_column="pred_text",
        reference_column="text",
        cluster="audio_filepath:^(.+)-en_",
        empty_texts=True,
    )
    for answers in evaluation.answers:
        assert answers.references is not None
        assert answers.clusters is not None
        assert (len(answers.references), answers.references.to_list().count("")) == (150, 4)
        assert answers.clusters.n_unique() == 117


@pytest.mark.parametrize(
    ("folder", "name", "references", "n"),
    [
        ("wmt17_ende", "newstest2017.*.en-de", "newstest2017-ende-ref.de", 3_004),
        ("compare_mt", "ted.sys*.detok.eng", "ted.ref.detok.eng", 2_445),
        ("compare_mt", "ted.sys?.eng", "ted.ref.eng", 2_445),
        ("compare_mt", "sum.sys?.eng", "sum.ref.eng", 2_000),
    ],
)
def test_translations_line_by_line(
    shared: Path, folder: str, name: str, references: str, n: int
) -> None:
    paths = sorted((shared / "data" / folder).glob(name))
    evaluation = read(
        *paths,
        names=[path.name for path in paths],
        references=shared / "data" / folder / references,
        empty_texts=True,
    )
    for path, answers in zip(paths, evaluation.answers, strict=True):
        assert answers.outputs is not None
        assert answers.outputs.null_count() == 0
        # What sacrebleu reads: lines end in line feeds only.
        with path.open(encoding="utf-8", newline="\n") as file:
            assert answers.outputs.to_list() == [line.rstrip("\n") for line in file]
        assert len(answers.outputs) == n


def test_examples_of_this_repository() -> None:
    examples = Path(__file__).parents[2] / "examples"
    evaluation = read(examples / "gap500" / "gap500.csv")
    assert evaluation.systems == ("a", "b")
    totals = [a.scores.sum() for a in evaluation.answers if a.scores is not None]
    assert totals == [356, 374]
