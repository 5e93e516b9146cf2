"""`deadheat simulate`: evaluations whose truth is known."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from deadheat.cli import options
from deadheat.cli.astray import OptionsAlone
from deadheat.cli.numbers import Number, Share, Whole
from deadheat.cli.targets import Read
from deadheat.errors import UsageError

if TYPE_CHECKING:
    from deadheat.simulated import Simulation


EXAMPLES = """\b
Examples:
  deadheat simulate --items 500 --baseline 72% --candidate 76% --correlation 0.6 --output scores.csv
  deadheat simulate --items 500 --baseline 72% --candidate 76% --correlation 0.6 --replays 1000
  deadheat simulate --items 200 --means .5,.6,.7 --correlation 0.5 --output board.csv
  deadheat simulate --pilot results.csv --items 2000 --replays 1000

Between two systems on one benchmark a --correlation of 0.4 to 0.9 is usual.
"""


@click.command(cls=OptionsAlone, epilog=EXAMPLES)
@click.option("--items", type=Whole(), metavar="N", help="Number of items.")
@click.option("--baseline", type=Share(), metavar="MEAN", help="True mean of the baseline.")
@click.option("--candidate", type=Share(), metavar="MEAN", help="True mean of the candidate.")
@click.option(
    "--means", type=options.Numbers(), help="True means of any number of systems, instead."
)
@click.option(
    "--correlation",
    type=Number(),
    metavar="R",
    help="Correlation of the latent scores of two systems on one item.",
)
@click.option(
    "--loading",
    type=Number(),
    metavar="L",
    help="Loading on the shared factor, instead: the square root of the correlation.",
)
@click.option(
    "--scores",
    type=click.Choice(["binary", "graded", "real"]),
    default="binary",
    show_default=True,
    help="0 or 1, shares of some points, or real numbers.",
)
@click.option("--levels", type=Whole(), metavar="K", help="Points of a graded score.")
@click.option("--sd", type=Number(), metavar="SD", help="Standard deviation of real scores.")
@click.option(
    "--shape",
    type=click.Choice(["normal", "beta", "lognormal", "gamma", "zeros"]),
    help="Distribution of real scores; else normal.",
)
@click.option("--cluster-size", type=Whole(), metavar="M", help="Items of a cluster.")
@click.option(
    "--icc", type=Number(), metavar="R", help="Latent correlation of two items of a cluster."
)
@click.option("--runs", type=Whole(), metavar="K", help="Answers of each system to each item.")
@click.option(
    "--answer-correlation",
    type=Number(),
    metavar="R",
    help="Latent correlation of two answers of one system to one item.",
)
@click.option(
    "--pilot",
    type=Read(),
    metavar="FILE",
    help="Two systems whose scores are taken for the truth, instead.",
)
@click.option(
    "--replays",
    type=Whole(),
    metavar="N",
    help="Data sets to hold the inference against the truth on.",
)
@click.option(
    "--drawn", is_flag=True, help="Draw the bootstrap, by --resamples, where it would be computed."
)
@options.inference
@click.option(
    "--test",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Companion test, such as exact, midp, sign_flip or t.",
)
@options.output
@click.pass_context
def simulate(
    context: click.Context,
    /,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    replays: int | None,
    pilot: str | None,
    form: str,
    output: str | None,
    **given: Any,
) -> None:
    """Simulate an evaluation of known truth, or hold the inference against it.

    Without --replays the table of scores goes to --output, as CSV, TSV, JSON lines or Parquet by
    its suffix, or to standard output as CSV. With --replays a report says how often the interval
    holds the true difference, and how often it is resolved.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.simulated import simulate as run
    from deadheat.tabular import check_ending

    if replays is None:
        _check_form(context, output)
        if output is not None:
            check_ending(output)
    with at_work("replays") as progress:
        result = run(
            pilot=pilot,
            replays=replays,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            progress=progress,
            **given,
        )
    if replays is not None:
        show(result, form, output)
    elif output is None:
        _print_table(result)
    else:
        result.write(output)
        show(result, form, None)


def _check_form(context: click.Context, output: str | None) -> None:
    """Refuse a form of a summary that nobody would see."""
    if output is None and context.get_parameter_source("form") is not ParameterSource.DEFAULT:
        raise UsageError(
            "--format is that of a report or a summary, and standard output has the table.",
            fix="Give --output for the table, or --replays.",
        )


def _print_table(result: Simulation) -> None:
    from deadheat.simulated.tables import csv_texts

    if sys.stdout is None:  # closed by whoever started the command
        return
    for text in csv_texts(result.frames()):
        sys.stdout.write(text)
