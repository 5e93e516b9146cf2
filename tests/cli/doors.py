"""The same items of two systems through every door: files of each format, frames and arrays."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl

import deadheat
from cli.judges import Case

Row = dict[str, Any]
Door = Callable[[Case, Path], tuple[list[Any], dict[str, Any]]]
"""Gives the sources and the options, by their Python names."""

SYSTEMS = ("a", "b")


def rows(case: Case, system: str) -> list[Row]:
    """Return the rows of one system; an item with several runs has one for each."""
    found = []
    for item, cell in enumerate(case.systems[system]):
        runs = cell if case.has_runs else [cell]
        for run, value in enumerate(runs, start=1):
            row: Row = {"id": f"q{item:02}"}
            if case.has_runs:
                row["run"] = run
            row[case.role] = value
            if case.references is not None:
                row["reference"] = case.references[item]
            found.append(row)
    return found


def csv_files(case: Case, folder: Path, delimiter: str = ",", suffix: str = "csv") -> Any:
    for system in SYSTEMS:
        given = rows(case, system)
        with (folder / f"{system}.{suffix}").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*given[0]], delimiter=delimiter)
            writer.writeheader()
            writer.writerows(given)
    return [str(folder / f"{system}.{suffix}") for system in SYSTEMS], {}


def tsv_files(case: Case, folder: Path) -> Any:
    return csv_files(case, folder, "\t", "tsv")


def json_lines(case: Case, folder: Path) -> Any:
    for system in SYSTEMS:
        lines = [json.dumps(row, ensure_ascii=False) for row in rows(case, system)]
        (folder / f"{system}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / f"{system}.jsonl") for system in SYSTEMS], {}


def long_json(case: Case, folder: Path) -> Any:
    """One array of objects with the name of the system in each."""
    both = [{"system": system, **row} for system in SYSTEMS for row in rows(case, system)]
    (folder / "both.json").write_text(json.dumps(both), encoding="utf-8")
    return [str(folder / "both.json")], {}


def parquet(case: Case, folder: Path) -> Any:
    for system in SYSTEMS:
        pl.DataFrame(rows(case, system)).write_parquet(folder / f"{system}.parquet")
    return [str(folder / f"{system}.parquet") for system in SYSTEMS], {}


def references_apart(case: Case, folder: Path) -> Any:
    """Outputs and references in files of their own, the references in another order."""
    for system in SYSTEMS:
        given = [{k: v for k, v in row.items() if k != "reference"} for row in rows(case, system)]
        pl.DataFrame(given).write_ndjson(folder / f"{system}.jsonl")
    paths = [str(folder / f"{system}.jsonl") for system in SYSTEMS]
    if case.references is None:
        return paths, {}
    wanted = [{"id": f"q{i:02}", "reference": r} for i, r in enumerate(case.references)]
    pl.DataFrame(wanted[::-1]).write_ndjson(folder / "right.jsonl")
    return paths, {"references": str(folder / "right.jsonl")}


def plain_lines(case: Case, folder: Path) -> Any:
    """A value a line, in the order of the items."""
    columns = {**case.systems, **({} if case.references is None else {"right": case.references})}
    for name, column in columns.items():
        (folder / f"{name}.txt").write_text("".join(f"{x}\n" for x in column), encoding="utf-8")
    options = {} if case.references is None else {"references": str(folder / "right.txt")}
    return [str(folder / f"{system}.txt") for system in SYSTEMS], options


def pandas_frame(case: Case, folder: Path) -> Any:
    both = [{"system": system, **row} for system in SYSTEMS for row in rows(case, system)]
    return [pd.DataFrame(both)], {}


def polars_frame(case: Case, folder: Path) -> Any:
    both = [{"system": system, **row} for system in SYSTEMS for row in rows(case, system)]
    return [pl.DataFrame(both)], {}


def arrays(case: Case, folder: Path) -> Any:
    return [dict(case.systems)], {"references": case.references}


DOORS: dict[str, Door] = {
    "csv": csv_files,
    "tsv": tsv_files,
    "json lines": json_lines,
    "long json": long_json,
    "parquet": parquet,
    "references apart": references_apart,
    "lines": plain_lines,
    "pandas": pandas_frame,
    "polars": polars_frame,
    "arrays": arrays,
}

OF_TEXT = ("csv", "tsv", "lines")
BY_ORDER = ("lines", "arrays")


def fits(door: str, case: Case) -> bool:
    """Whether a door can carry the items of a case."""
    if door in OF_TEXT and not case.is_flat:
        return False
    return not (door in BY_ORDER and case.has_runs)


def asked(cases: Sequence[Case], **options: object) -> list[object]:
    """Return the options of the command line that name the metrics of some cases."""
    given = {"metric": ",".join(c.metric for c in cases), **cases[0].options, **options}
    return [word for name, value in given.items() for word in (f"--{name}", value)]


def long(case: Case) -> list[Row]:
    """Return all rows of both systems."""
    return [{"system": system, **row} for system in SYSTEMS for row in rows(case, system)]


def compared(case: Case, table: Sequence[Row] | None = None, **options: Any) -> Any:
    frame = pl.DataFrame(long(case) if table is None else table)
    given = {"n_resamples": 199, **case.options, **options}
    return deadheat.compare(frame, metric=case.metric, **given)
