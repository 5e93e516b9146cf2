"""A report: sentences and tables in order. Renderers only read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["reading", "text", "note", "signature"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Running text; `label` stands before it and says what it is."""

    text: str
    role: Role = "text"
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells as they are shown. Columns named in `numeric` are set flush right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a result says, laid out once for every renderer."""

    title: str
    blocks: tuple[Sentence | Table, ...]
