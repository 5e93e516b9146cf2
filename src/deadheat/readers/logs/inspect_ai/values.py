"""What scorers of Inspect AI give to samples, as numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable

LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}

_LONGEST_LIST = 64


def parts(value: object) -> Iterable[tuple[str | None, float | str | None]]:
    """Take a value apart: it is one score, or several in an object or a list.

    Examples
    --------
    >>> [*parts("C")], [*parts({"a": 1, "b": "I"})], [*parts([True, None])]
    ([(None, 1.0)], [('a', 1.0), ('b', 0.0)], [('0', 1.0), ('1', None)])
    """
    if isinstance(value, dict):
        return [(str(name), number(inner)) for name, inner in value.items()]
    if isinstance(value, list):
        if len(value) > _LONGEST_LIST:
            return [(None, f"a list of {len(value):,}")]
        return [(str(at), number(inner)) for at, inner in enumerate(value)]
    return [(None, number(value))]


def number(value: object) -> float | str | None:
    """Read one value as Inspect AI does.

    Returns
    -------
    float, str or None
        None where there is no finite score; a text where the value is no number, which Inspect
        AI counts as 0.

    Examples
    --------
    >>> number("P"), number("yes"), number("0.25"), number("nan"), number("B")
    (0.5, 1.0, 0.25, None, 'B')
    """
    if value is None:
        return None
    if isinstance(value, (dict, list)):
        return "a list or an object"
    if isinstance(value, str):
        if value in LETTERS:
            return LETTERS[value]
        if (word := value.lower()) in WORDS:
            return WORDS[word]
    try:
        found = float(value)  # type: ignore[arg-type]  # JSON holds no more kinds
    except OverflowError:
        return None
    except ValueError:
        return str(value)
    return found if math.isfinite(found) else None
