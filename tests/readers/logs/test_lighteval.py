"""Details of lighteval: every version of the columns, results, runs, tasks."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from calls import Done
from conftest import Call
from deadheat.errors import FormatError, InputError
from deadheat.evaluation import Answers, Evaluation
from deadheat.readers import read
from deadheat.readers.unreadable import NoAnswersError
from readers.logs.builders import details as made

SCORES = [{"acc": 1.0, "acc_norm": 0.0}, {"acc": 0.0, "acc_norm": 1.0}, {"acc": 1.0}]


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


def parquet(path: Path, frame: pl.DataFrame) -> Path:
    frame.write_parquet(path)
    return path


def text_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


FRAMES = {
    "new": lambda: made.new(SCORES),
    "documented": lambda: made.new(SCORES, around="__"),
    "old": lambda: made.old(SCORES),
    "shown": lambda: made.shown(SCORES),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_version_of_the_columns(tmp_path: Path, kind: str) -> None:
    path = parquet(tmp_path / "any.parquet", FRAMES[kind]())
    answers = only(path)
    assert answers.source.format == "lighteval"
    assert (answers.system, scores(answers)) == ("any", [1.0, 0.0, 1.0])
    assert scores(only(path, score="acc_norm")) == [0.0, 1.0, None]
    if kind in ("new", "documented"):
        assert items(answers) == ["0", "1", "2"]
        assert answers.item_hashes is not None
        assert answers.item_hashes.to_list() == [text_id(made.question(k)) for k in range(3)]
        assert answers.tasks is not None
        assert set(answers.tasks) == {made.TASK}
    else:
        assert items(answers) == [text_id(made.question(k)) for k in range(3)]


def test_names_that_hold_bars_and_colons(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {made.TASK: made.new(SCORES)})
    (path,) = place.glob("*/*.parquet")
    assert "|" in path.name
    assert ":" in path.name
    answers = only(path)
    assert answers.system == "org/m"
    assert answers.runs is not None
    assert set(answers.runs) == {made.FIRST}
    assert answers.source.files[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_results_say_the_model_its_version_and_settings(tmp_path: Path) -> None:
    tasks = {made.TASK: made.new(SCORES)}
    place = made.run(tmp_path, "org/m", tasks, temperature=0.6)
    (path,) = place.glob("*/*.parquet")
    about = dict(only(path).about)
    about.pop("score", None)
    assert about == {
        "model": "org/m",
        "checkpoint": "main",
        "dtype": "float16",
        "version": "abc1234",
        "task_version": "2",
        "date": "2026-01-01T10:00:00.000000",
        "num_fewshot": "25",
        "temperature": "0.6",
        "max_tokens": "64",
        "seed": "3",
        "task_hash": made.digest(made.TASK),
    }


def test_without_results_the_path_says_the_model(tmp_path: Path) -> None:
    place = made.run(tmp_path, "org/m", {made.TASK: made.new(SCORES)})
    (path,) = place.glob("*/*.parquet")
    (tmp_path / "results" / "org" / "m" / f"results_{made.FIRST}.json").unlink()
    assert only(path).system == "org/m"
    repository = made.repository(tmp_path, "org/n", {made.TASK: made.new(SCORES)})
    assert only(repository).system == "org/n"
    loose = made.details(tmp_path / "loose", "t", made.FIRST, made.new(SCORES))
    assert only(loose).system == "loose"


def test_published_values_are_held_against_items(tmp_path: Path) -> None:
    values = {made.TASK: {"acc": 2 / 3, "acc_norm": 0.75, "acc_stderr": 0.1}}
    place = made.run(tmp_path, "org/m", {made.TASK: made.new(SCORES)}, values=values)
    said = notes(read(place))["published_disagrees"]
    assert "acc_norm 0.75 (its 2 samples: 0.5)" in said
    assert "acc 0" not in said


def test_two_rows_of_an_item_with_metrics_of_two_kinds(tmp_path: Path) -> None:
    metrics = [{"em": 1.0}, {"em": 0.0}, {"logprob": -1.0}, {"logprob": -2.0}]
    frame = made.new(metrics, ids=["0", "1", "1", "0"], questions=list("abba"))
    path = parquet(tmp_path / "a.parquet", frame)
    assert (items(only(path)), scores(only(path))) == (["0", "1"], [1.0, 0.0])
    assert scores(only(path, score="logprob")) == [-2.0, -1.0]


def test_two_rows_of_an_item_with_one_metric_stay_two(tmp_path: Path) -> None:
    frame = made.new([{"em": 1.0}, {"em": 0.0}, {"em": 1.0}], ids=["0", "1", "0"])
    answers = only(parquet(tmp_path / "a.parquet", frame))
    assert (items(answers), scores(answers)) == (["0", "1", "0"], [1.0, 0.0, 1.0])


def test_documents_without_ids_are_told_by_what_they_ask(tmp_path: Path) -> None:
    frame = made.new(SCORES, ids=["", "", ""], questions=["a", "b", "a"])
    evaluation = read(parquet(tmp_path / "a.parquet", frame))
    (answers,) = evaluation.answers
    assert items(answers) == [text_id("a"), text_id("b"), text_id("a") + "#2"]
    assert "1 of 3 items" in notes(evaluation)["repeated_items"]


def test_old_rows_in_another_order_are_the_same_items(tmp_path: Path, run: Call) -> None:
    frame = made.old(SCORES)
    a = parquet(tmp_path / "a.parquet", frame)
    b = parquet(tmp_path / "b.parquet", frame.reverse())
    result = run("compare", a, b, "--format", "json").json
    assert result["counts"] == {"both": 2, "only_baseline": 0, "only_candidate": 0, "neither": 1}


def test_what_python_shows_of_numbers(tmp_path: Path) -> None:
    frame = made.shown([{"acc": 1.0}] * 6).with_columns(
        metrics=pl.Series(
            [
                "{'acc': 1.0, 'f1': 0.5}",
                "{'acc': np.float64(0.25), 'f1': nan}",
                "{'acc': True, 'f1': None}",
                "{'acc': 1e-05}",
                "{'acc': -inf, 'f1': np.float32(2)}",
                "__import__('os').system('false')",
            ]
        )
    )
    path = parquet(tmp_path / "a.parquet", frame)
    assert scores(only(path)) == [1.0, 0.25, 1.0, 1e-05, None, None]
    assert scores(only(path, score="f1")) == [0.5, None, None, None, 2.0, None]


def test_values_that_are_no_scores_are_left_out(tmp_path: Path) -> None:
    metrics = [
        {"bleu": {"golds": ["a"], "preds": ["b"]}, "rouge": [0.1], "ok": True, "ppl": -1.5}
    ] * 2
    values = {made.TASK: {"ppl": 4.5, "ok": 1.0}}
    tasks = {made.TASK: made.new(metrics)}
    place = made.run(tmp_path, "m", tasks, values=values, aggregations={"ppl": "Perplexity"})
    evaluation = read(place)
    assert scores(evaluation.answers[0]) == [1.0, 1.0]
    assert "bleu, rouge, ppl" in notes(evaluation)["not_item_scores"]
    assert "published_disagrees" not in notes(evaluation)
    path = parquet(tmp_path / "b.parquet", made.new([{"bleu": ["a", "b"]}] * 2))
    with pytest.raises(NoAnswersError, match=r"no metric has scores of items \(bleu\)"):
        read(path)


def test_fields_on_request(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", made.new(SCORES))
    answers = only(path, output_column="model_response.text", cluster="doc.query")
    assert answers.outputs is not None
    assert answers.clusters is not None
    assert answers.outputs.to_list() == ["A"] * 3
    assert answers.clusters.to_list() == [made.question(k) for k in range(3)]
    with pytest.raises(InputError, match=r"model_response\.text"):
        read(path, output_column="model_response.texts")


def test_folders_are_the_whole_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Call
) -> None:
    monkeypatch.chdir(tmp_path)

    def metric(marks: str) -> list[dict[str, float]]:
        return [{"acc": float(mark)} for mark in marks]

    for model, arc, easy in (("org/a", "1100", "10"), ("org/b", "1110", "11")):
        tasks = {
            made.TASK: made.new(metric(arc)),
            "arc:easy|0": made.new(metric(easy), task="arc:easy|0"),
        }
        made.run(tmp_path / "out", model, tasks)
    made.run(tmp_path / "out", "org/a", {made.TASK: made.new(metric("0000"))}, time=made.SECOND)
    done: Done = run("compare", "out/details/org/a", "out/details/org/b", "--format", "json")
    assert done.code == 0, done.err
    assert done.json["baseline"]["system"] == "org/a"
    assert done.json["baseline"]["value"] == pytest.approx((1 + 1) / 6)
    assert done.json["candidate"]["value"] == pytest.approx(5 / 6)
    assert "strata-2" in done.json["signature"]
    board = run("rank", "out", "--format", "json")
    assert board.code == 0, board.err
    assert [row["system"] for row in board.json["systems"]] == ["org/b", "org/a"]


def test_documents_of_another_text_are_refused(tmp_path: Path, run: Call) -> None:
    a = parquet(tmp_path / "a.parquet", made.new(SCORES))
    b = parquet(tmp_path / "b.parquet", made.new(SCORES, questions=["x", "y", "z"]))
    done = run("compare", a, b)
    assert done.code == 2
    assert "asked something else in 3 of 3 items" in done.err
    assert run("compare", a, b, "--different-items").code == 0


def test_results_alone_hold_no_answers(tmp_path: Path) -> None:
    path = made.write_results(tmp_path / "r.json", made.results("m", {"t": {"acc": 1.0}}))
    with pytest.raises(NoAnswersError, match=r"results of lighteval.*details_\*\.parquet"):
        read(path)
    frame = pl.DataFrame(
        {name: ["{}"] for name in ("config_general", "results", "versions", "config_tasks")}
    )
    with pytest.raises(NoAnswersError, match="results of lighteval"):
        read(parquet(tmp_path / "r.parquet", frame))


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"doc": ["a"], "metric": [1.0], "model_response": ["b"]}),
        pl.DataFrame({"example": ["a"], "metrics": [1.0], "predictions": ["b"]}),
        pl.DataFrame({"id": [1], "score": [1.0]}),
        pl.DataFrame({"doc": [{"query": "a"}], "metric": [{"acc": 1.0}]}),
    ],
)
def test_tables_of_other_people_are_not_taken(tmp_path: Path, frame: pl.DataFrame) -> None:
    from deadheat.readers.logs import lighteval, open_llm_leaderboard

    path = parquet(tmp_path / f"details_t_{made.FIRST}.parquet", frame)
    for reader in (lighteval, open_llm_leaderboard):
        assert not reader.recognises(str(path), path.read_bytes())


def test_broken_files(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", made.new(SCORES))
    data = path.read_bytes()
    path.write_bytes(data[:-20])
    with pytest.raises(FormatError, match="Parquet file cannot be read"):
        read(path)
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n")
    with pytest.raises(FormatError, match="Git LFS pointer"):
        read(path)
    parquet(path, made.new(SCORES).head(0))
    with pytest.raises(FormatError, match="has 0 rows"):
        read(path)


def test_the_examples(shared: Path) -> None:
    folder = shared / "formats" / "lighteval"
    if not folder.is_dir():
        pytest.skip("the examples of formats are not beside this checkout")
    found = {answers.system: answers for answers in read(folder).answers}
    assert found.keys() == {"org/model-a", "dunder_columns_as_documented", "old_v0.9_columns"}
    assert all(scores(answers) == [1.0, 0.0] for answers in found.values())
    assert items(found["org/model-a"]) == ["0", "1"]
    old = only(folder / "old_v0.9_columns.parquet", score="acc_norm")
    assert scores(old) == [1.0, 1.0]
