"""Scores and files for the cases, short enough to read in a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Answer = Callable[..., Any]
Write = Callable[..., Path]


def cells(
    both: int, only_baseline: int, only_candidate: int, neither: int
) -> tuple[Floats, Floats]:
    """Return 0/1 scores of baseline and candidate with these four counts."""
    counts = (both, only_baseline, only_candidate, neither)
    return np.repeat([1.0, 1.0, 0.0, 0.0], counts), np.repeat([1.0, 0.0, 1.0, 0.0], counts)


def discordant(only_baseline: int, only_candidate: int, n: int) -> tuple[Floats, Floats]:
    """Return 0/1 scores of n items of which some separate the systems."""
    return cells(n - only_baseline - only_candidate, only_baseline, only_candidate, 0)


def csv(header: str, *rows: Sequence[object]) -> str:
    """Return a table with commas."""
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def json_lines(*rows: dict[str, Any]) -> str:
    """Return one object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def codes(result: dict[str, Any]) -> set[str]:
    """Return the codes of the notes of a result."""
    return {note["code"] for note in result["notes"]}


def said(result: dict[str, Any]) -> str:
    """Return everything that a result says in words."""
    reading = result.get("reading", {}).get("text", "")
    return " ".join([reading, *(note["message"] for note in result["notes"])])


def the_test(result: dict[str, Any], name: str, variant: str | None = None) -> dict[str, Any]:
    """Return the only test of a name, and of a variant where one is given."""
    (found,) = (
        test
        for test in result["tests"]
        if test["name"] == name and variant in (None, test["variant"])
    )
    return dict(found)
