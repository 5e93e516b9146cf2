"""`deadheat claim`: whether a published number can be true, and what it shows."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.targets import Command


@click.command(cls=Command)
@click.option("--n", type=int, required=True, metavar="N", help="Items that both answered.")
@click.option("--baseline", metavar="PCT", help="Its value: 71.2, or 356/500.")
@click.option("--candidate", metavar="PCT", help="Its value: 74.8, or 374/500.")
@click.option("--gap", metavar="POINTS", help="Candidate - baseline, in points: +3.6.")
@click.option(
    "--interval",
    nargs=2,
    metavar="LOW HIGH",
    help="Of the gap, in points; of the value, where only one is given.",
)
@click.option("--p", metavar="P", help="The p-value as printed: .004, or '<0.001'.")
@click.option(
    "--discordant", type=int, metavar="D", help="Items on which exactly one system is right."
)
@click.option("--share", metavar="PCT", help="Percentage of resamples with the candidate ahead.")
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level of the published interval.",
)
@click.option("--resamples", type=int, metavar="N", help="Draws behind the published numbers.")
@options.output
def claim(
    *, confidence: float, resamples: int | None, form: str, output: str | None, **given: Any
) -> None:
    """Check a published gap in accuracy without per-item data.

    The digits count: 71.2 stands for 71.15 to 71.25, and 71.20 for a tenth of that.
    """
    from deadheat.claims import claim as run
    from deadheat.cli.show import show

    show(run(confidence_level=confidence, n_resamples=resamples, **given), form, output)
