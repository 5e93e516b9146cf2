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


def names(package: str) -> tuple[str, ...]:
    """Return the names of the variants of a package, sorted.

    Examples
    --------
    >>> "accuracy" in names("deadheat.metrics")
    True
    """
    return tuple(sorted(_own(package) | set(_added(package))))


def load(package: str, name: str) -> Any:
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
    added = _added(package)
    if name not in added:
        kind = package.rpartition(".")[2]
        what = WORDS.get(kind, kind)
        raise UsageError(f"there is no {what} {name!r}.", fix=known(names(package), name))
    entry = added[name]
    try:
        return entry.load()
    except Exception as error:
        raise UsageError(
            f"the entry point {name} = {entry.value} of {package} cannot be loaded: {error}.",
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
