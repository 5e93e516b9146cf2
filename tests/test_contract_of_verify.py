"""`verify` names exactly what changed since a record was written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done
from contract import CASES

Call = Callable[..., Done]

any_case = pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)


def verified(run: Call, code: int) -> tuple[list[str], list[str]]:
    """Parts that changed and codes of the notes; the exit code has to be `code`."""
    done = run("verify", "r.json", "--format", "json")
    assert (done.code, done.err) == (code, "")
    told = done.json
    assert told["holds"] == (code == 0)
    text = run("verify", "r.json")
    assert text.code == code
    if code == 1:
        assert all(name in text.out for name in told["changed"])
    return told["changed"], [note["code"] for note in told["notes"]]


def edited(change: Callable[[dict[str, Any]], None]) -> None:
    """Change the record on disk."""
    path = Path("r.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    path.write_text(json.dumps(record), encoding="utf-8")


@any_case
def test_unchanged(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    run("compare", *arguments, "--record", "r.json")
    assert verified(run, 0) == ([], [])


def test_unchanged_from_another_folder(
    run: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "records").mkdir()
    run("compare", "binary.csv", "--record", "records/r.json")
    monkeypatch.chdir(folder / "records")
    assert verified(run, 0) == ([], [])


def test_record_moves_with_its_files(
    run: Call,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for name in ("binary.csv", "r.json"):
        (folder / name).rename(elsewhere / name)
    monkeypatch.chdir(elsewhere)
    assert verified(run, 0) == ([], [])


def test_another_order_of_rows_is_only_a_note(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    header, *rows = Path("binary.csv").read_text(encoding="utf-8").splitlines()
    Path("binary.csv").write_text("\n".join([header, *rows[::-1], ""]), encoding="utf-8")
    assert verified(run, 0) == ([], ["files"])


def test_a_changed_id_is_rows_alone(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    text = Path("binary.csv").read_text(encoding="utf-8")
    # Ids are text: 9 is the last in their order, and 99 still is.
    Path("binary.csv").write_text(text.replace("\n9,", "\n99,"), encoding="utf-8")
    assert verified(run, 1) == (["rows"], ["files"])


def test_a_changed_reference_is_rows(run: Call, folder: Path) -> None:
    run("compare", "labels.csv", "--record", "r.json")
    text = Path("labels.csv").read_text(encoding="utf-8")
    Path("labels.csv").write_text(text.replace("\n0,x", "\n0,y"), encoding="utf-8")
    changed, _ = verified(run, 1)
    assert "rows" in changed
    assert "settings" not in changed
    assert "outputs" not in changed


def test_a_missing_row_is_rows_and_what_follows(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    *rows, _ = Path("binary.csv").read_text(encoding="utf-8").splitlines()
    Path("binary.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    changed, _ = verified(run, 1)
    assert changed == ["rows", "outputs", "numbers"]


def test_a_changed_output_is_outputs(run: Call, folder: Path) -> None:
    """From one wrong label to another: accuracy stays, and so do the numbers."""
    Path("t.csv").write_text("id,reference,a,b\n1,x,x,y\n2,y,x,y\n3,z,z,z\n", encoding="utf-8")
    run("compare", "t.csv", "--record", "r.json")
    Path("t.csv").write_text("id,reference,a,b\n1,x,x,w\n2,y,x,y\n3,z,z,z\n", encoding="utf-8")
    assert verified(run, 1) == (["outputs"], ["files"])


def test_a_changed_score_is_outputs_and_numbers(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    text = Path("binary.csv").read_text(encoding="utf-8")
    Path("binary.csv").write_text(text.replace("\n1,1,1", "\n1,1,0"), encoding="utf-8")
    assert verified(run, 1) == (["outputs", "numbers"], ["files"])


def test_a_score_that_the_metric_refuses_is_a_change(run: Call, folder: Path) -> None:
    """The files are not what they were: that is what `verify` is asked."""
    run("compare", "binary.csv", "--metric", "accuracy", "--record", "r.json")
    text = Path("binary.csv").read_text(encoding="utf-8")
    Path("binary.csv").write_text(text.replace("\n1,1,1", "\n1,1,0.5"), encoding="utf-8")
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1, done.err
    assert "outputs" in done.json["changed"]


def test_a_missing_file_is_named(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    Path("binary.csv").unlink()
    done = run("verify", "r.json")
    assert done.code in (1, 2)
    assert "binary.csv" in (done.out + done.err).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(
    ("option", "value", "also"),
    [
        ("missing", "drop", []),
        ("unparseable", "missing", []),
        ("confidence_level", 0.9, ["numbers"]),
        ("method", "tango", ["numbers"]),
        ("alternative", "less", ["numbers"]),
        ("test", "midp", ["numbers"]),
        ("margin", 0.4, ["numbers"]),
        ("paired", False, ["rows", "numbers"]),
    ],
)
def test_a_changed_setting_is_settings(
    run: Call, folder: Path, option: str, value: object, also: list[str]
) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    edited(lambda record: record["options"].update({option: value}))
    changed, notes = verified(run, 1)
    assert "settings" in changed
    assert set(changed) <= {"settings", *also}
    assert notes == []


@pytest.mark.parametrize(("option", "value"), [("rng", 5), ("n_resamples", 299)])
def test_a_changed_setting_of_draws_is_settings(
    run: Call, folder: Path, option: str, value: int
) -> None:
    run("compare", *CASES["labels"], "--record", "r.json")
    edited(lambda record: record["options"].update({option: value}))
    changed, _ = verified(run, 1)
    assert changed == ["settings", "numbers"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("metric", "greater_is_better"), False),
        (("metric", "name"), "mean"),
        (("difference", "alternative"), "less"),
        (("difference", "interval", "confidence_level"), 0.9),
        (("difference", "interval", "method"), "tango"),
        (("pairing",), "unpaired"),
        (("unit", "kind"), "cluster"),
        (("comparisons", "correction"), "holm"),
        (("baseline", "system"), "other"),
    ],
    ids=lambda value: ".".join(value) if isinstance(value, tuple) else None,
)
def test_a_setting_falsified_in_the_result_is_settings_alone(
    run: Call, folder: Path, path: tuple[str, ...], value: object
) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    edited(lambda record: put(record["result"], path, value))
    assert verified(run, 1)[0] == ["settings"]


def test_a_falsified_signature_is_settings_alone(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")

    def falsify(record: dict[str, Any]) -> None:
        whole = record["result"]["signature"]
        record["result"]["signature"] = whole.replace("confidence:0.95", "confidence:0.99")

    edited(falsify)
    assert verified(run, 1)[0] == ["settings"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("difference", "estimate"), 0.5),
        (("difference", "interval", "low"), -0.5),
        (("difference", "interval", "high"), None),
        (("difference", "p_value"), 0.01),
        (("baseline", "value"), 0.99),
        (("candidate", "interval", "low"), 0.0),
        (("counts", "both"), 31),
        (("tests", 0, "p_value"), 0.001),
        (("difference", "standard_error"), 0.01),
        (("reading", "code"), "resolved"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_falsified_number_is_numbers_alone(
    run: Call, folder: Path, path: tuple[str | int, ...], value: object
) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    edited(lambda record: put(record["result"], path, value))
    assert verified(run, 1)[0] == ["numbers"]


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [
        (("items", "n"), 64, "rows"),
        (("items", "matched"), 62, "rows"),
        (("items", "hash"), "63-00", "rows"),
        (("baseline", "hash"), "00", "outputs"),
        (("candidate", "hash"), "00", "outputs"),
    ],
    ids=lambda value: ".".join(value) if isinstance(value, tuple) else None,
)
def test_a_falsified_account_is_named(
    run: Call, folder: Path, path: tuple[str, ...], value: object, part: str
) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    edited(lambda record: put(record["result"], path, value))
    assert verified(run, 1)[0] == [part]


def test_a_number_that_moves_in_its_last_digits_is_no_change(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    low = json.loads(Path("r.json").read_text())["result"]["difference"]["interval"]["low"]
    edited(
        lambda record: put(
            record["result"], ("difference", "interval", "low"), math.nextafter(low, 1.0)
        )
    )
    assert verified(run, 0) == ([], [])


def test_another_version_alone_is_a_note(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")

    def older(record: dict[str, Any]) -> None:
        record["version"] = record["result"]["version"] = "0.0.1"
        record["result"]["signature"] = record["result"]["signature"].replace(
            f"deadheat:{deadheat.__version__}", "deadheat:0.0.1"
        )

    edited(older)
    assert verified(run, 0) == ([], ["version"])
    out = " ".join(run("verify", "r.json").out.split())
    assert "0.0.1" in out
    assert deadheat.__version__ in out


def put(tree: Any, path: tuple[str | int, ...], value: object) -> None:
    """Set one leaf of nested data that has to be there already."""
    for step in path[:-1]:
        tree = tree[step]
    assert tree[path[-1]] != value
    tree[path[-1]] = value
