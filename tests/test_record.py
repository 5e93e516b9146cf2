"""Records: written of files, read again, and held against what is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import deadheat
from calls import strict
from deadheat.errors import DeadheatError, FormatError, UsageError
from deadheat.metrics import metric
from deadheat.record import MOST, TOLERANCE
from tables import wide

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    wide(tmp_path / "t.csv", both=12, only_a=4, only_b=7, neither=3)
    texts = {
        "a.csv": "id,output\n1,x\n2,y\n3,x\n",
        "b.csv": "id,output\n1,x\n2,x\n3,y\n",
        "ref.csv": "id,reference\n1,x\n2,y\n3,y\n",
        "01.csv": "id,reference,p,q\n" + "".join(f"{i},{i % 2},{i % 3 % 2},1\n" for i in range(12)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def record(name: str = "r.json") -> Json:
    found: Json = strict(Path(name).read_text(encoding="utf-8"))
    return found


def changed(name: str = "r.json") -> list[str]:
    return [check.name for check in deadheat.verify(name).checks if check.changed]


# -- what is written ------------------------------------------------------------------------------


def test_fields() -> None:
    found = deadheat.compare("t.csv", margin=0.1)
    deadheat.save(found, "r.json")
    told = record()
    assert told["schema"] == "deadheat/record/1"
    assert told["version"] == deadheat.__version__
    assert told["command"] == "compare"
    assert told["sources"] == [{"name": None, "path": "t.csv"}]
    assert told["references"] is None
    assert told["options"]["margin"] == 0.1
    assert told["result"] == found.to_dict()
    assert list(told["files"]) == ["t.csv"]


def test_no_path_of_this_machine(folder: Path) -> None:
    """A record is read on another machine, beside the same files."""
    found = deadheat.compare(
        f"n={folder / 'a.csv'}", folder / "b.csv", references=folder / "ref.csv"
    )
    (folder / "records").mkdir()
    deadheat.save(found, folder / "records" / "r.json")
    text = Path("records/r.json").read_text(encoding="utf-8")
    assert str(folder) not in text
    told = record("records/r.json")
    assert told["sources"] == [
        {"name": "n", "path": "../a.csv"},
        {"name": None, "path": "../b.csv"},
    ]
    assert told["references"] == "../ref.csv"
    assert sorted(told["files"]) == ["../a.csv", "../b.csv", "../ref.csv"]
    assert deadheat.verify("records/r.json").holds


def test_the_same_result_gives_the_same_record() -> None:
    for name in ("1.json", "2.json"):
        deadheat.save(deadheat.compare("t.csv"), name)
    assert Path("1.json").read_bytes() == Path("2.json").read_bytes()


MADE: dict[str, Callable[[], Any]] = {
    "wide": lambda: deadheat.compare("t.csv"),
    "scorecard": lambda: deadheat.score("t.csv"),
    "path": lambda: deadheat.compare(Path("t.csv")),
    "named": lambda: deadheat.compare("new=a.csv", "old=b.csv", references="ref.csv"),
    "names": lambda: deadheat.compare("a.csv", "b.csv", references="ref.csv", names=("n", "o")),
    "label map": lambda: deadheat.compare(
        "a.csv", "b.csv", references=Path("ref.csv"), label_map={"y": "z"}
    ),
    "drawn": lambda: deadheat.compare("01.csv", metric="macro_f1", n_resamples=199, rng=3),
    "drawn scorecard": lambda: deadheat.score("01.csv", metric="mcc", n_resamples=199),
    "positive": lambda: deadheat.compare("01.csv", metric="f1", positive="1", n_resamples=199),
    "labels": lambda: deadheat.compare(
        "01.csv", metric="macro_f1", labels=("0", "1"), n_resamples=199
    ),
    "zero division": lambda: deadheat.compare(
        *("01.csv",), metric="macro_f1", zero_division=float("nan"), n_resamples=199
    ),
    "one-sided": lambda: deadheat.compare("t.csv", alternative="less", confidence_level=0.9),
    "about": lambda: deadheat.compare("t.csv", about={"a": {"seed": "1"}}),
    "unpaired": lambda: deadheat.compare("t.csv", paired=False),
    "direction": lambda: deadheat.compare("t.csv", metric="mean", greater_is_better=False),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_written_and_read_again(made: Callable[[], Any]) -> None:
    deadheat.save(made(), "r.json")
    found = deadheat.verify("r.json")
    assert found.holds
    assert found.notes == ()
    assert [check.name for check in found.checks] == ["rows", "outputs", "settings", "numbers"]
    assert found.to_dict()["changed"] == []


@pytest.mark.parametrize(
    "name", ["with space.csv", "a=b.csv", "模型.csv", "-dash.csv", "quo'te\".csv", "#1%.csv"]
)
def test_names_of_files(folder: Path, name: str) -> None:
    wide(folder / name, both=3, only_a=1, only_b=2, neither=1)
    deadheat.save(deadheat.compare(name), "r.json")
    assert deadheat.verify("r.json").holds
    (folder / "below").mkdir()
    deadheat.save(deadheat.compare(name), "below/r.json")
    assert deadheat.verify("below/r.json").holds


def test_parquet() -> None:
    pl.read_csv("t.csv").write_parquet("t.parquet")
    deadheat.save(deadheat.compare("t.parquet"), "r.json")
    assert deadheat.verify("r.json").holds


@pytest.mark.parametrize(
    "made",
    [
        lambda: deadheat.compare([1, 0, 1], [1, 1, 1]),
        lambda: deadheat.compare(pl.read_csv("t.csv")),
        lambda: deadheat.compare("a.csv", "b.csv", references=pl.read_csv("ref.csv")),
        lambda: deadheat.score({"a": [1, 0]}),
    ],
    ids=["arrays", "frame", "references in memory", "mapping"],
)
def test_memory_is_refused(made: Callable[[], Any]) -> None:
    with pytest.raises(UsageError, match="memory"):
        deadheat.save(made(), "r.json")
    assert not Path("r.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"metric": metric("f1", positive="1")},
        {"metric": "f1", "positive": np.str_("1")},
        {"metric": "macro_f1", "labels": tuple(map(str, range(1_500)))},
    ],
    ids=["metric", "numpy text", "many labels"],
)
def test_a_record_that_is_written_can_be_read_again(options: Json) -> None:
    """Or it is not written: what an option held in memory is lost."""
    found = deadheat.compare("01.csv", n_resamples=99, method="normal", **options)
    try:
        deadheat.save(found, "r.json")
    except UsageError:
        assert not Path("r.json").exists()
    else:
        assert deadheat.verify("r.json").holds


# -- what is not a record -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"not json",
        b"\xff\xfe",
        b'{"schema": "deadheat/comparison/1"}',
        b"item,a,b\n1,1,0\n",
        b'{"schema": "deadheat/record/1"}',
    ],
)
def test_not_a_record(content: bytes) -> None:
    Path("x.json").write_bytes(content)
    with pytest.raises(FormatError) as caught:
        deadheat.verify("x.json")
    assert "x.json" in str(caught.value)
    assert "--record" in str(caught.value)


def spoiled(change: Callable[[Json], Any]) -> None:
    deadheat.save(deadheat.compare("t.csv"), "r.json")
    told = record()
    change(told)
    Path("r.json").write_text(json.dumps(told), encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(schema="deadheat/record/2"),
        lambda r: r.update(command="rank"),
        lambda r: r.update(command="__import__"),
        lambda r: r.update(extra=1),
        lambda r: r.pop("result"),
        lambda r: r["options"].update(colour="red"),
        lambda r: r["options"].update(references="ref.csv"),
        lambda r: r["options"].update(sources=["t.csv"]),
        lambda r: r["options"].update(method="magic"),
        lambda r: r["options"].update(confidence_level=95),
        lambda r: r["options"].update(confidence_level="0.95"),
        lambda r: r["options"].update(n_resamples="many"),
        lambda r: r["options"].update(n_resamples=None),
        lambda r: r["options"].update(about=3),
        lambda r: r["options"].update(label_map=["x"]),
        lambda r: r["options"].update(metric=3),
        lambda r: r["options"].update(zero_division="x"),
        lambda r: r["options"].update(missing="never"),
        lambda r: r["options"].update(names=3),
        lambda r: r["sources"].clear(),
    ],
    ids=range(20),
)
def test_spoiled_records_are_refused_in_words(change: Callable[[Json], Any]) -> None:
    """A record is input: whatever is wrong with it is a sentence, not a traceback."""
    spoiled(change)
    with pytest.raises(DeadheatError):
        deadheat.verify("r.json")


def test_a_record_that_is_not_there() -> None:
    with pytest.raises((DeadheatError, OSError), match="nowhere"):
        deadheat.verify("nowhere.json")


# -- what changed ---------------------------------------------------------------------------------


def test_details_name_what_was_and_what_is() -> None:
    spoiled(lambda r: r["result"]["difference"].update(estimate=0.5))
    found = deadheat.verify("r.json")
    (check,) = [check for check in found.checks if check.changed]
    assert check.name == "numbers"
    assert "difference.estimate was 0.5, is 0.115" in check.detail


def test_many_changes_are_cut_short() -> None:
    def change(r: Json) -> None:
        for test in r["result"]["tests"]:
            test["p_value"], test["statistic"] = 0.123, 0.456

    spoiled(change)
    (check,) = [check for check in deadheat.verify("r.json").checks if check.changed]
    assert check.detail.count(" was ") == MOST
    assert "; and 5 more" in check.detail


@pytest.mark.parametrize(("factor", "parts"), [(1 + TOLERANCE / 10, []), (1 + 1e-7, ["numbers"])])
def test_tolerance(factor: float, parts: list[str]) -> None:
    def change(r: Json) -> None:
        r["result"]["difference"]["standard_error"] *= factor

    spoiled(change)
    assert changed() == parts


@pytest.mark.parametrize("value", [None, "0.1", True])
def test_another_type_is_a_change(value: object) -> None:
    spoiled(lambda r: r["result"]["difference"].update(p_value=value))
    assert changed() == ["numbers"]


def test_a_lost_or_added_field_is_a_change() -> None:
    spoiled(lambda r: r["result"]["difference"].pop("p_value"))
    assert changed() == ["numbers"]
    spoiled(lambda r: r["result"]["difference"].update(p_values=0.1))
    assert changed() == ["numbers"]


def test_prose_is_no_part() -> None:
    """Words may be improved between versions; only what they rest on is held."""

    def change(r: Json) -> None:
        r["result"]["reading"]["text"] = "other words"
        r["result"]["notes"] = []

    spoiled(change)
    assert changed() == []


def test_other_bytes_of_the_same_rows_are_a_note() -> None:
    deadheat.save(deadheat.compare("t.csv"), "r.json")
    text = Path("t.csv").read_text(encoding="utf-8")
    Path("t.csv").write_text(text.replace(",", ";"), encoding="utf-8")
    found = deadheat.verify("r.json")
    assert found.holds
    (note,) = found.notes
    assert note.code == "files"
    assert "t.csv" in note.message


def test_files_that_cannot_be_used_are_changed_rows() -> None:
    deadheat.save(deadheat.compare("t.csv"), "r.json")
    for text in ("", "item,a,b\n", "item,x\n1,1\n", "item,a,b\n1,1,0\n1,0,1\n"):
        Path("t.csv").write_text(text, encoding="utf-8")
        found = deadheat.verify("r.json")
        assert [check.name for check in found.checks if check.changed] == ["rows"]
        assert not found.holds
        assert any(check.detail for check in found.checks)


def test_systems_that_are_gone_are_a_change() -> None:
    deadheat.save(deadheat.compare("t.csv", baseline="b"), "r.json")
    text = Path("t.csv").read_text(encoding="utf-8")
    Path("t.csv").write_text(text.replace("system_b_correct", "system_c_correct"), encoding="utf-8")
    assert not deadheat.verify("r.json").holds


def test_records_of_scorecards() -> None:
    deadheat.save(deadheat.score("t.csv"), "r.json")
    text = Path("t.csv").read_text(encoding="utf-8")
    Path("t.csv").write_text(text.replace("\n1,1,1", "\n1,1,0"), encoding="utf-8")
    assert changed() == ["outputs", "numbers"]
    Path("t.csv").write_text(text.replace("\n9,", "\n99,"), encoding="utf-8")
    assert changed() == ["rows"]


def test_verifying_writes_nothing(folder: Path) -> None:
    deadheat.save(deadheat.compare("t.csv"), "r.json")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    deadheat.verify("r.json")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
