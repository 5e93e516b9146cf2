"""Logs of Inspect AI: the same samples and scores, however a log was written."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import FormatError, InputError
from deadheat.evaluation import Answers, Evaluation
from deadheat.readers import read
from readers.logs.builders.inspect_ai import entries as entries_of
from readers.logs.builders.inspect_ai import eval_log, header, json_log, sample, score, summary
from readers.logs.builders.zipped import archive, packed

Writer = Callable[..., Path]

WRITERS: dict[str, Callable[[Path, list[Any], Any], Path]] = {
    "json": lambda path, samples, head: json_log(path / "log.json", samples, head),
    "deflate": lambda path, samples, head: eval_log(path / "log.eval", samples, head),
    "zstd": lambda path, samples, head: eval_log(path / "log.eval", samples, head, method="zstd"),
    "stored": lambda path, samples, head: eval_log(
        path / "log.eval", samples, head, method="stored"
    ),
    "no summaries": lambda path, samples, head: eval_log(
        path / "log.eval", samples, head, summaries=False
    ),
    "frames": lambda path, samples, head: eval_log(
        path / "log.eval", samples, head, method="frames"
    ),
    "journal": lambda path, samples, head: eval_log(
        path / "log.eval", samples, head, journal=True, summaries=False
    ),
}


@pytest.fixture(params=WRITERS)
def write(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Path]:
    """Write a log in one of the ways in which one may stand on disk."""
    return lambda samples, head=None: WRITERS[request.param](tmp_path, samples, head)


def only(evaluation: Evaluation) -> Answers:
    (answers,) = evaluation.answers
    return answers


def rows(answers: Answers) -> list[tuple[Any, Any, float | None]]:
    columns = (answers.items, answers.runs, answers.scores)
    assert all(column is not None for column in columns)
    return [*zip(*(c.to_list() for c in columns if c is not None), strict=True)]


def said(evaluation: Evaluation, code: str) -> str:
    (message,) = [note.message for note in evaluation.notes if note.code == code]
    return message


def codes(evaluation: Evaluation) -> list[str]:
    return [note.code for note in evaluation.notes]


def test_samples_and_what_is_known_of_them(write: Writer) -> None:
    samples = [sample(3, "C"), sample(1, "I"), sample(2, "C")]
    evaluation = read(write(samples, header(scores=[score("match", {"accuracy": 2 / 3})])))
    answers = only(evaluation)
    assert answers.system == "org/model"
    assert rows(answers) == [(3, 1, 1.0), (1, 1, 0.0), (2, 1, 1.0)]
    assert answers.tasks is not None
    assert answers.tasks.unique().to_list() == ["quiz"]
    assert answers.source.format == "inspect_ai"
    assert len(answers.source.sha256) == 64
    assert not evaluation.notes


def test_hashes_are_those_of_the_input_however_it_is_kept(write: Writer) -> None:
    """SHA-256 of the canonical JSON of [[role, text, ...], ...], texts cut to 5,120 characters."""
    long = "é" * 6_000
    inputs = [
        "Question?",
        [{"id": "x1", "role": "user", "content": "Question?"}],
        [{"role": "user", "content": [{"type": "text", "text": "Question?"}]}],
        long,
        [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}],
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "See"}, {"type": "image", "image": "data:"}],
            }
        ],
        "attachment://0",
        "",
        None,
        [],
        [{"role": "user", "content": None}],
    ]
    samples = [sample(at, input=value) for at, value in enumerate(inputs)]
    hashes = only(read(write(samples))).item_hashes
    assert hashes is not None
    asked = [
        *['[["user","Question?"]]'] * 3,
        f'[["user","{long[:5_120]}"]]',
        '[["system","a"],["user","b"]]',
        '[["user","See","(media)"]]',
    ]
    expected = [hashlib.sha256(text.encode()).hexdigest() for text in asked]
    assert hashes.to_list() == expected + [None] * 5


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("C", 1.0),
        ("I", 0.0),
        ("P", 0.5),
        ("N", 0.0),
        (True, 1.0),
        (False, 0.0),
        (0, 0.0),
        (0.25, 0.25),
        (-3, -3.0),
        ("0.75", 0.75),
        ("1e-3", 0.001),
        ("yes", 1.0),
        ("NO", 0.0),
        ("True", 1.0),
        ("false", 0.0),
        ("nan", None),
        ("inf", None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (None, None),
        (10**400, None),
    ],
)
def test_values(tmp_path: Path, value: Any, expected: float | None) -> None:
    """As the table of Inspect AI's value_to_float has it; what is not finite is no score."""
    samples = [sample(1, value), sample(2, "C")]
    for path in (json_log(tmp_path / "a.json", samples), eval_log(tmp_path / "a.eval", samples)):
        assert rows(only(read(path))) == [(1, 1, expected), (2, 1, 1.0)]


