"""tau-bench and tau2-bench: trials as runs."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import tau2_bench, tau_bench, write
from readers.logs.looking import codes, only, said, tool

NAME = "tool-calling-m1-0.0_range_0--1_user-u1-llm_0102030405.json"


def pass_hat(right: dict[Any, int], n: int, k: int) -> float:
    """C(c, k) / C(n, k), averaged over tasks, as the tool's display_metrics computes it."""
    return sum(comb(c, k) / comb(n, k) for c in right.values()) / len(right)


@pytest.mark.parametrize("make", [tau_bench, tau2_bench])
def test_pass_hat_k(tmp_path: Path, make: Any) -> None:
    right = {"0": 4, "1": 3, "2": 1, "3": 0}
    path = make(
        tmp_path / "m1" / "results.json", {t: [1.0] * c + [0.0] * (4 - c) for t, c in right.items()}
    )
    assert tool(path) == make.__name__
    for k in (1, 2, 3, 4):
        value = deadheat.score(path, metric=f"pass^{k}").systems[0].value
        assert value == pytest.approx(pass_hat(right, 4, k))


def test_the_name_of_a_file(tmp_path: Path) -> None:
    answers = only(read(tau_bench(tmp_path / NAME, {0: [1.0], 1: [0.0]})))
    assert answers.system == "tool-calling-m1-0.0"
    assert {key: answers.about[key] for key in ("model", "temperature", "agent", "user_model")} == {
        "model": "m1",
        "temperature": "0.0",
        "agent": "tool-calling",
        "user_model": "u1",
    }
    assert only(read(tau_bench(tmp_path / "m2-airline.json", {0: [1.0]}))).system == "m2-airline"


def test_ranges_of_tasks_are_parts_and_repeats_are_runs(tmp_path: Path) -> None:
    for name, rewards in (
        ("react-m1-0.0_range_0-2_user-u1-llm_0102030405.json", {0: [1.0], 1: [0.0]}),
        ("react-m1-0.0_range_2-4_user-u1-llm_0102030406.json", {2: [1.0], 3: [1.0]}),
    ):
        tau_bench(tmp_path / "parts" / name, rewards)
    answers = only(read(tmp_path / "parts"))
    assert answers.items is not None
    assert (answers.system, answers.items.to_list()) == ("react-m1-0.0", [0, 1, 2, 3])
    for stamp in ("0102030405", "0102030406"):
        tau_bench(tmp_path / "runs" / f"act-m1-0.0_range_0--1_user-u-llm_{stamp}.json", {0: [1.0]})
    answers = only(read(tmp_path / "runs"))
    assert answers.runs is not None
    assert answers.runs.n_unique() == 2


def test_trials_that_broke_off(tmp_path: Path) -> None:
    """The tool counts them 0; here they have no score, and one policy for both systems decides."""
    a = tau_bench(tmp_path / "a.json", {0: [1.0, 1.0], 1: [None, 1.0]})
    b = tau_bench(tmp_path / "b.json", {0: [1.0, 0.0], 1: [1.0, 1.0]})
    evaluation = read(a)
    assert said(evaluation, "unscored_samples").startswith(f"{a}: 1 of 4 trials broke off")
    assert only(evaluation).scores.to_list() == [1.0, None, 1.0, 1.0]  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"a: 1 no score"):
        deadheat.compare(a, b)
    assert deadheat.compare(a, b, missing="wrong").baseline.value == 0.75
    assert deadheat.compare(a, b, missing="drop").items.n == 1


def test_a_first_trial_that_broke_off_is_still_a_log(tmp_path: Path) -> None:
    path = tau_bench(tmp_path / "a.json", {0: [None, 1.0], 1: [1.0, 0.0]})
    assert tool(path) == "tau_bench"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"reward": 1.0,\n  "info"', '"reward": "high",\n  "info"'),
        ('"trial": 1', '"trial": "b"'),
        ('"trial": 1', f'"trial": {2**70}'),
        ('"info"', '"inf'),
    ],
)
def test_broken_files(tmp_path: Path, old: str, new: str) -> None:
    path = tau_bench(tmp_path / "a.json", {0: [0.0, 1.0]})
    text = path.read_text(encoding="utf-8")
    at = text.rindex(old)
    with pytest.raises(FormatError):
        read(write(path, text[:at] + new + text[at + len(old) :]))


