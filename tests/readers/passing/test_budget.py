"""What tables take while they are held, and that commands refuse more than they may."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers.passing.budget import BYTES_A_VALUE, TEXT_FACTOR, need_of
from readers.logs.builders import lm_eval

N = 40_000
WRITERS = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}


@pytest.mark.parametrize("ending", WRITERS)
def test_need_grows_with_values_and_bytes(tmp_path: Path, ending: str) -> None:
    table = pl.DataFrame({"item": np.arange(N) + N, "a": np.zeros(N, int), "b": np.ones(N, int)})
    path = tmp_path / f"t.{ending}"
    getattr(table, WRITERS[ending])(path)
    wanted = 3 * N * BYTES_A_VALUE
    if ending != "parquet":
        wanted += path.stat().st_size * TEXT_FACTOR
    assert need_of(str(path)) == pytest.approx(wanted, rel=0.02)


def test_what_is_no_table_needs_nothing(tmp_path: Path) -> None:
    samples = (lm_eval.sample("sums", k, {"exact_match": 1.0}) for k in range(4_000))
    log = lm_eval.lines(tmp_path / f"samples_sums_{lm_eval.FIRST}.jsonl", samples)
    (tmp_path / "notes.txt").write_text("x\n" * N)
    for path in (log, tmp_path, tmp_path / "notes.txt", tmp_path / "absent.csv"):
        assert need_of(str(path)) == 0


def predictions(folder: Path) -> list[Path]:
    """Write outputs of two systems and their references, a file each."""
    words = np.array(["cat", "dog"])
    rng = np.random.default_rng(0)
    paths = []
    for name, column in (("a", "output"), ("b", "output"), ("right", "reference")):
        frame = pl.DataFrame({"item": np.arange(N), column: words[rng.integers(0, 2, N)]})
        paths.append(folder / f"{name}.csv")
        frame.write_csv(paths[-1])
    return paths


COMMANDS: dict[str, Callable[..., Any]] = {
    "compare": deadheat.compare,
    "rank": deadheat.rank,
    "score": deadheat.score,
    "check": deadheat.check,
    "inspect": deadheat.inspect,
    "convert": deadheat.convert,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_several_files_are_held_together_or_refused(tmp_path: Path, command: str) -> None:
    first, second, right = predictions(tmp_path)
    more = {"output": tmp_path / "out.csv"} if command == "convert" else {}
    if command in ("compare", "rank", "score", "check"):
        more["n_resamples"] = 99
    run = COMMANDS[command]
    with pytest.raises(InputError, match=r"about [\d.]+ MB are needed.*more than the 5.0 MB of"):
        run(first, second, references=right, **more, memory="5MB")
    assert not (tmp_path / "out.csv").exists()
    run(first, second, references=right, **more, memory="100MB")


@pytest.mark.parametrize("command", ["check", "inspect", "convert"])
def test_one_table_is_not_counted_where_items_are_needed(tmp_path: Path, command: str) -> None:
    table = tmp_path / "t.parquet"
    pl.DataFrame({"item": np.arange(N), "a": np.arange(N) % 2, "b": 1}).write_parquet(table)
    more = {"output": tmp_path / "out.csv"} if command == "convert" else {}
    with pytest.raises(InputError, match="to hold this table, more than"):
        COMMANDS[command](table, **more, memory="2MB")


def test_frames_are_held_by_who_gives_them() -> None:
    frame = pl.DataFrame({"item": np.arange(N), "a": np.arange(N) % 2, "b": 1})
    assert deadheat.rank(frame, n_resamples=99, memory="1MB").systems[0].system == "b"


def test_a_line_that_nests_too_deeply_is_left_to_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    assert need_of(str(path)) == pytest.approx(path.stat().st_size * TEXT_FACTOR, rel=1e-3)
