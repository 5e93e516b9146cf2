"""What is known of a metric of the user's own beside its numbers: name, direction, bounds."""

from __future__ import annotations

import math
import re
import types
from dataclasses import dataclass
from typing import Any

from deadheat.errors import UsageError
from deadheat.metrics.metric import VERSION
from deadheat.metrics.own.source import bare, origin, source

Bounds = tuple[float, float]

UNNAMED = "lambda"
"""Name of a function that has none."""

_LESS = re.compile(
    r"(?:^|_)(?:errors?|error_rate|loss|deviance|dist|distance|mse|mae|rmse|wer|cer|perplexity)$"
)
"""Names of which less is better as a rule; scikit-learn's ``_error``, ``_loss``, ``_deviance``."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """What every metric of the user's own has.

    Attributes
    ----------
    name : str
        As reports show it.
    greater_is_better : bool
    bounds : tuple of float, or None
        Least and greatest value possible.
    origin : str
        Where it comes from, such as "my_metrics:within_one".
    source : str
        Digest of what defines it; see `deadheat.metrics.own.source.source`.
    settings : str
        What it says itself of its settings and version.
    """

    name: str
    greater_is_better: bool = True
    bounds: Bounds | None = None
    origin: str
    source: str
    settings: str = ""

    @property
    def signature(self) -> str:
        """Where it comes from, what was said of it, and the digest of what defines it."""
        parts = [f"own:{self.origin}"]
        if not self.greater_is_better:
            parts.append("lower_is_better")
        if self.bounds is not None:
            parts.append(f"bounds:{self.bounds[0]:g},{self.bounds[1]:g}")
        if self.settings:
            parts.append(self.settings)
        return "|".join((*parts, self.source, f"v:{VERSION}"))


def traits(
    given: Any,
    *,
    name: str | None = None,
    otherwise: str | None = None,
    greater_is_better: bool | None = None,
    bounds: Any = None,
) -> dict[str, Any]:
    """Return the fields of `Own`: as said here, else by attributes of the object, else as usual.

    Parameters
    ----------
    given : object
    name, greater_is_better, bounds
        See `Own`.
    otherwise : str, optional
        Name of an object that does not name itself.

    Raises
    ------
    UsageError
        If one of them cannot be meant, or the name lets one doubt that greater is better.

    Examples
    --------
    >>> found = traits(len, bounds=(0, 10))
    >>> found["name"], found["origin"], found["greater_is_better"], found["bounds"]
    ('len', 'builtins:len', True, (0.0, 10.0))
    """
    called = _name(given, name, otherwise)
    direction = _said(given, "greater_is_better", greater_is_better, None)
    if direction is None:
        direction = _usual_direction(called)
    if not isinstance(direction, bool):
        raise UsageError(
            f"greater_is_better of {called} is {direction!r}.", fix="Give True or False."
        )
    return {
        "name": called,
        "greater_is_better": direction,
        "bounds": _bounds(called, _said(given, "bounds", bounds, None)),
        "origin": origin(given),
        "source": source(given),
        "settings": _settings(called, given),
    }


def _said(given: Any, what: str, said: Any, usual: Any) -> Any:
    if said is not None:
        return said
    found = getattr(given, what, None)
    return usual if found is None else found


def _usual_direction(called: str) -> bool:
    """Greater is better, unless the name lets one doubt it: then it has to be said."""
    if _LESS.search(called):
        raise UsageError(
            f"by its name, less of {called} may be better, and nothing says so.",
            fix="Say --lower-is-better (greater_is_better=False), or give it an attribute "
            "greater_is_better that is True or False.",
        )
    return True


def _name(given: Any, name: str | None, otherwise: str | None) -> str:
    own = None if isinstance(given, types.FunctionType) else getattr(given, "name", None)
    named = bare(given)
    called = getattr(named, "__name__", type(named).__name__).rpartition(".")[2]
    usual = UNNAMED if called == "<lambda>" else called
    found = next(found for found in (name, own, otherwise, usual) if found is not None)
    return _word(found, "the name of a metric")


def _bounds(called: str, bounds: Any) -> Bounds | None:
    if bounds is None:
        return None
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (low < high and math.isfinite(low) and math.isfinite(high)):
        raise UsageError(
            f"the bounds of {called} are {bounds!r}.",
            fix="Give the least and the greatest value possible, such as (0, 1), or None.",
        )
    return low, high


def _settings(called: str, given: Any) -> str:
    parts = []
    if (said := _said(given, "signature", None, "")) != "":
        parts.append(_word(said, f"the signature of {called}", parted=True))
    if (version := _said(given, "version", None, "")) != "":
        version = str(version) if isinstance(version, int) else version
        parts.append(f"version:{_word(version, f'the version of {called}')}")
    return "|".join(parts)


def _word(text: Any, what: str, *, parted: bool = False) -> str:
    """Check what goes into a signature, where "|" parts the settings."""
    if not isinstance(text, str) or not text or not text.isprintable():
        raise UsageError(f"{what} is {text!r}.", fix="Give one line of text.")
    if "|" in text and not parted:
        raise UsageError(f"{what} is {text!r}.", fix='Leave out "|", which parts settings.')
    return text
