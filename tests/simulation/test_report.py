"""How simulations are laid out."""

from __future__ import annotations

import math
import re
from functools import cache

import pytest
from scipy import stats

import deadheat
from deadheat.report import Table, layout

FORMS = ("to_text", "to_markdown")
PAIR = {"items": 60, "baseline": 0.6, "candidate": 0.7, "correlation": 0.3}


@cache
def made(name: str) -> deadheat.Simulation:
    few = {"cluster_size": 20, "icc": 0.2, "method": "percentile", "n_resamples": 99, "replays": 3}
    return {
        "table": lambda: deadheat.simulate(**PAIR),
        "exact": lambda: deadheat.simulate(**PAIR, replays=1),
        "replays": lambda: deadheat.simulate(**PAIR, replays=9, drawn=True, n_resamples=99),
        "no interval": lambda: deadheat.simulate(**PAIR, **few),
        "negative": lambda: deadheat.simulate(**(PAIR | {"correlation": -0.3})),
        "real": lambda: deadheat.simulate(**PAIR, scores="real", sd=0.2, shape="beta"),
        "many": lambda: deadheat.simulate(items=9, means=[0.5] * 30, loading=0.1),
        "pilot": lambda: deadheat.simulate(
            pilot={"[red]a|b`": [0, 1, 1, 0], "\u202ec": [1, 1, 1, 0]}, replays=1
        ),
    }[name]()


NAMES = ("table", "exact", "replays", "no interval", "negative", "real", "many", "pilot")


def tables(name: str) -> dict[str, Table]:
    return {block.title: block for block in layout(made(name)).blocks if isinstance(block, Table)}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMS)
def test_words(name: str, form: str) -> None:
    shown = getattr(made(name), form)()
    assert "significan" not in shown.lower()
    assert not re.search(r"undefined (points|%|times)|\bnan\b", shown)
    assert any(made(name).signature in line for line in shown.splitlines()) or name == "pilot"


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_as_wide_as_their_head(name: str) -> None:
    for table in tables(name).values():
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert set(table.numeric) <= set(table.columns)


def test_what_is_exact_has_no_monte_carlo_interval() -> None:
    assert tables("exact")["Intervals and tests"].columns == ("", "share")
    assert tables("replays")["Intervals and tests"].columns == ("", "share", "95% interval")
    assert dict(tables("exact")["How it was made"].rows)["replays"] == "none (exact)"
    assert dict(tables("replays")["How it was made"].rows)["resamples"] == "99"


def test_what_is_undefined_says_so() -> None:
    rows = {row[0]: row[1] for row in tables("no interval")["Intervals and tests"].rows}
    assert rows["there is no interval"] == "100.0%"
    assert rows["mean width of the interval"] == "undefined"
    assert rows["exaggeration of the resolved (type M)"] == "undefined"
    assert dict(tables("negative")["Design"].rows)["loading on the shared factor"] == "undefined"


def test_correlation_and_loading_have_names_of_their_own() -> None:
    rows = dict(tables("table")["Design"].rows)
    assert rows["correlation of the latent scores"] == "0.3"
    assert rows["loading on the shared factor"] == "0.5477225575"
    judge = stats.multivariate_normal([0, 0], [[1, 0.3], [0.3, 1]])
    both = judge.cdf([stats.norm.ppf(0.6), stats.norm.ppf(0.7)])
    phi = (both - 0.6 * 0.7) / math.sqrt(0.6 * 0.4 * 0.7 * 0.3)
    assert rows["correlation of the 0/1 scores (phi)"] == f"{phi:.4g}"


def test_many_systems_stay_readable() -> None:
    rows = tables("many")["Design"].rows
    assert ("", "and 10 more (JSON has all)") in rows
    assert len(made("many").to_dict()["design"]["systems"]) == 30


def test_names_are_text() -> None:
    shown = made("pilot").to_text()
    assert "[red]a|b`" in shown
    assert "\u202e" not in shown
    assert "\u202e" not in made("pilot").to_markdown()
