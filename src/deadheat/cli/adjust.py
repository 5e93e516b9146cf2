"""`deadheat adjust`: p-values of many comparisons."""

from __future__ import annotations

import sys

import click

from deadheat.cli import options
from deadheat.cli.numbers import Share
from deadheat.cli.targets import Command, Read
from deadheat.errors import UsageError


# A negative number is no option: it is a p-value that is refused as such.
@click.command(cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("p_values", nargs=-1, metavar="[P_VALUES]...")
@click.option(
    "--method",
    metavar="NAME",
    default="holm",
    show_default=True,
    help="bonferroni, holm, hochberg, sidak, holm_sidak, bh or by.",
)
@click.option("--alpha", type=Share(), default=0.05, show_default=True, help="Level to hold.")
@click.option("--file", "path", type=Read(), metavar="FILE", help="Table that holds the p-values.")
@click.option("--column", metavar="COL", help="Their column: a name, or a number from 1.")
@click.option("--label-column", metavar="COL", help="Column that names each comparison.")
@options.output
def adjust(
    p_values: tuple[str, ...],
    method: str,
    alpha: float,
    path: str | None,
    column: str | None,
    label_column: str | None,
    form: str,
    output: str | None,
) -> None:
    """Adjust p-values for the number of comparisons.

    P_VALUES are numbers, or - for standard input (one a line, or separated by white space or
    commas); with --file they are a column of a table.
    """
    from deadheat.cli.show import show
    from deadheat.multiplicity import adjust as run
    from deadheat.multiplicity import column_of, parsed

    if path is not None:
        if p_values:
            raise UsageError("p-values were given both as arguments and by --file.", fix="Choose.")
        numbers, labels = column_of(path, column, label_column)
    else:
        if column is not None or label_column is not None:
            raise UsageError("--column names a column of no file.", fix="Give --file.")
        texts = list(p_values)
        if texts in ([], ["-"]):
            if sys.stdin.isatty():
                raise UsageError("there are no p-values.", fix="Give them as arguments.")
            try:
                texts = sys.stdin.buffer.read().decode("utf-8").replace(",", " ").split()
            except UnicodeDecodeError as error:
                raise UsageError(
                    f"standard input is not UTF-8 text (byte {error.start}).",
                    fix="Give numbers, one a line.",
                ) from None
        numbers, labels = parsed(texts), None
    show(run(numbers, method=method, alpha=alpha, labels=labels), form, output)
