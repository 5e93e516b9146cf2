"""The contract of commands other than compare, and of results in Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import deadheat
from calls import Done, strict
from contract import (
    CASES,
    COMPARISON,
    LEADERBOARD,
    PERHAPS,
    SIDE,
    TEXT,
    WHOLE,
    misfits,
)

Call = Callable[..., Done]

any_case = pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)


def test_fields_of_a_scorecard(run: Call, folder: Path) -> None:
    told = run("score", "binary.csv", "--format", "json").json
    assert told["schema"] == "deadheat/scorecard/1"
    shape = {
        "version": TEXT,
        "metric": COMPARISON["metric"],
        "systems": [SIDE],
        "signature": TEXT,
        "notes": [{"code": TEXT, "message": TEXT}],
    }
    assert misfits(shape, told) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("binary.csv",),
        ("same.csv",),
        ("graded.csv", "--baseline", "b"),
        ("labels.csv", "--metric", "macro_f1", "--resamples", "199"),
        ("holes.csv", "--missing", "drop"),
        ("long.csv", "--correction", "bh"),
        ("graded.csv", "--cluster", "item:(.)$"),
    ],
    ids=" ".join,
)
def test_fields_of_a_leaderboard(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    done = run("rank", *arguments, "--format", "json", "--record", "r.json")
    assert (done.code, done.err) == (0, "")
    told = done.json
    assert told["schema"] == "deadheat/leaderboard/1"
    assert misfits(LEADERBOARD, told) == []
    assert told["comparisons"]["correction"] in ("max-t", "holm", "bh", "none")
    names = {row["system"] for row in told["systems"]}
    assert set(told["best_set"]) <= names
    for pair in told["pairs"]:
        assert {pair["baseline"], pair["candidate"]} <= names
    exact = told["resampling"]["exact"]
    assert (told["resampling"]["n_resamples"] is None) == exact
    assert ("resamples:exact" in told["signature"]) == exact
    # Two readers of one report get identical numbers, and so does who computes it again.
    record = strict(Path("r.json").read_text(encoding="utf-8"))
    sources = [source["path"] for source in record["sources"]]
    assert strict(deadheat.rank(*sources, **record["options"]).to_json()) == told
    assert run("verify", "r.json").code == 0


def test_fields_of_leaderboards(run: Call, folder: Path) -> None:
    arguments = ("labels.csv", "--metric", "accuracy,macro_f1", "--resamples", "199")
    told = run("rank", *arguments, "--format", "json").json
    assert told["schema"] == "deadheat/leaderboards/1"
    assert [misfits(LEADERBOARD, board) for board in told["leaderboards"]] == [[], []]
    assert [b["metric"]["name"] for b in told["leaderboards"]] == ["accuracy", "macro_f1"]


def test_fields_of_an_adjustment(run: Call) -> None:
    told = run("adjust", "0.01", "NA", "0.04", "--format", "json").json
    assert told["schema"] == "deadheat/adjustment/1"
    shape = {
        "version": TEXT,
        "comparisons": {"n": WHOLE, "correction": TEXT},
        "p_values": [{"label": TEXT, "p_value": PERHAPS, "p_adjusted": PERHAPS}],
        "notes": [{"code": TEXT, "message": TEXT}],
    }
    assert misfits(shape, told) == []
    assert told["comparisons"]["n"] == 2
    assert [row["p_adjusted"] for row in told["p_values"]] == [0.02, None, 0.04]


def test_fields_of_a_verification(run: Call, folder: Path) -> None:
    run("compare", "binary.csv", "--record", "r.json")
    told = run("verify", "r.json", "--format", "json").json
    assert told["schema"] == "deadheat/verification/1"
    assert told["changed"] == []


# -- Python ---------------------------------------------------------------------------------------


def test_public_names() -> None:
    assert sorted(deadheat.__all__) == [
        "Adjustment",
        "Benchmark",
        "Claim",
        "Comparison",
        "Comparisons",
        "Conversion",
        "DeadheatError",
        "Inspection",
        "Leaderboard",
        "Leaderboards",
        "Plan",
        "Scorecard",
        "Scorecards",
        "Simulation",
        "Verification",
        "__version__",
        "adjust",
        "check",
        "claim",
        "compare",
        "convert",
        "inspect",
        "per_item",
        "plan",
        "rank",
        "read",
        "save",
        "score",
        "simulate",
        "verify",
        "whole_set",
    ]
    assert all(getattr(deadheat, name) is not None for name in deadheat.__all__)
    assert set(deadheat.__all__) <= set(dir(deadheat))
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        _ = deadheat.nothing_of_this_name


def test_results_render_themselves(folder: Path) -> None:
    found = deadheat.compare("binary.csv")
    deadheat.save(found, "r.json")
    for result in (
        found,
        deadheat.score("binary.csv"),
        deadheat.rank("binary.csv"),
        deadheat.adjust([0.1]),
        deadheat.verify("r.json"),
    ):
        assert strict(result.to_json()) == result.to_dict()
        assert result.to_markdown().startswith("# ")
        assert result.to_text().strip()


def test_results_are_frozen(folder: Path) -> None:
    found = deadheat.compare("binary.csv")
    with pytest.raises((AttributeError, TypeError)):
        found.metric = "other"  # type: ignore[misc]
    assert not hasattr(found, "__dict__")
