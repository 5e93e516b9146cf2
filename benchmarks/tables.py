"""Markdown on standard output."""

from __future__ import annotations

import platform
from importlib.metadata import version


def table(header: str, rows: list[tuple[object, ...]]) -> None:
    """Print a Markdown table; `header` holds its column names, separated by ``|``."""
    columns = header.count("|") + 1
    print(f"| {header} |\n|{'---|' * columns}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")
    print(flush=True)


def versions(*packages: str) -> str:
    """Return what was measured with what on which kind of machine."""
    named = ", ".join(f"{package} {version(package)}" for package in packages)
    return f"Python {platform.python_version()}, {named}; {platform.machine()}"


def seconds_of(value: float) -> str:
    """Show seconds with three digits.

    Examples
    --------
    >>> seconds_of(12.34), seconds_of(0.012345)
    ('12.3', '0.0123')
    """
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def times(value: float) -> str:
    """Show a ratio."""
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.1f}"
