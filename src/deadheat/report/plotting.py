"""Figures drawn with matplotlib, for papers: the same data as in pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from deadheat.errors import UsageError, known
from deadheat.rendering import printable
from deadheat.report.figure import Boxes, Figure, Line, Points, Role, Rule, Spans
from deadheat.report.figures import figures_of
from deadheat.report.svg.frame import MOST_BESIDE, MOST_NAME, frame_of, labelled
from deadheat.report.svg.letters import cut
from deadheat.report.svg.marks import labelled_rules
from deadheat.report.svg.style import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES = 6.8
"""Width of a figure that is made here, of which the marks have what names leave."""

DOTS = {
    "plain": "o",
    "baseline": "s",
    "candidate": "o",
    "ahead": "^",
    "behind": "v",
    "open": "o",
    "muted": ".",
}
STROKES: dict[str, Any] = {
    "baseline": (0, (5, 3)),
    "behind": (0, (6, 2, 1.5, 2)),
    "open": (0, (1.5, 3)),
    "muted": (0, (1, 3)),
}
HATCHES = {"behind": "///"}
CAP = 4.0
FRONT = 3.0


def plot(result: Any, ax: Axes | None = None, figure: str | None = None) -> Axes:
    """Draw a figure of a result with matplotlib.

    Parameters
    ----------
    result : Comparison, Leaderboard, Scorecard, Plan or several of them
    ax : matplotlib.axes.Axes, optional
        Where it is drawn; a new figure of fitting size by default. Nothing else of matplotlib's
        state is changed.
    figure : str, optional
        Name of the figure, such as "difference"; the first that there is by default.

    Returns
    -------
    matplotlib.axes.Axes
        Its `figure` can be saved: `ax.figure.savefig("difference.pdf", bbox_inches="tight")`.

    Raises
    ------
    UsageError
        If matplotlib is not installed, there is no such figure, or the result has none.
    """
    return drawn(chosen(result, figure), ax)


def chosen(result: Any, name: str | None) -> Figure:
    """Return the figure of a name, the first by default."""
    found = {figure.name: figure for figure in figures_of(result)}
    if not found:
        raise UsageError(
            f"this {type(result).__name__} has no figures.",
            fix="Comparisons, boards, scorecards and plans have figures of what is defined.",
        )
    if name is None:
        return next(iter(found.values()))
    if name not in found:
        raise UsageError(f"there is no figure {name!r} of this result.", fix=known(found, name))
    return found[name]


def drawn(figure: Figure, ax: Axes | None = None) -> Axes:
    """Draw a figure, on axes of its own by default."""
    axes = _axes(figure) if ax is None else ax
    for mark in figure.marks:
        _DRAW[type(mark)](axes, mark)
    _dress(axes, figure)
    return axes


def _axes(figure: Figure) -> Axes:
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError:
        raise UsageError(
            "figures are drawn with matplotlib, which is not installed.",
            fix="Install it with pip install 'deadheat[plot]'; HTML reports have the figures "
            "without it.",
        ) from None
    around = 1.0 + 0.25 * bool(figure.legend)
    made = pyplot.figure(figsize=(INCHES, figure.height * INCHES + around), layout="constrained")
    axes: Axes = made.add_subplot()
    return axes


def _points(axes: Axes, mark: Points) -> None:
    colour = LIGHT[mark.role]
    axes.plot(
        mark.x,
        mark.y,
        linestyle="none",
        marker=DOTS[mark.role],
        markersize=6.0,
        markerfacecolor="white" if mark.role == "open" else colour,
        markeredgecolor=colour,
        zorder=FRONT + 0.2,
    )


def _spans(axes: Axes, mark: Spans) -> None:
    """Draw intervals; an open end runs out of the figure without a cap."""
    colour = LIGHT[mark.role]
    for low, high, y in zip(mark.low, mark.high, mark.y, strict=True):
        if math.isnan(low) or math.isnan(high):
            continue
        ends = [end for end in (low, high) if math.isfinite(end)]
        # What is open reaches beyond any axis.
        reach = 1e3 * (max(map(abs, ends), default=1.0) + 1.0)
        left, right = max(low, -reach), min(high, reach)
        axes.plot([left, right], [y, y], color=colour, linewidth=1.6, zorder=FRONT)
        axes.plot(
            ends,
            [y] * len(ends),
            linestyle="none",
            marker="|",
            markersize=2.0 * CAP,
            markeredgewidth=1.6,
            color=colour,
            zorder=FRONT,
        )


def _line(axes: Axes, mark: Line) -> None:
    axes.plot(
        mark.x,
        mark.y,
        color=LIGHT[mark.role],
        linestyle=STROKES.get(mark.role, "solid"),
        linewidth=1.6,
        drawstyle="steps-post" if mark.stepped else "default",
        zorder=FRONT - 0.5,
    )


def _boxes(axes: Axes, mark: Boxes) -> None:
    patches = import_module("matplotlib.patches")
    hollow = mark.role == "open"
    texts = mark.texts or ("",) * len(mark.left)
    for left, right, bottom, top, text in zip(
        mark.left, mark.right, mark.bottom, mark.top, texts, strict=True
    ):
        axes.add_patch(
            patches.Rectangle(
                (left, bottom),
                right - left,
                top - bottom,
                facecolor="white" if hollow else LIGHT[mark.role],
                edgecolor=LIGHT[mark.role] if hollow else "white",
                linewidth=0.5,
                hatch=HATCHES.get(mark.role),
                zorder=FRONT - 1.0,
            )
        )
        if text:
            axes.text(
                (left + right) / 2.0,
                (bottom + top) / 2.0,
                "\n".join(map(printable, text.split("\n"))),
                ha="center",
                va="center",
                fontsize=8.0,
                color=LIGHT["ink"] if mark.role in ("open", "muted") else "white",
                bbox=_behind(mark.role),
                clip_on=True,
                parse_math=False,
                zorder=FRONT,
            )


def _behind(role: Role) -> dict[str, Any] | None:
    """Return the ground of a text on a hatch, which would run through its letters."""
    if role not in HATCHES:
        return None
    return {"facecolor": LIGHT[role], "edgecolor": "none", "pad": 1.5}


def _rule(axes: Axes, mark: Rule) -> None:
    line = axes.axvline if mark.across == "x" else axes.axhline
    line(mark.at, color=LIGHT["soft"], linestyle=(0, (4, 3)), linewidth=0.9, zorder=FRONT - 1.5)


_DRAW: dict[type, Callable[[Any, Any], None]] = {
    Points: _points,
    Spans: _spans,
    Line: _line,
    Boxes: _boxes,
    Rule: _rule,
}


def _dress(axes: Axes, figure: Figure) -> None:
    """Write all that is not a mark: title, axes, labels of lines, texts beside, legend."""
    axes.set_xlim(figure.x.low, figure.x.high)
    axes.set_ylim(figure.y.low, figure.y.high)
    rows = not figure.y.label
    axes.set_xticks(*_ticks(figure.x.ticks))
    axes.set_yticks(*_ticks(figure.y.ticks))
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_parse_math(False)
    axes.tick_params(length=0, labelsize=9.0)
    axes.set_xlabel(printable(figure.x.label), fontsize=9.0, parse_math=False)
    axes.set_ylabel(printable(figure.y.label), fontsize=9.0, parse_math=False)
    axes.grid(visible=True, axis="x" if rows else "both", color=LIGHT["line"], linewidth=0.8)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    ruled = _rule_labels(axes, figure)
    legend = _legend(axes, figure)
    lines = 16.0 * ruled + 18.0 * legend
    axes.set_title(
        printable(figure.title), loc="left", fontsize=11.0, parse_math=False, pad=6.0 + lines
    )
    for y, text in figure.beside:
        axes.annotate(
            _cut(text, MOST_BESIDE),
            (1.0, y),
            xycoords=("axes fraction", "data"),
            xytext=(6.0, 0.0),
            textcoords="offset points",
            va="center",
            fontsize=8.0,
            color=LIGHT["soft"],
            parse_math=False,
            annotation_clip=False,
        )


def _rule_labels(axes: Axes, figure: Figure) -> bool:
    """Write what lines across are; whether there is one above the marks."""
    above = False
    for mark, _ in labelled_rules(figure.marks, frame_of(figure)):
        up = mark.across == "x"
        start = mark.label_at == "start"
        axes.annotate(
            printable(mark.label),
            (mark.at, 1.0) if up else (0.0 if start else 1.0, mark.at),
            xycoords=("data", "axes fraction") if up else ("axes fraction", "data"),
            xytext=(0.0, 3.0) if up else (3.0 if start else -3.0, 2.0),
            textcoords="offset points",
            ha="center" if up else "left" if start else "right",
            va="bottom",
            fontsize=8.0,
            color=LIGHT["soft"],
            parse_math=False,
            annotation_clip=False,
        )
        above |= up
    return above


def _legend(axes: Axes, figure: Figure) -> bool:
    """Say what roles stand for, above the marks."""
    if not figure.legend:
        return False
    lines, patches = import_module("matplotlib.lines"), import_module("matplotlib.patches")
    boxed = {mark.role for mark in figure.marks if isinstance(mark, Boxes)}
    handles = []
    for role, _ in figure.legend:
        colour, hollow = LIGHT[role], role == "open"
        face = "white" if hollow else colour
        handles.append(
            patches.Patch(
                facecolor=face,
                edgecolor=colour if hollow else "white",
                hatch=HATCHES.get(role),
            )
            if role in boxed
            else lines.Line2D(
                [],
                [],
                linestyle="none",
                marker=DOTS[role],
                markerfacecolor=face,
                markeredgecolor=colour,
            )
        )
    shown = axes.legend(
        handles,
        [_cut(text, MOST_NAME) for _, text in figure.legend],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.6 + 1.4 * labelled(figure),
        ncols=len(handles),
        frameon=False,
        fontsize=8.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )
    for text in shown.get_texts():
        text.set_parse_math(False)
    return True


def _ticks(ticks: Sequence[tuple[float, str]]) -> tuple[list[float], list[str]]:
    return [value for value, _ in ticks], [_cut(text, MOST_NAME) for _, text in ticks]


def _cut(text: str, room: float) -> str:
    return cut(printable(text), room)
