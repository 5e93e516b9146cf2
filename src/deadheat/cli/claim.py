"""`deadheat claim`: whether a published number can be true, and what it shows."""

from __future__ import annotations

import re
import shlex
from typing import Any

import click

from deadheat.cli import options
from deadheat.cli.numbers import Share, Whole
from deadheat.cli.targets import Command
from deadheat.errors import UsageError

NUMBER = re.compile(r"\d+([.,/]\d+)?%?", re.ASCII)

TWO = re.compile(r"[\[(]?([-+\d.]+) ?(?:,|;|:|\.\.) ?([-+\d.]+)[\])]?", re.ASCII)
"""Two ends of an interval in one word."""

ONE = re.compile(r"[-+]?[\d.,]+%?", re.ASCII)


class ClaimCommand(Command):
    """Explains numbers that stand without an option, and intervals in one word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse what newcomers write, with the command that they mean.

        Raises
        ------
        UsageError
            If a number has no option, or an interval is one word.
        """
        for at, word in enumerate(args):
            given, after = [*args[at + 1 :], "", ""][:2]
            if word.startswith("--interval="):
                given, after = word.removeprefix("--interval="), ""
            elif word != "--interval":
                continue
            ends = TWO.fullmatch(given)
            # Two words with commas are decimal ones.
            if ends is not None and not ONE.fullmatch(after):
                raise UsageError(
                    f"--interval {given} is one word, and an interval has two ends.",
                    fix=f"Give them with a space between: --interval {ends[1]} {ends[2]}.",
                )
        _, loose, _ = self.make_parser(ctx).parse_args(args=list(args))
        if loose:
            raise _without_option(list(args), loose)
        return super().parse_args(ctx, args)


def _without_option(args: list[str], loose: list[str]) -> UsageError:
    """Return the error of words without an option, with the command that is meant if clear."""
    rest = [word for word in args if word not in loose]
    free = [name for name in ("--baseline", "--candidate") if name not in rest]
    said = f"{' '.join(loose)}: every number of a claim stands after its option."
    if len(loose) > len(free) or not all(NUMBER.fullmatch(word) for word in loose):
        return UsageError(said, fix="See 'deadheat claim --help'.")
    named = [word for pair in zip(free, loose, strict=False) for word in pair]
    items = [] if {"--n", "--items"} & set(rest) else ["--n", "N"]
    command = " ".join(["deadheat", "claim", *named, *items, *map(shlex.quote, rest)])
    return UsageError(said, fix=f"Write: {command}")


@click.command(cls=ClaimCommand)
@click.option(
    "--n",
    "--items",
    "n",
    type=Whole(),
    required=True,
    metavar="N",
    help="Items that both answered.",
)
@click.option("--baseline", metavar="PCT", help="Its value: 71.2, or 356/500.")
@click.option("--candidate", metavar="PCT", help="Its value: 74.8, or 374/500.")
@click.option("--gap", metavar="POINTS", help="Candidate - baseline, in points: +3.6.")
@click.option(
    "--interval",
    nargs=2,
    metavar="LOW HIGH",
    help="Of the gap, in points; of the value, where only one is given.",
)
@click.option("--p", metavar="P", help="The p-value as printed: .004, or '<0.001'.")
@click.option(
    "--discordant", type=Whole(), metavar="D", help="Items on which exactly one system is right."
)
@click.option("--share", metavar="PCT", help="Percentage of resamples with the candidate ahead.")
@click.option(
    "--confidence",
    type=Share(),
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level of the published interval.",
)
@click.option("--resamples", type=Whole(), metavar="N", help="Draws behind the published numbers.")
@options.output
def claim(
    *, confidence: float, resamples: int | None, form: str, output: str | None, **given: Any
) -> None:
    """Check a published gap in accuracy without per-item data.

    The digits count: 71.2 stands for 71.15 to 71.25, and 71.20 for a tenth of that.
    """
    from deadheat.claims import claim as run
    from deadheat.cli.progress import at_work
    from deadheat.cli.show import show

    with at_work():
        result = run(confidence_level=confidence, n_resamples=resamples, **given)
    show(result, form, output)
