"""`deadheat convert`: logs and tables of any kind as one tidy table."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.targets import Command, Read, Written
from deadheat.report import FORMS


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="INPUT...")
@click.option(
    "--output",
    type=Written(),
    metavar="PATH",
    required=True,
    help="Table to write (.csv, .tsv, .jsonl or .parquet), or folder of documents.",
)
@click.option(
    "--to",
    type=click.Choice(["tidy", "every-eval-ever"]),
    default="tidy",
    show_default=True,
    help="One table, or documents of Every Eval Ever: two for each system.",
)
@options.reading
@options.memory_held
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="Form of the account of what was written.",
)
def convert(sources: tuple[str, ...], *, output: str, form: str, **given: Any) -> None:
    """Write logs and tables as one tidy table: a row for each item, system and run.

    INPUT is what `deadheat compare` reads: files and folders, each PATH or NAME=PATH.
    """
    from deadheat.cli.progress import progress_bar
    from deadheat.cli.show import show
    from deadheat.converting import convert as run

    with progress_bar("files") as progress:
        done = run(*sources, output=output, progress=progress, **given)
    show(done, form, None)
