"""How results reach the renderers that stand above them.

Results sit below `deadheat.report` and may not import it; they hand themselves over by name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar


def plain(value: Any) -> Any:
    """Return `value` with every number that JSON cannot hold as None.

    Examples
    --------
    >>> plain({"low": float("-inf"), "p": (0.5, float("nan"))})
    {'low': None, 'p': [0.5, None]}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def plain_dict(tree: dict[str, Any]) -> dict[str, Any]:
    """Return a dictionary with every value made `plain`."""
    return {key: plain(item) for key, item in tree.items()}


def printable(text: str) -> str:
    """Show control and direction-changing characters as escapes, so that they cannot act.

    Examples
    --------
    >>> len(printable(chr(27)))
    4
    """
    return "".join(
        character
        if character.isprintable() or character == " "
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def encodable(text: str) -> str:
    r"""Show lone surrogates, which no encoding has, as escapes; JSON writes them the same.

    Examples
    --------
    >>> print(encodable("a\udcff"))
    a\udcff
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Rendered:
    """A result that can be written in every form that `deadheat.report` knows."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: numbers at full precision, undefined as None."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Return `to_dict` as JSON, valid for strict parsers.

        Bytes of a file name that are not UTF-8 stand in it as escapes, so that it can be written.
        """
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        return encodable(text)

    def to_frame(self, kind: str | None = None) -> Any:
        """Return the numbers as a data frame, at full precision; undefined is null.

        Parameters
        ----------
        kind : {"polars", "pandas", "pyarrow"}, optional
            By default the kind of frame that came in, and polars where none did.

        Returns
        -------
        data frame
            A row for each system, metric, test or whatever the result is made of; see
            `deadheat.report.frames`.
        """
        return import_module("deadheat.report.frames").frame_of(self, kind)

    def to_methods(self) -> str:
        """Return a paragraph on methods for a paper; "[FILL IN: ...]" stands for what is not known.

        It is empty for results that are no measurement, such as plans. Bytes that are not UTF-8
        stand in it as escapes, as in `to_json`.
        """
        text: str = import_module("deadheat.report.paragraph").methods(self)
        return encodable(text)

    def to_text(self) -> str:
        """Return the report as plain text."""
        return self._render("text")

    def to_markdown(self) -> str:
        """Return the report as Markdown."""
        return self._render("markdown")

    def to_latex(self) -> str:
        """Return the report as LaTeX: tables of booktabs, ready for a paper."""
        return self._render("latex")

    def to_html(self) -> str:
        """Return the report as one HTML file that asks for nothing else."""
        return self._render("html")

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        text: str = import_module("deadheat.report").notebook(self)
        return text

    def plot(self, ax: Any = None, figure: str | None = None) -> Any:
        """Draw a figure with matplotlib on `ax`, or on new axes, and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
        figure : str, optional
            Name of the figure, such as "difference"; the first by default. A name that there is
            not is answered by those that there are.

        Raises
        ------
        UsageError
            If there is no such figure, or matplotlib (the extra `plot`) is not installed.
        """
        return import_module("deadheat.report.plotting").plot(self, ax, figure)

    def _render(self, form: str) -> str:
        text: str = import_module("deadheat.report").render(self, form)
        return text


class OfOneMetric(Protocol):
    """A result by one metric."""

    @property
    def metric(self) -> str:
        """Name of the metric."""
        ...

    @property
    def recipe(self) -> Any:
        """What to run to get the same numbers."""
        ...


Part = TypeVar("Part", bound=OfOneMetric)


class Several(Rendered, Generic[Part]):
    """Results of one call, one for each metric, in the order in which these were named."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The results."""
        raise NotImplementedError

    @property
    def recipe(self) -> Any:
        """What to run to get the same numbers."""
        return self.parts[0].recipe

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, metric: str | int) -> Part:
        """Return the result by a metric, by its name or position."""
        if isinstance(metric, int):
            return self.parts[metric]
        named = {part.metric: part for part in self.parts}
        if metric not in named:
            raise KeyError(f"{metric!r}; known: {', '.join(named)}")
        return named[metric]
