"""`deadheat rank` as a user runs it: boards, bad input, names, records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len

from calls import Done, call
from deadheat import rank

Call = Callable[..., Done]

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not SHARED.exists(), reason="real data is not beside this checkout")

EASE = np.random.default_rng(29).uniform(-0.35, 0.35, 120)
SKILLS = {"owl": 0.62, "fox": 0.6, "elk": 0.45, "ant": 0.2}
RIGHT = {
    name: (np.random.default_rng(k).random(120) < skill + EASE).astype(int)
    for k, (name, skill) in enumerate(SKILLS.items())
}


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


def wide(path: str, columns: dict[str, Any] = RIGHT, **more: Any) -> str:
    rows = zip(*columns.values(), *more.values(), strict=True)
    lines = [",".join(["item", *columns, *more])]
    lines += [f"q{i},{','.join(map(str, row))}" for i, row in enumerate(rows)]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def told(run: Call, *arguments: object) -> Any:
    done = run("rank", *arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return done.json


def refused(run: Call, *arguments: object) -> str:
    done = run("rank", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    return done.err


# -- the same board from every layout --------------------------------------------------------------


def test_one_board_from_every_layout(run: Call) -> None:
    """A wide table, a long table, one file a system and a folder of files are one board."""
    wide("wide.csv")
    long = ["item,system,score"]
    Path("folder").mkdir()
    for name, column in RIGHT.items():
        own = [f"q{i},{x}" for i, x in enumerate(column)]
        Path("folder", f"{name}.csv").write_text("\n".join(["item,score", *own]) + "\n")
        long += [f"q{i},{name},{x}" for i, x in enumerate(column)]
    Path("long.csv").write_text("\n".join(long) + "\n")
    files = sorted(map(str, Path("folder").glob("*.csv")))
    found = [told(run, *s) for s in (["wide.csv"], ["long.csv"], files, ["folder"])]
    boards = [{row["system"]: {**row, "hash": ""} for row in one["systems"]} for one in found]
    assert boards[1:] == boards[:1] * 3
    assert len({one["items"]["hash"] for one in found}) == 1


def test_command_line_and_python_agree(run: Call) -> None:
    wide("board.csv")
    options = ("--correction", "bh", "--confidence", "0.9", "--resamples", "499", "--seed", "3")
    found = told(run, "board.csv", *options, "--baseline", "elk", "--arena", "--descriptive")
    again = rank(
        *("board.csv",),
        correction="bh",
        confidence_level=0.9,
        n_resamples=499,
        rng=3,
        baseline="elk",
        arena=True,
        descriptive=True,
    )
    assert json.loads(again.to_json()) == found


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_give_the_same_bytes(run: Call, threads: int) -> None:
    wide("board.csv")
    assert run("rank", "board.csv", "--threads", threads).out == run("rank", "board.csv").out


# -- text ------------------------------------------------------------------------------------------


def test_better_system_is_the_candidate_of_its_pair(run: Call) -> None:
    text = run("rank", wide("board.csv")).out
    order = [row["system"] for row in told(run, "board.csv")["systems"]]
    listed = re.findall(r"^ (\w+) - (\w+) +([+-][\d.]+|0(?:\.0)?) points", text, re.MULTILINE)
    assert len(listed) == 6
    for candidate, baseline, gap in listed:
        assert order.index(candidate) < order.index(baseline)
        assert float(gap) >= 0.0


def test_many_systems_stay_readable(run: Call) -> None:
    """One table of at most 60 systems, and each with the next instead of 31,125 pairs."""
    rng = np.random.default_rng(7)
    columns = {f"model_{k:03}": (rng.random(50) < 0.3 + k / 500).astype(int) for k in range(250)}
    text = run("rank", wide("many.csv", columns), "--resamples", "199").out
    lines = text.rstrip("\n").splitlines()
    assert len(lines) < 200
    assert all(cell_len(line) <= 100 for line in lines[:-1])
    assert "and 190 more (JSON has all)" in text
    assert "Each system and the next" in text
    assert text.count("\n 1") < 61
    found = told(run, "many.csv", "--resamples", "199")
    assert (len(found["systems"]), len(found["pairs"])) == (250, 31_125)


HOSTILE = {
    "markup": "[bold red]x[/]",
    "html": "<script>alert(1)</script>",
    "emoji": "🙂🚀",
    "right to left": "مرحبا",
    "override": "\u202eabc",
    "pipe": "a|b",
    "link": "[x](javascript:alert(1))",
    "CJK": "模型",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_text(run: Call, name: str) -> None:
    columns = {name: RIGHT["owl"], "plain": RIGHT["elk"], "other": RIGHT["ant"]}
    wide("named.csv", columns)
    found = told(run, "named.csv")
    assert {row["system"] for row in found["systems"]} == set(columns)
    for form in ("text", "markdown"):
        done = run("rank", "named.csv", "--format", form)
        assert (done.code, done.err) == (0, "")
        assert "\u202e" not in done.out
        assert "\x1b" not in done.out
    if name.isprintable():
        assert name in run("rank", "named.csv").out
    against = told(run, "named.csv", "--baseline", name)
    assert {pair["baseline"] for pair in against["pairs"]} == {name}


# -- what cannot be ranked -------------------------------------------------------------------------


def test_one_system_alone(run: Call) -> None:
    Path("alone.csv").write_text("item,score\nq1,1\nq2,0\n")
    assert "only one system was found: alone" in refused(run, "alone.csv")


def test_unknown_baseline(run: Call) -> None:
    assert "Did you mean owl?" in refused(run, wide("board.csv"), "--baseline", "olw")


def test_undefined_metric_names_the_system(run: Call) -> None:
    rows = "\n".join(f"q{i},{i % 2},{i / 9},0.5" for i in range(9))
    Path("flat.csv").write_text(f"item,reference,steep,flat\n{rows}\n")
    assert "pearson is undefined for flat" in refused(run, "flat.csv", "--metric", "pearson")


def test_column_of_costs_that_is_not_there(run: Call) -> None:
    message = refused(run, wide("board.csv"), "--cost", "usd")
    assert "no column 'usd' (--cost)" in message


def test_missing_answers_are_counted_by_system(run: Call) -> None:
    columns = {name: [*column] for name, column in RIGHT.items()}
    columns["fox"][3] = ""
    message = refused(run, wide("holes.csv", columns))
    assert "fox: 1 no score" in message
    assert "--missing drop" in message
    assert told(run, "holes.csv", "--missing", "drop")["items"]["n"] == 119


def test_a_stratum_with_one_item_and_a_cluster_in_two_strata(run: Call) -> None:
    tasks = ["law"] * 119 + ["maths"]
    assert "stratum 'maths' has one item" in refused(run, wide("one.csv", task=tasks))
    clusters = [f"c{i // 50}" for i in range(120)]
    halves = ["law"] * 60 + ["maths"] * 60
    message = refused(run, wide("split.csv", task=halves, cluster=clusters))
    assert "cluster 'c1' has items in several strata, 'law' and 'maths'" in message


# -- records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--baseline", "elk", "--correction", "holm"),
        ("--cluster", "item:(.)$"),
        ("--descriptive", "--confidence-set", "--arena"),
    ],
    ids=" ".join,
)
def test_a_record_holds_until_something_changes(run: Call, options: tuple[str, ...]) -> None:
    wide("board.csv")
    assert run("rank", "board.csv", *options, "--record", "r.json").code == 0
    assert run("verify", "r.json").code == 0
    columns = {name: column.copy() for name, column in RIGHT.items()}
    columns["ant"][:] = 1
    wide("board.csv", columns)
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1
    # The first place is another's now, which is a number and no setting.
    assert set(done.json["changed"]) == {"outputs", "numbers"}
    wide("board.csv", {name: column[:-1] for name, column in RIGHT.items()})
    assert "rows" in run("verify", "r.json", "--format", "json").json["changed"]


def test_a_record_of_several_metrics_holds(run: Call) -> None:
    labels = ["xyz"[i % 3] for i in range(60)]
    answers = {
        n: ["xyz"[(i + (i % k == 0)) % 3] for i in range(60)] for n, k in (("a", 3), ("b", 5))
    }
    wide("labels.csv", {"reference": labels, **answers})
    options = ("--metric", "accuracy,macro_f1", "--resamples", "199", "--record", "r.json")
    assert run("rank", "labels.csv", *options).code == 0
    assert run("verify", "r.json").code == 0


# -- real boards -----------------------------------------------------------------------------------


@needs_data
def test_swebench_values_are_the_files_own(run: Call) -> None:
    """25 systems x 500 issues; exact ties share a rank (CASES 71)."""
    (path,) = (SHARED / "swebench_bash_only").glob("*leaderboards*.json")
    found = told(run, path)
    rows = {row["system"]: row for row in found["systems"]}
    assert len(rows) == 25
    by_value: dict[float, set[int]] = {}
    for row in rows.values():
        by_value.setdefault(row["value"], set()).add(row["rank"])
        assert row["rank"] == 1 + sum(other["value"] > row["value"] for other in rows.values())
    assert all(len(ranks) == 1 for ranks in by_value.values())
    assert len(by_value) < 25


@needs_data
def test_swebench_by_repository(run: Call) -> None:
    """12 repositories, one with 231 of 500 issues: CR2, and the report says what that does."""
    (path,) = (SHARED / "swebench_bash_only").glob("*leaderboards*.json")
    found = told(run, path, "--cluster", "item:^(.+)__")
    assert found["unit"] == {
        "kind": "cluster",
        "n": 12,
        **dict.fromkeys(("n_strata", "strata", "weighting")),
    }
    said = {note["code"]: note["message"] for note in found["notes"]}
    assert "231 of 500 items (46%)" in said["large_cluster"]
    assert "3.3 degrees of freedom" in said["few_clusters"]
    items = told(run, path)
    wider = [
        one["rank_interval"][1] - one["rank_interval"][0]
        >= other["rank_interval"][1] - other["rank_interval"][0]
        for one, other in zip(found["systems"], items["systems"], strict=True)
    ]
    assert all(wider)