def test_texts_that_are_no_scores(write: Writer) -> None:
    samples = [sample(1, "C"), sample(2, "maybe"), sample(3, {"a": 1, "b": "good"})]
    evaluation = read(write(samples))
    assert rows(only(evaluation))[:2] == [(1, 1, 1.0), (2, 1, None)]
    assert "match has values that are no numbers (1, such as 'maybe')" in said(
        evaluation, "unread_scores"
    )
    assert "left out: match.b (such as 'good')" in said(evaluation, "not_item_scores")
    assert "errors" not in said(evaluation, "samples_without_score")


def test_grades_alone_are_refused(write: Writer) -> None:
    with pytest.raises(InputError, match=r"no sample of 2 has a score .* \(one is 'A'\)"):
        read(write([sample(1, "A"), sample(2, "B")]))


def test_objects_and_lists_are_several_scores(write: Writer) -> None:
    samples = [
        sample(1, {"fluent": 0.5, "true": "C"}),
        sample(2, math.nan),
        sample(3, {"fluent": None, "true": "I", "late": 1}),
    ]
    for one in samples:
        one["scores"]["pair"] = {"value": [1, "I"]}
    path = write(samples, header(scores=[score("true", {"mean": 0.5}, scorer="match")]))
    evaluation = read(path)
    assert rows(only(evaluation)) == [(1, 1, 1.0), (2, 1, None), (3, 1, 0.0)]
    assert "holds 5 scores; match.true is the one used" in said(evaluation, "other_scores")
    others = ("match.fluent", "match.late", "pair.0", "pair.1")
    assert all(repr(name) in said(evaluation, "other_scores") for name in others)
    columns = [[r[2] for r in rows(only(read(path, score=name)))] for name in others]
    assert columns == [[0.5, None, None], [None, None, 1], [1, 1, 1], [0, 0, 0]]


def test_the_main_score_is_the_headline_or_the_first_of_the_results(write: Writer) -> None:
    samples = [sample(1, 0.25)]
    samples[0]["scores"] |= {"b": {"value": "C"}, "c": {"value": {"x": 2, "y": 3}}}
    results = [score("b", {"mean": 1}), score("y", {"mean": 3}, scorer="c"), score("match", {})]
    assert rows(only(read(write(samples, header(scores=results))))) == [(1, 1, 1.0)]
    headline = {"headline": {"scorer": "c", "score": "y", "metric": "mean"}}
    evaluation = read(write(samples, header(scores=results, results=headline)))
    assert rows(only(evaluation)) == [(1, 1, 3.0)]
    assert "Others, for --score: 'b', 'match', 'c.x'" in said(evaluation, "other_scores")


def test_epochs_are_runs(write: Writer) -> None:
    samples = [sample(k, "CI"[e % 2], epoch=e) for e in (2, 1, 3) for k in "ab"]
    evaluation = read(write(samples, header(spec={"config": {"epochs": 3}})))
    assert rows(only(evaluation))[:3] == [("a", 2, 1.0), ("b", 2, 1.0), ("a", 1, 0.0)]
    assert codes(evaluation) == ["unfinished_log"]


def test_missing_scores_are_counted_by_why(write: Writer) -> None:
    samples = [
        sample(1, "C"),
        sample(2, scores={}),
        sample(3, scores=None),
        sample(4, math.nan),
        sample(5, scores={}, error={"message": "boom", "traceback": "..."}),
        sample(6, "I", error={"message": "late", "traceback": "..."}),
        sample(7, "C", invalidation={"author": "me", "reason": "leaked"}),
    ]
    evaluation = read(write(samples, header(invalidated=True)))
    assert [r[2] for r in rows(only(evaluation))] == [1.0, None, None, None, None, 0.0, None]
    assert said(evaluation, "samples_without_score").endswith(
        "5 of 7 samples have no score match (errors 1, invalidated 1, not scored 3); they are "
        "missing, not wrong."
    )


def test_a_log_that_was_not_scored(write: Writer) -> None:
    samples = [sample(1, scores={}), sample(2, scores={}, error={"message": "boom"})]
    with pytest.raises(InputError, match=r"no sample of 2 has a score; 1 ended in an error"):
        read(write(samples))


