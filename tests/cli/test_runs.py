"""`--runs random` from the command line: what it prints, records and refuses."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from calls import call


def written(folder: Path, n: int = 80, runs: int = 5, system: str = "ab") -> Path:
    """A long table of two recipes, runs named by their seeds."""
    rng = np.random.default_rng(11)
    hard = rng.normal(size=(n, 1))
    lines = ["item,system,seed,correct"]
    for name in system:
        right = hard + 0.2 * rng.normal(size=runs) + rng.normal(size=(n, runs)) > -0.3
        lines += [f"q{i},{name},{r},{int(right[i, r])}" for i in range(n) for r in range(runs)]
    path = folder / "runs.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_json_holds_the_runs(tmp_path, capsys):
    found = call(capsys, "compare", written(tmp_path), "--runs", "random", "--format", "json").json
    assert found["runs"]["claim"] == "random"
    assert found["runs"]["baseline"]["n"] == 5
    assert found["runs"]["pairs"]["n"] == 25
    assert found["unit"] == found["unit"] | {"kind": "item", "n": 80}
    assert found["difference"]["interval"]["method"] == "components"
    assert found["tests"][0]["name"] == "components_t"
    assert found["tests"][0]["df"] == pytest.approx(found["runs"]["df"])
    assert "|runs:random-5x5|" in found["signature"]


def test_the_report_says_what_the_claim_is_about(tmp_path, capsys):
    done = call(capsys, "compare", written(tmp_path), "--runs", "random", "--about", "a:seed=0")
    assert done.code == 0
    for text in ("degrees of freedom", "due to", "new runs of these recipes", "run against run"):
        assert text in done.out


def test_these_runs_are_the_default_and_it_is_said(tmp_path, capsys):
    path = written(tmp_path)
    default = call(capsys, "compare", path)
    assert default.out == call(capsys, "compare", path, "--runs", "fixed").out
    assert "--runs random" in default.out
    assert "runs:" not in default.out.splitlines()[-1]


def test_crossed_by_name(tmp_path, capsys):
    found = call(
        capsys, "compare", written(tmp_path), "--runs", "random", "--method", "crossed",
        "--resamples", "999", "--format", "json",
    ).json  # fmt: skip
    assert found["difference"]["interval"]["method"] == "crossed"
    assert "conservative" in found["difference"]["interval"]["note"]
    assert found["resampling"]["n_resamples"] == 999


def test_scores_of_recipes(tmp_path, capsys):
    done = call(capsys, "score", written(tmp_path), "--runs", "random", "--format", "json")
    (first, _) = done.json["systems"]
    assert first["runs"]["n"] == 5
    assert first["interval"]["method"] == "components"
    assert first["standard_error"] == pytest.approx(first["runs"]["standard_error"])
    assert np.mean(first["runs"]["values"]) == pytest.approx(first["value"])


@pytest.mark.parametrize("command", ["compare", "score"])
@pytest.mark.parametrize("method", ["auto", "crossed"])
def test_a_record_is_recomputed(tmp_path, capsys, command, method):
    record = tmp_path / "record.json"
    call(
        capsys, command, written(tmp_path), "--runs", "random", "--method", method,
        "--resamples", "999", "--record", record,
    )  # fmt: skip
    assert json.loads(record.read_text())["options"]["runs"] == "random"
    assert call(capsys, "verify", record).code == 0


def test_a_record_of_other_runs_does_not_hold(tmp_path, capsys):
    path, record = written(tmp_path), tmp_path / "record.json"
    call(capsys, "compare", path, "--runs", "random", "--record", record)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if not line.endswith(",4,1")) + "\n")
    done = call(capsys, "verify", record)
    assert done.code == 1
    assert "not in every run" in done.out


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        (["q1,a,0,1", "q2,a,0,0", "q1,b,0,1", "q2,b,0,1"], [], ("one run", "--runs fixed")),
        (
            ["q1,a,0,1", "q1,a,1,1", "q2,a,0,0", "q1,b,0,1", "q1,b,1,0", "q2,b,0,1", "q2,b,1,1"],
            [],
            ("1 not in every run", "'q2'", "--missing drop"),
        ),
        (
            [f"q{i},{s},{i}-{k},1" for i in range(5) for s in "ab" for k in range(2)],
            [],
            ("do not share their runs", "--runs fixed"),
        ),
        (
            [f"q{i},{s},{k},1" for i in range(5) for s in "ab" for k in range(2)],
            ["--method", "crossed"],
            ("2 runs", "--method components"),
        ),
        (
            [f"q{i},{s},{k},1" for i in range(5) for s in "ab" for k in range(2)],
            ["--metric", "pass@1"],
            ("pass@1", "--runs fixed"),
        ),
    ],
)
def test_what_cannot_be_claimed_is_said_in_one_paragraph(tmp_path, capsys, lines, options, words):
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["item,system,seed,correct", *lines]) + "\n", encoding="utf-8")
    done = call(capsys, "compare", path, "--runs", "random", *options)
    assert done.code == 2
    assert done.out == ""
    said = " ".join(done.err.split())
    for word in words:
        assert word in said
    assert "\n\n" not in done.err.strip()


def test_a_choice_that_does_not_exist(tmp_path, capsys):
    done = call(capsys, "compare", written(tmp_path), "--runs", "both")
    assert done.code == 2
    assert "fixed" in done.err


TERMINAL_BENCH = Path(__file__).parents[3] / "shared" / "data" / "terminal_bench"
ERRORS = {
    "20250923_droid_claude-4-1-opus": (0.5875, 0.0088),
    "ob1-09-10-25": (0.5675, 0.0064),
    "20250924_droid_gpt-5": (0.525, 0.0209),
    "20250923_droid_claude-4-sonnet": (0.505, 0.0135),
    "20250829_goose_claude-4-opus": (0.4525, 0.0155),
    "20250711_openhands_claude-4-sonnet": (0.4125, 0.0068),
    "20250811_cursor-cli_claude-4-sonnet": (0.2625, 0.0137),
}
"""Means of five runs and the standard errors of run means, as the data's own page has them."""


@pytest.mark.skipif(not TERMINAL_BENCH.exists(), reason="the shared data are not here")
def test_run_means_of_a_board_and_what_their_errors_leave_out(capsys):
    (folder,) = (path for path in TERMINAL_BENCH.iterdir() if path.is_dir())
    done = call(
        capsys, "score", folder, "--runs", "random", "--missing", "wrong", "--format", "json"
    )
    systems = {row["system"]: row for row in done.json["systems"]}
    assert len(systems) == 13
    for name, (mean, error) in ERRORS.items():
        row = systems[name]
        assert row["value"] == pytest.approx(mean)
        runs = np.array(row["runs"]["values"])
        assert runs.std(ddof=1) / math.sqrt(5) == pytest.approx(error, abs=5e-5)
        assert row["standard_error"] > 2.0 * error
        assert row["runs"]["shares"]["item"] > 0.7
