"""What is read inside of a sample of Inspect AI: what it asked, what was answered, what it cost."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from deadheat.readers.logs.inspect_ai.shapes import Sample, Score
from deadheat.readers.logs.inspect_ai.values import number
from deadheat.readers.records import without_constants
from deadheat.readers.structured import canonical

_INSIDE = re.compile(r"metadata\..+|scores\..+\.answer", re.DOTALL)

_SHOWN = 5_120
"""Characters of a text that summaries keep of an input."""

_SHORT = 1_000
"""Characters from which on a text may have been cut to 1,024."""

_REMOVED = "Key removed from summary"

COUNTS = ("input_tokens", "output_tokens", "total_tokens")
INSIDE = ("target", "output", "total_time", *COUNTS)
"""What is read of samples only where it is asked for."""

_PLACEHOLDER = re.compile(r"\([A-Z][a-z_]+\)")
"""What summaries have in place of pictures and the like."""


def is_inside(column: str) -> bool:
    """Whether a column is one of those that are read only where they are asked for."""
    return column in INSIDE or _INSIDE.fullmatch(column) is not None


def in_full(column: str) -> bool:
    """Whether a column is one that summaries lack, or whose texts they do not keep as they are."""
    return column == "output" or column.startswith("scores.")


def is_shortened(value: object) -> bool:
    """Whether a field of a summary is not all that the sample has."""
    return isinstance(value, str) and (len(value) >= _SHORT or value.startswith(_REMOVED))


def names_inside(sample: Sample) -> tuple[str, ...]:
    """Name what can be asked for of a sample."""
    metadata = _loosely(sample.metadata)
    names = [*metadata] if isinstance(metadata, dict) else []
    answers = [f"scores.{scorer}.answer" for scorer in sample.scores or ()]
    return (*INSIDE, *answers, *(f"metadata.{name}" for name in names))


def inside(sample: Sample, scores: Mapping[str, Score], column: str) -> object:
    """Return one of the fields that were asked for, as what a cell may hold."""
    return _plain(_field(sample, scores, column))


def _field(sample: Sample, scores: Mapping[str, Score], column: str) -> object:
    if column == "target":
        return _loosely(sample.target)
    if column == "output":
        return _completion(_loosely(sample.output))
    if column == "total_time":
        return number(sample.total_time)
    if column in COUNTS:
        return _total(_loosely(sample.model_usage), column)
    kind, _, inner = column.partition(".")
    if kind == "metadata":
        return _inside(_loosely(sample.metadata), inner)
    score = scores.get(inner.removesuffix(".answer"))
    return None if score is None else score.answer


def input_hash(raw: msgspec.Raw) -> str | None:
    """Return the hash of what a sample asked; None where the log does not keep it.

    It is the SHA-256 of the canonical JSON of the messages, each with its role and its texts. Of a
    text it takes the characters that summaries keep as well, and a picture counts as being there,
    so that it is the same for a sample and for its summary.

    Examples
    --------
    >>> given = msgspec.Raw(b'[{"id": "a", "role": "user", "content": "2 + 2?"}]')
    >>> input_hash(given) == input_hash(msgspec.Raw(b'"2 + 2?"'))
    True
    """
    found = _loosely(raw)
    if isinstance(found, str):
        found = [{"role": "user", "content": found}]
    if not isinstance(found, list) or not found:
        return None
    messages = []
    for message in found:
        if not isinstance(message, dict):
            return None
        content = message.get("content")
        parts = content if isinstance(content, list) else []
        texts = [content] if isinstance(content, str) else [*map(_text, parts)]
        if any(text.startswith("attachment://") for text in texts) or not any(texts):
            return None
        messages.append([str(message.get("role")), *(text[:_SHOWN] for text in texts)])
    return hashlib.sha256(canonical(messages)).hexdigest()


def _text(content: object) -> str:
    """Return the text of a part of a message; anything else only counts as being there."""
    if isinstance(content, dict) and content.get("type") == "text":
        text = str(content.get("text"))
        return "(media)" if _PLACEHOLDER.fullmatch(text) else text
    return "(media)"


def _plain(value: object) -> object:
    """Return what a cell may hold: lists and objects as their JSON."""
    if isinstance(value, (dict, list)):
        return canonical(value).decode()
    return value


def _inside(value: object, dotted: str) -> object:
    """Return a field by its name, or by the names on the way to it."""
    if not isinstance(value, dict):
        return None
    if dotted in value:
        return value[dotted]
    name, _, rest = dotted.partition(".")
    return _inside(value.get(name), rest) if rest else None


def _completion(output: object) -> str | None:
    """Return the text of the first answer of a model."""
    if not isinstance(output, dict):
        return None
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    content = message.get("content") if isinstance(message, dict) else output.get("completion")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        content = "\n".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None


def _total(usage: object, name: str) -> float | None:
    """Return the tokens of all models."""
    if not isinstance(usage, dict):
        return None
    found = [number(one.get(name)) for one in usage.values() if isinstance(one, dict)]
    counts = [count for count in found if isinstance(count, float)]
    return sum(counts) if counts else None


def _loosely(raw: msgspec.Raw) -> Any:
    """Decode what matters little; None where it is broken."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        try:
            return msgspec.json.decode(without_constants(bytes(raw)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
