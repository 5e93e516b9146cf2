"""What the policies on missing items, scores and outputs make of each metric."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calls import Done, call
from cases.data import codes, json_lines
from cli.doors import Row, asked, long
from cli.judges import BY_METRIC, DISTINCT, Case, N

Call = Callable[..., Done]

DRAWS = ("--resamples", "99")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


every_case = pytest.mark.parametrize("case", DISTINCT, ids=lambda case: case.metric)


BLANK = 3
"""The item of which b has nothing."""

OF_SCORES = ("auroc", "average_precision", "brier", "log_loss", "ece", "pearson", "spearman")
WORST = {
    "bleu": "",
    "chrf": "",
    "ter": "",
    "wer": "",
    "cer": "",
    "rouge1": "",
    "exact_match": "",
    "squad_f1": "",
    "win_rate": 0,
    "mean": 0,
    "pass@2": [0, 0, 0, 0],
    "pass^3": [0, 0, 0, 0],
    "majority_vote": ["none"] * 3,
    "ndcg@3": [],
    "mrr": [],
    "accuracy": "none",
}
"""What stands for an output or a score that is missing and scored as wrong."""


def with_a_hole(case: Case, *, kept: bool) -> list[Row]:
    """Leave an item out of b, or keep it without output or score."""
    found = []
    for row in long(case):
        if (row["system"], row["id"]) == ("b", f"q{BLANK:02}"):
            if not kept:
                continue
            row[case.role] = None
        found.append(row)
    return found


def without(column: list[Any] | None) -> list[Any]:
    return [value for item, value in enumerate(column or []) if item != BLANK]


@every_case
@pytest.mark.parametrize("kept", [False, True], ids=["absent", "null"])
def test_dropped(run: Call, tmp_path: Path, case: Case, kept: bool) -> None:
    """Left out of both systems, counted, and the value is that of the items left."""
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=kept)), encoding="utf-8")
    asking = ("compare", file, *asked([case]), *DRAWS, "--unparseable", "missing")
    refusal = run(*asking)
    assert refusal.code == 2
    assert "'q03'" in refusal.err
    found = run(*asking, "--missing", "drop", "--format", "json").json
    assert found["items"]["n"] == N - 1
    assert sum(dropped["n"] for dropped in found["items"]["dropped"]) == 1
    for side, system in (("baseline", "a"), ("candidate", "b")):
        right = case.judge(without(case.references), without(case.systems[system]))
        assert found[side]["value"] == pytest.approx(float(right), rel=1e-12)


@pytest.mark.parametrize("kept", [False, True], ids=["absent", "null"])
@pytest.mark.parametrize("metric", WORST)
def test_scored_as_wrong(run: Call, tmp_path: Path, metric: str, kept: bool) -> None:
    """As bad as an output can be: empty, no vote, no run that passed, the lowest score."""
    case = BY_METRIC[metric]
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=kept)), encoding="utf-8")
    done = run("compare", file, *asked([case]), *DRAWS, "--missing", "wrong", "--format", "json")
    assert done.code == 0, done.err
    column = [*case.systems["b"]]
    column[BLANK] = WORST[metric]
    right = case.judge(case.references or [], column)
    assert done.json["candidate"]["value"] == pytest.approx(float(right), rel=1e-12)
    assert codes(done.json) & {"missing_scored_wrong", "unparseable_scored_wrong"}


@pytest.mark.parametrize("metric", OF_SCORES)
def test_no_score_is_the_worst_for_every_item(run: Call, tmp_path: Path, metric: str) -> None:
    """A confidence of 1 is the worst for a negative and the best for a positive."""
    case = BY_METRIC[metric]
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=True)), encoding="utf-8")
    done = run("compare", file, *asked([case]), *DRAWS, "--missing", "wrong")
    assert done.code == 2
    assert "--missing drop" in done.err
