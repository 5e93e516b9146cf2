"""`deadheat verify`: recompute a record and say what changed."""

from __future__ import annotations

import click

from deadheat.cli import options
from deadheat.cli.targets import Command, ReadRecord


@click.command(cls=Command)
@click.argument("record", type=ReadRecord(), metavar="RECORD")
@options.output
def verify(record: str, form: str, output: str | None) -> int:
    """Recompute a record from its files and say what changed.

    That is rows, outputs, settings, version or numbers. Exits with 1 when anything changed; a
    different version with equal numbers is only a note.
    """
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show
    from deadheat.record import verify as run

    with at_work() as progress:
        result = run(record, progress=progress)
    show(result, form, output)
    return 0 if result.holds else 1
