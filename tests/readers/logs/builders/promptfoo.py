"""Results in the layout of promptfoo, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def result(test: int, success: bool = True, **more: Any) -> Json:
    variables = {"riddle": f"Riddle {test}"}
    assertion = [{"type": "contains", "value": "echo"}]
    return {
        "cost": 0.001,
        "error": None if success else "Expected output to contain echo",
        "gradingResult": {"pass": success, "score": float(success), "componentResults": []},
        "id": f"r{test}",
        "latencyMs": 120,
        "namedScores": {},
        "prompt": {"raw": f"Solve: Riddle {test}", "label": "Solve: {{riddle}}"},
        "promptId": "p0",
        "promptIdx": 0,
        "provider": {"id": "org:model-a", "label": ""},
        "response": {"output": "an echo"},
        "score": float(success),
        "success": success,
        "testCase": {"vars": variables, "assert": assertion},
        "testIdx": test,
        "vars": variables,
        "metadata": {},
        "failureReason": 0 if success else 1,
        **more,
    }


def prompt(passes: int, fails: int, errors: int = 0, score: float | None = None) -> Json:
    metrics = {
        "score": float(passes) if score is None else score,
        "testPassCount": passes,
        "testFailCount": fails,
        "testErrorCount": errors,
        "namedScores": {},
    }
    return {"raw": "Solve: {{riddle}}", "label": "Solve", "provider": "p", "metrics": metrics}


def document(results: Sequence[Json], prompts: Sequence[Json] = (), version: int = 3) -> Json:
    return {
        "evalId": "eval-abc-2026-01-01T00:00:00",
        "results": {
            "version": version,
            "timestamp": "2026-01-01T00:00:00.000Z",
            "prompts": list(prompts),
            "results": list(results),
            "stats": {"successes": 1, "failures": 1, "errors": 0},
        },
        "config": {},
        "shareableUrl": None,
        "metadata": {"promptfooVersion": "0.118.10"},
    }


def log(path: Path, results: Sequence[Json], prompts: Sequence[Json] = ()) -> Path:
    return write_json(path, document(results, prompts), indent=2)


def example(folder: Path) -> Path:
    b = {"promptIdx": 1, "provider": {"id": "org:model-b", "label": ""}}
    rows = [result(1, **b), result(0), result(0, False, **b), result(1), result(2, **b), result(2)]
    return log(folder / "results.json", rows, [prompt(3, 0), prompt(2, 1)])
