"""Why a file of a folder may be passed over: it is no table, or none of answers."""

from __future__ import annotations

from deadheat.errors import FormatError, InputError


class NoTableError(FormatError):
    """A file that is no table of any kind, such as a picture or a page."""


class NoAnswersError(InputError):
    """A table in which no column holds scores or outputs of a system."""


def reason_of(error: Exception) -> str:
    """Return what a decoder says of a document, in a few words."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).rstrip(".")
