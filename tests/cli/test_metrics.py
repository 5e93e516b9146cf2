"""Each metric by its name, through every door, against who else knows its value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, call
from cli.doors import DOORS, fits
from cli.judges import CASES, NAMED, Case
from deadheat.metrics import names

Call = Callable[..., Done]

DRAWS = ("--resamples", "99")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


def groups() -> dict[str, list[Case]]:
    """Return the cases that share items, and so can be asked for in one call."""
    found: dict[tuple[int, str], list[Case]] = {}
    for case in CASES:
        found.setdefault((id(case.systems), str(case.options)), []).append(case)
    return {f"{cases[0].metric}...": cases for cases in found.values()}


every_group = pytest.mark.parametrize("cases", groups().values(), ids=groups())
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.metric)


def test_no_metric_is_left_out() -> None:
    assert {NAMED.get(case.metric, case.metric) for case in CASES} == set(names())


def asked(cases: Sequence[Case], **options: object) -> list[object]:
    """Return the options of the command line that name the metrics of some cases."""
    given = {"metric": ",".join(c.metric for c in cases), **cases[0].options, **options}
    return [word for name, value in given.items() for word in (f"--{name}", value)]


@every_group
@pytest.mark.parametrize("door", DOORS)
def test_values_through_every_door(run: Call, tmp_path: Path, door: str, cases: list[Case]) -> None:
    if not fits(door, cases[0]):
        pytest.skip("a table of texts holds no lists, and rows without ids have no runs")
    sources, options = DOORS[door](cases[0], tmp_path)
    if all(isinstance(source, str) for source in sources):
        done = run("score", *sources, *asked(cases, **options), *DRAWS, "--format", "json")
        assert (done.code, done.err) == (0, "")
        told = done.json
    else:
        names = [case.metric for case in cases]
        kept = cases[0].options | options
        told = deadheat.score(*sources, metric=names, n_resamples=99, **kept).to_dict()
    cards = told["scorecards"] if len(cases) > 1 else [told]
    for case, card in zip(cases, cards, strict=True):
        assert card["metric"]["name"] == case.metric
        values = {row["system"]: row["value"] for row in card["systems"]}
        assert values == pytest.approx({s: case.value(s) for s in "ab"}, rel=case.rel), case.metric
