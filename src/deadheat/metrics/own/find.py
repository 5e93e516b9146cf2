"""Finding what "package.module:name" names."""

from __future__ import annotations

import filecmp
import importlib
import importlib.util
import inspect
import os
import pkgutil
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from deadheat.errors import DeadheatError, UsageError, known
from deadheat.metrics.own.calls import LONGEST

FORM = "Write it as package.module:name, such as my_metrics:within_one for what my_metrics.py calls"
BESIDE = "Modules are looked for among those installed and in the current folder."


def found(text: str) -> Any:
    """Return what "package.module:name" names; the name may be dotted.

    The current folder is put at the end of `sys.path`, so that a file in it is found, and hides
    nothing that is installed.

    Raises
    ------
    UsageError
        If there is no such module or name, or importing the module fails.

    Examples
    --------
    >>> found("statistics:fmean").__name__, found("collections:Counter.total").__name__
    ('fmean', 'total')
    """
    module_name, _, path = text.partition(":")
    if module_name.endswith(".py") or "/" in module_name or os.sep in module_name:
        stem = Path(module_name).name.removesuffix(".py")
        raise UsageError(
            f"{text!r} names a file, and a module is needed.",
            fix=f"Write {stem}:{path or 'name'}, in the folder of the file.",
        )
    if not (_is_dotted(module_name) and _is_dotted(path)):
        raise UsageError(f"{text!r} names no function or class.", fix=f"{FORM} within_one.")
    module = _module(module_name, text)
    value: Any = module
    for depth, part in enumerate(path.split(".")):
        missing = object()
        value, holder = getattr(value, part, missing), value
        if value is missing:
            inside = ".".join((module_name, *path.split(".")[:depth]))
            raise UsageError(
                f"{inside} has no {part!r}{_of(module)}.", fix=known(_offered(holder), part)
            )
    return value


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _module(name: str, text: str) -> ModuleType:
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    importlib.invalidate_caches()
    _refuse_two(name.partition(".")[0], here)
    try:
        return importlib.import_module(name)
    except DeadheatError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise _no_module(name, error.name, here) from None
        raise _not_imported(name, text, error) from error
    except (Exception, SystemExit) as error:
        raise _not_imported(name, text, error) from error


def _refuse_two(top: str, here: str) -> None:
    """Refuse a name that means a file of the current folder and, before it, another module."""
    beside = PathFinder.find_spec(top, [here])
    if beside is None or beside.origin is None:
        return
    loaded = sys.modules.get(top)
    if loaded is not None:
        other = getattr(loaded, "__file__", None) or "part of Python"
    else:
        spec = importlib.util.find_spec(top)
        other = (spec and spec.origin) or beside.origin
    if not _same(other, beside):
        raise UsageError(
            f"the module {top} is both {_place(beside.origin)} in the current folder and {other}.",
            fix="Rename the file.",
        )


def _same(other: str, beside: ModuleSpec) -> bool:
    """Whether a file is that of the current folder, or an installed copy of it."""
    here = str(beside.origin)
    if os.path.realpath(other) == os.path.realpath(here):
        return True
    alone = beside.submodule_search_locations is None
    return alone and os.path.isfile(other) and filecmp.cmp(other, here, shallow=False)


def _no_module(name: str, missing: str, here: str) -> UsageError:
    parent, _, last = missing.rpartition(".")
    if parent:
        package = sys.modules.get(parent)
        names = [m.name for m in pkgutil.iter_modules(getattr(package, "__path__", None) or [])]
        return UsageError(f"there is no module {missing!r}.", fix=known(names, last))
    names = [m.name for m in pkgutil.iter_modules([here])]
    listed = f" In this folder: {known(names, last)}" if names else ""
    return UsageError(f"there is no module {missing!r}.", fix=f"{BESIDE}{listed}")


def _not_imported(name: str, text: str, error: BaseException) -> UsageError:
    said = " ".join(str(error).split())[:LONGEST]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return UsageError(
        f"{name}, named by the metric {text!r}, cannot be imported: {what.rstrip('.')}.",
        fix=f"Try python -c 'import {name}'.",
    )


def _offered(holder: Any) -> list[str]:
    """Return the public names of a module or class that may be metrics, its own if it has any."""
    names = {
        name: value
        for name, value in getattr(holder, "__dict__", {}).items()
        if not name.startswith("_") and not inspect.ismodule(value) and _usable(value)
    }
    home = getattr(holder, "__name__", None)
    own = [name for name, value in names.items() if _home(value, home) == home]
    return own or list(names)


def _home(value: Any, otherwise: str | None) -> str | None:
    """Return the module that defines a function or class; anything else is where it is met."""
    defined = inspect.isroutine(value) or inspect.isclass(value)
    return getattr(value, "__module__", otherwise) if defined else otherwise


def _usable(value: Any) -> bool:
    return callable(value) or hasattr(value, "statistics") or hasattr(value, "value_of")


def _of(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return f" ({_place(file)})" if file else ""


def _place(file: str) -> str:
    """Write a path as it is seen from the current folder, where it lies in it."""
    near = os.path.relpath(file)
    return file if near.startswith(os.pardir) else near
