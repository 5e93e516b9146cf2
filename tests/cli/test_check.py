"""`deadheat check` as a user runs it: doors, tables of items, bad input, names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from rich.cells import cell_len

from calls import Done, call, strict
from deadheat import check

Call = Callable[..., Done]

EASE = np.random.default_rng(29).uniform(-0.35, 0.35, 120)
SKILLS = {f"s{k:02}": 0.15 + 0.06 * k for k in range(11)}
RIGHT = {
    name: (np.random.default_rng(k).random(120) < skill + EASE).astype(int)
    for k, (name, skill) in enumerate(SKILLS.items())
}
SEVERITIES = ("problem", "warning", "notice", "ok")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, "check", *arguments)


def wide(path: str = "board.csv", columns: dict[str, Any] = RIGHT, **more: Any) -> str:
    n = len(next(iter(columns.values())))
    pl.DataFrame({"item": [f"q{i}" for i in range(n)], **more, **columns}).write_csv(path)
    return path


def told(run: Call, *arguments: object) -> Any:
    done = run(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return done.json


def refused(run: Call, *arguments: object) -> str:
    before = {path: path.stat().st_mtime_ns for path in Path().iterdir()}
    done = run(*arguments, "--output", "report.txt", "--record", "r.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in Path().iterdir()} == before
    return done.err


# -- doors -----------------------------------------------------------------------------------------


def test_one_check_from_every_layout(run: Call) -> None:
    """A wide table, a long table, one file a system and a folder of files are one check."""
    wide()
    Path("folder").mkdir()
    long = ["item,system,score"]
    for name, column in RIGHT.items():
        own = [f"q{i},{x}" for i, x in enumerate(column)]
        Path("folder", f"{name}.csv").write_text("\n".join(["item,score", *own]) + "\n")
        long += [f"q{i},{name},{x}" for i, x in enumerate(column)]
    Path("long.csv").write_text("\n".join(long) + "\n")
    files = sorted(map(str, Path("folder").glob("*.csv")))
    found = [told(run, *s) for s in (["board.csv"], ["long.csv"], files, ["folder"])]
    for one in found:
        del one["notes"]
        for row in one["systems"]:
            del row["hash"]
    assert found[1:] == found[:1] * 3


def test_command_line_and_python_agree(run: Call) -> None:
    wide(kind=[4, 5] * 60, question=[f"What is {k} of {k % 40}?" for k in range(120)])
    Path("seen.txt").write_text("What is 3 of 3?\nsomething\n")
    names = ",".join(RIGHT)
    found = told(
        run, "board.csv", "--system", names, "--options", "kind", "--trivial", "s00,s01",
        "--text-column", "question", "--training", "seen.txt", "--label-error", "0.05",
        "--suspects", "3", "--confidence", "0.9", "--resamples", "499", "--seed", "3",
    )  # fmt: skip
    again = check(
        "board.csv",
        systems=[*RIGHT],
        options="kind",
        trivial=["s00", "s01"],
        text_column="question",
        training="seen.txt",
        label_error=0.05,
        suspects=3,
        confidence_level=0.9,
        n_resamples=499,
        rng=3,
    )
    assert strict(again.to_json()) == found
    # What the recipe holds is enough to run it once more.
    once_more = check(*again.recipe.sources, **again.recipe.options)
    assert strict(once_more.to_json()) == found
    assert set(again.recipe.files) == {"board.csv", "seen.txt"}
    assert again.recipe.command == "check"
    assert found["overlap"]["exact"] == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_give_the_same_bytes(run: Call, threads: int) -> None:
    wide()
    assert run("board.csv", "--threads", threads).out == run("board.csv").out


def test_fields(run: Call) -> None:
    found = told(run, wide(), "--options", "4")
    assert found["schema"] == "deadheat/check/1"
    wanted = {
        "schema", "version", "metric", "systems", "items", "unit", "ceiling", "baselines",
        "spread", "resolution", "discrimination", "upsets", "reliability", "duplicates",
        "overlap", "label_noise", "resampling", "findings", "signature", "notes",
    }  # fmt: skip
    assert set(found) == wanted
    for finding in found["findings"]:
        assert set(finding) == {"code", "severity", "found", "why", "action"}
        assert finding["severity"] in SEVERITIES
    assert {"n", "informative", "all_right", "all_wrong", "hash"} <= set(found["items"])
    assert [row["item"] for row in found["discrimination"]["items"]]
    # A part that is not there has a note that says why.
    said = " ".join(note["message"] for note in found["notes"])
    for part, word in (
        ("duplicates", "duplicates"),
        ("overlap", "overlap"),
        ("label_noise", "label noise"),
    ):
        assert found[part] is None
        assert word in said


def test_a_board_by_a_metric_of_the_whole_set(run: Call) -> None:
    labels = ["xyz"[i % 3] for i in range(60)]
    answers = {
        n: ["xyz"[(i + (i % k == 0)) % 3] for i in range(60)] for n, k in (("a", 3), ("b", 5))
    }
    wide(columns={"reference": labels, **answers})
    found = told(run, "board.csv", "--metric", "macro_f1", "--resamples", "199")
    assert found["discrimination"] is found["upsets"] is found["reliability"] is None
    assert found["ceiling"]["limit"] == 1.0
    assert found["spread"]["n_pairs"] == 1
    assert [row["kind"] for row in found["baselines"]["rows"]] == ["majority"]


# -- the table of items ----------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "ndjson", "parquet", "CSV"])
def test_table_of_items(run: Call, ending: str) -> None:
    wide()
    file = f"items.{ending}"
    done = run("board.csv", "--items", file)
    assert (done.code, done.err) == (0, "")
    if ending == "parquet":
        table = pl.read_parquet(file)
    elif ending in ("jsonl", "ndjson"):
        table = pl.read_ndjson(file, schema_overrides={"flags": pl.String})
    else:
        separator = "\t" if ending == "tsv" else ","
        table = pl.read_csv(file, separator=separator, schema_overrides={"flags": pl.String})
    wanted = check("board.csv").items_frame()
    assert table.drop("difficulty", "r_total", "r_rest").equals(
        wanted.drop("difficulty", "r_total", "r_rest")
    )
    for name in ("difficulty", "r_total", "r_rest"):
        assert table[name].to_list() == pytest.approx(wanted[name].to_list(), nan_ok=True)
    assert [path.name for path in Path().glob(".*")] == []


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("items.txt", "--items items.txt ends in .txt, which is no form"),
        ("items", "--items items ends in nothing"),
        ("board.csv", "--items board.csv is an input"),
        ("nowhere/items.csv", "nowhere/items.csv"),
        ("nowhere/items.parquet", "nowhere/items.parquet"),
    ],
)
def test_table_of_items_that_cannot_be_written(run: Call, file: str, message: str) -> None:
    wide()
    assert message in refused(run, "board.csv", "--items", file)


def test_one_file_for_two_outputs(run: Call) -> None:
    wide()
    done = run("board.csv", "--items", "x.csv", "--output", "x.csv")
    assert done.code == 2
    assert "--output x.csv is what --items writes" in done.err


@pytest.mark.parametrize("option", ["--texts", "--training"])
def test_what_is_read_is_not_written_over(run: Call, option: str) -> None:
    wide()
    Path("read.csv").write_text("text\na\nb\n")
    done = run("board.csv", option, "read.csv", "--items", "read.csv")
    assert done.code == 2
    assert "--items read.csv is an input" in done.err


# -- text ------------------------------------------------------------------------------------------


def test_the_report_opens_with_the_findings(run: Call) -> None:
    text = run(wide(), "--options", "4").out
    found = told(run, "board.csv", "--options", "4")["findings"]
    counts = {s: sum(f["severity"] == s for f in found) for s in SEVERITIES}
    head = text.splitlines()[2]
    for severity in SEVERITIES[:3]:
        assert f"{counts[severity]} {severity}" in head
    flat = " ".join(text.split())
    heads = [
        f"{'' if f['severity'] == 'ok' else f['severity'] + ', '}{f['code'].replace('_', ' ')}: "
        for f in found
    ]
    places = [flat.index(f"{head}{f['found'][:20]}") for head, f in zip(heads, found, strict=True)]
    assert places == sorted(places)
    # What matters of those that are not ok, on lines of its own.
    bad = [f for f in found if f["severity"] != "ok"]
    assert bad
    lines = text.splitlines()
    assert sum(line.startswith("  Why it matters: ") for line in lines) == len(bad)
    assert sum(line.startswith("  What to do: ") for line in lines) == sum(
        bool(f["action"]) for f in bad
    )


def test_many_systems_stay_readable(run: Call) -> None:
    rng = np.random.default_rng(7)
    columns = {f"model_{k:03}": (rng.random(50) < 0.3 + k / 300).astype(int) for k in range(120)}
    text = run(wide("many.csv", columns), "--resamples", "499").out
    lines = text.rstrip("\n").splitlines()
    assert len(lines) < 180
    assert all(cell_len(line) <= 100 for line in lines[:-1])
    assert "and 60 more (JSON has all)" in text
    assert len(told(run, "many.csv", "--resamples", "499")["systems"]) == 120


def test_markdown_has_the_same_findings(run: Call) -> None:
    out = run(wide(), "--format", "markdown").out
    for finding in told(run, "board.csv")["findings"]:
        code = finding["code"].replace("_", " ")
        head = (
            f"- {code}:" if finding["severity"] == "ok" else f"**{finding['severity']}, {code}:**"
        )
        assert head in out


HOSTILE = {
    "markup": "[bold red]x[/]",
    "html": "<script>alert(1)</script>",
    "override": "\u202eabc",
    "pipe": "a|b",
    "CJK": "\u6a21\u578b",
    "newline": "two\nlines",
    "escape": "\x1b[31mred",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_and_items_are_text(run: Call, name: str) -> None:
    columns = {name: RIGHT["s09"], **{k: v for k, v in RIGHT.items() if k != "s09"}}
    items = [f"{name} {k}" for k in range(120)]
    frame = pl.DataFrame({"item": items, **columns, "question": [f"{name}?"] * 120})
    frame.write_csv("named.csv")
    resamples = ("--resamples", "199")
    arguments = (
        "named.csv",
        "--text-column",
        "question",
        "--system",
        ",".join(columns),
        *resamples,
    )
    found = told(run, *arguments)
    assert {row["system"] for row in found["systems"]} == set(columns)
    assert found["duplicates"]["redundant"] == 119
    for form in ("text", "markdown"):
        done = run(*arguments, "--format", form)
        assert (done.code, done.err) == (0, "")
        assert "\u202e" not in done.out
        assert "\x1b" not in done.out


# -- small and odd sets ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [1, 0, 1]},
        {"a": [1], "b": [0]},
        {"a": [1]},
        {"a": [1] * 9, "b": [1] * 9, "c": [1] * 9},
        {f"s{k}": [0] * 9 for k in range(12)},
        {f"s{k}": [1, 0, 1] * 5 for k in range(12)},
        {"a": [0.5] * 9, "b": [0.5] * 9},
        {"a": [1e-9, 2e-9, 1e-9], "b": [3e-9, 1e-9, 2e-9]},
        {"a": [1e9, 2e9, 1e9], "b": [3e9, 1e9, 2e9]},
    ],
    ids=[
        "one system", "one item", "one of each", "all right", "all wrong", "identical",
        "equal and graded", "tiny", "huge",
    ],
)  # fmt: skip
def test_small_and_odd_sets(run: Call, columns: dict[str, Any]) -> None:
    found = told(run, wide("odd.csv", columns), "--system", ",".join(columns))
    null = {name for name, part in found.items() if part is None}
    said = " ".join(note["message"] for note in found["notes"]).replace(
        "label noise", "label_noise"
    )
    for part in null - {"baselines"}:
        assert part in said, part
    assert run("odd.csv", "--system", ",".join(columns)).code == 0


def test_scores_that_are_not_finite(run: Call) -> None:
    columns = {"a": [1.0, None, 0.0, 1.0], "b": [1.0, 1.0, float("nan"), 0.0]}
    message = refused(run, wide("holes.csv", columns))
    assert "--missing drop" in message
    assert told(run, "holes.csv", "--missing", "drop")["items"]["n"] == 2
    assert told(run, "holes.csv", "--missing", "wrong")["items"]["n"] == 4


def test_unparseable_outputs_are_policy(run: Call) -> None:
    """Nulls are wrong, or the items that have one are left out."""
    frame = pl.DataFrame(
        {
            "item": range(40),
            "reference": ["x", "y"] * 20,
            "a": ["x", "y"] * 18 + [None] * 4,
            "b": ["x", "x"] * 20,
        }
    )
    frame.write_ndjson("answers.jsonl")
    arguments = ("answers.jsonl", "--system", "a,b", "--missing", "drop")
    wrong = told(run, *arguments)
    missing = told(run, *arguments, "--unparseable", "missing")
    assert (wrong["items"]["n"], missing["items"]["n"]) == (40, 36)
    assert wrong["ceiling"]["value"] == pytest.approx(0.9)
    assert missing["ceiling"]["value"] == 1.0
    # Half of either set is x.
    assert [found["baselines"]["best"]["value"] for found in (wrong, missing)] == [0.5, 0.5]


# -- what cannot be checked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--options", "0"], "--options"),
        (["--options", "1"], "--options"),
        (["--options", "-1"], "--options"),
        (["--options", "nan"], "--options"),
        (["--options", "2.5"], "--options"),
        (["--options", "choices"], "there is no column 'choices' (--options)"),
        (["--options", "s00"], "(--options) is no number of options"),
        (["--label-error", "2"], "--label-error"),
        (["--label-error", "0"], "--label-error"),
        (["--label-error", "nan"], "--label-error"),
        (["--label-error", "x"], "--label-error"),
        (["--trivial", "s1"], "there is no system 's1' (--trivial). Did you mean"),
        (["--trivial", "s00,,s01"], "--trivial"),
        (["--trivial", ",".join(RIGHT)], "every system is named as trivial"),
        (["--suspects", "-1"], "--suspects"),
        (["--suspects", "many"], "--suspects"),
        (["--metric", "accuracy,mean"], "one metric"),
        (["--metric", "acuracy"], "Did you mean accuracy"),
        (["--metric", "macro_f1"], "macro_f1"),
        (["--confidence", "95"], "the confidence level is 95"),
        (["--resamples", "9"], "9 resamples"),
        (["--seed", "-1"], "the seed is -1"),
        (["--text-column", "text"], "there is no column 'text' (--text-column)"),
        (["--texts", "none.csv"], "none.csv: there is no such file"),
        (["--training", "none.txt"], "--training"),
        (["--training-column", "x"], "--training-column"),
        (["--weighting", "macro"], "--stratum"),
        (["--cluster", "nope"], "no column 'nope' (--cluster)"),
    ],
    ids=lambda value: "=".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_refusals(run: Call, arguments: list[str], message: str) -> None:
    assert message in refused(run, wide(), *arguments)


def test_no_file(run: Call) -> None:
    assert "there is no such file" in refused(run, "none.csv")
    done = run()
    assert (done.code, done.out) == (2, "")


def test_help_names_every_option(run: Call) -> None:
    text = run("--help").out
    for option in (
        "--options", "--trivial", "--label-error", "--text-column", "--texts", "--training",
        "--training-column", "--suspects", "--items",
    ):  # fmt: skip
        assert re.search(rf"^\s+{option}\b", text, re.MULTILINE), option


def test_the_report_to_a_file(run: Call) -> None:
    wide()
    done = run("board.csv", "--format", "json", "--output", "found.json")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert json.loads(Path("found.json").read_text())["schema"] == "deadheat/check/1"
