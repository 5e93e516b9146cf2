"""Tables in the layouts of MLflow, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_csv, write_json

Json = dict[str, Any]

COLUMNS = [
    *("inputs", "ground_truth", "outputs", "token_count"),
    *("exact_match/v1/score", "answer_similarity/v1/score", "answer_similarity/v1/justification"),
]


def classic(path: Path, rows: list[tuple[Any, Any, Any]]) -> Path:
    """A table of mlflow.evaluate: inputs and two scores a row."""
    data = [[q, "g", "a", 9, exact, similar, "since"] for q, exact, similar in rows]
    return write_json(path, {"columns": COLUMNS, "data": data})


def trace(number: int, value: Any, **more: Any) -> Json:
    """A row of mlflow.genai.evaluate."""
    return {
        "trace_id": f"tr-{number}",
        "state": "OK",
        "request": f'{{"question": "q{number}"}}',
        "response": "a",
        "correctness/value": value,
        "correctness/rationale": "since",
        **more,
    }


def genai(path: Path, rows: list[Json]) -> Path:
    return write_csv(path, rows)


def run(folder: Path, name: str | None = None, **means: float) -> Path:
    """The folder of a run, with its name and the last values of metrics; returns its artifacts."""
    if name is not None:
        (folder / "tags").mkdir(parents=True)
        (folder / "tags" / "mlflow.runName").write_text(name, encoding="utf-8")
    for metric, value in means.items():
        path = folder / "metrics" / metric / "v1" / "mean"
        path.parent.mkdir(parents=True)
        path.write_text(f"1700000000000 0.0 0\n1700000000001 {value} 1\n", encoding="utf-8")
    return folder / "artifacts"


def example(folder: Path) -> Path:
    return classic(folder / "eval_results_table.json", [("q0", 1, 5), ("q1", 0, 2), ("q2", 1, 4)])
