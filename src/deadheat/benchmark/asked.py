"""What was asked of a check beyond the scores, looked at before any work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.errors import InputError, UsageError, known

MOST_OPTIONS = 1_000_000
"""Options of an item."""

MOST_SUSPECTS = 100_000
"""Items of each kind that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options of `deadheat.check` that other commands do not have.

    Attributes
    ----------
    options : int, str or None
        Choices of every item, or the column that holds their number or themselves.
    trivial : tuple of str
    text_column : str, int or None
    texts : path, data frame, sequence of str or None
    training : path, data frame, sequence of str or None
    training_column : str, int or None
    label_error : float or None
    suspects : int
    """

    options: int | str | None
    trivial: tuple[str, ...]
    text_column: str | int | None
    texts: Any
    training: Any
    training_column: str | int | None
    label_error: float | None
    suspects: int

    @property
    def wants_texts(self) -> bool:
        """Whether the texts of items are given."""
        return self.text_column is not None or self.texts is not None

    def check_systems(self, systems: Sequence[str]) -> None:
        """Refuse trivial systems that were not read, and a set of nothing else.

        Parameters
        ----------
        systems : sequence of str
            Names of the systems that were read.

        Raises
        ------
        InputError
            That lists the systems there are.
        """
        for name in self.trivial:
            if name not in systems:
                raise InputError(
                    f"there is no system {name!r} (--trivial).", fix=known(systems, name)
                )
        if len(self.trivial) == len(systems):
            raise InputError(
                "every system is named as trivial (--trivial), and none is left to be checked.",
                fix="Name those that a benchmark has to be harder than.",
            )


def asked(
    *,
    options: object,
    trivial: object,
    text_column: str | int | None,
    texts: object,
    training: object,
    training_column: str | int | None,
    label_error: object,
    suspects: object,
) -> Asked:
    """Check the options of `deadheat.check`.

    Raises
    ------
    UsageError
        If one of them cannot be meant.
    """
    if training is not None and text_column is None and texts is None:
        raise UsageError(
            "--training is a file to find the texts of the items in, and there are no texts.",
            fix="Name their column with --text-column, or their file with --texts.",
        )
    if training_column is not None and training is None:
        raise UsageError(
            f"--training-column names {training_column!r}, and there is no file of training texts.",
            fix="Name it with --training.",
        )
    return Asked(
        options=_options(options),
        trivial=_names(trivial),
        text_column=text_column,
        texts=texts,
        training=training,
        training_column=training_column,
        label_error=_label_error(label_error),
        suspects=_suspects(suspects),
    )


def _number(value: object) -> float:
    """Return a number; NaN for what is none."""
    given = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return float(value) if given else math.nan  # type: ignore[arg-type]


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, (float, np.floating)) else repr(value)


def _options(value: object) -> int | str | None:
    """Return the number of options, or the name of their column."""
    if value is None:
        return None
    number, shown = _number(value), _shown(value)
    if isinstance(value, str):
        shown = value
        try:
            number = float(value)
        except ValueError:
            if value.strip():
                return value
    if 2.0 <= number <= MOST_OPTIONS and number == int(number):
        return int(number)
    raise UsageError(
        f"the number of options (--options) is {shown}.",
        fix=f"Give how many answers an item offers, a whole number from 2 to {MOST_OPTIONS:,}, or "
        "the name of the column that holds it.",
    )


def _names(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(
            f"the trivial systems are {value!r}.",
            fix="Give a sequence of names, such as ('majority', 'unigram').",
        )
    names = tuple(map(str, value))
    if len(set(names)) < len(names):
        raise UsageError(
            f"--trivial names a system twice: {', '.join(names)}.", fix="Name each of them once."
        )
    return names


def _label_error(value: object) -> float | None:
    if value is None:
        return None
    share = _number(value)
    if not 0.0 < share < 1.0:
        raise UsageError(
            f"the share of wrong references (--label-error) is {_shown(value)}.",
            fix="Give a share above 0 and below 1: 0.03 where three in a hundred are wrong.",
        )
    return share


def _suspects(value: object) -> int:
    number = _number(value)
    if not 0.0 <= number <= MOST_SUSPECTS or number != int(number):
        raise UsageError(
            f"the number of items to be listed (--suspects) is {_shown(value)}.",
            fix=f"Give a whole number from 0 to {MOST_SUSPECTS:,}.",
        )
    return int(number)
