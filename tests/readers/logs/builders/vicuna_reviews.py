"""Reviews in the layout of the Vicuna evaluation, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_lines

Json = dict[str, Any]


def review(question: int, score: Any, **more: Any) -> Json:
    return {
        "review_id": f"r{question}",
        "question_id": question,
        "answer1_id": f"a{question}",
        "answer2_id": f"b{question}",
        "text": "Assistant 1 ...",
        "score": score,
        "reviewer_id": "judge-generic",
        "metadata": {},
        **more,
    }


def example(folder: Path) -> Path:
    rows = [review(1, [9.0, 8.5]), review(2, [7.0, 7.0]), review(3, [8.0, 9.0])]
    return write_lines(folder / "review_model-a_model-b.jsonl", rows)
