"""Results in the layouts of Ragas, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_csv

Json = dict[str, Any]


def sample(number: int, faithfulness: Any, **more: Any) -> Json:
    return {
        "user_input": f"q{number}",
        "retrieved_contexts": "['c1', 'c2']",
        "response": "a",
        "reference": "g",
        "faithfulness": faithfulness,
        **more,
    }


def old_sample(number: int, faithfulness: Any, **more: Any) -> Json:
    """As before 0.2."""
    return {
        "question": f"q{number}",
        "contexts": "['c1']",
        "answer": "a",
        "ground_truth": "g",
        "faithfulness": faithfulness,
        **more,
    }


def example(folder: Path) -> Path:
    return write_csv(folder / "model-a.csv", [sample(k, s) for k, s in enumerate((1.0, 0.25, 0.5))])
