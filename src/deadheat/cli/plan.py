"""`deadheat plan`: how many items a gap needs, and what items can do."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.astray import OptionsAlone
from deadheat.cli.numbers import Number, Share, ShareOrName, Whole
from deadheat.cli.targets import Read

EXAMPLES = """\b
Examples:
  deadheat plan --gap 0.02
  deadheat plan --items 500
  deadheat plan --baseline 72% --candidate 76% --correlation 0.6
  deadheat plan --pilot results.csv --gap 0.02
  deadheat plan --sd 0.35 --gap 0.04

Between two systems on one benchmark a --correlation of 0.4 to 0.9 is usual.
"""


@click.command(cls=OptionsAlone, epilog=EXAMPLES)
@click.option("--gap", type=Share(), metavar="G", help="Gap to resolve; 0.04 is four points.")
@click.option("--n", "--items", "items", type=Whole(), metavar="N", help="Items that there are.")
@click.option("--half-width", type=Share(), metavar="H", help="Half-width of the interval.")
@click.option(
    "--power",
    type=Share(),
    default=0.8,
    show_default=True,
    metavar="P",
    help="Probability of resolving the gap.",
)
@click.option(
    "--confidence",
    "confidence_level",
    type=Share(),
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level.",
)
@click.option(
    "--systems",
    "n_systems",
    type=Whole(),
    metavar="M",
    help="All pairs of M systems are compared (Bonferroni).",
)
@click.option(
    "--baseline",
    type=ShareOrName(),
    metavar="ACC",
    help="Accuracy as a share; with --pilot a name.",
)
@click.option(
    "--candidate",
    type=ShareOrName(),
    metavar="ACC",
    help="Accuracy as a share; with --pilot a name.",
)
@click.option(
    "--correlation", type=Number(), metavar="R", help="Of the two latent scores behind 0/1 scores."
)
@click.option(
    "--loading",
    type=Number(),
    metavar="L",
    help="Of both systems on one common factor: their correlation is L squared.",
)
@click.option(
    "--discordance",
    type=Share(),
    metavar="D",
    help="Share of items on which exactly one system is right.",
)
@click.option(
    "--method",
    metavar="NAME",
    help="Interval of the reading of 0/1 scores: auto (the default), percentile or tango.",
)
@click.option(
    "--test",
    metavar="NAME",
    help="Companion test of the reading: exact (the default), midp, chi2 or chi2_cc.",
)
@click.option(
    "--sd", type=Number(), metavar="SD", help="Standard deviation of per-item differences."
)
@click.option(
    "--between-variance",
    type=Number(),
    metavar="W",
    help="Variance between items of their expected differences.",
)
@click.option(
    "--answer-variance",
    type=options.Numbers(),
    metavar="A[,B]",
    help="Variance of repeated answers to one item, of both systems or of each.",
)
@click.option(
    "--answers",
    type=options.Numbers(),
    metavar="K[,K]",
    help="Answers of both systems, or of each, to every item.",
)
@click.option("--cluster-size", type=Number(), metavar="M", help="Items of an average cluster.")
@click.option(
    "--icc", type=Number(), metavar="R", help="Intra-class correlation of per-item differences."
)
@click.option("--design-effect", type=Number(), metavar="X", help="Instead of these two.")
@click.option(
    "--pilot",
    multiple=True,
    type=Read(),
    metavar="FILE",
    help="Scores or outputs of two systems (or of one); repeatable, NAME=PATH.",
)
@click.option("--metric", metavar="NAME", help="Of the pilot: accuracy, mean or another mean.")
@options.policies
@options.reading
@options.output
def plan(
    *, pilot: tuple[str, ...], references: str | None, form: str, output: str | None, **given: Any
) -> None:
    """Plan how many items a gap needs, and what items can do.

    From two accuracies and how often the systems disagree, from the spread of real scores, or from
    a pilot.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.planning import plan as run

    with at_work():
        result = run(pilot=pilot or None, references=references, **given)
    show(result, form, output)
