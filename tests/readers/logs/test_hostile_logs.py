"""Logs of tools that are broken, cut off, of tomorrow's version, or made to do harm."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deadheat.errors import DeadheatError, InputError
from deadheat.readers import read
from deadheat.readers.logs import readers
from readers.logs.looking import tool

TOOLS = (
    *("alpaca_eval", "arena_votes", "braintrust", "deepeval", "evalscope", "every_eval_ever"),
    *("helm", "langfuse", "langsmith", "mlflow", "mt_bench", "openai_evals", "opencompass"),
    *("pandalm", "promptfoo", "ragas", "vicuna_reviews", "wandb_table", "weave"),
)

ORDINARY = {
    "wide.csv": "item,a,b\n1,1,0\n2,0,1\n",
    "long.csv": "item,system,score\n1,a,1\n1,b,0\n",
    "wide_models.csv": "item,model_a,model_b\n1,0.5,0.25\n2,1,0\n",
    "winner.csv": "item,model_a,model_b,winner\n1,0.5,0.25,model_a\n2,1,1,tie\n",
    "questions.csv": "question,answer,reference,score\nq,a,g,1\n",
    "response.csv": "user_input,response,correctness\nq,a,1\n",
    "feedback.csv": "id,feedback,error,score\n1,good,,1\n",
    "feedback_dots.csv": "example_id,feedback.correct\n1,1\n",
    "value.csv": "item,accuracy/value\n1,1\n",
    "lines.jsonl": '{"question_id": 1, "model": "a", "score": 1}\n',
    "judged.jsonl": '{"question_id": 1, "judge": "x", "score": 1, "judgment": "good"}\n',
    "list.json": '[{"instruction": "a", "output": "b", "generator": "c", "preference": 1}]',
    "instances.json": '[{"instance_id": "a", "score": 1}, {"instance_id": "b", "score": 0}]',
    "index.jsonl": '{"index": 0, "score": 1}\n{"index": 1, "score": 0}\n',
    "results.json": '{"results": [{"item": 1, "score": 1}], "version": 3}',
    "details.json": '{"accuracy": 50.0, "details": {"gsm8k": 50.0}}',
    "cases.json": '{"testCases": [{"name": "a"}], "metrics": []}',
    "spans.json": '[{"id": 1, "scores": {"a": 1}, "input": "q"}]',
    "rows.json": '{"rows": [{"id": 1, "evaluations": []}]}',
    "columns.json": '{"columns": ["a", "b"], "description": "of a data set"}',
    "pairs.json": '[{"idx": 0, "response1": "a", "response2": "b", "label": 1}]',
    "votes.json": '[{"model_a": 0.5, "model_b": 0.25, "item": 1}]',
    "scored.jsonl": '{"question_id": 1, "answer_id": 2, "score": [1, 0]}\n',
}


def made(name: str, folder: Path) -> Path:
    builder = import_module(f"readers.logs.builders.{name}")
    path: Path = builder.example(folder)
    return path


def scores(path: Path) -> list[tuple[str, Any, float | None]]:
    found = []
    for answers in read(path).answers:
        assert answers.items is not None
        assert answers.scores is not None
        found += [
            (answers.system, i, s) for i, s in zip(answers.items, answers.scores, strict=True)
        ]
    return found


def refusal(path: Path) -> str | None:
    """Say why a file is refused; anything else than a refusal is let through."""
    try:
        read(path)
    except DeadheatError as error:
        return str(error)
    return None


@pytest.fixture(params=TOOLS)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def path(name: str, tmp_path: Path) -> Path:
    return made(name, tmp_path / "logs")


def test_a_log_is_taken_by_one_reader(name: str, path: Path) -> None:
    head = path.read_bytes()
    assert [k for k, reader in readers().items() if reader.recognises(str(path), head)] == [name]


def test_a_log_is_read(name: str, path: Path) -> None:
    evaluation = read(path)
    for answers in evaluation.answers:
        assert answers.items is not None
        assert answers.items.n_unique() == 3
        assert answers.scores is not None
        assert answers.scores.null_count() == 0
        assert answers.source.format == name
        assert all(len(file.sha256) == 64 for file in answers.source.files)
    reader = readers()[name]
    assert reader.TOOL
    assert reader.VERSIONS
    assert all(quirk.endswith(".") for quirk in reader.QUIRKS)


@pytest.mark.parametrize("file", ORDINARY)
def test_ordinary_tables_are_not_logs(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(ORDINARY[file])
    assert tool(tmp_path / file) is None


def test_a_byte_order_mark_does_not_matter(path: Path) -> None:
    before = scores(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert scores(path) == before


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS"),
        (b"<!DOCTYPE html><html></html>", "web page"),
    ],
)
def test_what_stands_in_the_place_of_a_log(path: Path, content: bytes, what: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=what):
        read(path)


def test_no_prefix_gives_other_scores(path: Path) -> None:
    """Cut off anywhere there is an error, or what stands before is read as it was."""
    whole, data = scores(path), path.read_bytes()
    for end in range(1, len(data), max(1, len(data) // 60)):
        path.write_bytes(data[:end])
        try:
            found = scores(path)
        except (DeadheatError, AssertionError):
            continue
        if path.suffix == ".csv":
            found = found[:-1]  # A number that is cut off is a number.
        assert {row for row in found if row[-1] is not None} <= set(whole)


def with_more(value: Any, more: Any) -> Any:
    """Add a field that nobody knows to every object."""
    if isinstance(value, dict):
        inside = {key: with_more(v, more) for key, v in value.items()}
        keyed = not value or all(
            isinstance(v, (int, float, str, type(None))) for v in value.values()
        )
        return inside if keyed and len(value) < 3 else {**inside, "added_tomorrow": more}
    return [with_more(v, more) for v in value] if isinstance(value, list) else value


def rewritten(path: Path, change: Callable[[Any], Any]) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        records = [json.dumps(change(json.loads(line))) for line in text.splitlines()]
        path.write_text("\n".join(records) + "\n")
    else:
        path.write_text(json.dumps(change(json.loads(text))))


def test_fields_of_tomorrow_are_passed_over(name: str, path: Path) -> None:
    if path.suffix == ".csv":
        pytest.skip("a column that nobody knows is not a field")
    before = scores(path)
    rewritten(path, lambda document: with_more(document, {"x": [1, {"y": None}]}))
    assert scores(path) == before


def test_deep_nesting_ends_in_a_message(name: str, path: Path) -> None:
    if path.suffix == ".csv":
        pytest.skip("nothing nests in a CSV")
    deep = "[" * 100_000 + "]" * 100_000
    rewritten(path, lambda document: with_more(document, "DEEP"))
    path.write_text(path.read_text().replace('"DEEP"', deep, 1))
    with pytest.raises(InputError):
        read(path)


def test_what_is_not_utf8_is_refused_or_not_looked_at(path: Path) -> None:
    """Texts that nobody needs are skipped in JSON lines, and not decoded."""
    before, data = scores(path), path.read_bytes()
    at = data.rfind(b'"') if path.suffix != ".csv" else data.rfind(b"a")
    path.write_bytes(data[:at] + b"\xe9" + data[at:])
    message = refusal(path)
    assert path.name in message if message else path.suffix == ".jsonl" and scores(path) == before


NAN = {
    "alpaca_eval": ("1.25", "NaN"),
    "braintrust": ('"Fact": 0.5', '"Fact": NaN'),
    "deepeval": ('"score": 0.7', '"score": NaN'),
    "evalscope": ('"acc": 0.0', '"acc": NaN'),
    "every_eval_ever": ('"score": 0.0', '"score": NaN'),
    "helm": ('"mean": 0.0', '"mean": NaN'),
    "langfuse": ('"value": 0.0', '"value": NaN'),
    "langsmith": ("0.0,", "NaN,"),
    "mlflow": ("9, 0, 2", "9, NaN, 2"),
    "mt_bench": ('"score": 7.5', '"score": NaN'),
    "opencompass": ('"correct": false', '"correct": NaN'),
    "promptfoo": ('"success": false', '"success": NaN'),
    "ragas": ("0.25", "nan"),
    "vicuna_reviews": ("[9.0, 8.5]", "[NaN, 8.5]"),
    "wandb_table": ("[2, 0.5]", "[2, NaN]"),
    "weave": ('{"correct": false}', '{"correct": NaN}'),
}


@pytest.mark.parametrize("name", NAN)
def test_nan_is_missing_and_never_zero(name: str, path: Path) -> None:
    old, new = NAN[name]
    before, text = scores(path), path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    after = scores(path)
    assert [row[:2] for row in after] == [row[:2] for row in before]
    changed = [s for (*_, s), (*_, b) in zip(after, before, strict=True) if s != b]
    assert changed
    assert set(changed) == {None}


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("alpaca_eval", r'("preference": )[\d.]+'),
        ("braintrust", r'("Fact": )[\d.]+'),
        ("deepeval", r'("score": )[\d.]+'),
        ("every_eval_ever", r'("score": )[\d.]+'),
        ("evalscope", r'("acc": )[\d.]+'),
        ("helm", r'("mean": )[\d.]+'),
        ("langfuse", r'("value": )[\d.]+'),
        ("langsmith", r"(,g,)[\d.]+"),
        ("mlflow", r"(9, )\d, \d"),
        ("mt_bench", r'("score": )[\d.]+'),
        ("promptfoo", r'("(?:success|score)": )(?:true|false|[\d.]+)'),
        ("ragas", r"(,g,)[\d.]+"),
        ("vicuna_reviews", r'("score": )\[[\d., ]+\]'),
        ("weave", r'("correct": )(?:true|false)'),
    ],
)
def test_where_every_score_is_missing_the_items_stay(name: str, path: Path, score: str) -> None:
    """A judge that was out of order for a whole task must not make its items vanish."""
    blank = {".csv": r"\1"}.get(path.suffix, r"\1null")
    blank = r"\1[]" if name == "vicuna_reviews" else blank + (", null" if name == "mlflow" else "")
    before = scores(path)
    path.write_text(re.sub(score, blank, path.read_text()))
    assert scores(path) == [(system, item, None) for system, item, _ in before]


@pytest.mark.parametrize("name", ["openai_evals", "opencompass"])
def test_where_nothing_was_scored_the_file_is_refused(name: str, path: Path) -> None:
    text = path.read_text()
    path.write_text(re.sub(r'("correct": )(?:true|false)', r"\1null", text))
    with pytest.raises(InputError, match=r"no (?:event|item)"):
        read(path)


@pytest.mark.parametrize("name", TOOLS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_change_of_bytes_gives_a_traceback(name: str, path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 12))
        new = data.draw(
            st.sampled_from(
                [b"", b"null", b"[]", b"{}", b'"', b",", b"-1", b"1e999", b"\n", b"NaN"]
            )
        )
        content[at : at + length] = new
    changed = path.with_name(f"changed{path.suffix}")
    changed.write_bytes(bytes(content))
    assert changed.name in (refusal(changed) or changed.name)


@pytest.mark.parametrize("name", ["promptfoo", "helm", "evalscope", "mt_bench"])
@pytest.mark.parametrize("number", [10**30, -(10**400), 2**63])
def test_numbers_beyond_a_column_are_refused(name: str, path: Path, number: int) -> None:
    keys = {
        "promptfoo": "testIdx",
        "helm": "train_trial_index",
        "evalscope": "generation_index",
        "mt_bench": "turn",
    }
    rewritten(path, lambda document: planted(document, keys[name], number))
    assert path.name in (refusal(path) or path.name)


def planted(value: Any, key: str, number: int) -> Any:
    if isinstance(value, dict):
        inside = {k: planted(v, key, number) for k, v in value.items()}
        return {**inside, key: number} if key in value or "sample_id" in value else inside
    return [planted(v, key, number) for v in value] if isinstance(value, list) else value
