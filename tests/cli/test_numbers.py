"""Numbers as people type them, and words where options belong: taken, or answered with a fix."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from deadheat.cli import cli, main
from deadheat.cli.numbers import Number, Share, Whole
from deadheat.cli.options import Numbers


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    done = capsys.readouterr()
    assert (left.value.code, done.out) == (2, "")
    assert done.err.startswith("deadheat: ")
    assert done.err.count("\n") == 1
    return done.err


@pytest.mark.parametrize(
    ("text", "share"),
    [("0.72", 0.72), ("72%", 0.72), ("72.4%", 0.724), ("0.1 %", 0.001), ("100%", 1.0),
     (".5%", 0.005), ("-4%", -0.04), ("1e-3", 0.001), ("95", 95.0)],
)  # fmt: skip
def test_a_share_is_the_number_that_its_decimals_are(text: str, share: float) -> None:
    assert Share().convert(text, None, None) == share


def test_lists_take_percents_too() -> None:
    assert Numbers().convert("72%,0.8", None, None) == (0.72, 0.8)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Number(), "0,02", "decimal comma. Write 0.02"),
        (Share(), "0,02", "decimal comma. Write 0.02"),
        (Number(), ",5", "decimal comma. Write .5"),
        (Number(), "1,000", "Write 1000 or 1.000"),
        (Number(), "1,000,000", "Write 1000000"),
        (Number(), "4%", "in percent. Write 0.04"),
        (Number(), "four", "'four' is not a number"),
        (Share(), "four%", "'four%' is not a number"),
        (Whole(), "1,000", "Write 1000"),
        (Whole(), "500.5", "not a whole number"),
        (Whole(), "0,02", "not a whole number"),
    ],
)
def test_what_is_meant_is_said(kind: click.ParamType, text: str, said: str) -> None:
    with pytest.raises(click.BadParameter, match=re.escape(said)):
        kind.convert(text, None, None)


def numeric_options() -> Iterator[tuple[str, str]]:
    for name, command in cli.commands.items():
        for option in command.params:
            ranges = (click.IntRange, click.FloatRange)
            kinds = (type(click.INT), type(click.FLOAT))
            if isinstance(option.type, kinds) and not isinstance(option.type, ranges):
                yield name, option.opts[0]


@pytest.mark.parametrize(("command", "option"), list(numeric_options()))
def test_every_number_of_every_command_has_the_hints(command: str, option: str) -> None:
    types = {o: p.type for p in cli.commands[command].params for o in p.opts}
    assert isinstance(types[option], (Number, Whole)), f"{command} {option}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "a.csv"], ["rank", "a.csv"], ["score", "a.csv"], ["check", "a.csv"],
        ["plan", "--gap", ".04"], ["claim", "--n", "500", "--baseline", "71", "--candidate", "72"],
        ["simulate", "--items", "50", "--baseline", ".5", "--candidate", ".6", "--loading", ".5"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_confidence_in_percent(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(str(tmp_path))
    rows = "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(60))
    with open("a.csv", "w", encoding="utf-8") as file:
        file.write("item,system_a,system_b\n" + rows)
    assert "95% is 0.95" in refused(capsys, *arguments, "--confidence", "95")
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--confidence", "90%"])
    assert left.value.code == 0


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["plan", "500"], "--items 500?"),
        (["plan", "1,000"], "--items 1000?"),
        (["plan", "0.04"], "--gap 0.04?"),
        (["plan", "4%"], "--gap 4%?"),
        (["plan", "results.csv"], "--pilot results.csv?"),
        (["plan", "a.csv", "b.csv", "--gap", ".04"], "--pilot a.csv --pilot b.csv?"),
        (["simulate", "500"], "--items 500?"),
        (["simulate", "results.csv"], "--pilot results.csv?"),
        (["plan", "--gap", ".04", "--power", "80"], "80% is 0.8"),
        (["plan", "--pilot", ""], "--pilot names no file"),
        (["simulate", "--pilot", ""], "--pilot names no file"),
        (["compare", ""], "a path is empty"),
        (["adjust", "0,02", ".1"], "Write 0.02."),
        (["plan", "--gap", ".04", "--correlation", ".4"], "--baseline 0.7 --gap 0.04"),
        (["plan", "--correlation", ".4"], "both are missing"),
        (["plan", "--baseline", ".7", "--loading", ".4"], "Give --candidate, or --gap"),
        (["plan", "--baseline", "0,72", "--candidate", ".76"], "Write 0.72"),
    ],
    ids=" ".join,
)
def test_errors_say_what_to_type(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert meant in refused(capsys, *arguments)


def test_percents_plan_what_shares_do(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for given in (["72%", "76%"], [".72", ".76"]):
        with pytest.raises(SystemExit):
            main(["plan", "--baseline", given[0], "--candidate", given[1], "--correlation", ".36",
                  "--n", "500"])  # fmt: skip
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    assert "1,533" in found[0]


@pytest.mark.parametrize("command", ["plan", "simulate"])
def test_help_has_examples_that_run(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(str(tmp_path))
    with open("results.csv", "w", encoding="utf-8") as file:
        rows = "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(60))
        file.write("item,system_a,system_b\n" + rows)
    with pytest.raises(SystemExit):
        main([command, "--help"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    shown = [line[1:] for line in lines if line[:1] == ["deadheat"]]
    assert len(shown) >= 4
    for arguments in shown:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0, arguments
