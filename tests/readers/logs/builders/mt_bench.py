"""Judgements in the layout of MT-bench, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_lines

Json = dict[str, Any]


def single(question: int, model: str, score: Any, turn: int = 1, **more: Any) -> Json:
    return {
        "question_id": question,
        "model": model,
        "judge": ["gpt-4", "single-v1"],
        "user_prompt": "[Instruction]",
        "judgment": f"Rating: [[{score}]]",
        "score": score,
        "turn": turn,
        "tstamp": 1.0,
        **more,
    }


def pair(question: int, models: tuple[str, str], winners: tuple[Any, Any], **more: Any) -> Json:
    return {
        "question_id": question,
        "model_1": models[0],
        "model_2": models[1],
        "g1_winner": winners[0],
        "g2_winner": winners[1],
        "judge": ["gpt-4", "pair-v2"],
        "g1_user_prompt": "",
        "g1_judgment": "[[A]]",
        "g2_user_prompt": "",
        "g2_judgment": "[[B]]",
        "turn": 1,
        "tstamp": 1.0,
        **more,
    }


def example(folder: Path) -> Path:
    rows = [single(q, m, s) for q in (81, 82, 83) for m, s in (("a", 9), ("b", 7.5))]
    return write_lines(folder / "gpt-4_single.jsonl", rows)
