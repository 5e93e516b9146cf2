"""`deadheat check`: whether a benchmark can tell systems apart."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.numbers import Share, Whole
from deadheat.cli.targets import Command, Read, Written


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="FILES...")
@click.option(
    "--options",
    metavar="K",
    help="Answers that each item offers, for random choice as a baseline; or the column that "
    "holds their number, or a list of them.",
)
@click.option(
    "--trivial",
    type=options.Names(),
    help="Systems that are baselines and no candidates.",
)
@click.option(
    "--label-error", type=Share(), metavar="E", help="Share of references that are wrong."
)
@click.option("--text-column", metavar="COL", help="Column of the texts of items, for duplicates.")
@click.option("--texts", type=Read(), metavar="FILE", help="File of the texts of items.")
@click.option(
    "--training", type=Read(), metavar="FILE", help="Texts in which those of items are looked for."
)
@click.option("--training-column", metavar="COL", help="Column of the texts in that file.")
@click.option(
    "--suspects",
    type=Whole(),
    default=10,
    show_default=True,
    metavar="N",
    help="Items of each kind that are listed.",
)
@click.option(
    "--items", type=Written(), metavar="FILE", help="Write what is known of each item to a file."
)
@options.metric
@click.option(
    "--confidence",
    type=Share(),
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level.",
)
@click.option(
    "--resamples", type=Whole(), default=9999, show_default=True, metavar="N", help="Draws."
)
@click.option("--seed", type=Whole(), default=0, show_default=True, help="Seed of the draws.")
@click.option("--threads", type=Whole(), metavar="N", help="Threads; never changes a number.")
@options.memory_held
@options.dependence
@options.policies
@options.reading
@options.output
@options.record
def check(
    sources: tuple[str, ...],
    *,
    confidence: float,
    resamples: int,
    seed: int,
    zero_division: str,
    lower_is_better: bool,
    items: str | None,
    form: str,
    output: str | None,
    record: str | None,
    **given: Any,
) -> None:
    """Check whether a benchmark can tell systems apart: ceiling, floor, spread, items, duplicates.

    FILES are tables with several systems, one file a system, or a folder of them.
    """
    from deadheat.benchmark import check as run
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.record import save
    from deadheat.tabular import check_ending, write_table

    if items is not None:
        check_ending(items, "--items")
    with at_work() as progress:
        result = run(
            *sources,
            confidence_level=confidence,
            n_resamples=resamples,
            rng=seed,
            zero_division=options.zero_division(zero_division),
            greater_is_better=False if lower_is_better else None,
            progress=progress,
            **given,
        )
    if items is not None:
        write_table(result.items_frame(), items)
    if record is not None:
        save(result, record)
    show(result, form, output)
