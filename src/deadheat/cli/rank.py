"""`deadheat rank`: every system, with what the items say about the order."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.numbers import Share, Whole
from deadheat.cli.targets import Command, Read


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="FILES...")
@click.option("--baseline", metavar="NAME", help="Compare the others with this system only.")
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
@click.option(
    "--correction",
    type=click.Choice(["max-t", "holm", "bh", "none"]),
    default="max-t",
    show_default=True,
    help="Of the p-values and intervals of pairs; ranks and bands always hold together.",
)
@click.option("--cost", metavar="COL", help="Column of costs, for value against cost.")
@click.option(
    "--descriptive", is_flag=True, help="Add how often each system comes first in resamples."
)
@click.option("--confidence-set", is_flag=True, help="Add the model confidence set.")
@click.option("--arena", is_flag=True, help="Add ranks by separate intervals.")
@options.dependence
@options.policies
@options.memory
@options.engine
@options.reading
@options.output
@options.record
def rank(
    sources: tuple[str, ...],
    *,
    confidence: float,
    resamples: int,
    seed: int,
    zero_division: str,
    lower_is_better: bool,
    form: str,
    output: str | None,
    record: str | None,
    **given: Any,
) -> None:
    """Rank systems on the same items: values, ranks they may have, bands, all pairs.

    FILES are tables with several systems, one file a system, or a folder of them.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.ranks import rank as run
    from deadheat.record import save

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
    if record is not None:
        save(result, record)
    show(result, form, output)
