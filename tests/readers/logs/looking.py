"""What tests of readers look at: rows, notes and settings of what was read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deadheat.evaluation import Answers, Evaluation
from deadheat.readers.formats import is_log
from deadheat.readers.logs import log_of


def only(evaluation: Evaluation) -> Answers:
    """Return the answers of the one system."""
    (answers,) = evaluation.answers
    return answers


def scores(evaluation: Evaluation) -> dict[str, dict[Any, float | None]]:
    """Return scores by system and item, where each item has one."""
    found = {}
    for answers in evaluation.answers:
        assert answers.items is not None
        assert answers.scores is not None
        pairs = [*zip(answers.items.to_list(), answers.scores.to_list(), strict=True)]
        assert len({item for item, _ in pairs}) == len(pairs)
        found[answers.system] = dict(pairs)
    return found


def texts(evaluation: Evaluation) -> dict[str, dict[Any, Any]]:
    """Return outputs by system and item."""
    found = {}
    for answers in evaluation.answers:
        assert answers.items is not None
        assert answers.outputs is not None
        found[answers.system] = dict(
            zip(answers.items.to_list(), answers.outputs.to_list(), strict=True)
        )
    return found


def codes(evaluation: Evaluation) -> list[str]:
    """Return the codes of all notes."""
    return [note.code for note in evaluation.notes]


def said(evaluation: Any, code: str) -> str:
    """Return what the one note of a code says."""
    (message,) = [note.message for note in evaluation.notes if note.code == code]
    return str(message)


def tool(path: Path) -> str | None:
    """Return the name of the reader that takes a file, if one does."""
    found = log_of(str(path), path.read_bytes()[: 1 << 20])
    assert is_log(str(path)) is (found is not None)
    return None if found is None else found[0]
