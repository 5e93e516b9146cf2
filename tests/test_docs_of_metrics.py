"""The pages of metrics, held against the metrics."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sacrebleu.metrics import BLEU

import deadheat
from deadheat.errors import UsageError
from deadheat.metrics import metric, names
from deadheat.metrics.metric import OfSums
from deadheat.metrics.spans.tags import PREFIXES
from deadheat.metrics.texts.normalization import STEPS, Normalizer
from deadheat.metrics.win_rate import OF_TIES
from pages import METHODS, PAGES, command_page, rows, section, spans

ONE = np.array([0, 1, 1, 0])
TEXT = (["a b c d e"], ["a b c d f"])
EXAMPLES: dict[str, tuple[Any, Any]] = {
    "metrics": (ONE[::-1], ONE),
    "translation": TEXT,
    "speech": TEXT,
    "summarisation": TEXT,
    "question-answering": TEXT,
    "spans": ([["B-X", "O"]], [["B-X", "O"]]),
    "ranking": ([["d1", "d2"]], [["d2"]]),
    "probability": (np.array([0.1, 0.9, 0.4, 0.2]), ONE),
    "correlations": (np.array([0.1, 0.9, 0.4, 0.2]), np.arange(4)),
    "repeated-answers": (["a"], ["a"]),
    "preference": ([0.0, 1.0], None),
}
"""Outputs and references that all metrics of a page take."""

GIVEN: dict[str, tuple[str, Any]] = {
    "--labels": ("labels", ["a"]),
    "--positive": ("positive", "a"),
    "--zero-division": ("zero_division", 1.0),
    "--lower-is-better": ("greater_is_better", False),
    "--tokenize": ("tokenize", "char"),
    "--normalize": ("normalize", "lower"),
    "--normalize-map": ("normalize_map", {"a": "b"}),
    "--bins": ("bins", 5),
    "--ties": ("ties", "win"),
    "--scheme": ("scheme", "bio"),
}
"""Options of metrics, and what none of them has for a default."""


def own_name(page: str) -> str:
    return Path(page).stem


def takes_option(name: str, keyword: str, value: Any) -> bool:
    try:
        metric(name, **{keyword: value})
    except UsageError as error:
        return "does not take" not in error.found
    return True


def kind_of(name: str) -> str:
    made = metric(name)
    if not isinstance(made, OfSums):
        return "weights"
    return "mean" if made.is_mean else "sums"


def test_metrics_are_all_listed() -> None:
    documented = []
    for cell, _, _ in rows(section(PAGES["docs/methods/metrics.md"], "All metrics")):
        plain = [name for name in spans(cell) if not name.endswith("_")]
        averages = [name for name in spans(cell) if name.endswith("_")]
        documented += [*plain, *(f"{average}{name}" for average in averages for name in plain)]
    assert sorted(documented) == list(names())


def test_options_of_metrics_are_those_of_the_commands() -> None:
    table = section(command_page("compare"), "The systems and the metric")
    others = {"--baseline", "--candidate", "--metric"}
    assert {spans(row[0])[0] for row in rows(table)} == GIVEN.keys() | others


@pytest.mark.parametrize("page", METHODS)
def test_metrics_are_as_the_page_says_at_a_glance(page: str) -> None:
    told = set()
    for listed, better, values, kind, options in rows(section(PAGES[page], "At a glance")):
        for name in spans(listed):
            made = metric(name)
            told.add(name)
            assert made.greater_is_better == {"greater": True, "lower": False}[better], name
            if made.bounds is None:
                assert values in ("any", "from 0"), name
            else:
                assert values == "{:g} to {:g}".format(*made.bounds), name
            assert kind == kind_of(name), name
            taken = {flag for flag, given in GIVEN.items() if takes_option(name, *given)}
            assert taken == set(spans(options)), name
    for cell, _, where in rows(section(PAGES["docs/methods/metrics.md"], "All metrics")):
        here = spans(cell) if f"({Path(page).name})" in where else []
        for name in here:
            whole = name.endswith("_") or any(
                one.startswith(name.removesuffix("k")) for one in told
            )
            assert whole, name


@pytest.mark.parametrize("page", METHODS)
def test_signatures_are_those_of_results(page: str) -> None:
    lines = re.findall(r"^    (\S+\|\S+)$", section(PAGES[page], "At a glance"), re.MULTILINE)
    assert lines
    outputs, references = EXAMPLES[own_name(page)]
    for line in lines:
        name = line.partition("|")[0]
        scored = ([0.0, 1.0], None) if name == "mean" else (outputs, references)
        if name.startswith("pass"):
            scored = (pl.DataFrame({"item": ["q"], "score": [[1, 0, 1, 1, 0]]}), None)
        found = deadheat.score(scored[0], references=scored[1], metric=name, n_resamples=99)
        own = re.sub(r"version:[^|]+", "version:", found.metric_signature)
        assert own == re.sub(r"version:[^|]+", "version:", line)


def test_every_page_of_metrics_is_held() -> None:
    assert {own_name(page) for page in METHODS} == EXAMPLES.keys()


def test_steps_of_normalisation_do_what_the_table_shows() -> None:
    table = list(rows(section(PAGES["docs/methods/speech.md"], "Normalisation")))
    assert [spans(row[0])[0] for row in table] == [
        *("lower", "casefold", "punctuation", "whitespace", "nfc", "nfd", "nfkc", "nfkd"),
        *("accents", "articles", "map"),
    ]
    assert {spans(row[0])[0] for row in table} == set(STEPS)
    for step, _, before, after in table:
        ((name,), (text,), (right,)) = (spans(cell) for cell in (step, before, after))
        mapping = {"mr": "mister"} if name == "map" else None
        assert Normalizer(steps=(name,), mapping=mapping)(text) == right, name
        assert text != right, name


def test_tokenisers_are_those_of_sacrebleu() -> None:
    text = section(PAGES["docs/methods/translation.md"], "BLEU")
    (item,) = (part for part in text.split("\n- ") if part.startswith("**Tokeniser**"))
    named = [word.removeprefix("--tokenize ") for word in spans(item)]
    assert sorted(named) == sorted(BLEU.TOKENIZERS)


def test_policies_and_schemes_are_all_explained() -> None:
    ties = section(PAGES["docs/methods/preference.md"], "Definition")
    assert {spans(row[0])[0] for row in rows(ties)} == set(OF_TIES)
    tags = section(PAGES["docs/methods/spans.md"], "Tags")
    assert {
        spans(scheme)[0]: "".join(spans(prefixes)) for scheme, prefixes, _ in rows(tags)
    } == PREFIXES
