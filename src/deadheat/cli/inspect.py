"""`deadheat inspect`: what files hold, and what can be compared."""

from __future__ import annotations

from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.targets import Command, Read


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, type=Read(), metavar="INPUT...")
@options.reading
@options.memory_held
@options.output
def inspect(sources: tuple[str, ...], *, form: str, output: str | None, **given: Any) -> None:
    """Say what files hold: tool, systems, tasks, scores, runs; and what can be compared.

    INPUT is what `deadheat compare` reads: files and folders, each PATH or NAME=PATH. The report
    ends with the commands that can be run on it.
    """
    from deadheat.cli.progress import progress_bar
    from deadheat.cli.show import show
    from deadheat.inspecting import inspect as run

    with progress_bar("files") as progress:
        found = run(*sources, progress=progress, **given)
    show(found, form, output)
