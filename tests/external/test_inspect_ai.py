"""Inspect AI's own reader as judge: the same samples and the same scores of every log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import InputError
from deadheat.readers import read
from deadheat.readers.unreadable import NoAnswersError
from readers.logs.builders.inspect_ai import eval_log, header, json_log, sample

inspect_log = pytest.importorskip(
    "inspect_ai.log", reason="inspect-ai is not installed: python -m pip install inspect-ai"
)
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Found = dict[tuple[Any, int], dict[str, float | None]]


def theirs(path: Path) -> Found:
    """Read a log with Inspect AI, and its values with the table that its metrics use."""
    from inspect_ai.scorer import value_to_float

    number = value_to_float()
    found: Found = {}
    for one in inspect_log.read_eval_log(str(path)).samples or []:
        scores: dict[str, float | None] = {}
        for scorer, score in (one.scores or {}).items():
            value: Any = score.value
            if isinstance(value, list):
                value = {str(at): inner for at, inner in enumerate(value)}
            several = value if isinstance(value, Mapping) else {None: value}
            for inner, cell in several.items():
                name = scorer if inner is None else f"{scorer}.{inner}"
                missing = cell is None or (isinstance(cell, float) and not math.isfinite(cell))
                scores[name] = None if missing or one.invalidation else number(cell)
        found[one.id, one.epoch] = scores
    return found


def ours(path: Path, names: set[str]) -> Found:
    found: Found = {}
    for name in sorted(names):
        (answers,) = read(path, score=name).answers
        columns = (answers.items, answers.runs, answers.scores)
        assert all(column is not None for column in columns)
        for item, run, score in zip(*(c.to_list() for c in columns if c is not None), strict=True):
            found.setdefault((item, run), {})[name] = score
    return found


def same(path: Path) -> None:
    judge = theirs(path)
    names = {n for scores in judge.values() for n, score in scores.items() if score is not None}
    if not names:
        with pytest.raises(NoAnswersError, match=r"no sample of|holds no samples"):
            read(path)
        return
    given = {key: {n: scores.get(n) for n in names} for key, scores in judge.items()}
    assert ours(path, names) == given


def test_the_example_logs(shared: Path) -> None:
    logs = sorted((shared / "formats" / "inspect").iterdir())
    assert len(logs) >= 9
    for path in logs:
        same(path)


WAYS: dict[str, dict[str, Any]] = {
    "zstd": {"method": "zstd"},
    "frames": {"method": "frames"},
    "no summaries": {"summaries": False},
    "still written": {"journal": True, "finished": False},
}


@pytest.mark.parametrize("way", ["json", *WAYS])
def test_logs_of_the_builder(tmp_path: Path, way: str) -> None:
    values = ["C", "I", "P", "N", True, 0, 0.25, "0.5", "yes", "No", math.nan, [1, "I"]]
    values += [{"a": 1, "b": None}, {"a": "C", "b": 2.5}]
    samples = [sample(f"s{k}", v, epoch=e) for k, v in enumerate(values) for e in (1, 2)]
    samples += [sample("text", scores={}), sample("a/b", scores=None)]
    samples += [sample("err", error={"message": "m", "traceback": "t", "traceback_ansi": "t"})]
    if way == "json":
        same(json_log(tmp_path / "log.json", samples, header()))
    else:
        again = sample("s0", "I")
        same(eval_log(tmp_path / "log.eval", [*samples, again], header(), **WAYS[way]))


def test_a_log_that_is_cut_off_is_refused_by_both(tmp_path: Path) -> None:
    path = eval_log(tmp_path / "a.eval", [sample(1)])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match="cut off"):
        read(path)
    with pytest.raises(Exception):  # noqa: B017, PT011 - theirs to choose
        inspect_log.read_eval_log(str(path))
