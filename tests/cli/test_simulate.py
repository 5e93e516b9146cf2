"""`deadheat simulate` as a user runs it: tables, reports, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, call, strict
from processes import Run, refused

Call = Callable[..., Done]

PAIR = ("simulate", "--items", "500", "--baseline", ".72", "--candidate", ".76")
LOADED = (*PAIR, "--loading", ".6")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(here: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    return lambda *arguments: call(capsys, *arguments)


def told(command: Call, *arguments: object) -> Any:
    done = command(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return done.json


def written(command: Call, *arguments: object) -> str:
    """Simulate into a file; what is said of it."""
    done = command(*arguments)
    assert (done.code, done.err) == (0, "")
    return done.out


# -- tables ----------------------------------------------------------------------------------------


def test_table_on_standard_output(run: Run, command: Call) -> None:
    """A seed gives the same bytes to a process of its own."""
    done = run(*LOADED, "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "item,system_baseline,system_candidate"
    assert len(lines) == 501
    assert command(*PAIR, "--correlation", ".36", "--seed", "3").out == done.stdout
    assert command(*PAIR, "--correlation", ".6", "--seed", "3").out != done.stdout


def test_compare_reads_the_table_without_options(command: Call) -> None:
    """The same comparison from every format, of what was drawn."""
    counts = []
    for suffix in ("csv", "tsv", "jsonl", "parquet"):
        said = written(command, *LOADED, "--output", f"t.{suffix}")
        assert said.startswith("Simulated: 2 systems with 0/1 scores on 500 items\n")
        found = told(command, "compare", f"t.{suffix}")
        assert (found["baseline"]["system"], found["items"]["n"]) == ("baseline", 500)
        counts.append(found["counts"])
    assert counts == counts[:1] * 4
    table = deadheat.simulate(items=500, baseline=0.72, candidate=0.76, loading=0.6).to_frame()
    assert counts[0]["both"] == (table["system_baseline"] & table["system_candidate"]).sum()


def test_runs_and_clusters_are_known_by_their_columns(command: Call) -> None:
    more = ("--runs", "3", "--answer-correlation", ".5", "--cluster-size", "10", "--icc", ".3")
    written(command, *LOADED, *more, "--output", "t.csv")
    found = told(command, "compare", "t.csv")
    assert (found["items"]["n"], found["unit"]["kind"], found["unit"]["n"]) == (500, "cluster", 50)
    assert "runs_averaged" in [note["code"] for note in found["notes"]]


def test_many_systems_are_ranked(command: Call) -> None:
    means = ("--means", ".4,.5,.9", "--loading", ".5")
    written(command, "simulate", "--items", 300, *means, "--output", "m.jsonl")
    board = told(command, "rank", "m.jsonl", "--resamples", "199")
    assert [row["system"] for row in board["systems"]] == ["s3", "s2", "s1"]


def test_replays(command: Call) -> None:
    exact = told(command, *LOADED, "--replays", "1000")["replays"]
    assert (exact["n"], exact["exact"], exact["n_resamples"]) == (None, True, None)
    assert exact["coverage"]["value"] == pytest.approx(0.954, abs=5e-4)
    assert exact["power"]["interval"] == pytest.approx(0.357, abs=5e-4)
    more = ("--drawn", "--resamples", "999", "--threads", "1")
    drawn = told(command, *LOADED, "--replays", "300", *more)["replays"]
    assert (drawn["n"], drawn["exact"], drawn["n_resamples"]) == (300, False, 999)
    # 4 standard errors of a share of 300.
    assert drawn["coverage"]["value"] == pytest.approx(0.954, abs=4 * 0.0121)
    assert drawn["power"]["interval"] == pytest.approx(0.357, abs=4 * 0.0277)


def test_a_pilot_in_a_file(command: Call) -> None:
    written(command, *LOADED, "--output", "pilot.csv")
    observed = told(command, "compare", "pilot.csv")
    found = told(command, "simulate", "--pilot", "pilot.csv", "--items", "200", "--replays", "1")
    assert found["design"]["gap"] == pytest.approx(observed["difference"]["estimate"])
    assert found["design"]["pilot"]["hash"] == observed["items"]["hash"]
    assert found["replays"]["exact"]


# -- reports ---------------------------------------------------------------------------------------


def test_command_line_and_python_agree(command: Call) -> None:
    options = ("--scores", "graded", "--levels", "4", "--replays", "20", "--seed", "2")
    more = ("--method", "percentile", "--test", "t", "--confidence", ".9", "--resamples", "99")
    small = ("simulate", "--items", "40", "--baseline", ".5", "--candidate", ".6", "--loading", "0")
    found = told(command, *small, *options, *more, "--drawn")
    again = deadheat.simulate(
        items=40,
        baseline=0.5,
        candidate=0.6,
        loading=0.0,
        scores="graded",
        levels=4,
        replays=20,
        rng=2,
        method="percentile",
        test="t",
        confidence_level=0.9,
        n_resamples=99,
        drawn=True,
    )
    assert json.loads(again.to_json()) == found


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_give_the_same_bytes(command: Call, threads: int) -> None:
    asked = (*LOADED, "--replays", "40", "--drawn", "--resamples", "99")
    assert command(*asked, "--threads", threads).out == command(*asked).out


def test_output_of_a_report_and_of_a_table(command: Call, here: Path) -> None:
    """With --replays the file is the report; without, it is the table, and the summary is shown."""
    direct = command(*LOADED, "--replays", "1", "--format", "markdown")
    done = command(*LOADED, "--replays", "1", "--format", "markdown", "--output", "r.md")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Path("r.md").read_text(encoding="utf-8") == direct.out
    assert direct.out.startswith("# Replays of 2 systems")
    summary = command(*LOADED, "--format", "json", "--output", "t.csv")
    assert strict(summary.out)["replays"] is None
    assert Path("t.csv").read_text().startswith("item,")


def test_verdict_is_the_first_thing_said(command: Call) -> None:
    holds = command(*LOADED, "--replays", "1").out
    assert "coverage: holds: the interval holds the true difference of +4.0 points" in holds
    graded = ("--scores", "graded", "--levels", "3", "--items", "30")
    both = ("--baseline", ".45", "--candidate", ".5", "--correlation", ".5")
    opened = command("simulate", *graded, *both, "--replays", "2", "--threads", "1")
    assert "coverage: open:" in opened.out
    assert "too few to say" in " ".join(opened.out.split())
    few = ("--items", "20", "--baseline", ".45", "--candidate", ".5", "--correlation", ".97")
    fails = command("simulate", *few, "--method", "wald", "--replays", "1")
    assert fails.code == 0
    assert "coverage: fails:" in fails.out
    assert "more than a point below the nominal 95%" in " ".join(fails.out.split())


# -- bad input -------------------------------------------------------------------------------------


def told_off(done: Done) -> str:
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    return done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate",), "--baseline"),
        ((*PAIR,), "--correlation"),
        ((*LOADED, "--correlation", ".36"), "square of the loading"),
        (("simulate", "--items", "0", *LOADED[3:]), "--items is 0"),
        (("simulate", "--items", "1", *LOADED[3:]), "--items is 1"),
        (("simulate", "--items", "9999999999", *LOADED[3:]), "9,999,999,999"),
        (("simulate", "--items", "many", *LOADED[3:]), "many"),
        ((*LOADED, "--baseline", "72"), "72% is 0.72"),
        ((*LOADED, "--baseline", "nan"), "nan"),
        ((*LOADED, "--means", ".1,.2"), "--means"),
        ((*LOADED, "--means", ".1;.2"), "is not a number"),
        ((*PAIR, "--correlation", "2"), "--correlation is 2"),
        ((*LOADED, "--runs", "2", "--answer-correlation", ".1"), "cannot be more alike"),
        ((*LOADED, "--cluster-size", "5", "--icc", "1.1"), "--icc is 1.1"),
        ((*LOADED, "--cluster-size", "900", "--icc", ".1"), "--cluster-size is 900"),
        ((*LOADED, "--replays", "0"), "--replays is 0"),
        ((*LOADED, "--replays", "-3"), "--replays is -3"),
        ((*LOADED, "--replays", "5", "--method", "magic"), "percentile"),
        ((*LOADED, "--replays", "5", "--test", "magic"), "midp"),
        ((*LOADED, "--replays", "5", "--drawn", "--method", "tango"), "nothing to draw"),
        ((*LOADED, "--replays", "5", "--drawn", "--resamples", "20"), "at least 39"),
        ((*LOADED, "--drawn"), "--replays"),
        ((*LOADED, "--format", "json"), "--output"),
        ((*LOADED, "--scores", "ordinal"), "binary"),
        ((*LOADED, "--scores", "real", "--sd", "-1"), "--sd is -1"),
        ((*LOADED, "--threads", "0"), "threads"),
        ((*LOADED, "--seed", "-1"), "seed"),
        (("simulate", "--pilot", "nowhere.csv"), "nowhere.csv"),
    ],
    ids=lambda value: " ".join(value[-4:]) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_meant(
    command: Call, here: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in told_off(command(*arguments))
    assert not list(here.iterdir())


def test_bad_input_in_a_process(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("as it was")
    assert "--icc" in refused(run(*LOADED, "--icc", "2", "--output", kept))
    assert kept.read_text() == "as it was"


def test_where_no_table_can_be_written(command: Call, here: Path) -> None:
    assert ".parquet" in told_off(command(*LOADED, "--output", "t.xlsx"))
    assert "No such file" in told_off(command(*LOADED, "--output", here / "no" / "folder.csv"))
    assert not list(here.iterdir())


def test_output_may_not_be_the_pilot(command: Call, here: Path) -> None:
    written(command, *LOADED, "--output", "p.csv")
    before = (here / "p.csv").read_bytes()
    assert "input" in told_off(command("simulate", "--pilot", "p.csv", "--output", "p.csv"))
    assert (here / "p.csv").read_bytes() == before
