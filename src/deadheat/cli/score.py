"""`deadheat score`: each system with its interval."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.targets import Command, Read


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="FILES...")
@options.metric
@options.inference
@options.dependence
@options.runs
@options.policies
@options.memory
@options.engine
@options.reading
@options.output
@options.record
def score(
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
    """Score each system on its own, with an interval (Wilson for 0/1 scores).

    Intervals of two systems that overlap say nothing about their difference: for that, compare.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.record import save
    from deadheat.scorecard import score as run

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
