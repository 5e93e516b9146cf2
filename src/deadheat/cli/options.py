"""Options that several commands share, spelled once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from deadheat.cli.numbers import Share, Whole
from deadheat.cli.targets import Read, Written
from deadheat.report import FORMS

Command = Callable[..., Any]


class Pairs(click.ParamType[dict[str, str]]):
    """OLD=NEW,... as a dictionary; text around the first `=` of each part is kept as it is."""

    name = "OLD=NEW,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, str]:
        if isinstance(value, dict):
            return value
        pairs: dict[str, str] = {}
        for part in str(value).split(","):
            old, separator, new = part.partition("=")
            if not separator or not old:
                self.fail(f"{part!r} is not OLD=NEW", param, ctx)
            if pairs.setdefault(old, new) != new:
                self.fail(f"{old!r} is mapped twice", param, ctx)
        return pairs


class Names(click.ParamType[tuple[str, ...]]):
    """A,B,... as a tuple of names."""

    name = "A,B,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(str(value).split(","))
        if "" in names or len(set(names)) < len(names):
            self.fail(f"{value!r} is not a list of different names", param, ctx)
        return names


class Numbers(click.ParamType[tuple[float, ...]]):
    """A,B,... as a tuple of numbers; percents with their sign are shares."""

    name = "A,B,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(Share().convert(part, param, ctx) for part in str(value).split(","))


def _stacked(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


reading = _stacked(
    click.option(
        "--references", "--reference", type=Read(), metavar="FILE", help="File of right answers."
    ),
    click.option(
        "--reference-column",
        metavar="COL",
        help="Column of right answers: a name, or a number from 1 where there is no header.",
    ),
    click.option("--label-map", type=Pairs(), help="Rename labels in outputs and references."),
    click.option("--item", metavar="COL", help="Column of item ids, or COLUMN:REGEX."),
    click.option(
        "--system-column", metavar="COL", help="Column that names the system, or COLUMN:REGEX."
    ),
    click.option("--system", "systems", type=Names(), help="System columns of a wide table."),
    click.option("--score", metavar="COL", help="Column of scores."),
    click.option("--output-column", metavar="COL", help="Column of outputs."),
    click.option(
        "--cluster",
        metavar="COL",
        help="Column of clusters, or COLUMN:REGEX: items that are not independent.",
    ),
    click.option(
        "--stratum",
        metavar="COL",
        help="Column of strata, or COLUMN:REGEX: parts that are sampled on their own.",
    ),
    click.option(
        "--run",
        metavar="COL",
        help="Column of runs, or COLUMN:REGEX; scores are averaged within items unless the "
        "metric is one of runs, such as pass@5.",
    ),
    click.option(
        "--different-items",
        is_flag=True,
        help="Compare systems of different tasks, or whose items asked for something else "
        "according to their logs.",
    ),
)

policies = _stacked(
    click.option(
        "--missing",
        type=click.Choice(["error", "drop", "wrong"]),
        default="error",
        show_default=True,
        help="Items that a system lacks, and scores that are not finite.",
    ),
    click.option(
        "--unparseable",
        type=click.Choice(["wrong", "missing"]),
        default="wrong",
        show_default=True,
        help="Null outputs: scored wrong, or treated as missing.",
    ),
)

metric = _stacked(
    click.option(
        "--metric",
        metavar="NAME",
        help="Such as accuracy, mean, macro_f1, bleu, wer, auroc, pass@5; several with commas "
        "between them; PACKAGE.MODULE:NAME for one of your own. Default: accuracy where outputs "
        "have references or scores are 0/1, else mean.",
    ),
    click.option("--labels", type=Names(), help="Labels that a metric averages over."),
    click.option("--positive", metavar="LABEL", help="Positive label of a binary metric."),
    click.option(
        "--zero-division",
        type=click.Choice(["0", "1", "nan"]),
        default="0",
        show_default=True,
        help="What an undefined ratio counts as.",
    ),
    click.option("--lower-is-better", is_flag=True, help="Lower values of the metric are better."),
    click.option("--tokenize", metavar="NAME", help="Tokeniser of BLEU, by sacrebleu's names."),
    click.option(
        "--normalize",
        metavar="STEPS",
        help="Steps applied to texts before they are compared, such as lower,punctuation.",
    ),
    click.option(
        "--normalize-map",
        type=Read(),
        metavar="FILE",
        help="Words and what replaces them: a JSON object, or two columns with a tab between.",
    ),
    click.option(
        "--bins", type=Whole(), default=15, show_default=True, metavar="N", help="Bins of ece."
    ),
    click.option(
        "--ties",
        type=click.Choice(["half", "win", "loss", "drop"]),
        default="half",
        show_default=True,
        help="What a tie counts in win_rate.",
    ),
    click.option(
        "--scheme",
        type=click.Choice(["conll", "bio", "bioes", "iob1"]),
        default="conll",
        show_default=True,
        help="Scheme of tags of span_f1; conll is lenient.",
    ),
)

inference = _stacked(
    click.option(
        "--method",
        metavar="NAME",
        default="auto",
        show_default=True,
        help="Interval method, such as percentile, bca_t, tango or wilson; a name that does not "
        "apply lists those that do.",
    ),
    click.option(
        "--confidence",
        type=Share(),
        default=0.95,
        show_default=True,
        metavar="LEVEL",
        help="Confidence level.",
    ),
    click.option(
        "--resamples",
        type=Whole(),
        default=9999,
        show_default=True,
        metavar="N",
        help="Draws, where draws are needed.",
    ),
    click.option("--seed", type=Whole(), default=0, show_default=True, help="Seed of the draws."),
    click.option("--threads", type=Whole(), metavar="N", help="Threads; never changes a number."),
)

dependence = _stacked(
    click.option(
        "--strata",
        type=click.Choice(["fixed", "random"]),
        default="fixed",
        show_default=True,
        help="The claim is about these strata, or about new ones.",
    ),
    click.option(
        "--weighting",
        type=click.Choice(["pooled", "macro"]),
        default="pooled",
        show_default=True,
        help="Every item counts alike, or every stratum.",
    ),
)

runs = click.option(
    "--runs",
    type=click.Choice(["fixed", "random"]),
    default="fixed",
    show_default=True,
    help="The claim is about these runs (averaged within items), or about the recipe: new runs.",
)

output = _stacked(
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMS),
        default="text",
        show_default=True,
        help="Form of the report.",
    ),
    click.option("--output", type=Written(), metavar="FILE", help="Write the report to a file."),
)


def _memory(beyond: str) -> Callable[[Command], Command]:
    return click.option(
        "--memory",
        metavar="SIZE",
        default="4GB",
        show_default=True,
        help=f"Memory that tables may take, such as 500MB; {beyond}.",
    )


memory = _memory("one that would take more is counted in passing, or refused")
memory_held = _memory("those that would take more are refused")


def _quiet(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Keep what Dask logs of lost connections off the screen: the message at the end says it."""
    if value is not None:
        import logging

        logging.disable()
    return value


engine = click.option(
    "--engine",
    metavar="ADDRESS",
    callback=_quiet,
    help="Dask scheduler, dask://HOST:PORT, whose workers count parts of a table and draw.",
)

record = click.option(
    "--record", type=Written(), metavar="FILE", help="Write a record for `deadheat verify`."
)

about = click.option(
    "--about",
    multiple=True,
    metavar="SYSTEM:KEY=VALUE",
    help="What a file does not know: checkpoint, temperature, top_p, max_tokens, stop, seed, date.",
)


def zero_division(choice: str) -> float:
    """Return the number that `--zero-division` names."""
    return float(choice)