@pytest.mark.parametrize(
    ("status", "end"),
    [
        ("started", "has not ended"),
        ("cancelled", "was cancelled"),
        ("error", "ended in an error"),
        ("paused", "has the status 'paused'"),
    ],
)
def test_a_log_that_did_not_end(write: Writer, status: str, end: str) -> None:
    evaluation = read(write([sample(1), sample(2)], header(status=status)))
    assert said(evaluation, "unfinished_log").endswith(
        f": the evaluation {end}; the log holds 2 of 3 samples."
    )


def test_a_log_that_is_still_written(tmp_path: Path) -> None:
    """Without a header the journal says what there is, in the order of its numbers."""
    samples = [sample(k) for k in range(1, 13)]
    path = eval_log(tmp_path / "a.eval", samples, journal=True, finished=False)
    evaluation = read(path)
    assert [r[0] for r in rows(only(evaluation))] == [*range(1, 13)]
    assert "has not ended; the log holds 12 of 3 samples" in said(evaluation, "unfinished_log")


def test_samples_without_summaries_are_not_lost(tmp_path: Path) -> None:
    """The summary of the last samples is written after them."""
    samples = [sample(1, "C"), sample(2, "I")]
    entries = entries_of(samples, journal=True, finished=False)
    path = archive(tmp_path / "a.eval", entries[:-1])
    assert rows(only(read(path))) == [(1, 1, 1.0), (2, 1, 0.0)]


def test_summaries_of_samples_that_are_not_kept(tmp_path: Path) -> None:
    head = header()
    entries = [("header.json", head), ("summaries.json", [summary(sample(k)) for k in (1, 2, 3)])]
    path = archive(tmp_path / "a.eval", [packed(n, json.dumps(c).encode()) for n, c in entries])
    assert [r[0] for r in rows(only(read(path)))] == [1, 2, 3]


def test_a_log_without_samples_is_read_from_its_reductions(tmp_path: Path) -> None:
    reduced = [{"value": 0.5, "sample_id": 1}, {"value": math.nan, "sample_id": 2}]
    reductions = [
        {"scorer": "match", "reducer": "mean", "samples": reduced},
        {"scorer": "match", "reducer": "pass_at_2", "samples": [{"value": 1, "sample_id": 1}]},
        {"scorer": "many", "samples": [{"value": {"a": 2}, "sample_id": 1}, {"value": 3}]},
    ]
    for path in (
        eval_log(tmp_path / "a.eval", [], reductions=reductions),
        json_log(tmp_path / "a.json", None, reductions=reductions),
        json_log(tmp_path / "b.json", [], reductions=reductions),
    ):
        evaluation = read(path)
        assert rows(only(evaluation)) == [(1, 1, 0.5), (2, 1, None)]
        assert "holds no samples" in said(evaluation, "reduced_scores")
        assert "'match,pass_at_2', 'many.a'" in said(evaluation, "other_scores")


@pytest.mark.parametrize("samples", [None, []])
def test_nothing_at_all(tmp_path: Path, samples: Any) -> None:
    for path in (
        json_log(tmp_path / "a.json", samples, header(status="error")),
        eval_log(tmp_path / "a.eval", [], header(status="error")),
    ):
        with pytest.raises(InputError, match=r"holds no samples; its status is 'error'"):
            read(path)


def test_published_values_are_held_against_the_samples(write: Writer) -> None:
    samples = [sample(k, v, epoch=e) for k, e, v in ((1, 1, "C"), (1, 2, "I"), (2, 1, "C"))]
    for value, agrees in ((0.75, True), (0.7500001, False), (2 / 3, False)):
        scores = [
            score("match", {"inspect_ai/accuracy": value, "stderr": 0.1}, reducer="mean"),
            score("match", {"accuracy": 0.0}, reducer="mode"),
        ]
        scores[0]["metrics"]["all"] = {"name": "accuracy", "value": 0.1, "group": "grouped"}
        evaluation = read(write(samples, header(scores=scores)))
        assert ("published_disagrees" in codes(evaluation)) is not agrees
    assert "match 0.666667 (its 2 samples: 0.75)" in said(evaluation, "published_disagrees")


def test_published_values_that_are_no_numbers(write: Writer) -> None:
    scores = [score("match", {"accuracy": math.nan}), score("gone", {"mean": 1.0})]
    assert not read(write([sample(k) for k in (1, 2, 3)], header(scores=scores))).notes


