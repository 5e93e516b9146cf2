"""The tables of JSON fields, held against results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from benchmark.boards import every_field
from pages import COMMANDS, DIGITS, GAP500, command_page, rows, section, spans
from recipes import frame, graded


def expanded(path: str) -> list[str]:
    """Expand {a,b} as a shell does."""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [
        whole
        for word in braces[1].split(",")
        for whole in expanded(path[: braces.start()] + word + path[braces.end() :])
    ]


def fields(tree: Any, path: str = "") -> Iterator[str]:
    """Every leaf of a JSON document; what --about says has names of the user's own."""
    if isinstance(tree, dict) and tree and not path.endswith((".about", ".unavailable")):
        for key, item in tree.items():
            yield from fields(item, f"{path}.{key}" if path else key)
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        for item in tree:
            yield from fields(item, f"{path}[]")
    else:
        yield f"{path}[]" if isinstance(tree, list) and path == "changed" else path


def results(name: str, folder: Path) -> Iterator[Any]:
    """Results that between them have every field."""
    gone = folder / "gone.csv"
    gone.write_text("item,system_a,system_b\n1,1,0\n2,0,\n3,1,1\n", encoding="utf-8")
    classifiers, references = DIGITS[:2], DIGITS[2]
    if name == "compare":
        yield deadheat.compare(GAP500)
        yield deadheat.compare(gone, missing="drop")
        yield deadheat.compare([1], [0])
        yield deadheat.compare(
            *classifiers, references=references, metric="macro_f1", method="bca", n_resamples=99
        )
        yield deadheat.compare([0.1, 0.2, 0.4], [0.5, 0.5, 0.5])
        yield deadheat.compare(frame(graded()), runs="random")
        yield deadheat.compare(
            np.ones(60, int), 1 - (np.arange(60) < 1), references=np.ones(60, int),
            metric="balanced_accuracy", n_resamples=99,
        )  # fmt: skip
    elif name == "score":
        yield deadheat.score(gone, missing="drop")
        yield deadheat.score([0.5])
        yield deadheat.score(frame(graded()), runs="random")
    elif name == "rank":
        yield deadheat.rank(gone, missing="drop")
        yield deadheat.rank([1] * 30 + [0] * 30, [0, 1] * 30, descriptive=True, arena=True)
        yield deadheat.rank([0.1, 0.5] * 9, [0.2, 0.4] * 9, confidence_set=True)
        yield deadheat.rank(*classifiers, references=references, metric="macro_f1")
        parts = {"x": [1, 1, 1, 0], "y": [1, 1, None, None], "z": [0, 1, 0, 0]}
        yield deadheat.rank(pl.DataFrame({"item": range(4), **parts}), missing="wrong")
        long = {
            "item": [1, 1, 2, 2],
            "system": [*"abab"],
            "score": [1, 0, 0, 1],
            "usd": [1, 2, 1, 3],
        }
        yield deadheat.rank(pl.DataFrame(long), cost="usd")
    elif name == "inspect":
        (folder / "other.csv").write_text("item,score\nz,1\n", encoding="utf-8")
        yield deadheat.inspect(folder)
    elif name == "convert":
        yield deadheat.convert(folder, output=folder / "tidy.csv")
    elif name == "adjust":
        yield deadheat.adjust([0.2, float("nan")])
    elif name == "plan":
        yield deadheat.plan(baseline=0.4, candidate=0.6, correlation=0.36, items=50)
        yield deadheat.plan(pilot=GAP500, gap=0.2)
        yield deadheat.plan(gap=0.2)
        yield deadheat.plan(gap=0.2, between_variance=0.1, answer_variance=0.1)
        yield deadheat.plan(baseline=0.7)
    elif name == "claim":
        stated = {"interval": (-1.2, 8.4), "discordant": 152}
        yield deadheat.claim(n=500, baseline=71.2, candidate=74.8, **stated)
        yield deadheat.claim(n=400, gap=1.5, interval=(0.3, 2.6), n_resamples=10_000)
        yield deadheat.claim(n=100, baseline=70)
    elif name == "check":
        yield from every_field()
    elif name == "simulate":
        two = {"items": 60, "baseline": 0.6, "candidate": 0.7, "loading": 0.5}
        yield deadheat.simulate(**two, replays=1)
        yield deadheat.simulate(pilot={"a": [1, 0, 1], "b": [0, 0, 1]})
    else:
        result = deadheat.compare(gone, missing="drop")
        deadheat.save(result, folder / "gone.json")
        gone.write_text("item,system_a,system_b\n1,1,0\n2,0,\n3,1,0\n", encoding="utf-8")
        yield deadheat.verify(folder / "gone.json")


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"serve"}))  # It has no result.
def test_json_tables_hold_the_fields_of_the_json(name: str, tmp_path: Path) -> None:
    documented = [
        path
        for names, _ in rows(section(command_page(name), "JSON"))
        for span in spans(names)
        for path in expanded(span)
    ]
    assert len(set(documented)) == len(documented)
    real = {field for result in results(name, tmp_path) for field in fields(result.to_dict())}
    # Where there is nothing to list or to count, the whole is empty or null.
    whole = {f for f in real if any(other.startswith((f"{f}.", f"{f}[")) for other in documented)}
    assert real - whole == set(documented)


SEVERAL = {
    "compare": ("comparisons", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
    "rank": ("leaderboards", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
    "score": ("scorecards", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_json_of_several_metrics_holds_that_of_each(name: str) -> None:
    table = section(command_page(name), "JSON of several metrics")
    documented = [
        path for names, _ in rows(table) for span in spans(names) for path in expanded(span)
    ]
    whole, options = SEVERAL[name]
    result = getattr(deadheat, name)(*DIGITS[:2], references=DIGITS[2], **options)
    found = result.to_dict()
    assert f"`{found['schema']}`" in table
    assert found[whole] == [one.to_dict() for one in result]
    assert [one["schema"] for one in found[whole]] == [f"deadheat/{whole[:-1]}/1"] * 2
    around = {path for path in fields(found) if not path.startswith(whole)}
    assert {*around, f"{whole}[]"} == set(documented)
