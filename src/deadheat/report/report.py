"""A report: sentences, tables and figures in order. Renderers only read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deadheat.report.figure import Figure
from deadheat.report.table import Table

__all__ = ["Report", "Role", "Sentence", "Table"]

Role = Literal["reading", "text", "note", "methods", "signature"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Running text; `label` stands before it and says what it is, `parts` on lines of their own."""

    text: str
    role: Role = "text"
    label: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a result says, laid out once for every renderer.

    Attributes
    ----------
    title : str
    blocks : tuple of (Sentence or Table)
        All that is to be read, in order.
    figures : tuple of Figure
        Drawn where pictures can be; what they show is in `blocks` or in their own tables.
    """

    title: str
    blocks: tuple[Sentence | Table, ...]
    figures: tuple[Figure, ...] = ()
