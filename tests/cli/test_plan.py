"""`deadheat plan` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, call
from tables import wide

Call = Callable[..., Done]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, "plan", *arguments)


def told(run: Call, *arguments: object) -> Any:
    done = run(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    return done.json


def refused(run: Call, *arguments: object) -> str:
    done = run(*arguments, "--output", "out.txt")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    assert not Path("out.txt").exists()
    return done.err


def pilot(path: str = "pilot.csv") -> str:
    wide(Path(path), both=289, only_a=67, only_b=85, neither=59)
    return path


def test_two_accuracies_and_a_correlation(run: Call) -> None:
    words = "--baseline .72 --candidate .76 --correlation .36 --items 500"
    found = told(run, *words.split())
    needed = {need["by"]: need["items"] for need in found["needed"]}
    assert (needed["chi2"], needed["midp"], needed["exact"]) == (1484, 1485, 1533)
    power = {one["by"]: round(one["power"], 3) for one in found["at"]["power"]}
    assert (power["percentile"], power["exact"], power["midp"]) == (0.357, 0.339, 0.367)
    assert found["design"]["loading"] == pytest.approx(0.6)


SAME: dict[str, tuple[str, dict[str, Any]]] = {
    "a gap": ("--gap 0.02", {"gap": 0.02}),
    "items": ("--items 500 --power 0.9", {"items": 500, "power": 0.9}),
    "a half-width": ("--half-width 0.01 --baseline 0.7", {"half_width": 0.01, "baseline": 0.7}),
    "a loading": (
        "--baseline 0.4 --candidate 0.6 --loading 0.6 --test midp --method tango",
        {"baseline": 0.4, "candidate": 0.6, "loading": 0.6, "test": "midp", "method": "tango"},
    ),
    "a family": (
        "--gap 0.1 --discordance 0.2 --systems 4 --confidence 0.9",
        {"gap": 0.1, "discordance": 0.2, "n_systems": 4, "confidence_level": 0.9},
    ),
    "clusters": (
        "--gap 0.1 --sd 0.5 --cluster-size 6 --icc 0.2",
        {"gap": 0.1, "sd": 0.5, "cluster_size": 6, "icc": 0.2},
    ),
    "a design effect": (
        "--gap 0.1 --sd 0.5 --design-effect 2",
        {"gap": 0.1, "sd": 0.5, "design_effect": 2},
    ),
    "answers": (
        "--gap 0.03 --between-variance 0.1 --answer-variance 0.2,0.1 --answers 5,3",
        {
            "gap": 0.03,
            "between_variance": 0.1,
            "answer_variance": (0.2, 0.1),
            "answers": (5, 3),
        },
    ),
    "a pilot": ("--pilot pilot.csv --gap 0.1", {"pilot": "pilot.csv", "gap": 0.1}),
    "names and columns of a pilot": (
        "--pilot long.csv --system-column who --item nr --score ok --baseline y --candidate x "
        "--metric mean --missing drop",
        {
            "pilot": "long.csv",
            "system_column": "who",
            "item": "nr",
            "score": "ok",
            "baseline": "y",
            "candidate": "x",
            "metric": "mean",
            "missing": "drop",
        },
    ),
    "two files": ("--pilot old=x.csv --pilot y.csv", {"pilot": ("old=x.csv", "y.csv")}),
}


@pytest.mark.parametrize("name", SAME)
def test_command_line_and_python_agree(run: Call, name: str) -> None:
    pilot()
    rows = [(i, who, (i * k) % 5 % 2) for i in range(40) for who, k in (("x", 2), ("y", 3))]
    lines = ["nr,who,ok", *(f"{i},{who},{ok}" for i, who, ok in rows), "40,x,1"]
    Path("long.csv").write_text("\n".join(lines), encoding="utf-8")
    for own in "xy":
        lines = ["item,score", *(f"{i},{ok}" for i, who, ok in rows if who == own)]
        Path(f"{own}.csv").write_text("\n".join(lines), encoding="utf-8")
    words, keywords = SAME[name]
    assert told(run, *words.split()) == json.loads(deadheat.plan(**keywords).to_json())


def test_output_is_written_whole(run: Call) -> None:
    done = run("--gap", "0.02", "--format", "markdown", "--output", "plan.md")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Path("plan.md").read_text(encoding="utf-8") == deadheat.plan(gap=0.02).to_markdown()


def test_text_is_the_default(run: Call) -> None:
    done = run("--gap", "0.02")
    assert (done.code, done.err) == (0, "")
    assert done.out == deadheat.plan(gap=0.02).to_text()


REFUSED = {
    "": "nothing to plan from",
    "--gap -0.04": "--gap is -0.04",
    "--gap 4": "4 points are 0.04",
    "--gap nan": "--gap is nan",
    "--gap inf": "--gap is inf",
    "--gap four": "--gap",
    "--gap 0.02 --power 1": "--power is 1",
    "--gap 0.02 --items 0": "--items is 0",
    "--gap 0.02 --items many": "--items",
    "--baseline 0.72 --candidate 0.76 --discordance 0.6": "from 0.04 to 0.52",
    "--baseline 0.72 --candidate 0.76 --correlation 0.36 --loading 0.6": "--loading",
    "--baseline 0.72 --candidate 0.76 --gap 0.05": "0.04 apart",
    "--baseline seventy --gap 0.05": "'seventy'",
    "--baseline nan --gap 0.05": "--baseline is nan",
    "--baseline 1_0 --gap 0.05": "'1_0'",
    "--gap 0.02 --discordance 0.2 --cluster-size 5 --icc 2": "--icc is 2",
    "--gap 0.1 --between-variance 1 --answer-variance a": "--answer-variance",
    "--gap 0.1 --between-variance 1 --answer-variance 1,2,3": "3 numbers",
    "--pilot nowhere.csv": "nowhere.csv",
    "--pilot one.csv": "1 item",
    "--pilot pilot.csv --discordance 0.2": "beside --pilot",
    "--pilot pilot.csv --item id": "id",
    "--gap 0.02 --item id": "Give --pilot",
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused(run: Call, words: str) -> None:
    pilot()
    Path("one.csv").write_text("item,a,b\n1,1,0\n", encoding="utf-8")
    assert REFUSED[words] in refused(run, *words.split())


def test_pilot_is_not_written_over(run: Call) -> None:
    before = Path(pilot()).read_bytes()
    done = run("--pilot", "pilot.csv", "--output", "pilot.csv")
    assert done.code == 2
    assert "is an input" in done.err
    assert Path("pilot.csv").read_bytes() == before


def test_help_imports_nothing_heavy() -> None:
    """Nor does that of any other command."""
    code = (
        "import sys\n"
        "from contextlib import suppress\n"
        "from deadheat.cli import cli, main\n"
        "for command in cli.commands:\n"
        "    with suppress(SystemExit):\n"
        "        main([command, '--help'])\n"
        "own = {f'deadheat.{name}' for name in ('planning', 'simulated', 'benchmark', 'claims')}\n"
        "heavy = {'numpy', 'scipy', 'polars', 'rich', *own} & set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for option in ("--half-width", "--answer-correlation", "--label-error", "--discordant"):
        assert option in done.stdout
