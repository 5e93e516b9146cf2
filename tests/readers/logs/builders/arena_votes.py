"""Votes in the layouts of arenas, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_lines

Json = dict[str, Any]


def vote(number: int, winner: Any, models: tuple[Any, Any] = ("a", "b"), **more: Any) -> Json:
    return {
        "question_id": f"q{number}",
        "model_a": models[0],
        "model_b": models[1],
        "winner": winner,
        "judge": f"arena_user_{number}",
        "turn": 1,
        "anony": True,
        "language": "English",
        "tstamp": 1.0,
        **more,
    }


def kaggle(number: int, won: tuple[int, int, int], models: tuple[str, str] = ("a", "b")) -> Json:
    return {
        "id": number,
        "model_a": models[0],
        "model_b": models[1],
        "prompt": '["Hello, you"]',
        "response_a": '["one"]',
        "response_b": '["two"]',
        "winner_model_a": won[0],
        "winner_model_b": won[1],
        "winner_tie": won[2],
    }


def agent(number: int, rating: Any, models: tuple[str, str] = ("a", "b")) -> Json:
    return {
        "_id": f"66d{number}",
        "leftSubcomponent": models[0],
        "rightSubcomponent": models[1],
        "rating": rating,
        "createdAt": "2026-01-01T00:00:00",
    }


def example(folder: Path) -> Path:
    return write_lines(
        folder / "votes.jsonl", [vote(0, "model_a"), vote(1, "tie"), vote(2, "model_b")]
    )
