"""Logs that Inspect AI itself wrote, with the values that are published of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.evaluation import Answers
from deadheat.readers import read

UNSCORED = "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval"
SCORED = "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval"
CANCELLED = "2025-05-12T20-28-13-04-00_popularity.json"


@pytest.fixture
def logs(shared: Path) -> Path:
    return shared / "formats" / "inspect"


def answers(path: Path) -> Answers:
    (found,) = read(path).answers
    return found


def scores(path: Path) -> dict[Any, float | None]:
    found = answers(path)
    assert found.items is not None
    assert found.scores is not None
    return dict(sorted(zip(found.items.to_list(), found.scores.to_list(), strict=True)))


def hashes(path: Path) -> dict[Any, str]:
    found = answers(path)
    assert found.items is not None
    assert found.item_hashes is not None
    return dict(zip(found.items.to_list(), found.item_hashes.to_list(), strict=True))


def test_deflate_and_zstandard_hold_the_same(logs: Path) -> None:
    """Its header: accuracy 0.8 of 10 samples; items 3 and 7 are wrong."""
    expected = {k: 0.0 if k in (3, 7) else 1.0 for k in range(1, 11)}
    assert scores(logs / SCORED) == scores(logs / "popularity.zstd93.eval") == expected
    evaluation = read(logs / SCORED)
    assert not evaluation.notes
    assert evaluation.systems == ("openai/gpt-4o-mini",)
    about = dict(evaluation.answers[0].about)
    assert about["version"] == "0.3.58.dev16+g6a87748b"
    assert about["date"] == "2025-02-11T15:18:04-05:00"


def test_both_formats_of_one_log(logs: Path) -> None:
    both = [logs / f"log_formats.{suffix}" for suffix in ("eval", "json")]
    assert scores(both[0]) == scores(both[1]) == {1: 0.0}
    assert hashes(both[0]) == hashes(both[1])
    assert answers(both[0]).about == answers(both[1]).about
    assert answers(both[0]).about["temperature"] == "1.0"


def test_one_question_has_one_hash_in_every_log(logs: Path) -> None:
    """Statement 1 of popularity was asked in 2024 and in 2025, in archives and in documents."""
    files = (SCORED, "popularity.zstd93.eval", CANCELLED, "log_formats.json")
    assert len({hashes(logs / name)[1] for name in files}) == 1
    assert hashes(logs / SCORED)[3] == hashes(logs / CANCELLED)[3]


def test_an_unscored_log_is_refused(logs: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"dPiJ.*: no sample of 10 has a score.*inspect score"):
        read(logs / UNSCORED, logs / SCORED)
    for name in (UNSCORED, SCORED):
        shutil.copy(logs / name, tmp_path)
    evaluation = read(tmp_path)
    assert evaluation.systems == ("openai/gpt-4o-mini",)
    assert [note.code for note in evaluation.notes] == ["folder", "files_skipped"]


def test_a_cancelled_log_is_read(logs: Path) -> None:
    assert scores(logs / CANCELLED) == {1: 1.0, 2: 1.0, 3: 0.0}
    (note,) = read(logs / CANCELLED).notes
    assert note.message.endswith("the evaluation was cancelled; the log holds 3 of 3 samples.")


def test_a_log_of_the_year_2025(logs: Path) -> None:
    path = logs / "mmlu-no-summary-choices.eval"
    assert scores(path) == {1: 0.0}
    found = answers(path)
    assert found.tasks is not None
    assert found.tasks.to_list() == ["inspect_evals/mmlu_0_shot"]
    assert found.about["task_args"] == "language=EN_US, subjects=[], cot=false"
    (found,) = read(path, cluster="metadata.subject").answers
    assert found.clusters is not None
    assert found.clusters.to_list() == ["college_physics"]


def test_the_pair_on_arc(logs: Path) -> None:
    """PROVENANCE: the same ARC items, 3 and 5 samples; published accuracy 1/3 and 1."""
    pair = logs / "data_arc_qwen.json", logs / "data_arc_sonnet.json"
    assert scores(pair[0]) == {1: 1.0, 2: 0.0, 3: 0.0}
    assert scores(pair[1]) == dict.fromkeys(range(1, 6), 1.0)
    assert hashes(pair[0]).items() <= hashes(pair[1]).items()
    with pytest.raises(AlignmentError, match=r"matched 3, .* 0, only .* 2"):
        deadheat.compare(*pair)
    found = deadheat.compare(*pair, missing="drop")
    assert (found.baseline.system, found.candidate.system) == (
        "ollama/qwen2.5:0.5b",
        "anthropic/claude-sonnet-4-0",
    )
    assert found.difference.estimate == pytest.approx(2 / 3)
    assert found.items.n == 3
    wrong = deadheat.compare(*pair, missing="wrong")
    assert wrong.difference.estimate == pytest.approx(4 / 5)


def test_the_pair_on_arc_as_a_folder(logs: Path, tmp_path: Path) -> None:
    for name in ("data_arc_qwen.json", "data_arc_sonnet.json"):
        shutil.copy(logs / name, tmp_path)
    found = deadheat.compare(tmp_path, missing="drop")
    assert found.difference.estimate == pytest.approx(2 / 3)
    assert "settings_differ" not in [note.code for note in found.notes]
