"""What `benchmarks/fuzz_readers.py` found, each as small as it can be."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path

import polars as pl
import pytest

from deadheat.errors import DeadheatError, FormatError, InputError
from deadheat.readers import panics, read
from readers.logs.builders import details, lm_eval


def test_first_block_of_samples_is_blank(tmp_path: Path) -> None:
    samples = lm_eval.task_samples("t", {"none": {"acc": [1.0]}})
    path = tmp_path / "samples_t_2025-03-01T10-00-00.123456.jsonl"
    path.write_text("\n" + json.dumps(samples[0]), encoding="utf-8")
    (answers,) = read(str(path)).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0]


def test_files_of_a_system_with_ids_of_two_types(tmp_path: Path) -> None:
    (tmp_path / "all" / "x").mkdir(parents=True)
    for name, item in (("1", "7"), ("2", '"7"')):
        line = f'{{"item": {item}, "score": 1}}\n'
        (tmp_path / "all" / "x" / f"{name}.jsonl").write_text(line, encoding="utf-8")
    (tmp_path / "all" / "y.jsonl").write_text('{"item": 7, "score": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="ids that are text, and others that are numbers"):
        read(str(tmp_path / "all"))


def test_examples_of_old_details_that_are_lists(tmp_path: Path) -> None:
    frame = details.old([{"acc": 1.0}, {"acc": 0.0}])
    frame = frame.with_columns(pl.Series("example", [["a", "b"], ["c"]]))
    frame.write_parquet(tmp_path / "details.parquet")
    try:
        (answers,) = read(str(tmp_path / "details.parquet")).answers
    except DeadheatError:
        return
    assert answers.items is not None
    assert answers.items.n_unique() == 2


def test_path_of_an_exercise_that_is_long(tmp_path: Path) -> None:
    result = {
        "testcase": "x",
        "model": "m",
        "edit_format": "diff",
        "tests_outcomes": [True],
        # A search that begins anew at every letter would take minutes.
        "testdir": "a" * 400_000,
    }
    path = tmp_path / ".aider.results.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    (answers,) = read(str(path)).answers
    assert answers.system == "m (diff)"


def test_event_that_is_no_text(tmp_path: Path) -> None:
    header = {"spec": {"completion_fns": ["m"], "eval_name": "e.dev.v0", "base_eval": "e"}}
    match = b'{"run_id": "r", "event_id": 0, "sample_id": "s", "type": "match", '
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        json.dumps(header).encode() + b"\n" + match + b'"data": {"correct": true, "a": "\xff"}}\n'
    )
    with pytest.raises(FormatError, match="line 2: the line is not an event of OpenAI evals"):
        read(str(path))


def test_panics_of_damaged_parquet_stay_silent(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    frame = pl.DataFrame({"item": [f"q{k}" for k in range(8)], "score": [0.5, 1.0] * 4})
    file = io.BytesIO()
    frame.write_parquet(file)
    whole, path = file.getvalue(), tmp_path / "damaged.parquet"
    panicked = 0
    for at in range(4, len(whole), 3):
        damaged = whole[:at] + b"\xff" + whole[at + 1 :]
        path.write_bytes(damaged)
        with contextlib.suppress(DeadheatError):
            read(str(path))
        try:
            with panics.quiet():
                pl.read_parquet(io.BytesIO(damaged))
        except panics.ERRORS as error:
            panicked += isinstance(error, pl.exceptions.PanicException)
    assert panicked
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_what_is_written_without_a_panic_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with panics.quiet():
        os.write(2, b"said\n")
    with contextlib.suppress(ValueError), panics.quiet():
        os.write(2, b"more\n")
        raise ValueError
    assert capfd.readouterr().err == "said\nmore\n"


@pytest.mark.parametrize("inside", ["\r", "x" * 140_000])
def test_line_of_esa_that_is_no_line_of_csv(tmp_path: Path, inside: str) -> None:
    row = "someone,sys-A,{},TGT,eng,jpn,{},doc#1,False,[],1.0,2.0"
    lines = [row.format(item, score) for item, score in ((1, 90), (2, 80), (3, 70))]
    path = tmp_path / "esa.csv"
    path.write_bytes(("\n".join(lines) + "\n").encode())
    (answers,) = read(str(path)).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [90.0, 80.0, 70.0]
    lines[1] = lines[1].replace("doc#1", f"doc{inside}#1")
    path.write_bytes(("\n".join(lines) + "\n").encode())
    with pytest.raises(FormatError, match=r"line 2: the line cannot be taken apart"):
        read(str(path))
