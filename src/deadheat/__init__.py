"""Which gaps between systems evaluated on the same items survive resampling."""

from __future__ import annotations

from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

from deadheat._version import __version__

if TYPE_CHECKING:
    from deadheat.benchmark import Benchmark, check
    from deadheat.claims import Claim, claim
    from deadheat.comparing import compare
    from deadheat.comparison import Comparison, Comparisons
    from deadheat.converting import Conversion, convert
    from deadheat.errors import DeadheatError
    from deadheat.inspecting import Inspection, inspect
    from deadheat.leaderboard import Leaderboard, Leaderboards
    from deadheat.metrics.own import per_item, whole_set
    from deadheat.multiplicity import Adjustment, adjust
    from deadheat.planning import Plan, plan
    from deadheat.ranks import rank
    from deadheat.readers import read
    from deadheat.record import Verification, save, verify
    from deadheat.scorecard import Scorecard, Scorecards, score
    from deadheat.simulated import Simulation, simulate

__all__ = [
    "Adjustment",
    "Benchmark",
    "Claim",
    "Comparison",
    "Comparisons",
    "Conversion",
    "DeadheatError",
    "Inspection",
    "Leaderboard",
    "Leaderboards",
    "Plan",
    "Scorecard",
    "Scorecards",
    "Simulation",
    "Verification",
    "__version__",
    "adjust",
    "check",
    "claim",
    "compare",
    "convert",
    "inspect",
    "per_item",
    "plan",
    "rank",
    "read",
    "save",
    "score",
    "simulate",
    "verify",
    "whole_set",
]

_HOMES = {
    "Adjustment": "multiplicity",
    "Benchmark": "benchmark",
    "Claim": "claims",
    "Comparison": "comparison",
    "Comparisons": "comparison",
    "Conversion": "converting",
    "DeadheatError": "errors",
    "Inspection": "inspecting",
    "Leaderboard": "leaderboard",
    "Leaderboards": "leaderboard",
    "Plan": "planning",
    "Scorecard": "scorecard",
    "Scorecards": "scorecard",
    "Simulation": "simulated",
    "Verification": "record",
    "adjust": "multiplicity",
    "check": "benchmark",
    "claim": "claims",
    "compare": "comparing",
    "convert": "converting",
    "inspect": "inspecting",
    "per_item": "metrics.own",
    "plan": "planning",
    "rank": "ranks",
    "read": "readers",
    "save": "record",
    "score": "scorecard",
    "simulate": "simulated",
    "verify": "record",
    "whole_set": "metrics.own",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for (PEP 562), so that importing is free."""
    if name not in _HOMES:
        raise AttributeError(f"module 'deadheat' has no attribute {name!r}")
    value = getattr(import_module(f"deadheat.{_HOMES[name]}"), name)
    if isinstance(value, FunctionType):
        value = import_module("deadheat.arguments").checked(value)
        value.__module__ = __name__  # where pickle finds it
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
