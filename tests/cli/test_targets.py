"""A command never writes over what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

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
    (table.parent / "p.csv").write_text("p\n0.01\n0.2\n", encoding="utf-8")
    assert "an input" in refused(run("adjust", "--file", "p.csv", "--output", "p.csv"))


def test_standard_output_may_be_named(run: Run, table: Path) -> None:
    done = run("compare", "t.csv", "--format", "json", "--output", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout.startswith("{")
