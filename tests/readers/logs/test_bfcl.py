"""BFCL: the items that passed are those that are not listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import bfcl, write
from readers.logs.looking import only, scores, tool


def wrong(evaluation: Any) -> list[Any]:
    """Return the items with the score 0."""
    (found,) = scores(evaluation).values()
    return [item for item, score in found.items() if score == 0]


@pytest.mark.parametrize(
    ("name", "failed", "total", "items"),
    [
        ("simple_score.json", [1, 4], 5, [1, 4]),
        ("simple_score.json", [], 5, []),
        ("BFCL_v3_simple_score.json", ["simple_0", "simple_4"], 5, ["simple_0", "simple_4"]),
        (
            "BFCL_v3_live_simple_score.json",
            ["live_simple_2-1-0", "live_simple_13-3-9"],
            20,
            ["live_simple_2", "live_simple_13"],
        ),
        (
            "BFCL_v4_memory_kv_score.json",
            ["memory_kv_0-customer-0", "memory_kv_3-student-1"],
            4,
            ["memory_kv_0", "memory_kv_3"],
        ),
    ],
)
def test_failures_and_passes(
    tmp_path: Path, name: str, failed: list[Any], total: int, items: list[Any]
) -> None:
    path = bfcl(tmp_path / "m1" / name, failed, total)
    assert tool(path) == "bfcl"
    evaluation = read(path)
    assert [*scores(evaluation)] == ["m1"]
    assert len(scores(evaluation)["m1"]) == total
    assert wrong(evaluation) == items
    assert not evaluation.notes


def test_two_systems_pair_although_no_item_is_listed_by_both(tmp_path: Path) -> None:
    """4 of 6 and 5 of 6 right; the failures do not overlap, and names come from the folders."""
    a = bfcl(
        tmp_path / "score" / "a" / "live" / "BFCL_v4_live_x_score.json",
        ["live_x_1-1-0", "live_x_2-1-1"],
        6,
        model="a",
        category="live_x",
    )
    b = bfcl(
        tmp_path / "score" / "b" / "live" / "BFCL_v4_live_x_score.json",
        ["live_x_5-0-0"],
        6,
        model="b",
        category="live_x",
    )
    found = deadheat.compare(a, b)
    assert found.difference.estimate == pytest.approx(1 / 6)
    assert found.to_dict()["counts"] == {
        "both": 3,
        "only_baseline": 1,
        "only_candidate": 2,
        "neither": 0,
    }


def test_without_a_failure_the_folder_below_score_names_the_system(tmp_path: Path) -> None:
    path = bfcl(tmp_path / "score" / "m9" / "non_live" / "BFCL_v4_irrelevance_score.json", [], 3)
    assert scores(read(path)) == {
        "m9": {"irrelevance_0": 1, "irrelevance_1": 1, "irrelevance_2": 1}
    }


def test_categories_are_tasks(tmp_path: Path) -> None:
    for model in "ab":
        for category, total in (("simple", 4), ("parallel", 2)):
            bfcl(
                tmp_path / "score" / model / f"BFCL_v3_{category}_score.json",
                [f"{category}_{k}" for k in range(1 if model == "a" else 2)],
                total,
                model=model,
                category=category,
            )
    found = deadheat.compare(tmp_path)
    assert (found.items.n, found.difference.estimate) == (6, pytest.approx(-2 / 6))


def test_a_header_may_hold_more(tmp_path: Path) -> None:
    path = bfcl(tmp_path / "x_score.json", ["x_0"], 2, accuracy_by_config={"a": {"accuracy": 1}})
    assert wrong(read(path)) == ["x_0"]


@pytest.mark.parametrize(
    ("failed", "options", "match"),
    [
        ([1, 2], {"right": 5}, r"2 failures are listed, and the header counts 5 right of 5"),
        ([1, 1], {}, r"running numbers of the failures are not 2 of 1 to 5"),
        ([0, 1], {}, r"running numbers of the failures"),
        ([1, 6], {}, r"running numbers of the failures.*--partial-eval"),
        (["simple_1", "simple_5"], {}, r"not 2 of 0 to 4"),
        (["a_1-1-0", "a_1-2-0"], {}, r"running numbers"),
        (["a_1", "b_2"], {}, r"no running numbers of one series"),
        (["fmt=1&x:y:simple_0"], {}, r"no running numbers of one series"),
        (["a_1", 2], {}, r"no running numbers of one series"),
    ],
)
def test_passes_that_cannot_be_told(
    tmp_path: Path, failed: list[Any], options: dict[str, Any], match: str
) -> None:
    path = bfcl(tmp_path / "simple_score.json", failed, 5, **options)
    with pytest.raises(FormatError, match=match):
        read(path)


def test_a_failure_is_named_by_its_line(tmp_path: Path) -> None:
    path = bfcl(tmp_path / "simple_score.json", [3], 4)
    answers = only(read(path))
    assert answers.rows is not None
    assert answers.rows.name(2) == "line 2"


@pytest.mark.parametrize(
    "tail", ['{"id": "simple_1", "mod', '{"valid": false}\n', '{"id": 1.5}\n', "[]\n"]
)
def test_broken_lines(tmp_path: Path, tail: str) -> None:
    path = bfcl(tmp_path / "simple_score.json", ["simple_0"], 3, right=1)
    write(path, path.read_text(encoding="utf-8") + tail)
    with pytest.raises(FormatError, match="line 3"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        '{"accuracy": 0.5, "correct_count": 1}\n',
        '{"correct_count": 1, "total_count": 2, "accuracy": 0.5}\n',
        '{"id": 1, "accuracy": 0.5}\n{"id": 2, "accuracy": 1}\n',
    ],
)
def test_tables_of_people_are_not_taken(tmp_path: Path, content: str) -> None:
    assert tool(write(tmp_path / "x.jsonl", content)) is None


@pytest.mark.parametrize("total", [0, 10**9])
def test_headers_that_cannot_be_meant(tmp_path: Path, total: int) -> None:
    text = f'{{"accuracy": 0.5, "correct_count": {total}, "total_count": {total}}}\n'
    with pytest.raises(FormatError, match="the header counts"):
        read(write(tmp_path / "x_score.json", text))


def test_shared_examples(shared: Path) -> None:
    found = deadheat.compare(
        shared / "formats" / "bfcl",
        baseline="gpt-4o-2024-05-13",
        candidate="claude-3-5-sonnet-20240620",
    )
    assert (found.baseline.value, found.candidate.value) == (358 / 400, 384 / 400)
    assert found.items.n == 400
