"""Files of benchmarks of code and agents with invented content, in the layouts of their tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def write(path: Path, content: Any) -> Path:
    """Write JSON, or a text as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, records: Sequence[Any]) -> Path:
    """Write an object a line."""
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


# --- EvalPlus -------------------------------------------------------------------------------------


def evalplus(
    path: Path,
    statuses: Mapping[str, Sequence[tuple[str, str | None]]],
    pass_at_k: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    """Write eval_results.json of 0.2 and later: base and plus status of each sample of a task."""
    results: dict[str, Any] = {"date": "2026-01-02 03:04", "hash": "0123abcd", "eval": {}}
    for task, samples in statuses.items():
        results["eval"][task] = [
            {
                "task_id": task,
                "solution": "def f(): ...",
                "base_status": base,
                "plus_status": plus,
                "base_fail_tests": [],
                "plus_fail_tests": [],
            }
            for base, plus in samples
        ]
    if pass_at_k is not None:
        results["pass_at_k"] = pass_at_k
    return write(path, results | more)


def evalplus_01(path: Path, statuses: Mapping[str, Sequence[tuple[str, str | None]]]) -> Path:
    """Write the results of 0.1: lists of [status, details], base and plus beside each other."""
    results: dict[str, Any] = {"date": "2023-06-07 08:09", "hash": "0123abcd", "eval": {}}
    for task, samples in statuses.items():
        results["eval"][task] = {
            "nfiles": len(samples),
            "base": [[base, [base == "success"]] for base, _ in samples],
            "plus": [[plus, [plus == "success"]] for _, plus in samples if plus is not None],
        }
    return write(path, results)


# --- LiveCodeBench --------------------------------------------------------------------------------


def livecodebench(path: Path, graded: Mapping[str, Sequence[bool]], **more: Any) -> Path:
    """Write _eval_all.json of code generation."""
    problems = [
        {
            "question_title": "T",
            "question_content": "Do.",
            "platform": "atcoder",
            "question_id": question,
            "contest_id": question.partition("_")[0],
            "contest_date": "2026-01-02T00:00:00",
            "starter_code": "",
            "difficulty": "easy",
            "output_list": ["out"] * len(grades),
            "code_list": ["code"] * len(grades),
            "graded_list": list(grades),
            "pass@1": sum(grades) / max(len(grades), 1),
            "metadata": [],
        }
        | more
        for question, grades in graded.items()
    ]
    return write(path, problems)


def livecodebench_items(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write _eval_all.json of the other scenarios: what makes an item, and its grades."""
    shared = {"contest_id": "c", "contest_date": "2026-01-02T00:00:00", "difficulty": "easy"}
    return write(path, [shared | {"output_list": [], "pred_list": []} | dict(row) for row in rows])


# --- BFCL -----------------------------------------------------------------------------------------


def bfcl(
    path: Path,
    failed: Sequence[int | str],
    total: int,
    *,
    model: str = "m1",
    category: str = "simple",
    right: int | None = None,
    **header: Any,
) -> Path:
    """Write a score file: a header, then the failures."""
    right = total - len(failed) if right is None else right
    first = {"accuracy": right / total, "correct_count": right, "total_count": total} | header
    rows = [
        {"id": item, "model_name": model, "test_category": category, "valid": False, "error": ["x"]}
        for item in failed
    ]
    return lines(path, [first, *rows])


# --- Aider ----------------------------------------------------------------------------------------


def aider(
    folder: Path,
    exercise: str,
    outcomes: Sequence[bool | None] | None,
    *,
    model: str = "m1",
    edit_format: str = "diff",
    language: str = "python",
    **more: Any,
) -> Path:
    """Write the hidden results of an exercise, with other files of it beside them."""
    inside = folder / language / "exercises" / "practice" / exercise
    result = {
        "testdir": f"tmp.benchmarks/{folder.name}/{language}/exercises/practice/{exercise}",
        "testcase": exercise,
        "model": model,
        "edit_format": edit_format,
        "tests_outcomes": outcomes,
        "cost": 0.5,
        "duration": 1.5,
        "commit_hash": "abc1234",
        "reasoning_effort": None,
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "thinking_tokens": None,
        "chat_hashes": [],
    } | more
    if outcomes is None:
        result = {"exception": "Traceback (most recent call last): ..."}
    write(inside / f"{exercise}.py", "def f():\n    return 1\n")
    write(inside / ".meta" / "config.json", {"files": {"solution": [f"{exercise}.py"]}})
    write(inside / "package.json", {"name": exercise, "scripts": {}})
    return write(inside / ".aider.results.json", result)


# --- tau-bench and tau2-bench ---------------------------------------------------------------------


def tau_bench(path: Path, rewards: Mapping[Any, Sequence[float | None]]) -> Path:
    """Write trials of tasks, trial by trial as the tool runs them; None broke off."""
    most = max(map(len, rewards.values()))
    trials = []
    for trial in range(most):
        for task, values in rewards.items():
            if trial >= len(values):
                continue
            value = values[trial]
            info: dict[str, Any] = {"error": "boom", "traceback": "Traceback ..."}
            if value is not None:
                info = {
                    "task": {"user_id": "u", "actions": [], "instruction": "i", "outputs": []},
                    "source": "user",
                    "user_cost": 0.25,
                    "reward_info": {"reward": value, "info": {}, "actions": []},
                }
            trials.append(
                {
                    "task_id": task,
                    "reward": value or 0.0,
                    "info": info,
                    "traj": [] if value is None else [{"role": "system", "content": "policy"}],
                    "trial": trial,
                }
            )
    return write(path, trials)


def simulation(task: str, trial: int, reward: float | None, reason: str) -> dict[str, Any]:
    """Make a simulation of tau2-bench."""
    return {
        "id": f"{task}-{trial}",
        "task_id": task,
        "timestamp": "2026-01-02T03:04:05",
        "start_time": "2026-01-02T03:04:05",
        "end_time": "2026-01-02T03:05:05",
        "duration": 60.0,
        "termination_reason": reason,
        "agent_cost": 0.125,
        "user_cost": None,
        "reward_info": None if reward is None else {"reward": reward, "info": None},
        "messages": [{"role": "user", "content": "hi", "turn_idx": 0}],
        "trial": trial,
        "seed": 1,
    }


def tau2_bench(
    path: Path,
    rewards: Mapping[str, Sequence[float | None]],
    *,
    llm: str = "m1",
    implementation: str = "llm_agent",
    domain: str = "airline",
    in_folder: bool = False,
) -> Path:
    """Write results.json, with its simulations inside or in files beside it."""
    simulations = [
        simulation(task, trial, reward, "infrastructure_error" if reward is None else "agent_stop")
        for task, values in rewards.items()
        for trial, reward in enumerate(values)
    ]
    args = {"temperature": 0.0}
    results: dict[str, Any] = {
        "timestamp": "2026-01-02T03:04:05",
        "info": {
            "git_commit": "abc1234",
            "num_trials": 2,
            "max_steps": 200,
            "max_errors": 10,
            "user_info": {"implementation": "user_simulator", "llm": "u1", "llm_args": args},
            "agent_info": {"implementation": implementation, "llm": llm, "llm_args": args},
            "environment_info": {"domain_name": domain, "policy": "Be kind.", "tool_defs": None},
            "seed": 300,
        },
        "tasks": [{"id": task, "description": {}, "user_scenario": {}} for task in rewards],
    }
    if not in_folder:
        return write(path, results | {"simulations": simulations})
    for one in simulations:
        write(path.parent / "simulations" / f"{one['id']}.json", one)
    index = [
        {
            "id": one["id"],
            "task_id": one["task_id"],
            "trial": one["trial"],
            "reward": (one["reward_info"] or {}).get("reward"),
            "termination_reason": one["termination_reason"],
            "agent_cost": one["agent_cost"],
            "duration": one["duration"],
        }
        for one in simulations
    ]
    return write(path, results | {"simulation_index": index})


# --- SWE-bench ------------------------------------------------------------------------------------


def swe_report(
    path: Path,
    *,
    resolved: Sequence[str] = (),
    unresolved: Sequence[str] = (),
    empty: Sequence[str] = (),
    error: Sequence[str] = (),
    incomplete: Sequence[str] = (),
    foreign: Sequence[str] = (),
    infra: Sequence[str] = (),
    **more: Any,
) -> Path:
    """Write the report of a run, schema version 2."""
    completed = [*resolved, *unresolved]
    submitted = [*completed, *empty, *error, *foreign]
    total = len(completed) + len(empty) + len(error) + len(incomplete)
    report = {
        "total_instances": total,
        "submitted_instances": len(submitted),
        "completed_instances": len(completed),
        "resolved_instances": len(resolved),
        "unresolved_instances": len(unresolved),
        "infra_failure_instances": len(infra),
        "empty_patch_instances": len(empty),
        "error_instances": len(error),
        "completed_ids": completed,
        "incomplete_ids": list(incomplete),
        "empty_patch_ids": list(empty),
        "submitted_ids": submitted,
        "resolved_ids": list(resolved),
        "unresolved_ids": list(unresolved),
        "infra_failure_ids": list(infra),
        "error_ids": list(error),
        "schema_version": 2,
    } | more
    return write(path, {key: value for key, value in report.items() if value is not None})


def swe_instance(root: Path, run: str, model: str, instance: str, resolved: bool) -> Path:
    """Write report.json of one instance, where the harness writes it."""
    tests = {"success": ["t"] if resolved else [], "failure": [] if resolved else ["t"]}
    report = {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": True,
        "resolved": resolved,
        "tests_status": {"FAIL_TO_PASS": tests},
    }
    path = root / "logs" / "run_evaluation" / run / model / instance / "report.json"
    return write(path, {instance: report})
