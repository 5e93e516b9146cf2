"""Colours, strokes and letters of figures, for light and dark pages and for paper.

Colours are those that people with a colour-blindness tell apart; every role has a shape, a dash
or a hatch of its own besides.
"""

from __future__ import annotations

LIGHT = {
    "ink": "#1d2433",
    "soft": "#566074",
    "line": "#dfe3ea",
    "paper": "#ffffff",
    "plain": "#31528f",
    "baseline": "#5c6475",
    "candidate": "#0a66c2",
    "ahead": "#0b7a5b",
    "behind": "#b3411f",
    "open": "#8a6410",
    "muted": "#a9b1bf",
}

DARK = {
    "ink": "#e8ebf1",
    "soft": "#a3adbf",
    "line": "#343c4b",
    "paper": "#151a23",
    "plain": "#8fb0ee",
    "baseline": "#a9b2c3",
    "candidate": "#63aef7",
    "ahead": "#4bc79d",
    "behind": "#f08a63",
    "open": "#d9ad4c",
    "muted": "#5d687b",
}

ROLES = ("plain", "baseline", "candidate", "ahead", "behind", "open", "muted")

DASHES = {"baseline": "7 4", "open": "2 4", "behind": "9 3 2 3", "muted": "1 4"}
"""Of lines, by role; the others are solid."""


def _colours(of: dict[str, str]) -> str:
    return "".join(f"--dh-{name}:{colour};" for name, colour in of.items())


_RULES = """
.dh-figure{display:block;width:100%;min-width:30rem;max-width:46rem;height:auto;\
font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--dh-ink)}
.dh-tick{fill:var(--dh-soft);font-size:12px;font-variant-numeric:tabular-nums}
.dh-label{fill:var(--dh-soft);font-size:12px}
.dh-halo{paint-order:stroke;stroke:var(--dh-paper);stroke-width:4px}
.dh-heading{font-size:15px;font-weight:600}
.dh-end{text-anchor:end}
.dh-middle{text-anchor:middle}
.dh-grid{stroke:var(--dh-line);fill:none}
.dh-span,.dh-line{stroke:currentColor;stroke-width:2;fill:none}
.dh-line{stroke-linejoin:round}
.dh-dot{stroke:currentColor;fill:none;stroke-linecap:round;stroke-width:9}
.dh-dot.dh-muted{stroke-width:5}
.dh-rule{stroke:var(--dh-soft);stroke-dasharray:4 3;fill:none}
.dh-point,.dh-box{fill:currentColor}
.dh-point.dh-open{fill:var(--dh-paper);stroke:currentColor;stroke-width:2}
.dh-box{stroke:var(--dh-paper)}
.dh-box.dh-open{fill:var(--dh-paper);stroke:currentColor}
.dh-tile{stroke:currentColor;fill:none}
.dh-sign{stroke:var(--dh-paper);fill:none}
.dh-stripe{stroke:var(--dh-paper);stroke-opacity:.4;stroke-dasharray:2 4;fill:none}
.dh-on{fill:var(--dh-paper)}
.dh-lit{paint-order:stroke;stroke:currentColor;stroke-width:5px}
.dh-in{font-size:12px;text-anchor:middle}
.dh-hit{fill:transparent;stroke:none;outline:none}
"""

_BY_ROLE = "\n".join(
    [
        *(f".dh-figure .dh-{role}{{color:var(--dh-{role})}}" for role in ROLES),
        *(f".dh-line.dh-{role}{{stroke-dasharray:{dash}}}" for role, dash in DASHES.items()),
    ]
)

COLOURS = f"""\
:root{{color-scheme:light dark;{_colours(LIGHT)}}}
@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_colours(DARK)}}}}}
:root[data-theme=dark]{{{_colours(DARK)}}}
@media print{{:root,:root:not([data-theme=light]),:root[data-theme=dark]{{{_colours(LIGHT)}}}}}
"""

DRAWN = f"""\
{COLOURS}{_RULES.strip()}
{_BY_ROLE}
"""
"""Of a drawing in a file of its own."""

STYLE = f"""\
{DRAWN}.dh-hit:hover{{fill:var(--dh-ink);fill-opacity:.06}}
.dh-hit:focus-visible{{stroke:var(--dh-candidate);stroke-width:2}}
"""
"""Of pages that hold figures. A page may set `data-theme` to "light" or "dark" on its root."""
