"""`deadheat claim` as a user runs it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from calls import Done, call
from deadheat import claim

Call = Callable[..., Done]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, "claim", *arguments)


VALUES = ("--n", 500, "--baseline", "71.2", "--candidate", "74.8")


def test_two_values_are_enough(run: Call) -> None:
    done = run(*VALUES)
    assert (done.code, done.err) == (0, "")
    for words in (
        "Claim: 71.2% against 74.8% on 500 items",
        "possible: 18 to 270, even in number",
        "46/28",
    ):
        assert words in done.out
    assert all(len(line) <= 100 for line in done.out.splitlines())


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        (VALUES, {"n": 500, "baseline": "71.2", "candidate": "74.8"}),
        (
            ("--n", 400, "--gap", "+1.5", "--interval", "-0.8", "+3.8"),
            {"n": 400, "gap": "+1.5", "interval": ("-0.8", "+3.8")},
        ),
        (
            ("--n", 400, "--gap", "-1.5", "--p", "<0.05", "--confidence", "0.9"),
            {"n": 400, "gap": "-1.5", "p": "<0.05", "confidence_level": 0.9},
        ),
        (
            ("--n", 400, "--gap", "1.50", "--share", "97", "--resamples", "1000"),
            {"n": 400, "gap": "1.50", "share": "97", "n_resamples": 1_000},
        ),
        (
            ("--n", 1000, "--baseline", "842/1000", "--gap", "9/1000", "--discordant", "91"),
            {"n": 1000, "baseline": "842/1000", "gap": "9/1000", "discordant": 91},
        ),
    ],
    ids=str,
)
def test_command_line_and_python_agree(
    run: Call, arguments: tuple[object, ...], keywords: dict[str, object]
) -> None:
    done = run(*arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.json == json.loads(claim(**keywords).to_json())  # type: ignore[arg-type]


def test_what_contradicts_itself_is_no_failure(run: Call) -> None:
    done = run("--n", 400, "--gap", "+1.5", "--interval", "+1.1", "+1.9", "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.json["reading"]["code"] == "inconsistent"
    assert "too_narrow" in {note["code"] for note in done.json["notes"]}


def test_digits_are_those_of_the_command_line(run: Call) -> None:
    """71 stands for 353 to 357 of 500, 71.2 for 356 and nothing else."""
    arguments = ("--n", 500, "--gap", "3.6", "--format", "json", "--baseline")
    assert run(*arguments, "71").json["baseline"]["items"] == [353, 357]
    assert run(*arguments, "71.2").json["baseline"]["items"] == [356, 356]
    assert run(*arguments, "71.20").json["baseline"]["items"] == [356, 356]


def test_a_report_goes_to_a_file(run: Call) -> None:
    assert run(*VALUES, "--output", "claim.md", "--format", "markdown").out == ""
    text = Path("claim.md").read_text(encoding="utf-8")
    assert text.startswith("# Claim: 71.2% against 74.8% on 500 items")
    assert "| last resolved | 74 | 46/28 |" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing option '--n'"),
        (("--n", 500), "there is nothing to check"),
        (("--n", 0, "--gap", 1), "the number of items is 0"),
        (("--n", -5, "--gap", 1), "the number of items is -5"),
        (("--n", 5.5, "--gap", 1), "'5.5' is not a whole number"),
        (("--n", "many", "--gap", 1), "'many' is not a whole number"),
        (("--n", 500, "--baseline", "71,2"), "the baseline is '71,2', which is not a number"),
        (("--n", 500, "--baseline", "120"), "the baseline is 120"),
        (("--n", 500, "--candidate", "-3"), "the candidate is -3"),
        (("--n", 500, "--baseline", "356/400"), "a count of 400 items, and n is 500"),
        (("--n", 500, "--gap", "1", "--interval", "3"), "requires 2 arguments"),
        (("--n", 500, "--gap", "1", "--interval", "3", "1"), "is above the upper end"),
        (("--n", 500, "--gap", "1", "--p", "1.5"), "the p-value is 1.5"),
        (
            ("--n", 500, "--gap", "1", "--discordant", "501"),
            "the number of discordant items is 501",
        ),
        (("--n", 500, "--gap", "1", "--share", "120"), "the share of resamples is 120"),
        (("--n", 500, "--gap", "1", "--confidence", "95"), "the confidence level is 95"),
        (
            ("--n", 500, "--gap", "1", "--p", ".5", "--resamples", "1"),
            "the number of resamples is 1",
        ),
        (("--n", 500, "--gap", "1", "extra"), "extra: every number of a claim"),
        (("--n", 500, "--gap", "3.6", "--interval", "-1,2", "8,4"), "of the comma: -1.2"),
        (("--n", 500, "--gap", "3.6", "--interval", "-1.2"), "requires 2 arguments"),
        (("--n", 500, "--baseline", "356"), "If 356 of 500 items are right, write 356/500 (71.2%)"),
        (("--n", 500, "--p", "0,02"), "Give a point in place of the comma: 0.02."),
    ],
    ids=str,
)
def test_refused(run: Call, arguments: tuple[object, ...], words: str) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    assert words in done.err


def test_hostile_text_is_shown_as_text(run: Call) -> None:
    done = run("--n", 500, "--gap", "\x1b[31m\u202e1")
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (
            ("71.2", "74.8", "--n", 500),
            "deadheat claim --baseline 71.2 --candidate 74.8 --n 500",
        ),
        (("71.2", "74.8"), "deadheat claim --baseline 71.2 --candidate 74.8 --n N"),
        (
            ("--items", 500, "74.8", "--baseline", "71.2", "--p", "<0.05"),
            "deadheat claim --candidate 74.8 --items 500 --baseline 71.2 --p '<0.05'",
        ),
    ],
)
def test_numbers_without_an_option(run: Call, arguments: tuple[object, ...], command: str) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f" Write: {command}\n")
    # What is printed does run.
    if " N" not in command:
        assert run(*shlex.split(command)[2:]).code == 0


@pytest.mark.parametrize(
    "words", [["-1.2,8.4"], ["[-1.2,8.4]"], ["-1.2;8.4", "--p", ".2"], ["-1.2..8.4"]]
)
def test_an_interval_in_one_word(run: Call, words: list[str]) -> None:
    numbers = ["--n", 500, "--baseline", "71.2", "--candidate", "74.8"]
    for arguments in (["--interval", *words], [f"--interval={words[0]}", *words[1:]]):
        done = run(*numbers, *arguments)
        assert done.code == 2
        assert done.err.endswith("with a space between: --interval -1.2 8.4.\n")


def test_items_is_another_name_of_n(run: Call) -> None:
    assert run("--items", 500, "--gap", "3.6").out == run("--n", 500, "--gap", "3.6").out
