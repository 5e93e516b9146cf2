"""Results of Terminal-Bench: a file for each run, or all runs in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import FormatError
from deadheat.readers import read


def trial(task: str, resolved: Any, name: str | None = None) -> dict[str, Any]:
    found = {"id": "u", "task_id": task, "is_resolved": resolved, "failure_mode": "unset"}
    return found | {"total_input_tokens": 7, "trial_name": name or f"{task}.1-of-1.run"}


def results(path: Path, trials: list[dict[str, Any]], **more: Any) -> Path:
    path.write_text(json.dumps({"id": "x", "results": trials, "pass_at_k": {}, **more}, indent=1))
    return path


def test_one_run(tmp_path: Path) -> None:
    path = results(tmp_path / "r.json", [trial("a", True), trial("b", None), trial("c", False)])
    (answers,) = read(path).answers
    assert answers.items is not None
    assert answers.scores is not None
    assert answers.items.to_list() == ["a", "b", "c"]
    assert answers.scores.to_list() == [1.0, None, 0.0]
    assert answers.runs is None
    (tokens,) = read(path, score="total_input_tokens").answers
    assert tokens.scores is not None
    assert tokens.scores.to_list() == [7.0] * 3


@pytest.mark.parametrize("named", [True, False])
def test_several_runs_in_one_file(tmp_path: Path, named: bool) -> None:
    names = ["b.2-of-2", "a.1-of-2.x", "b.1-of-2", "a.2-of-2.x"] if named else ["?"] * 4
    trials = [trial(t, True, name) for t, name in zip("baba", names, strict=True)]
    (answers,) = read(results(tmp_path / "r.json", trials)).answers
    assert answers.runs is not None
    assert answers.runs.to_list() == ([2, 1, 1, 2] if named else [1, 1, 2, 2])


def test_an_accuracy_that_is_not_that_of_the_trials(tmp_path: Path) -> None:
    trials = [trial("a", True), trial("b", None)]
    assert not read(results(tmp_path / "r.json", trials, accuracy=0.5)).notes
    (note,) = read(results(tmp_path / "r.json", trials, accuracy=0.6)).notes
    assert note.code == "published_disagrees"
    assert "states an accuracy of 0.6" in note.message
    assert "1 of its 2 trials" in note.message


@pytest.mark.parametrize(
    ("trials", "what"),
    [('[{"task_id": 3, "is_resolved": 1}]', r"results\[0\]\.task_id"), ("[]", "no trials")],
)
def test_other_shapes_are_named(tmp_path: Path, trials: str, what: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(f'{{"results": {trials}, "also": [{{"task_id": "a", "is_resolved": true}}]}}')
    with pytest.raises(FormatError, match=what):
        read(path)


def test_the_leaderboard(shared: Path) -> None:
    """Its README: 13 systems x 80 tasks x 5 trials, five layouts, and the means of five runs."""
    folder = shared / "data" / "terminal_bench" / "terminal-bench-core@0.1.1"
    evaluation = read(folder)
    assert len(evaluation.systems) == 13
    means = {}
    for answers in evaluation.answers:
        assert answers.items is not None
        assert answers.scores is not None
        assert answers.runs is not None
        assert (answers.items.n_unique(), answers.runs.n_unique(), len(answers.items)) == (
            80,
            5,
            400,
        )
        means[answers.system] = round(float(answers.scores.fill_null(0.0).mean()), 4)  # type: ignore[arg-type]
    assert means == {
        "20250711_openhands_claude-4-sonnet": 0.4125,
        "20250811_cursor-cli_claude-4-sonnet": 0.2625,
        "20250825_swe-agent-mini_claude-4-sonnet": 0.1275,
        "20250829_goose_claude-4-opus": 0.4525,
        "20250829_goose_claude-4-sonnet": 0.4125,
        "20250902_orchestrator_claude-4-sonnet": 0.36,
        "20250902_orchestrator_qwen-3-coder-480B": 0.1925,
        "20250906_orchestrator_claude-4.1-opus": 0.3975,
        "20250911_chaterm_claude-4-sonnet": 0.4925,
        "20250923_droid_claude-4-1-opus": 0.5875,
        "20250923_droid_claude-4-sonnet": 0.505,
        "20250924_droid_gpt-5": 0.525,
        "ob1-09-10-25": 0.5675,
    }
    codes = [note.code for note in evaluation.notes]
    assert codes == ["folder", "files_as_runs"]
