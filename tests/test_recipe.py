"""What was run on what, as plain data."""

from __future__ import annotations

import inspect
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.metrics import metric
from deadheat.metrics.named import Options
from deadheat.readers import read
from deadheat.recipe import MEASURING, READING, Recipe, chosen, recipe_of
from tables import wide


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return wide(tmp_path / "t.csv", both=3, only_a=1, only_b=2, neither=1)


def of_options(table: Path, **options: Any) -> Recipe:
    return recipe_of("compare", (str(table),), options, read(str(table)))


def test_files_by_their_digest(table: Path, tmp_path: Path) -> None:
    reference = tmp_path / "ref.csv"
    reference.write_text("item,reference\n1,x\n", encoding="utf-8")
    answers = tmp_path / "a.csv"
    answers.write_text("item,output\n1,x\n", encoding="utf-8")
    evaluation = read(f"sys={answers}", references=reference)
    recipe = recipe_of("score", (f"sys={answers}",), {}, evaluation)
    assert recipe.sources == (f"sys={answers}",)
    assert recipe.files == {
        str(path): sha256(path.read_bytes()).hexdigest() for path in (answers, reference)
    }
    assert recipe.repeatable


def test_a_path_is_written_as_text(table: Path) -> None:
    recipe = recipe_of("compare", (table,), {"references": table}, read(table))
    assert recipe.sources == (str(table),)
    assert recipe.options == {"references": str(table)}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        ("x", "x"),
        (("a", "b"), ["a", "b"]),
        ({"a": {"seed": "1"}}, {"a": {"seed": "1"}}),
        ({1: ("x",)}, {"1": ["x"]}),
    ],
)
def test_options_are_plain_data(table: Path, value: object, written: object) -> None:
    recipe = of_options(table, option=value)
    assert recipe.options == {"option": written}
    assert recipe.repeatable


@pytest.mark.parametrize(
    "sources",
    [
        ([1, 0], [1, 1]),
        (np.array([1, 0]), np.array([1, 1])),
        ({"a": [1, 0], "b": [1, 1]},),
        (pl.DataFrame({"item": ["p", "q"], "a": [1, 0], "b": [1, 1]}),),
    ],
    ids=["lists", "arrays", "mapping", "frame"],
)
def test_memory_cannot_be_read_again(sources: tuple[Any, ...]) -> None:
    recipe = recipe_of("compare", sources, {}, read(*sources))
    assert not recipe.repeatable
    assert recipe.files == {}


def test_references_in_memory_cannot_be_read_again(tmp_path: Path) -> None:
    answers = tmp_path / "a.txt"
    answers.write_text("x\ny\n", encoding="utf-8")
    evaluation = read(str(answers), references=["x", "y"])
    options = {"references": ["x", "y"]}
    assert not recipe_of("score", (str(answers),), options, evaluation).repeatable


@pytest.mark.parametrize(
    "option",
    [
        {"metric": metric("f1", positive=1)},
        {"labels": tuple(range(1_500))},
        {"positive": np.int64(1)},
        {"zero_division": float("nan")},
    ],
    ids=["metric", "many labels", "numpy number", "nan"],
)
def test_an_option_is_written_or_makes_it_unrepeatable(table: Path, option: dict[str, Any]) -> None:
    """A record must not claim to hold what it does not hold."""
    recipe = of_options(table, **option)
    ((name, value),) = option.items()
    written = recipe.options[name]
    stands = written == list(value) if isinstance(value, tuple) else written == value
    assert stands or value != value or not recipe.repeatable


def test_chosen() -> None:
    assert chosen({"a": 1, "b": 2, "c": 3}, ("c", "a")) == {"c": 3, "a": 1}
    with pytest.raises(KeyError):
        chosen({"a": 1}, ("b",))


def test_options_of_reading_are_those_of_read() -> None:
    taken = set(inspect.signature(read).parameters) - {"sources"}
    assert set(READING) == taken - {"empty_texts", "memory", "kinds", "engine", "progress"}
    assert set(MEASURING) == set(Options.__annotations__)


@pytest.mark.parametrize("command", [deadheat.compare, deadheat.score])
def test_every_option_of_a_command_is_written(command: Any, table: Path) -> None:
    recipe = command(str(table)).recipe
    assert recipe.command == command.__name__
    assert set(recipe.options) == set(inspect.signature(command).parameters) - {
        "sources",
        "engine",
        "progress",
    }
