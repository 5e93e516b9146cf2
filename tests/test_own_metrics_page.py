"""The page on metrics of one's own: its files do what it says (test_docs.py runs its commands)."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score, d2_absolute_error_score

import deadheat
from deadheat.metrics.own import FromSums, FromWeights, PerItem, WholeSet, from_name

ROOT = Path(__file__).parents[1]
FENCE = runpy.run_path(str(ROOT / "docs" / "update.py"))["FENCE"]
PAGE = (ROOT / "docs" / "own-metrics.md").read_text(encoding="utf-8")
FORMS = {
    "my_metrics:within_one": PerItem,
    "my_errors:distance": PerItem,
    "my_median:median_error": WholeSet,
    "sklearn.metrics:balanced_accuracy_score": WholeSet,
    "my_kappa:quadratic_kappa": WholeSet,
    "my_sums:QuadraticKappa": FromSums,
    "my_weights:Explained": FromWeights,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of the page, each as it is first shown, and the data."""
    for fence in FENCE.finditer(PAGE):
        path = tmp_path / (fence["file"] or "")
        if fence["file"] and not path.exists():
            path.write_text(fence["body"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    runpy.run_path("make_ratings.py")
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def ratings(system):
    with open(f"{system}.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["reference"] for row in rows], [row["output"] for row in rows]


def values(metric):
    return [row.value for row in deadheat.score("a.jsonl", "b.jsonl", metric=metric,
                                                n_resamples=99).systems]  # fmt: skip


def test_every_metric_that_the_page_runs_is_looked_at_here():
    shown = set(re.findall(r"^\$ deadheat .* --metric (\w[\w.]*:\w+)", PAGE, re.MULTILINE))
    mistakes = {name for name in shown if name.startswith("my_mistakes:")}
    assert shown - mistakes == set(FORMS)


@pytest.mark.parametrize(("name", "form"), FORMS.items())
def test_forms(folder, name, form):
    assert type(from_name(name)) is form


def test_values_are_those_of_scikit_learn_and_of_arithmetic(folder):
    data = [ratings(system) for system in "ab"]
    kappas = [cohen_kappa_score(*pair, weights="quadratic") for pair in data]
    assert values("my_sums:QuadraticKappa") == pytest.approx(kappas, rel=1e-12)
    assert values("my_kappa:quadratic_kappa") == pytest.approx(kappas, rel=1e-12)
    explained = [d2_absolute_error_score(*pair) for pair in data]
    assert values("my_weights:Explained") == pytest.approx(explained, rel=1e-12)
    gaps = [sorted(abs(r - o) for r, o in zip(*pair, strict=True)) for pair in data]
    assert values("my_median:median_error") == [(gap[99] + gap[100]) / 2 for gap in gaps]
    assert values("my_errors:distance") == pytest.approx([sum(gap) / 200 for gap in gaps])
    assert values("my_metrics:within_one") == [sum(g <= 1 for g in gap) / 200 for gap in gaps]


def test_entry_points(folder):
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = project["entry-points"]["deadheat.metrics"]
    metadata = folder / "rating_metrics-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[deadheat.metrics]", *lines, ""]))
    (command,) = re.findall(r"^deadheat (.*)$", PAGE, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "deadheat", *command.split(), "--format", "json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["comparisons"]
    assert [one["metric"]["name"] for one in found] == list(entries)
    assert [one["metric"]["signature"].split("|")[0] for one in found] == [
        f"own:{value}" for value in entries.values()
    ]
    assert [one["baseline"]["value"] for one in found] == pytest.approx(
        [values("my_metrics:within_one")[0], values("my_sums:QuadraticKappa")[0]]
    )


def test_how_often_a_function_of_all_items_is_called(folder):
    # The page says 44,000 for 9,999 resamples and 2,000 items.
    calls = []
    median = from_name("my_median:median_error")
    counted = deadheat.whole_set(lambda r, o: calls.append(1) or median(r, o))
    deadheat.compare("a.jsonl", "b.jsonl", metric=counted, n_resamples=999)
    assert 4 * 999 + 2 * 200 <= len(calls) <= 4 * 999 + 2 * 200 + 20
    assert round(4 * 9_999 + 2 * 2_000, -3) == 44_000
    assert "44,000 times" in PAGE