def test_fields_that_are_asked_for(write: Writer) -> None:
    samples = [
        sample(k, metadata={"document": f"d{k % 2}", "deep": {"er": k}, "a.b": "c"})
        for k in (1, 2, 3)
    ]
    path = write(samples)
    answers = only(read(path, cluster="metadata.document", stratum="metadata.deep.er"))
    assert answers.clusters is not None
    assert answers.strata is not None
    assert answers.clusters.to_list() == ["d1", "d0", "d1"]
    assert answers.strata.to_list() == [1, 2, 3]
    answers = only(read(path, cluster="metadata.a.b", output_column="scores.match.answer"))
    assert answers.outputs is not None
    assert answers.outputs.to_list() == ["a1", "a2", "a3"]
    answers = only(read(path, output_column="output", reference_column="target"))
    assert answers.outputs is not None
    assert answers.references is not None
    assert answers.outputs.to_list() == ["Answer 1", "Answer 2", "Answer 3"]
    assert answers.references.to_list() == ["yes"] * 3
    assert [r[2] for r in rows(only(read(path, score="total_tokens")))] == [9.0] * 3
    assert [r[2] for r in rows(only(read(path, score="total_time")))] == [0.5] * 3
    with pytest.raises(InputError, match=r"Known: .*metadata\.document, .*scores\.match\.answer"):
        read(path, cluster="metadata.documnt")


def test_fields_that_summaries_shorten_are_read_in_full(tmp_path: Path) -> None:
    samples = [
        sample(k, metadata={"text": "x" * 2_000 + str(k % 2), "big": "B"}) for k in (1, 2, 3)
    ]
    short = [summary(one) for one in samples]
    for one in short:
        one["metadata"] = {"text": "x" * 1_021 + "...", "big": "Key removed from summary (> 1k)"}
    entries = [e for e in entries_of(samples) if e.name != b"summaries.json"]
    path = archive(
        tmp_path / "a.eval", [*entries, packed("summaries.json", json.dumps(short).encode())]
    )
    clusters = only(read(path, cluster="metadata.text")).clusters
    assert clusters is not None
    assert clusters.n_unique() == 2
    clusters = only(read(path, cluster="metadata.big")).clusters
    assert clusters is not None
    assert clusters.to_list() == ["B"] * 3


def test_samples_that_were_written_again(tmp_path: Path) -> None:
    samples = [sample(1, "I"), sample(2, "C"), sample(1, "C")]
    for summaries in (True, False):
        evaluation = read(eval_log(tmp_path / "a.eval", samples, summaries=summaries))
        assert sorted(rows(only(evaluation))) == [(1, 1, 1.0), (2, 1, 1.0)]
        assert "written again (1) were read in their last version" in said(
            evaluation, "samples_replaced"
        )
    assert len(rows(only(read(json_log(tmp_path / "a.json", samples))))) == 3


def test_ids_of_two_kinds(tmp_path: Path) -> None:
    mixed = only(read(json_log(tmp_path / "a.json", [sample(1), sample("a")])))
    assert mixed.items is not None
    assert mixed.items.to_list() == ["1", "a"]
    for path in (
        json_log(tmp_path / "b.json", [sample(1), sample("1")]),
        eval_log(tmp_path / "b.eval", [sample(1), sample("1")]),
    ):
        with pytest.raises(InputError, match=r"values of two types: 1 .*'1'"):
            read(path)


def test_the_first_logs_had_one_score(tmp_path: Path) -> None:
    one = sample(1, scores=None) | {"score": {"value": "C"}}
    head = header()
    head["results"] = {"scorer": {"name": "includes"}, "metrics": {"accuracy": {"value": 0.5}}}
    head["results"]["metrics"]["accuracy"]["name"] = "accuracy"
    evaluation = read(json_log(tmp_path / "a.json", [one], head))
    assert rows(only(evaluation)) == [(1, 1, 1.0)]
    assert "includes 0.5" in said(evaluation, "published_disagrees")


def test_scorers_called_like_other_columns(write: Writer) -> None:
    one = sample(1, scores={n: {"value": k} for k, n in enumerate(("id", "a.b", "model"))})
    one["scores"]["a"] = {"value": {"b": 7}}
    evaluation = read(write([one]))
    assert rows(only(evaluation)) == [(1, 1, 0.0)]
    assert "scores.id is the one used" in said(evaluation, "other_scores")
    assert "'a.b', 'scores.model', 'scores.a.b'" in said(evaluation, "other_scores")


def test_a_score_for_every_sample_is_no_log(tmp_path: Path) -> None:
    samples = [sample(k, {f"key{k}": 1}) for k in range(1_001)]
    with pytest.raises(FormatError, match="1,001 different scores"):
        read(json_log(tmp_path / "a.json", samples))
