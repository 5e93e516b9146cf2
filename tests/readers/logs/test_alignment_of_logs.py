"""Faults of alignment in other tools, each through the readers of logs and the comparison."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat import Comparison
from deadheat.errors import AlignmentError
from readers.logs.builders import inspect_ai, lm_eval, openai_evals
from readers.logs.builders.lines import write_lines

A, B = "110010", "101110"
"""Which of six items two systems have right: 3 and 4, of which both have 2."""

Write = Callable[[Path, str, str, list[int]], Path]


def harness(folder: Path, model: str, right: str, order: list[int]) -> Path:
    scores = {"none": {"acc": [float(right[k]) for k in order]}}
    samples = lm_eval.task_samples("arc", scores, doc_ids=order)
    path = folder / model / f"samples_arc_{lm_eval.FIRST}.jsonl"
    lm_eval.lines(path, samples)
    return path.parent


def archive(folder: Path, model: str, right: str, order: list[int]) -> Path:
    samples = [inspect_ai.sample(k, "C" if right[k] == "1" else "I") for k in order]
    return inspect_ai.eval_log(folder / f"{model}.eval", samples, inspect_ai.header(model))


def events(folder: Path, model: str, right: str, order: list[int]) -> Path:
    lines = [
        {"spec": openai_evals.spec(model)},
        *map(openai_evals.sampling, order),
        *(openai_evals.match(k, right[k] == "1") for k in order),
    ]
    return write_lines(folder / f"{model}.jsonl", lines)


LOGS = [harness, archive, events]


def counts(found: Comparison) -> tuple[int, ...]:
    told = found.to_dict()["counts"]
    return tuple(told[name] for name in ("both", "only_baseline", "only_candidate", "neither"))


@pytest.mark.parametrize("write", LOGS)
def test_unsorted_samples_are_paired_by_their_ids(tmp_path: Path, write: Write) -> None:
    rng = random.Random(0)
    for _ in range(3):
        orders = [rng.sample(range(6), 6) for _ in range(2)]
        a, b = (
            write(tmp_path, *system, order)
            for system, order in zip((("a", A), ("b", B)), orders, strict=True)
        )
        found = deadheat.compare(a, b)
        # 110010 and 101110: items 0 and 4; item 1; items 2 and 3; item 5.
        assert counts(found) == (2, 1, 2, 1)


def test_filters_in_another_order_are_paired_by_their_names(tmp_path: Path) -> None:
    strict, flexible = ([float(v) for v in right] for right in (A, B))
    for model, filters in (
        ("a", {"strict": {"em": strict}, "flexible": {"em": flexible}}),
        ("b", {"flexible": {"em": strict}, "strict": {"em": flexible}}),
    ):
        samples = lm_eval.task_samples("gsm8k", filters)
        lm_eval.lines(tmp_path / model / f"samples_gsm8k_{lm_eval.FIRST}.jsonl", samples)
    for score, expected in (("em,strict", (2, 1, 2, 1)), ("em,flexible", (2, 2, 1, 1))):
        found = deadheat.compare(tmp_path / "a", tmp_path / "b", score=score)
        # Six items, and not twelve: one filter of an item is no item.
        assert found.items.n == 6
        assert counts(found) == expected


def test_a_number_and_its_text_are_two_ids(tmp_path: Path) -> None:
    heads = (inspect_ai.header("a"), inspect_ai.header("b"))
    a = inspect_ai.eval_log(tmp_path / "a.eval", [inspect_ai.sample(k) for k in (1, 2)], heads[0])
    b = inspect_ai.eval_log(tmp_path / "b.eval", [inspect_ai.sample(k) for k in "12"], heads[1])
    with pytest.raises(AlignmentError, match=r"0 of 2 items matched.*numbers.*text"):
        deadheat.compare(a, b)


def test_samples_that_ended_in_an_error_leave_both_or_neither(tmp_path: Path) -> None:
    values: dict[str, list[Any]] = {"a": [*"CCIIC"], "b": ["C", None, "I", "C", None]}
    logs = []
    for model, given in values.items():
        samples = [
            inspect_ai.sample(k, value)
            if value is not None
            else inspect_ai.sample(k, scores=None, error={"message": "no answer"})
            for k, value in enumerate(given)
        ]
        logs.append(
            inspect_ai.eval_log(tmp_path / f"{model}.eval", samples, inspect_ai.header(model))
        )
    with pytest.raises(AlignmentError, match="b: 2 no score"):
        deadheat.compare(*logs)
    dropped, wrong = (
        deadheat.compare(*logs, missing="drop"),
        deadheat.compare(*logs, missing="wrong"),
    )
    # Items 0, 2 and 3 of both; all five, of which b has two wrong that it did not answer.
    assert (dropped.baseline.value, dropped.candidate.value) == (1 / 3, 2 / 3)
    assert (wrong.baseline.value, wrong.candidate.value) == (3 / 5, 2 / 5)


@pytest.mark.parametrize("other", [False, True])
def test_what_an_append_wrote_again_is_refused(tmp_path: Path, *, other: bool) -> None:
    a, b = harness(tmp_path, "a", A, [*range(6)]), harness(tmp_path, "b", B, [*range(6)])
    again = lm_eval.task_samples("arc", {"none": {"acc": [float(not other)] * 2}})
    lm_eval.lines(next(b.iterdir()), again, append=True)
    with pytest.raises(AlignmentError, match=r"more than one row: .*\(2 rows\).* in b"):
        deadheat.compare(a, b, missing="drop")
