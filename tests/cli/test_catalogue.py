"""Options of the local page are read off the command line: every one reaches Python and a shell."""

from __future__ import annotations

import inspect
from typing import Any

import click
import pytest

import deadheat
from deadheat.cli import cli
from deadheat.cli.targets import Read
from deadheat.web.calls import OPPOSITES, words
from deadheat.web.options import Option, checked
from local_page import CATALOGUE

EVERY = [(command, option) for command, options in CATALOGUE.items() for option in options]
IN_READ = set(inspect.signature(deadheat.read).parameters)


@pytest.mark.parametrize(
    ("command", "option"), EVERY, ids=[f"{command} {option.name}" for command, option in EVERY]
)
def test_an_option_is_one_of_python_and_of_the_command_line(command: str, option: Option) -> None:
    if command != "adjust":  # There, the columns of a file become p-values and labels.
        accepted = set(inspect.signature(getattr(deadheat, command)).parameters)
        name = OPPOSITES.get(option.name, (option.name,))[0]
        assert name in (accepted | IN_READ if command == "inspect" else accepted)
    given = value_of(option)
    values = checked(CATALOGUE[command], {option.name: given}, ["some.csv"])
    assert list(values) == [option.name]
    # What the command line makes of the words is what was meant.
    required = ["--n", "7"] if command == "claim" and option.name != "n" else []
    sources = ["a.csv"] if command in ("compare", "rank", "score", "inspect") else []
    spelled = [*words([option], values), *required, *sources]
    context = cli.commands[command].make_context(command, spelled)
    parsed = [
        context.params[str(parameter.name)]
        for parameter in cli.commands[command].params
        if option.flag in parameter.opts or (not option.flag and parameter.name == option.name)
    ]
    meant = tuple(given) if isinstance(given, list) else given
    assert parsed == [meant]


def value_of(option: Option) -> Any:
    """Return a value that is not the default."""
    match option.kind:
        case "flag":
            return True
        case "number":
            return 3 if option.whole else 0.75
        case "choice":
            return next(choice for choice in option.choices if choice != option.default)
        case "list":
            return [1.5, 2.5] if option.numeric else ["-1.4", "x y"]
        case "pairs":
            return {"a b": "c=d", "e": ""}
        case "file":
            return "some.csv"
        case "files":
            return ["some.csv"]
        case _:
            return "-x 'y' $z"


def test_options_that_read_files_take_files_that_were_sent() -> None:
    for command, options in CATALOGUE.items():
        kinds = {option.flag: option.kind for option in options}
        for parameter in cli.commands[command].params:
            if isinstance(parameter.type, Read) and isinstance(parameter, click.Option):
                assert kinds[parameter.opts[-1]] in ("file", "files")


REVIEWED = """
about alpha alternative answer_variance answers arena baseline between_variance bins candidate
cluster cluster_size column confidence_level confidence_set correction correlation cost descriptive
design_effect different_items discordance discordant file gap half_width icc interval item items
label_column label_map labels loading lower_is_better margin method metric missing n n_resamples
n_systems normalize normalize_map output_column p p_values pilot positive power reference_column
references rng run runs scheme score sd share strata stratum system_column systems test ties
tokenize unpaired unparseable weighting zero_division
"""


def test_every_option_of_the_page_was_looked_at() -> None:
    """Whoever reaches the page sets these: none may open a path, an address, or run code.

    A new option of the command line is left out of the page (`LEFT_OUT`) or named here.
    """
    assert {option.name for _, option in EVERY} == set(REVIEWED.split())
