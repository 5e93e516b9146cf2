"""Which gaps between systems evaluated on the same items survive resampling."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deadheat._version import __version__

if TYPE_CHECKING:
    from deadheat.comparison import Comparison, compare
    from deadheat.errors import DeadheatError
    from deadheat.multiplicity import Adjustment, adjust
    from deadheat.readers import read
    from deadheat.record import Verification, save, verify
    from deadheat.scorecard import Scorecard, score

__all__ = [
    "Adjustment",
    "Comparison",
    "DeadheatError",
    "Scorecard",
    "Verification",
    "__version__",
    "adjust",
    "compare",
    "read",
    "save",
    "score",
    "verify",
]

_HOMES = {
    "Adjustment": "multiplicity",
    "Comparison": "comparison",
    "DeadheatError": "errors",
    "Scorecard": "scorecard",
    "Verification": "record",
    "adjust": "multiplicity",
    "compare": "comparison",
    "read": "readers",
    "save": "record",
    "score": "scorecard",
    "verify": "record",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for (PEP 562), so that importing is free."""
    if name not in _HOMES:
        raise AttributeError(f"module 'deadheat' has no attribute {name!r}")
    value = getattr(import_module(f"deadheat.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
