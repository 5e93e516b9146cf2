"""Variants by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import deadheat.metrics
from deadheat import registry
from deadheat.errors import UsageError

PACKAGE = "deadheat.metrics"


@pytest.fixture
def added(monkeypatch):
    """Entry points that a distribution installed beside this one would add."""

    def add(**entries: str) -> None:
        found = {
            name: EntryPoint(name=name, value=value, group=PACKAGE)
            for name, value in entries.items()
        }
        monkeypatch.setattr(registry, "_added", lambda package: found)

    return add


def test_names_are_the_files_of_the_folder():
    folder = Path(deadheat.metrics.__file__).parent
    files = {file.stem for file in folder.glob("[!_]*.py")}
    assert set(registry.names(PACKAGE)) == files - set(deadheat.metrics.SUPPORT)
    packages = {init.parent.name for init in folder.glob("*/__init__.py")}
    assert packages <= set(deadheat.metrics.SUPPORT) <= files | packages
    assert list(registry.names(PACKAGE)) == sorted(registry.names(PACKAGE))


@pytest.mark.parametrize("name", registry.names(PACKAGE))
def test_every_variant_of_the_metrics_makes_one(name):
    assert callable(registry.load(PACKAGE, name).metric)


@pytest.mark.parametrize(
    "name", ["acuracy", "labels", "labels.counts", "__init__", "", "os", "mean.mean"]
)
def test_unknown(name):
    with pytest.raises(UsageError, match="there is no metric") as caught:
        registry.load(PACKAGE, name)
    assert "accuracy" in str(caught.value)


def test_nearest_name():
    with pytest.raises(UsageError, match="Did you mean accuracy"):
        registry.load(PACKAGE, "acuracy")


def test_entry_points_add(added):
    added(mine="fractions:Fraction")
    assert "mine" in registry.names(PACKAGE)
    assert registry.load(PACKAGE, "mine").__name__ == "Fraction"


def test_entry_points_do_not_replace(added):
    added(accuracy="fractions:Fraction")
    assert registry.load(PACKAGE, "accuracy").__name__ == "deadheat.metrics.accuracy"
    assert registry.names(PACKAGE).count("accuracy") == 1


def test_an_entry_point_that_cannot_be_loaded(added):
    added(broken="there_is_no_such_module:thing")
    with pytest.raises(UsageError, match=r"broken = there_is_no_such_module:thing.*uninstall"):
        registry.load(PACKAGE, "broken")
    assert "broken" in registry.names(PACKAGE)
