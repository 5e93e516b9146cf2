"""What the reader of a log of Inspect AI has to know about its samples."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from deadheat.notes import Note
from deadheat.readers.logs.inspect_ai.rows import Key, Rows
from deadheat.readers.logs.inspect_ai.shapes import Header
from deadheat.readers.logs.inspect_ai.stored import Stored

_ENDS = {
    "started": "has not ended",
    "cancelled": "was cancelled",
    "error": "ended in an error",
    "success": "ended",
}

_LISTED = 6


def unfinished(path: str, header: Header, n: int, *, reduced: bool) -> tuple[Note, ...]:
    """Say that an evaluation did not end well, or that samples that were planned are not there."""
    notes = []
    planned = _planned(header)
    short = planned is not None and n < planned and not reduced
    if header.status != "success" or short:
        of = f" of {planned:,}" if planned is not None else ""
        end = _ENDS.get(header.status, f"has the status {header.status!r}")
        what = "items" if reduced else "samples"
        notes.append(
            Note(
                code="unfinished_log",
                message=f"{path}: the evaluation {end}; the log holds {n:,}"
                f"{of if not reduced else ''} {what}.",
            )
        )
    if reduced:
        notes.append(
            Note(
                code="reduced_scores",
                message=f"{path} holds no samples, only the scores of the items over all epochs, "
                "as Inspect AI put them together. They were read as one run.",
            )
        )
    return tuple(notes)


def replaced(path: str, stored: Stored, rows: Rows) -> tuple[Note, ...]:
    """Say that samples were written again."""
    n = max(stored.replaced or 0, rows.replaced)
    if not n:
        return ()
    return (
        Note(
            code="samples_replaced",
            message=f"{path}: samples that were written again ({n:,}) were read in their last "
            "version, as in Inspect AI.",
        ),
    )


def no_scores(path: str, rows: Rows, used: Collection[Key]) -> tuple[Note, ...]:
    """Name the scores that are no numbers, and count texts among numbers."""
    notes = []
    left = [
        (_name(key), scores.example)
        for key, scores in rows.scores.items()
        if key not in used and scores.unread
    ]
    if left:
        said = ", ".join(f"{name} (such as {example[:40]!r})" for name, example in left[:_LISTED])
        more = f" and {len(left) - _LISTED} more" if len(left) > _LISTED else ""
        notes.append(
            Note(
                code="not_item_scores",
                message=f"{path}: these values are no numbers and were left out: {said}{more}.",
            )
        )
    for key in used:
        scores = rows.scores[key]
        if scores.unread:
            notes.append(
                Note(
                    code="unread_scores",
                    message=f"{path}: {_name(key)} has values that are no numbers "
                    f"({scores.unread:,}, such as {scores.example[:40]!r}). Inspect AI counts them "
                    "as 0; here they are missing.",
                )
            )
    return tuple(notes)


def missing(path: str, rows: Rows, main: Key) -> tuple[Note, ...]:
    """Count the samples without the main score, by why there is none."""
    reasons = {"errors": 0, "invalidated": 0, "not scored": 0}
    kept, n = rows.kept(), len(rows.ids) - len(rows.gone)
    for row in (kept[at] for at in rows.column(main, "").is_null().arg_true()):
        errors = "errors" if rows.errors[row] else "not scored"
        reasons["invalidated" if rows.invalid[row] else errors] += 1
    said = ", ".join(f"{why} {count:,}" for why, count in reasons.items() if count)
    if not said:
        return ()
    return (
        Note(
            code="samples_without_score",
            message=f"{path}: {sum(reasons.values()):,} of {n:,} samples have no score "
            f"{_name(main)} ({said}); they are missing, not wrong.",
        ),
    )


def _planned(header: Header) -> int | None:
    """Return how many samples there were to be, in all epochs."""
    total: Any = header.results.total_samples if header.results is not None else None
    if isinstance(total, int):
        return total
    dataset, config = header.eval.dataset, header.eval.config
    ids = dataset.get("sample_ids") if isinstance(dataset, dict) else None
    epochs = config.get("epochs") if isinstance(config, dict) else None
    if not isinstance(ids, list):
        return None
    return len(ids) * (epochs if isinstance(epochs, int) else 1)


def _name(key: Key) -> str:
    return key[0] if key[1] is None else f"{key[0]}.{key[1]}"