def test_cut_off_and_nan(tmp_path: Path) -> None:
    path = tau_bench(tmp_path / "a.json", {0: [0.5, 1.0]})
    text = path.read_text(encoding="utf-8")
    with pytest.raises(FormatError, match="truncated"):
        read(write(path, text[:-9]))
    answers = only(
        read(write(path, text.replace('"reward": 0.5,\n  "info"', '"reward": NaN, "info"')))
    )
    assert answers.scores is not None
    assert answers.scores.to_list() == [None, 1.0]


@pytest.mark.parametrize(
    "rows",
    [
        [{"task_id": 0, "reward": 1.0, "info": {}}],
        [{"task_id": 0, "reward": 1.0, "trial": 0}],
        [{"reward": 1.0, "task_id": 0, "info": {}, "traj": []}],
    ],
)
def test_tables_of_people_are_not_taken(tmp_path: Path, rows: Any) -> None:
    assert tool(write(tmp_path / "x.json", rows)) is None


# --- tau2-bench -----------------------------------------------------------------------------------


@pytest.mark.parametrize("in_folder", [False, True])
def test_tau2_in_one_file_and_in_a_folder(tmp_path: Path, in_folder: bool) -> None:
    for model, rewards in (("a", [1.0, None]), ("b", [1.0, 0.0])):
        path = tau2_bench(
            tmp_path / model / "results.json",
            {"t1": rewards, "t2": [0.0, 1.0]},
            llm=model,
            in_folder=in_folder,
        )
        assert tool(path) == "tau2_bench"
    a, b = read(tmp_path).answers
    assert a.scores is not None
    assert b.scores is not None
    assert (a.scores.to_list(), b.scores.to_list()) == ([1, None, 0, 1], [1, 0, 0, 1])
    assert a.runs is not None
    assert a.runs.to_list() == [0, 1, 0, 1]
    assert a.tasks is not None
    assert a.tasks.unique().to_list() == ["airline"]
    assert (a.about["model"], a.about["user_model"], a.about["seed"]) == ("a", "u1", "300")
    assert "unscored_samples" in codes(read(tmp_path / "a"))


def test_tau2_simulations_by_themselves_are_refused(tmp_path: Path) -> None:
    tau2_bench(tmp_path / "results.json", {"t": [1.0]}, in_folder=True)
    path = tmp_path / "simulations" / "t-0.json"
    assert tool(path) == "tau2_bench"
    with pytest.raises(InputError, match=r"one simulation of tau2-bench.*results.json"):
        read(path)


def test_tau2_agents_of_one_model_and_other_domains(tmp_path: Path) -> None:
    a = tau2_bench(tmp_path / "a.json", {"t": [1.0]})
    b = tau2_bench(tmp_path / "b.json", {"t": [1.0]}, implementation="llm_agent_solo")
    c = tau2_bench(tmp_path / "c.json", {"t": [1.0]}, llm="m2", domain="retail")
    assert [x.system for x in read(a, b).answers] == ["m1", "m1 (llm_agent_solo)"]
    with pytest.raises(InputError, match="different tasks: m1 airline; m2 retail"):
        deadheat.compare(a, c)


def test_tau2_broken_and_empty(tmp_path: Path) -> None:
    path = tau2_bench(tmp_path / "a.json", {"t": [1.0]})
    text = path.read_text(encoding="utf-8")
    for content in (text[:-9], text.replace('"trial": 0', '"trial": "x"')):
        with pytest.raises(FormatError):
            read(write(path, content))
    with pytest.raises(FormatError, match="0 rows"):
        read(tau2_bench(tmp_path / "none.json", {}))


def test_shared_set(shared: Path) -> None:
    """pass^1 to pass^4 as the tool's README publishes them, without naming any column."""
    file = shared / "data" / "tau_bench_airline" / "gpt-4o-airline.json"
    card = deadheat.score(file, metric="pass^1,pass^2,pass^3,pass^4")
    found = [round(one.systems[0].value, 3) for one in card.scorecards]
    assert found == [0.420, 0.273, 0.220, 0.200]
    assert card.scorecards[0].systems[0].system == "gpt-4o-airline"
