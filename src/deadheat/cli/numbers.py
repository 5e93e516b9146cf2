"""Numbers as people type them: what is meant is taken, or the error says how to write it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, TypeVar

import click
from click.types import FloatParamType, IntParamType

T = TypeVar("T")

COMMA = re.compile(r"[+-]?\d*,\d+")
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
PERCENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*%")


class Number(FloatParamType):
    """A number with a decimal point."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, (int, float)):
            return float(value)
        try:
            return float(value)
        except ValueError:
            self.fail(_wrong(str(value).strip()), param, ctx)


class Share(Number):
    """A share, or percents with their sign: 72% is 0.72."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        percents = PERCENT.fullmatch(str(value).strip())
        # In decimals: 72.4 / 100 in binary is not the number that 0.724 is.
        return (
            super().convert(value, param, ctx)
            if percents is None
            else float(Decimal(percents[1]) / 100)
        )


class Whole(IntParamType):
    """A whole number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return int(value)
        except ValueError:
            text = str(value).strip()
            wrong = (
                f"has a comma. Write {text.replace(',', '')}"
                if THOUSANDS.fullmatch(text)
                else "is not a whole number"
            )
            self.fail(f"{text!r} {wrong}", param, ctx)


class ShareOrName(click.ParamType[Any]):
    """A share, or the name of a system where it does not begin like a number."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = str(value).strip()
        if PERCENT.fullmatch(text) or COMMA.fullmatch(text):
            return Share().convert(text, param, ctx)
        return value


def _wrong(text: str) -> str:
    """Say what is wrong with a number, and how to write what is probably meant."""
    if THOUSANDS.fullmatch(text):
        whole, decimal = text.replace(",", ""), text.replace(",", ".")
        either = f"{whole} or {decimal}" if text.count(",") == 1 else whole
        return f"{text!r} has a comma. Write {either}"
    if COMMA.fullmatch(text):
        return f"{text!r} has a decimal comma. Write {text.replace(',', '.')}"
    if percents := PERCENT.fullmatch(text):
        return f"{text!r} is in percent. Write {float(Decimal(percents[1]) / 100):g}"
    return f"{text!r} is not a number"
