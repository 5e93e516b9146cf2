"""A remark that travels with a result: a code for programs, a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something the reader of a result has to know.

    Attributes
    ----------
    code : str
        Stable name in snake_case, such as "items_dropped".
    message : str
        One or two sentences.
    """

    code: str
    message: str

    def to_dict(self) -> dict[str, str]:
        """Return plain data."""
        return {"code": self.code, "message": self.message}
