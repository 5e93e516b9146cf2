"""SWE-bench: lists of ids by what became of them, complete and incomplete ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import swe_instance, swe_report, write
from readers.logs.looking import codes, only, said, scores, tool

A, B, C, D, E = (f"org__repo-{k}" for k in range(1, 6))


def test_whatever_is_not_resolved_is_wrong(tmp_path: Path) -> None:
    path = swe_report(
        tmp_path / "org__m1.run1.json",
        resolved=[A],
        unresolved=[B],
        empty=[C],
        error=[D],
        incomplete=[E],
    )
    assert tool(path) == "swe_bench"
    evaluation = read(path)
    assert scores(evaluation) == {"org__m1": {A: 1, B: 0, D: 0, C: 0, E: 0}}
    message = said(evaluation, "failed_as_wrong")
    assert all(said_of in message for said_of in ("1 empty patch", "1 error", "1 not submitted"))
    assert codes(evaluation) == ["failed_as_wrong"]


def test_infrastructure_failures_count_and_are_said(tmp_path: Path) -> None:
    path = swe_report(tmp_path / "m.r.json", resolved=[A], unresolved=[B], infra=[B])
    evaluation = read(path)
    assert scores(evaluation) == {"m": {A: 1, B: 0}}
    assert "1 infrastructure failure" in said(evaluation, "failed_as_wrong")


def test_ids_that_are_none_of_the_data_set(tmp_path: Path) -> None:
    """submitted_ids are all predictions, of whatever instances."""
    path = swe_report(tmp_path / "m.r.json", resolved=[A], unresolved=[B], foreign=["zz__zz-1"])
    evaluation = read(path)
    assert scores(evaluation) == {"m": {A: 1, B: 0}}
    assert "1 submitted ids are none of the data set" in said(evaluation, "foreign_items")


def test_counts_are_held_against_the_lists(tmp_path: Path) -> None:
    path = swe_report(tmp_path / "m.r.json", resolved=[A], unresolved=[B], resolved_instances=2)
    assert "2 resolved instances, and lists 1" in said(read(path), "published_disagrees")


LEGACY = {
    "no_generation": [C],
    "generated": [A, B, D],
    "with_logs": [A, B, D],
    "install_fail": [],
    "reset_failed": [],
    "no_apply": [D],
    "applied": [A, B],
    "test_errored": [],
    "test_timeout": [B],
    "resolved": [A],
}


def test_legacy_results(tmp_path: Path) -> None:
    path = write(tmp_path / "20240402_m1" / "results" / "results.json", LEGACY)
    evaluation = read(path)
    assert scores(evaluation) == {"20240402_m1": {A: 1, D: 0, B: 0, C: 0}}
    message = said(evaluation, "failed_as_wrong")
    assert all(one in message for one in ("patch does not apply", "timeout", "no patch"))


SHORT = {"no_generation": [C], "no_logs": [], "resolved": [A]}


def test_the_rest_comes_from_the_other_system(tmp_path: Path) -> None:
    """Only A and C are listed: B and D are not resolved either, as the complete report has them."""
    short = write(tmp_path / "s1" / "results.json", SHORT)
    whole = swe_report(tmp_path / "m.r.json", resolved=[B], unresolved=[A, C, D])
    evaluation = read(short, whole)
    assert scores(evaluation)["s1"] == {A: 1, C: 0, B: 0, D: 0}
    message = said(evaluation, "unlisted_items")
    assert "taken from m and count as it says they do: s1 2" in message
    found = deadheat.compare(short, whole)
    assert found.to_dict()["counts"] == {
        "both": 0,
        "only_baseline": 1,
        "only_candidate": 1,
        "neither": 2,
    }


def test_the_rest_comes_from_the_references(tmp_path: Path) -> None:
    short = write(tmp_path / "s1" / "results.json", SHORT)
    rows = "".join(f"{item},x\n" for item in (A, B, C, D, E))
    universe = write(tmp_path / "universe.csv", f"item,reference\n{rows}")
    assert deadheat.score(short, references=universe).systems[0].value == 1 / 5


def test_without_a_universe_it_is_refused(tmp_path: Path) -> None:
    short = write(tmp_path / "s1" / "results.json", SHORT)
    with pytest.raises(InputError, match=r"s1 lists some of its items alone.*--reference"):
        read(short)


@pytest.mark.parametrize("total", [2, 5])
def test_early_reports_are_complete_if_they_list_all(tmp_path: Path, total: int) -> None:
    """The first reports had no list of what was not submitted."""
    path = swe_report(
        tmp_path / "m.r.json",
        resolved=[A],
        unresolved=[B],
        incomplete_ids=None,
        empty_patch_ids=None,
        total_instances=total,
    )
    if total == 2:
        assert scores(read(path)) == {"m": {A: 1, B: 0}}
    else:
        with pytest.raises(InputError, match="lists some of its items alone"):
            read(path)


def test_outputs_asked_for_are_no_scores_to_complete(tmp_path: Path) -> None:
    short = write(tmp_path / "s1" / "results.json", SHORT)
    assert only(read(short, output_column="system")).scores is None


# --- One report an instance -----------------------------------------------------------------------


def test_reports_of_instances(tmp_path: Path) -> None:
    for model, right in (("a", (1, 1, 0)), ("b", (0, 1, 1))):
        for item, one in zip((A, B, C), right, strict=True):
            path = swe_instance(tmp_path, "r1", model, item, bool(one))
            assert tool(path) == "swe_bench"
    folder = tmp_path / "logs" / "run_evaluation" / "r1"
    assert scores(read(folder)) == {"a": {A: 1, B: 1, C: 0}, "b": {A: 0, B: 1, C: 1}}
    assert deadheat.compare(folder).items.n == 3


def test_a_run_folder_holds_its_report_as_well(tmp_path: Path) -> None:
    """The harness leaves both: the report of the run counts, and says more."""
    for model in "ab":
        for item in (A, B):
            swe_instance(tmp_path, "r1", model, item, item == A)
        swe_report(tmp_path / f"{model}.r1.json", resolved=[A], unresolved=[B], incomplete=[C])
    assert scores(read(tmp_path)) == {m: {A: 1, B: 0, C: 0} for m in "ab"}
    inner = tmp_path / "logs" / "run_evaluation" / "r1" / "a" / A / "report.json"
    with pytest.raises(InputError, match=r"the report of its run, a\.r1\.json, lies above it"):
        read(inner)


def test_a_patch_that_does_not_apply(tmp_path: Path) -> None:
    report = {A: {"patch_is_None": False, "patch_exists": True, "resolved": False}}
    report[B] = {"patch_is_None": True, "patch_exists": False, "resolved": False}
    path = write(tmp_path / "x" / "m" / "i" / "report.json", report)
    fates = only(read(path, output_column="fate")).outputs
    assert fates is not None
    assert fates.to_list() == ["patch does not apply", "no patch"]


def test_details_of_instances(tmp_path: Path) -> None:
    details = {
        A: {"cost": 0.5, "api_calls": 3, "resolved": True},
        B: {"cost": 0.1, "api_calls": 1, "resolved": None},
    }
    path = write(tmp_path / "m1" / "per_instance_details.json", details)
    assert tool(path) == "swe_bench"
    evaluation = read(path)
    assert scores(evaluation) == {"m1": {A: 1, B: None}}
    assert "unscored_samples" in codes(evaluation)


# --- Hostile --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        # Terminal-Bench lists resolved ids beside its trials.
        {
            "results": [{"task_id": "a", "is_resolved": None}],
            "resolved_ids": [],
            "unresolved_ids": ["a"],
        },
        {"n_resolved": 1, "resolved_ids": ["a"], "unresolved_ids": ["b"], "accuracy": 0.5},
        {"resolved": ["a"], "open": ["b"]},
        {"resolved": True, "submitted_ids": ["a"]},
        {"some__thing": {"value": 1}},
        [{"instance_id": A, "resolved": True}],
    ],
)
def test_other_documents_are_not_taken(tmp_path: Path, content: Any) -> None:
    assert tool(write(tmp_path / "x.json", content)) is None


def test_broken_and_empty(tmp_path: Path) -> None:
    path = swe_report(tmp_path / "m.r.json", resolved=[A], unresolved=[B])
    text = path.read_text(encoding="utf-8")
    for content in (
        text[:-9],
        text.replace('"resolved_instances": 1', '"resolved_instances": "1"'),
    ):
        with pytest.raises(FormatError):
            read(write(path, content))
    with pytest.raises(FormatError, match="0 rows"):
        read(swe_report(tmp_path / "n.r.json"))


def test_two_runs_of_a_model_are_runs(tmp_path: Path) -> None:
    for run, right in (("r1", [A]), ("r2", [A, B])):
        left = [item for item in (A, B) if item not in right]
        swe_report(tmp_path / f"m.{run}.json", resolved=right, unresolved=left)
    answers = only(read(tmp_path))
    assert answers.runs is not None
    assert answers.runs.n_unique() == 2


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "swe_bench"
    found = scores(read(folder / "modelA.run1.json"))["modelA"]
    assert sum(value or 0 for value in found.values()) == 2
    assert len(found) == 5
    short, whole = (
        folder / "experiments_repo_results.json",
        folder / "legacy_experiments_results.json",
    )
    both = scores(read(f"short={short}", f"whole={whole}"))
    assert both["short"] == both["whole"]
    boards = shared / "data" / "terminal_bench"
    assert not any(tool(path) == "swe_bench" for path in boards.rglob("*.json"))
