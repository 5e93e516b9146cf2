"""`deadheat compare`: two systems, the same items."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.numbers import Number
from deadheat.cli.targets import Command, Read, Written


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="FILES...")
@click.option("--baseline", metavar="NAME", help="System that the other is compared with.")
@click.option("--candidate", metavar="NAME", help="The other system.")
@options.metric
@options.inference
@click.option(
    "--alternative",
    type=click.Choice(["two-sided", "less", "greater"]),
    default="two-sided",
    show_default=True,
    help="About candidate - baseline.",
)
@click.option(
    "--test",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Companion test, such as exact, midp, sign_flip, t or swap.",
)
@click.option("--margin", type=Number(), metavar="X", help="Smallest difference that matters.")
@click.option("--unpaired", is_flag=True, help="Treat the two sets of items as independent.")
@options.dependence
@options.runs
@options.policies
@options.memory
@options.engine
@options.reading
@options.about
@options.output
@options.record
@click.option(
    "--flips",
    type=Written(),
    metavar="FILE",
    help="Write the items on which the systems differ (.csv, .tsv, .jsonl or .parquet).",
)
def compare(
    sources: tuple[str, ...],
    *,
    confidence: float,
    resamples: int,
    seed: int,
    zero_division: str,
    lower_is_better: bool,
    unpaired: bool,
    about: tuple[str, ...],
    form: str,
    output: str | None,
    record: str | None,
    flips: str | None,
    **given: Any,
) -> None:
    """Compare two systems on the same items: difference, interval, tests and a reading.

    FILES are tables (CSV, TSV, JSON lines, JSON, Parquet), or one file a system, each PATH or
    NAME=PATH. The difference is always candidate - baseline.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.comparing import compare as run
    from deadheat.record import save
    from deadheat.remarks import parsed_about
    from deadheat.tabular import check_ending, write_table

    if flips is not None:
        check_ending(flips, "--flips")
    with at_work() as progress:
        result = run(
            *sources,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            zero_division=options.zero_division(zero_division),
            greater_is_better=False if lower_is_better else None,
            paired=not unpaired,
            about=parsed_about(about),
            progress=progress,
            **given,
        )
    if record is not None:
        save(result, record)
    if flips is not None:
        write_table(result.flipped(), flips, for_people=True)
    show(result, form, output)
