"""Logs and tables written as one tidy table or as Every Eval Ever say what they said before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat
from calls import Done
from deadheat.converting import TIDY, convert, tidy
from deadheat.errors import AlignmentError, InputError, UsageError
from deadheat.readers import read
from readers.logs.builders import evalscope, langfuse, lm_eval, mt_bench, opencompass
from readers.logs.builders import openai_evals as evals
from readers.logs.builders.lines import write_csv, write_json, write_lines

Call = Callable[..., Done]

FORMS = (".csv", ".tsv", ".jsonl", ".parquet")

REQUIRED = {
    "": (
        *("schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id"),
        *("interaction_type", "input", "answer_attribution", "evaluation"),
    ),
    "input": ("raw", "reference"),
    "output": ("raw",),
    "evaluation": ("score", "is_correct"),
}
"""Keys that a sample must have by version 0.3.0 of the schema."""

KNOWN = {
    *("schema_version", "evaluation_id", "model_id", "evaluation_name", "evaluation_result_id"),
    *("sample_id", "sample_hash", "interaction_type", "input", "output", "messages"),
    *("answer_attribution", "evaluation", "token_usage", "performance", "error", "metadata"),
}
"""Keys that it may have: there are no others."""


def cells(path: Path) -> set[tuple[Any, ...]]:
    """Return system, item, run and score of every row, as text but for the score."""
    found = set()
    for answers in read(path).answers:
        assert answers.items is not None
        assert answers.scores is not None
        n = len(answers.items)
        runs = [None] * n if answers.runs is None else [*map(str, answers.runs)]
        items = map(str, answers.items)
        found |= {(answers.system, *row) for row in zip(items, runs, answers.scores, strict=True)}
        assert len(found) >= n
    return found


def numbers(path: Any, **options: Any) -> dict[str, Any]:
    """Return what a comparison or a board says, without where it came from."""
    systems = read(path).systems
    if len(systems) == 1:
        card = deadheat.score(path, **options).to_dict()
        return {
            "systems": [{k: s[k] for k in ("system", "value", "interval")} for s in card["systems"]]
        }
    if len(systems) == 2:
        found = deadheat.compare(path, **options).to_dict()
        return {k: found[k] for k in ("metric", "difference", "reading", "pairing")} | {
            side: {k: found[side][k] for k in ("system", "value", "interval")}
            for side in ("baseline", "candidate")
        }
    board = deadheat.rank(path, **options).to_dict()
    of_systems = [{k: v for k, v in s.items() if k != "about"} for s in board["systems"]]
    return {"systems": of_systems, **{k: board[k] for k in ("metric", "pairs", "best_set")}}


# --- Logs that are converted ---------------------------------------------------------------------


def one(folder: Path) -> Path:
    return evals.example(folder)


def pair(folder: Path) -> Path:
    rows = [
        langfuse.item(k, langfuse.score((0.1 + 0.2) * k if run == "a" else 1 / 3), run=run)
        for run in ("a", "b")
        for k in range(6)
    ]
    return write_json(folder / "runs.json", rows)


def board(folder: Path) -> Path:
    """Three systems, clusters, and a score that is missing."""
    rows = [
        mt_bench.single(q, m, -1 if (q, m, t) == (83, "b", 2) else (q * k + t) % 10, t)
        for q in range(81, 87)
        for k, m in enumerate("abc", start=3)
        for t in (1, 2)
    ]
    return write_lines(folder / "single.jsonl", rows)


def repeats(folder: Path) -> Path:
    for model in ("model-a", "model-b"):
        reviews = [
            evalscope.review(k, {"acc": float((k * 7 + r + len(model)) % 3 == 0)}, group_id=k)
            for k in range(6)
            for r in range(3)
        ]
        evalscope.log(folder, reviews, model)
    return folder / "reviews"


def tasks(folder: Path) -> Path:
    for model in ("model-a", "model-b"):
        for data in ("math", "code"):
            right = [
                opencompass.item((k * len(data) + (model > "model-a")) % 3 > 0) for k in range(5)
            ]
            shares = 100 * sum(one["correct"] for one in right) / 5
            opencompass.log(folder, opencompass.keyed(right, shares), model, data)
    return folder / "results"


def wide(folder: Path) -> Path:
    rows = [{"item": f"{k:03}", "a": k % 2, "b": int(k % 3 > 0)} for k in range(8)]
    return write_csv(folder / "wide.csv", rows)


LOGS = {log.__name__: log for log in (one, pair, board, repeats, tasks, wide)}


@pytest.fixture(params=LOGS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return LOGS[request.param](tmp_path / "in")


@pytest.mark.parametrize("ending", FORMS)
def test_a_tidy_table_says_the_same(path: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"tidy{ending}"
    done = convert(path, output=target)
    assert cells(target) == cells(path)
    assert numbers(target, missing="drop") == numbers(path, missing="drop")
    assert done.files == (str(target),)
    assert sum(done.rows.values()) == len(cells(path))
    assert done.columns == tuple(name for name in TIDY if name in done.columns)


def test_every_eval_ever_says_the_same(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    done = convert(path, output=target, to="every-eval-ever")
    kept = {row for row in cells(path) if row[-1] is not None}
    assert cells(target) == kept
    assert numbers(target, missing="drop") == numbers(path, missing="drop")
    assert len(done.files) == 2 * len(done.rows)
    assert all(Path(file).is_file() for file in done.files)
    assert ("unscored_left_out" in [n.code for n in done.notes]) == (kept != cells(path))


def test_a_second_conversion_replaces_the_first(path: Path, tmp_path: Path) -> None:
    first = convert(path, output=tmp_path / "out", to="every-eval-ever")
    second = convert(path, output=tmp_path / "out", to="every-eval-ever")
    assert first.files == second.files
    again = convert(tmp_path / "out", output=tmp_path / "again", to="every-eval-ever")
    assert len(again.files) == len(first.files)
    assert cells(tmp_path / "again") == cells(tmp_path / "out")


def samples(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for file in sorted(folder.rglob("*_samples.jsonl"))
        for line in file.read_text(encoding="utf-8").split("\n")
        if line
    ]


def test_samples_have_the_keys_that_the_schema_demands(path: Path, tmp_path: Path) -> None:
    convert(path, output=tmp_path / "out", to="every-eval-ever")
    for sample in samples(tmp_path / "out"):
        for within, keys in REQUIRED.items():
            assert set(keys) <= set(sample[within] if within else sample)
        assert set(sample) <= KNOWN
        assert isinstance(sample["evaluation"]["score"], float)
        assert isinstance(sample["evaluation"]["is_correct"], bool)
        assert all(isinstance(v, str) for v in sample.get("metadata", {}).values())
        assert all(isinstance(text, str) for text in sample["output"]["raw"])


def test_samples_are_valid_by_the_schema(shared: Path, path: Path, tmp_path: Path) -> None:
    schema = json.loads(
        (shared / "formats" / "every_eval_ever" / "instance_level_eval.schema.json").read_text()
    )
    assert tuple(schema["required"]) == REQUIRED[""]
    assert set(schema["properties"]) == KNOWN
    validator = jsonschema.Draft7Validator(schema)
    convert(path, output=tmp_path / "out", to="every-eval-ever")
    found = samples(tmp_path / "out")
    assert found
    for sample in found:
        validator.validate(sample)


def test_aggregates_name_their_samples(path: Path, tmp_path: Path) -> None:
    convert(path, output=tmp_path / "out", to="every-eval-ever")
    files = [*(tmp_path / "out").rglob("*.json")]
    assert len(files) == len(read(path).systems)
    for file in files:
        document = json.loads(file.read_text(encoding="utf-8"))
        named = document["detailed_evaluation_results"]
        beside = tmp_path / "out" / named["file_path"]
        assert beside.parent == file.parent
        assert beside.name == f"{file.stem}_samples.jsonl"
        assert named["checksum"] == hashlib.sha256(beside.read_bytes()).hexdigest()
        rows = [json.loads(line) for line in beside.read_text(encoding="utf-8").splitlines()]
        assert named["total_rows"] == len(rows)
        assert {row["evaluation_id"] for row in rows} == {document["evaluation_id"]}
        assert {row["model_id"] for row in rows} == {document["model_info"]["id"]}
        by_name: dict[str, list[float]] = {}
        for row in rows:
            by_name.setdefault(row["evaluation_name"], []).append(row["evaluation"]["score"])
        stated = {r["evaluation_name"]: r["score_details"] for r in document["evaluation_results"]}
        assert {k: v["score"] for k, v in stated.items()} == {
            name: pytest.approx(np.mean(scores)) for name, scores in by_name.items()
        }
        for result in document["evaluation_results"]:
            metric = result["metric_config"]
            if metric["score_type"] == "continuous":
                assert {"min_score", "max_score"} <= set(metric)


def test_right_is_said_of_scores_of_two_values_alone(tmp_path: Path) -> None:
    frame = {"item": ["x", "y"], "score": [1.0, 0.5]}
    convert(pl.DataFrame(frame), output=tmp_path / "a", to="every-eval-ever")
    assert [s["evaluation"]["is_correct"] for s in samples(tmp_path / "a")] == [False, False]
    convert({"m": [1, 0, 1]}, output=tmp_path / "b", to="every-eval-ever")
    assert [s["evaluation"]["is_correct"] for s in samples(tmp_path / "b")] == [True, False, True]


# --- What a tidy table holds ---------------------------------------------------------------------


def test_columns_of_a_tidy_table(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "item": [1, 2, 1, 2],
            "system": ["a", "a", "b", "b"],
            "seed": [1, 1, 1, 1],
            "output": ["x", "y", "x", None],
            "gold": ["x", "x", "x", "x"],
            "cluster": ["c", "c", "c", "c"],
            "stratum": ["s", "t", "s", "t"],
        }
    )
    done = convert(frame, output=tmp_path / "t.parquet")
    assert done.columns == ("item", "system", "run", "output", "reference", "cluster", "stratum")
    table = pl.read_parquet(tmp_path / "t.parquet")
    assert table.to_dicts()[3] == {
        "item": 2,
        "system": "b",
        "run": 1,
        "output": None,
        "reference": "x",
        "cluster": "c",
        "stratum": "t",
    }


@pytest.mark.parametrize("ending", FORMS)
def test_outputs_and_references_come_back(tmp_path: Path, ending: str) -> None:
    labels = ["yes", "no", 'a "b", c', "é\n2", "007"]
    frame = pl.DataFrame({"item": [*"abcde"], "output": labels, "reference": ["yes"] * 5})
    convert(frame, output=tmp_path / f"t{ending}", names=["m"])
    found = read(tmp_path / f"t{ending}").answers[0]
    assert found.outputs is not None
    assert found.references is not None
    assert found.outputs.to_list() == labels
    assert found.references.to_list() == ["yes"] * 5


def test_references_that_stand_apart_are_put_beside(tmp_path: Path) -> None:
    right = pl.DataFrame({"item": [2, 1], "reference": ["n", "y"], "cluster": ["c2", "c1"]})
    answers = pl.DataFrame({"item": [1, 2], "output": ["y", "y"]})
    convert(answers, references=right, output=tmp_path / "t.jsonl", names=["m"])
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [(row["item"], row["reference"], row["cluster"]) for row in lines] == [
        (1, "y", "c1"),
        (2, "n", "c2"),
    ]
    documents = tmp_path / "out"
    scored = pl.DataFrame({"item": [1, 2], "score": [1.0, 0.0], "output": ["y", "y"]})
    convert(scored, references=right, output=documents, to="every-eval-ever", score="score")
    assert [s["input"]["reference"] for s in samples(documents)] == [["y"], ["n"]]


def test_lists_are_written_as_json(tmp_path: Path) -> None:
    tags = [["B-PER", "O"], ["O"]]
    convert({"m": tags}, references=tags, output=tmp_path / "t.csv")
    table = pl.read_csv(tmp_path / "t.csv")
    assert table["output"].to_list() == ['["B-PER","O"]', '["O"]']


@pytest.mark.parametrize("ids", [[2**70, 2**70 + 1], [-(2**63), 2**63 - 1]])
@pytest.mark.parametrize("ending", FORMS)
def test_large_ids_stay_apart(tmp_path: Path, ids: list[int], ending: str) -> None:
    lines = [{"item": k, "score": s} for k, s in zip(ids, (1, 0), strict=True)]
    source = write_lines(tmp_path / "m.jsonl", lines)
    convert(source, output=tmp_path / f"t{ending}")
    assert {row[1:] for row in cells(tmp_path / f"t{ending}")} == {
        (str(k), None, s) for k, s in zip(ids, (1.0, 0.0), strict=True)
    }


def test_ids_of_two_types_do_not_become_one(tmp_path: Path) -> None:
    """They do not pair before, and must not afterwards."""
    a = pl.DataFrame({"item": [1, 2, 3], "score": [1.0, 0.0, 1.0]})
    b = pl.DataFrame({"item": ["1", "2", "3"], "score": [0.0, 0.0, 1.0]})
    with pytest.raises(UsageError, match="item is text for b and is not for a"):
        convert(a, b, output=tmp_path / "t.csv", names=["a", "b"])
    assert not [*tmp_path.iterdir()]


def test_what_has_no_ids_is_numbered(tmp_path: Path) -> None:
    table = tidy(read({"a": [1, 0], "b": [1, 1]}))
    assert table.rows() == [(1, "a", 1.0), (2, "a", 0.0), (1, "b", 1.0), (2, "b", 1.0)]


@settings(max_examples=40, deadline=None)
@given(
    scores=st.lists(
        st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)), min_size=2
    ).filter(lambda found: sum(s is not None for s in found) > 1),
    ending=st.sampled_from(FORMS),
)
def test_every_score_comes_back_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, scores: list[float | None], ending: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"bits{ending}"
    frame = pl.DataFrame(
        {"item": [f"i{k}" for k in range(len(scores))], "score": scores},
        schema_overrides={"score": pl.Float64},
    )
    convert(frame, output=path, names=["m"])
    found = read(path).answers[0].scores
    assert found is not None
    assert found.to_list() == scores


# --- What is refused, and the command line -------------------------------------------------------


def test_outputs_without_scores_have_no_place_in_every_eval_ever(tmp_path: Path) -> None:
    frame = pl.DataFrame({"item": [1, 2], "output": ["a", "b"]})
    with pytest.raises(UsageError, match="outputs and no scores"):
        convert(frame, output=tmp_path / "out", to="every-eval-ever")
    none = pl.DataFrame({"item": [1, 2], "score": [None, None]}, schema_overrides={"score": float})
    with pytest.raises(UsageError, match="no score that is not missing"):
        convert(none, output=tmp_path / "out", to="every-eval-ever")
    assert not (tmp_path / "out").exists()


def test_forms_and_endings_that_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--to is 'xml'"):
        convert({"a": [1]}, output=tmp_path / "t.csv", to="xml")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no form of a table"):
        convert({"a": [1]}, output=tmp_path / "t.xlsx")
    with pytest.raises(InputError):
        convert(tmp_path / "none.csv", output=tmp_path / "t.csv")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("system", ["../../x", "a/b/c", "é x", "..", "n" * 300, "a\x00b"])
def test_documents_stay_in_their_folder(tmp_path: Path, system: str) -> None:
    frame = pl.DataFrame({"item": [1, 2], "system": [system] * 2, "score": [1.0, 0.0]})
    done = convert(frame, output=tmp_path / "out", to="every-eval-ever")
    inside = (tmp_path / "out").resolve()
    assert all(inside in Path(file).resolve().parents for file in done.files)
    assert [*tmp_path.iterdir()] == [tmp_path / "out"]
    assert read(tmp_path / "out").systems == (system,)


def test_the_command_line(run: Call, tmp_path: Path) -> None:
    source = pair(tmp_path / "in")
    done = run("convert", source, "--output", tmp_path / "t.csv", "--format", "json")
    assert done.code == 0
    assert done.json["schema"] == "deadheat/conversion/1"
    assert done.json["systems"] == [{"system": "a", "rows": 6}, {"system": "b", "rows": 6}]
    assert done.json["columns"] == ["item", "system", "score"]
    before = run("compare", source, "--format", "json").json
    after = run("compare", tmp_path / "t.csv", "--format", "json").json
    assert after["difference"] == before["difference"]
    text = run("convert", source, "--to", "every-eval-ever", "--output", tmp_path / "out")
    assert text.code == 0
    assert "2 systems written to" in text.out
    documents = run("compare", tmp_path / "out", "--format", "json").json
    assert documents["difference"] == before["difference"]


def test_the_command_line_refuses_to_write_over_its_input(run: Call, tmp_path: Path) -> None:
    source = wide(tmp_path)
    done = run("convert", source, "--output", source)
    assert done.code == 2
    assert "is an input" in done.err
    missing = run("convert", source, "--output", tmp_path / "none" / "t.csv")
    assert missing.code != 0
    assert "Traceback" not in missing.err


def test_real_logs(shared: Path, tmp_path: Path) -> None:
    folder = shared / "formats" / "openai_evals"
    crosswords = tmp_path / "crosswords"
    crosswords.mkdir()
    for name in ("crossword-turbo", "crossword-turbo-0301"):
        (crosswords / f"{name}.jsonl").write_bytes((folder / f"{name}.jsonl").read_bytes())
    for source in (crosswords, shared / "formats" / "mt_bench" / "gpt-4_single.trimmed.jsonl"):
        expected = numbers(source)
        for ending in FORMS:
            convert(source, output=tmp_path / f"t{ending}")
            assert numbers(tmp_path / f"t{ending}") == expected
        convert(source, output=tmp_path / source.stem, to="every-eval-ever")
        again = read(tmp_path / source.stem)
        assert {*again.systems} == {*read(source).systems}
        assert cells(tmp_path / source.stem) == cells(source)


def test_what_compare_refuses_of_logs_is_not_lost_on_the_way(tmp_path: Path) -> None:
    """The table has no hashes of items: other texts are refused when it is written."""
    for system, text in (("a", "one text"), ("b", "another")):
        samples = [lm_eval.sample("sums", k, {"acc": k % 2}, text=f"{text} {k}") for k in range(6)]
        write_lines(tmp_path / system / "samples_sums_2025-03-01T10-00-00.123456.jsonl", samples)
    folders = (str(tmp_path / "a"), str(tmp_path / "b"))
    for output in (tmp_path / "tidy.csv", tmp_path / "eee"):
        to = "tidy" if output.suffix else "every-eval-ever"
        with pytest.raises(AlignmentError, match="6 of 6"):
            convert(*folders, output=output, to=to)
        assert not output.exists()
        done = convert(*folders, output=output, to=to, different_items=True)
        assert "different_items" in {note.code for note in done.notes}
