"""Samples of lm-evaluation-harness: filters, metrics, hashes and results of every version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.evaluation import Answers, Evaluation
from deadheat.readers import read
from deadheat.readers.unreadable import NoAnswersError
from readers.logs.builders import lm_eval as made

NAME = f"samples_gsm8k_{made.FIRST}.jsonl"
TWO = {
    "strict-match": {"exact_match": [1.0, 0.0, 0.0]},
    "flexible-extract": {"exact_match": [1.0, 1.0, 0.0]},
}


def only(path: Path, **options: Any) -> Answers:
    (answers,) = read(path, **options).answers
    return answers


def scores(answers: Answers) -> list[float | None]:
    assert answers.scores is not None
    return answers.scores.to_list()


def items(answers: Answers) -> list[Any]:
    assert answers.items is not None
    return answers.items.to_list()


def notes(evaluation: Evaluation) -> dict[str, str]:
    return {note.code: note.message for note in evaluation.notes}


def test_one_row_a_document_and_one_score_a_filter(tmp_path: Path) -> None:
    path = made.lines(tmp_path / "model" / NAME, made.task_samples("gsm8k", TWO))
    evaluation = read(path)
    (answers,) = evaluation.answers
    assert answers.system == "model"
    assert (items(answers), scores(answers)) == ([0, 1, 2], [1.0, 0.0, 0.0])
    assert answers.tasks is not None
    assert answers.runs is not None
    assert set(answers.tasks) == {"gsm8k"}
    assert set(answers.runs) == {made.FIRST}
    said = notes(evaluation)["other_scores"]
    assert "exact_match,strict-match is the one used" in said
    assert "'exact_match,flexible-extract'" in said
    second = only(path, score="exact_match,flexible-extract")
    assert scores(second) == [1.0, 1.0, 0.0]


def test_a_metric_stands_for_its_first_filter(tmp_path: Path) -> None:
    rows = made.task_samples("arc", {"none": {"acc": [1.0, 0.0], "acc_norm": [0.0, 1.0]}})
    path = made.lines(tmp_path / NAME, rows)
    assert scores(only(path)) == [1.0, 0.0]
    assert scores(only(path, score="acc_norm")) == [0.0, 1.0]
    assert scores(only(path, score="acc_norm,none")) == [0.0, 1.0]
    with pytest.raises(InputError, match=r"no column 'f1' \(--score\).*acc_norm,none"):
        read(path, score="f1")


def test_filters_that_samples_do_not_name_follow_one_another(tmp_path: Path) -> None:
    path = made.lines(tmp_path / NAME, made.task_samples("gsm8k", TWO, era="unlabelled"))
    assert scores(only(path)) == [1.0, 0.0, 0.0]
    assert scores(only(path, score="exact_match,filter 1")) == [1.0, 0.0, 0.0]
    assert scores(only(path, score="exact_match,filter 2")) == [1.0, 1.0, 0.0]


def test_one_filter_that_samples_do_not_name_needs_no_name(tmp_path: Path) -> None:
    rows = made.task_samples("arc", {"none": {"acc": [1.0, 0.0]}}, era="unlabelled")
    path = made.lines(tmp_path / NAME, rows)
    assert scores(only(path, score="acc")) == [1.0, 0.0]


def test_results_name_the_filters_that_samples_do_not(tmp_path: Path) -> None:
    place = made.run(tmp_path, "m", {"gsm8k": TWO}, era="unlabelled")
    assert scores(only(place / NAME, score="exact_match,flexible-extract")) == [1.0, 1.0, 0.0]


def test_filters_of_several_processes(tmp_path: Path) -> None:
    """Every process leaves its documents under the first filter, then under the second."""
    every = made.task_samples("gsm8k", TWO, era="unlabelled")
    ranks = [[row for row in every if row["doc_id"] % 2 == rank] for rank in (0, 1)]
    path = made.lines(tmp_path / NAME, [*ranks[0], *ranks[1]])
    answers = only(path, score="exact_match,filter 2")
    assert dict(zip(items(answers), scores(answers), strict=True)) == {0: 1.0, 1: 1.0, 2: 0.0}
    assert items(answers) == [0, 2, 1]


def test_unsorted_and_missing_documents_are_told_by_their_ids(tmp_path: Path) -> None:
    rows = made.task_samples("gsm8k", TWO, doc_ids=[9, 2, 5])
    answers = only(made.lines(tmp_path / NAME, rows))
    assert dict(zip(items(answers), scores(answers), strict=True)) == {9: 1.0, 2: 0.0, 5: 0.0}


def test_a_document_that_one_filter_lacks_has_no_score_there(tmp_path: Path) -> None:
    rows = made.task_samples("gsm8k", TWO)
    del rows[4]
    path = made.lines(tmp_path / NAME, rows)
    assert scores(only(path, score="exact_match,flexible-extract")) == [1.0, None, 0.0]
    assert scores(only(path)) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("era", ["labelled", "unlabelled"])
def test_what_was_appended_stays_twice_and_is_refused(tmp_path: Path, era: made.Era) -> None:
    place = made.run(tmp_path, "m", {"gsm8k": TWO}, era=era)
    again = made.task_samples("gsm8k", TWO, era=era)
    made.lines(place / NAME, again, append=True)
    answers = only(place / NAME)
    assert sorted(items(answers)) == [0, 0, 1, 1, 2, 2]
    other = made.run(tmp_path, "n", {"gsm8k": TWO}, era=era)
    with pytest.raises(InputError, match=r"an item and run has more than one row: 0 run"):
        deadheat.compare(str(place / NAME), str(other / NAME))


def test_unnamed_rows_of_other_responses_are_no_filters(tmp_path: Path) -> None:
    rows = made.task_samples("arc", {"none": {"acc": [1.0, 0.0]}}, era="unlabelled")
    again = made.task_samples(
        "arc", {"none": {"acc": [0.0, 0.0]}}, era="unlabelled", response="Another."
    )
    answers = only(made.lines(tmp_path / NAME, [*rows, *again]))
    assert (items(answers), scores(answers)) == ([0, 1, 0, 1], [1.0, 0.0, 0.0, 0.0])


def test_unnamed_rows_of_some_documents_are_no_filters(tmp_path: Path) -> None:
    rows = made.task_samples("arc", {"none": {"acc": [1.0, 0.0]}}, era="unlabelled")
    answers = only(made.lines(tmp_path / NAME, [*rows, rows[0]]))
    assert items(answers) == [0, 1, 0]


def test_arrays_of_the_first_versions(tmp_path: Path) -> None:
    rows = made.task_samples("arc_easy", {"none": {"acc": [1.0, 0.0]}}, era="array")
    path = made.array(tmp_path / "pretrained__org__m,dtype__float16_arc_easy.jsonl", rows)
    alone = only(path)
    assert (alone.system, scores(alone)) == (path.stem, [1.0, 0.0])
    assert alone.tasks is None
    published = {"arc_easy": {"acc,none": 0.5, "acc_stderr,none": 0.5}}
    content = made.results("org/m", published, lm_eval_version=None, named=False)
    made.write_results(tmp_path / "results.json", content)
    beside = only(path)
    assert beside.system == "org/m"
    assert beside.tasks is not None
    assert set(beside.tasks) == {"arc_easy"}
    assert beside.about["version"] == "abc1234"
    assert {file.path for file in beside.source.files} == {
        str(path),
        str(tmp_path / "results.json"),
    }


def test_results_of_another_model_are_not_taken(tmp_path: Path) -> None:
    rows = made.task_samples("arc_easy", {"none": {"acc": [1.0, 0.0]}}, era="array")
    path = made.array(tmp_path / "pretrained__org__other_arc_easy.jsonl", rows)
    content = made.results("org/m", {"arc_easy": {"acc,none": 0.5}}, named=False)
    made.write_results(tmp_path / "results.json", content)
    assert only(path).system == path.stem


def test_arrays_of_the_builds_between(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO}, era="unlabelled")
    rows = made.task_samples("gsm8k", TWO, era="unlabelled")
    (place / NAME).unlink()
    path = made.array(place / f"samples_gsm8k_{made.FIRST}.json", rows)
    answers = only(path, score="exact_match,flexible-extract")
    assert (answers.system, scores(answers)) == ("org/m", [1.0, 1.0, 0.0])


def test_documents_without_a_hash_get_the_one_that_the_harness_states(tmp_path: Path) -> None:
    filters = {"none": {"acc": [1.0, 0.0]}}
    array = made.array(tmp_path / "a.jsonl", made.task_samples("t", filters, era="array"))
    lines = made.lines(tmp_path / "b.jsonl", made.task_samples("t", filters))
    hashes = [only(path).item_hashes for path in (array, lines)]
    assert all(found is not None for found in hashes)
    assert hashes[0].to_list() == hashes[1].to_list()  # type: ignore[union-attr]


def test_results_say_the_model_its_version_and_settings(tmp_path: Path) -> None:
    settings = {"shots": 5, "temperature": 0.7, "versions": {"gsm8k": 3.0}}
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO}, settings=settings, shots=5)
    about = dict(only(place / NAME).about)
    assert about.pop("prompt_hash")
    about.pop("score", None)
    assert about == {
        "model": "org/m",
        "checkpoint": "main",
        "dtype": "float16",
        "version": "0.4.9.1",
        "task_version": "3",
        "date": "2025-03-01T10:00:00+00:00",
        "num_fewshot": "5",
        "temperature": "0.7",
        "max_tokens": "64",
        "stop": '["\\n"]',
        "seed": "0",
        "task_hash": made.digest("gsm8k")[:12],
    }


def test_the_hash_of_prompts_does_not_follow_their_order(tmp_path: Path) -> None:
    rows = made.task_samples("gsm8k", TWO)
    other = made.task_samples("gsm8k", TWO, shots=1)
    found = [
        only(made.lines(tmp_path / name / NAME, given)).about["prompt_hash"]
        for name, given in (("a", rows), ("b", rows[::-1]), ("c", other))
    ]
    assert found[0] == found[1] != found[2]


def test_results_of_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    """Since 0.4.9 --output_path OUT/x.json writes OUT/x_TIME.json, and samples into OUT."""
    path = made.lines(tmp_path / NAME, made.task_samples("gsm8k", TWO))
    content = made.results("org/m", {"gsm8k": {"exact_match,strict-match": 1 / 3}})
    made.write_results(tmp_path / f"x_{made.FIRST}.json", content)
    assert only(path).system == "org/m"


def test_published_values_are_held_against_samples(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO})
    assert "published_disagrees" not in notes(read(place / NAME))
    wrong = {"gsm8k": {"exact_match,strict-match": 1 / 3, "exact_match,flexible-extract": 0.5}}
    made.write_results(place / f"results_{made.FIRST}.json", made.results("org/m", wrong))
    said = notes(read(place / NAME))["published_disagrees"]
    assert "exact_match,flexible-extract 0.5 (its 3 samples: 0.666667)" in said
    assert "strict-match" not in said


def test_values_that_are_no_means_are_not_held_against_samples(tmp_path: Path) -> None:
    filters = {"none": {"f1": [0.5, 1.0], "acc": [1.0, 0.0]}}
    settings = {"aggregations": {"f1": "median"}}
    place = made.run(tmp_path, "org/m", {"t": filters}, settings=settings)
    path = place / f"results_{made.FIRST}.json"
    path.write_text(path.read_text().replace('"f1,none": 0.75', '"f1,none": 0.9'))
    assert "published_disagrees" not in notes(read(place / f"samples_t_{made.FIRST}.jsonl"))


def test_fewer_samples_than_results_count_are_pointed_out(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO}, settings={"n": {"gsm8k": 1319}})
    said = notes(read(place / NAME))["samples_incomplete"]
    assert "1,319 documents of gsm8k" in said
    assert "samples of 3" in said


def test_broken_results_are_told_and_not_used(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO})
    path = place / f"results_{made.FIRST}.json"
    path.write_text(path.read_text()[:200])
    evaluation = read(place / NAME)
    assert evaluation.systems == ("org__m",)
    assert "truncated" in notes(evaluation)["results_unread"]


def test_lower_is_better_where_the_results_say_so(tmp_path: Path) -> None:
    place = made.run(tmp_path, "m", {"t": {"none": {"ter": [0.5, 1.0], "acc": [1.0, 0.0]}}})
    path = place / f"results_{made.FIRST}.json"
    content = json.loads(path.read_text())
    content["higher_is_better"] = {"t": {"ter": False, "acc": True}}
    path.write_text(json.dumps(content))
    said = notes(read(place))["lower_is_better"]
    assert "Lower values of ter,none are better" in said
    assert "--lower-is-better" in said


def test_an_error_of_zero_that_cannot_be(tmp_path: Path) -> None:
    place = made.run(tmp_path, "m", {"t": {"none": {"acc": [1.0, 0.0], "em": [1.0, 1.0]}}})
    path = place / f"results_{made.FIRST}.json"
    path.write_text(path.read_text().replace('"N/A"', "0.0"))
    said = notes(read(place))["published_error_zero"]
    assert "0 for acc,none of t beside the value 0.5" in said
    assert "em" not in said


def test_results_of_another_time_name_the_model_as_well(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO})
    made.run(tmp_path, "org/m", {"gsm8k": TWO}, time=made.SECOND)
    (place / f"results_{made.SECOND}.json").unlink()
    assert read(tmp_path).systems == ("org/m",)


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("bleu", [["ref", "out"], ["ref", "out"]]),
        ("word_perplexity", [[-3.5, 4], [-2.5, 3]]),
        ("inst_level_strict_acc", [[True, False], [True]]),
        ("judged", [{"value": 1}, {"value": 0}]),
        ("bypass", [999, 999]),
        ("perplexity", [-1.5, -2.5]),
        ("text", ["good", "bad"]),
    ],
)
def test_values_that_are_no_scores_are_left_out(
    tmp_path: Path, metric: str, values: list[Any]
) -> None:
    rows = made.task_samples("t", {"none": {metric: values, "acc": [1.0, 0.0]}})
    path = made.lines(tmp_path / NAME, rows)
    evaluation = read(path)
    assert scores(evaluation.answers[0]) == [1.0, 0.0]
    assert metric in notes(evaluation)["not_item_scores"]
    with pytest.raises(InputError, match="no column"):
        read(path, score=f"{metric},none")


def test_a_metric_that_a_task_aggregates_otherwise_is_no_score(tmp_path: Path) -> None:
    filters = {"none": {"word_count": [-3.5, -4.5], "acc": [1.0, 0.0]}}
    settings = {"aggregations": {"word_count": "perplexity"}}
    place = made.run(tmp_path, "m", {"t": filters}, settings=settings)
    evaluation = read(place / f"samples_t_{made.FIRST}.jsonl")
    assert scores(evaluation.answers[0]) == [1.0, 0.0]
    assert "word_count" in notes(evaluation)["not_item_scores"]


def test_numbers_and_truths_as_texts_are_scores(tmp_path: Path) -> None:
    """What json cannot write, such as a float32 of NumPy, the harness writes as its text."""
    rows = made.task_samples("t", {"none": {"acc": ["1.0", "True", "False", 0.25, None, True]}})
    found = scores(only(made.lines(tmp_path / NAME, rows)))
    assert found == [1.0, 1.0, 0.0, 0.25, None, 1.0]


def test_constants_that_json_does_not_have_are_no_scores(tmp_path: Path) -> None:
    values = [float("nan"), 1.0, float("inf"), 0.0]
    for era in ("labelled", "array"):
        rows = made.task_samples("t", {"none": {"acc": values}}, era=era)  # type: ignore[arg-type]
        write = made.array if era == "array" else made.lines
        path = write(tmp_path / f"{era}.jsonl", rows)
        assert "NaN" in path.read_text()
        assert scores(only(path)) == [None, 1.0, None, 0.0]


def test_another_length_of_ruler_is_no_score(tmp_path: Path) -> None:
    filters = {"none": {"4096": [1.0, -1.0, 0.5], "8192": [-1.0, 0.25, -1.0]}}
    path = made.lines(tmp_path / NAME, made.task_samples("niah", filters))
    assert scores(only(path)) == [1.0, None, 0.5]
    assert scores(only(path, score="8192")) == [None, 0.25, None]


def test_minus_one_is_a_score_elsewhere(tmp_path: Path) -> None:
    rows = made.task_samples("t", {"none": {"correlation": [-1.0, 1.0]}})
    assert scores(only(made.lines(tmp_path / NAME, rows))) == [-1.0, 1.0]


@pytest.mark.parametrize("era", ["labelled", "unlabelled"])
def test_metrics_that_come_later_in_the_file(tmp_path: Path, era: made.Era) -> None:
    rows = [
        *made.task_samples("t", {"none": {"acc": [1.0, 0.0]}}, era=era),
        *made.task_samples("t", {"none": {"acc": [1.0], "f1": [0.5]}}, era=era, doc_ids=[2]),
        *made.task_samples("t", {"none": {"f1": [0.25]}}, era=era, doc_ids=[3]),
    ]
    path = made.lines(tmp_path / NAME, rows)
    assert scores(only(path, score="acc")) == [1.0, 0.0, 1.0, None]
    assert scores(only(path, score="f1")) == [None, None, 0.5, 0.25]


def test_metrics_that_come_after_megabytes(tmp_path: Path) -> None:
    long = "x" * 600_000
    rows = [
        *made.task_samples("t", {"none": {"acc": [1.0] * 4}}, text=long),
        *made.task_samples("t", {"none": {"f1": [0.5]}}, doc_ids=[4], text=long),
    ]
    path = made.lines(tmp_path / NAME, rows)
    assert scores(only(path)) == [1.0] * 4 + [None]
    assert scores(only(path, score="f1")) == [None] * 4 + [0.5]


def test_answers_that_no_filter_found_are_told(tmp_path: Path) -> None:
    rows = made.task_samples("gsm8k", {"strict-match": {"exact_match": [0.0, 0.0]}})
    rows[1]["filtered_resps"] = ["[invalid]"]
    path = made.lines(tmp_path / NAME, rows)
    evaluation = read(path)
    assert scores(evaluation.answers[0]) == [0.0, 0.0]
    said = notes(evaluation)["failed_as_wrong"]
    assert "1 under strict-match of 2 responses" in said


def test_predictions_alone_can_be_scored_here(tmp_path: Path) -> None:
    rows = made.task_samples("t", {"none": {"bypass": [999, 999]}})
    rows[1]["filtered_resps"] = ["1"]
    path = made.lines(tmp_path / NAME, rows)
    with pytest.raises(NoAnswersError, match=r"\(bypass\).*--output-column filtered_resps"):
        read(path)
    answers = only(path, output_column="filtered_resps", reference_column="target")
    assert answers.outputs is not None
    assert answers.references is not None
    assert answers.outputs.to_list() == ["42", "1"]
    assert answers.references.to_list() == ["0", "1"]


def test_fields_of_documents_on_request(tmp_path: Path) -> None:
    rows = made.task_samples("t", {"none": {"acc": [1.0, 0.0, 1.0]}})
    for row, part in zip(rows, "aab", strict=True):
        row["doc"]["story"] = {"id": part}
    path = made.lines(tmp_path / NAME, rows)
    answers = only(path, cluster="doc.story.id", item="doc.id", output_column="resps")
    assert answers.clusters is not None
    assert answers.outputs is not None
    assert answers.clusters.to_list() == ["a", "a", "b"]
    assert items(answers) == ["t-0", "t-1", "t-2"]
    assert answers.outputs.to_list() == ["It is 42."] * 3
    with pytest.raises(InputError, match=r"doc\.question"):
        read(path, cluster="doc.questions")


def test_names_of_rows_are_lines(tmp_path: Path) -> None:
    rows = made.task_samples("gsm8k", TWO)
    path = made.lines(tmp_path / NAME, rows)
    path.write_text("\n" + path.read_text())
    answers = only(path)
    assert answers.rows is not None
    assert [answers.rows.name(k) for k in range(3)] == ["line 2", "line 3", "line 4"]


def test_the_source_is_hashed(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {"gsm8k": TWO})
    files = only(place / NAME).source.files
    assert {file.path for file in files} == {
        str(place / NAME),
        str(place / f"results_{made.FIRST}.json"),
    }
    for file in files:
        assert file.sha256 == hashlib.sha256(Path(file.path).read_bytes()).hexdigest()
        assert file.format == "lm_eval"


def test_results_alone_hold_no_answers(tmp_path: Path) -> None:
    content = made.results("org/m", {"gsm8k": {"exact_match,none": 0.5}})
    path = made.write_results(tmp_path / "anything.txt", content)
    with pytest.raises(NoAnswersError, match=r"over whole tasks.*samples_\*\.jsonl"):
        read(path)


def test_samples_written_again_by_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    rows = made.task_samples("t", {"none": {"acc": [1.0, 0.0]}})
    path.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows))
    answers = only(path)
    assert answers.source.format == "lm_eval"
    assert (answers.system, scores(answers)) == ("again", [1.0, 0.0])


@pytest.mark.parametrize(
    "text",
    [
        '{"doc_id": 0, "doc": "text", "acc": 1.0}\n{"doc_id": 1, "doc": "text", "acc": 0.0}\n',
        '{"doc_id": 0, "filtered_resps": "a", "arguments": "b", "acc": 1}\n',
        '[{"doc_id": 0, "doc": {"q": 1}, "acc": 1.0}]',
        '{"results": {"a": 1}, "versions": 2}',
        "doc_id,doc,filtered_resps,arguments,acc\n0,a,b,c,1\n",
    ],
)
def test_tables_of_other_people_are_not_taken(tmp_path: Path, text: str) -> None:
    from deadheat.readers.logs import lm_eval

    path = tmp_path / NAME
    path.write_text(text)
    assert not lm_eval.recognises(str(path), path.read_bytes())
