"""Variants by name: a variant is a module of its package's folder; entry points add more.

A package is named by its import path, which is also the group of its entry points, such as
``deadheat.intervals``. Modules of the folder that are no variants are listed in the package's
``SUPPORT``. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from deadheat.errors import UsageError, known

WORDS = {"intervals": "interval method", "metrics": "metric", "readers": "reader"}


def names(package: str, group: str | None = None) -> tuple[str, ...]:
    """Return the names of the variants of a package, sorted.

    Parameters
    ----------
    package : str
        Import path of the folder.
    group : str, optional
        Of entry points, where that has another name.

    Examples
    --------
    >>> "accuracy" in names("deadheat.metrics")
    True
    """
    return tuple(sorted(_own(package) | set(_added(group or package))))


def load(package: str, name: str, group: str | None = None) -> Any:
    """Return a variant: the module of the folder, or else what an entry point names.

    An entry point cannot replace a module of the folder.

    Raises
    ------
    UsageError
        If there is no such variant, or its entry point cannot be loaded.

    Examples
    --------
    >>> load("deadheat.metrics", "mcc").__name__
    'deadheat.metrics.mcc'
    """
    if name in _own(package):
        return import_module(f"{package}.{name}")
    offered = group or package
    added = _added(offered)
    if name not in added:
        kind = offered.rpartition(".")[2]
        what = WORDS.get(kind, kind)
        raise UsageError(f"there is no {what} {name!r}.", fix=known(names(package, group), name))
    entry = added[name]
    try:
        return entry.load()
    except Exception as error:
        raise UsageError(
            f"the entry point {name} = {entry.value} of {offered} cannot be loaded: {error}.",
            fix="Repair or uninstall the package that offers it.",
        ) from error


@cache
def _own(package: str) -> frozenset[str]:
    folder = import_module(package)
    found = {module.name for module in pkgutil.iter_modules(folder.__path__)}
    support = set(getattr(folder, "SUPPORT", ()))
    return frozenset(name for name in found - support if not name.startswith("_"))


@cache
def _added(package: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=package)}
