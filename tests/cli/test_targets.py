"""A command never writes over what it reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from calls import call
from deadheat.cli import COMMANDS
from deadheat.cli.targets import Command, Read, Written
from processes import Run, refused
from tables import wide


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return wide(tmp_path / "t.csv", both=6, only_a=2, only_b=3, neither=1)


@pytest.mark.parametrize("option", ["--output", "--record"])
@pytest.mark.parametrize("command", ["compare", "score"])
@pytest.mark.parametrize("name", ["t.csv", "./t.csv", "link.csv"])
def test_an_input_is_not_overwritten(
    run: Run, table: Path, command: str, option: str, name: str
) -> None:
    before = table.read_bytes()
    (table.parent / "link.csv").symlink_to(table)
    assert "an input" in refused(run(command, "t.csv", option, name))
    assert table.read_bytes() == before


def test_references_and_named_inputs_count(run: Run, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("id,output\n1,x\n2,y\n", encoding="utf-8")
    (tmp_path / "ref.csv").write_text("id,reference\n1,x\n2,x\n", encoding="utf-8")
    given = ("compare", "n=a.csv", "b.csv", "--reference", "ref.csv", "--output")
    for target in ("ref.csv", "a.csv"):
        assert "an input" in refused(run(*given, target))


def test_two_outputs_are_two_files(run: Run, table: Path) -> None:
    refused(run("compare", "t.csv", "--record", "x.json", "--output", "./x.json"))
    assert not (table.parent / "x.json").exists()


def test_a_record_and_a_table_of_p_values_are_inputs(run: Run, table: Path) -> None:
    assert run("compare", "t.csv", "--record", "r.json").returncode == 0
    assert "an input" in refused(run("verify", "r.json", "--output", "r.json"))
    before = table.read_bytes()
    # The files that a record names are read as well, also where the output is a link to one.
    (table.parent / "link.csv").symlink_to(table)
    for name in ("t.csv", "link.csv"):
        assert "an input" in refused(run("verify", "r.json", "--output", name))
    assert table.read_bytes() == before
    (table.parent / "p.csv").write_text("p\n0.01\n0.2\n", encoding="utf-8")
    assert "an input" in refused(run("adjust", "--file", "p.csv", "--output", "p.csv"))


def test_standard_output_may_be_named(run: Run, table: Path) -> None:
    done = run("compare", "t.csv", "--format", "json", "--output", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout.startswith("{")


# -- every command, every option -----------------------------------------------------------------

FILES = ("FILE", "FILES...", "INPUT...", "PATH", "RECORD")
"""How the help spells files."""


def spelled(parameter: click.Parameter) -> str:
    """Return how the help spells the value of a parameter."""
    return parameter.make_metavar(click.Context(click.Command("any"))).strip("[]")


def files(command: click.Command, kind: type[Read | Written]) -> list[click.Parameter]:
    return [parameter for parameter in command.params if isinstance(parameter.type, kind)]


def words(parameter: click.Parameter, value: str) -> list[str]:
    return [value] if isinstance(parameter, click.Argument) else [parameter.opts[0], value]


def test_every_file_is_read_or_written() -> None:
    """What is spelled as a file has a type that says which of the two it is, and only that."""
    for command in COMMANDS:
        named = {p.name for p in command.params if spelled(p) in FILES}
        known = {p.name for p in [*files(command, Read), *files(command, Written)]}
        assert named == known, command.name
        assert isinstance(command, Command) or not named, command.name


PAIRS = [
    pytest.param(command, read, written, id=f"{command.name} {read.name} {written.name}")
    for command in COMMANDS
    for read in files(command, Read)
    for written in files(command, Written)
]


def test_the_pairs_are_all_there() -> None:
    """Counted by hand: some that were once forgotten, and how many commands have any."""
    found = {(p.values[0].name, p.values[1].name, p.values[2].name) for p in PAIRS}
    assert {
        ("check", "normalize_map", "items"),
        ("compare", "normalize_map", "record"),
        ("rank", "normalize_map", "output"),
        ("score", "normalize_map", "output"),
        ("check", "training", "record"),
        ("plan", "pilot", "output"),
        ("simulate", "pilot", "output"),
        ("convert", "references", "output"),
        ("adjust", "path", "output"),
        ("verify", "record", "output"),
        ("inspect", "sources", "output"),
    } <= found
    assert {name for name, _, _ in found} == {c.name for c in COMMANDS} - {"claim", "serve"}


def same(path: Path) -> Path:
    return path


def linked(path: Path) -> Path:
    (path.parent / "link.csv").symlink_to(path)
    return path.parent / "link.csv"


def hard_linked(path: Path) -> Path:
    os.link(path, path.parent / "hard.csv")
    return path.parent / "hard.csv"


@pytest.mark.parametrize("way", [same, linked, hard_linked])
@pytest.mark.parametrize(("command", "read", "written"), PAIRS)
def test_no_command_writes_over_a_file_that_it_reads(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: click.Command,
    read: click.Parameter,
    written: click.Parameter,
    way: Callable[[Path], Path],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("read.csv", "other.csv"):
        Path(name).write_text("system_a,system_b\n1,0\n0,1\n", encoding="utf-8")
    target = way(tmp_path / "read.csv")
    given = words(read, str(tmp_path / "read.csv")) + words(written, str(target))
    for parameter in command.params:
        if parameter.required and parameter not in (read, written):
            given += words(parameter, "other.csv")
    before = (tmp_path / "read.csv").read_bytes()
    done = call(capsys, command.name, *given)
    assert done.code == 2
    assert done.err == f"deadheat: {written.opts[0]} {target} is an input. Name another file.\n"
    assert (tmp_path / "read.csv").read_bytes() == before
