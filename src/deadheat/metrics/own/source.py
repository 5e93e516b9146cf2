"""What a metric of the user's own is made of, in a few letters, so that a change of it is seen."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

LENGTH = 12
"""Hexadecimal digits of a digest: 48 bits tell versions of a function apart."""

PLAIN = (bool, int, float, complex, str, bytes, type(None))


def origin(given: Any) -> str:
    """Return where a function, class, instance or module is defined, as "module:name".

    Examples
    --------
    >>> import statistics, functools
    >>> origin(statistics.fmean), origin(functools.partial(round, ndigits=1)), origin(statistics)
    ('statistics:fmean', 'builtins:round', 'statistics')
    """
    if isinstance(given, types.ModuleType):
        return given.__name__
    named = bare(given)
    if not hasattr(named, "__qualname__"):
        named = type(named)
    return f"{getattr(named, '__module__', None) or '?'}:{named.__qualname__}"


def source(given: Any) -> str:
    """Return a digest of what defines a metric, and the version of its package where it has one.

    The digest is of the source text where there is one (else of the compiled code), of functions
    and constants of the same module that it names, of the values bound to it (defaults, closures,
    arguments of a partial, attributes of an instance), and of nothing that merely is called in
    other packages; these have versions.

    Examples
    --------
    >>> source(len).startswith("src:")
    True
    >>> def within(far):
    ...     return lambda reference, output: abs(reference - output) <= far
    >>> source(within(1)) == source(within(1)), source(within(1)) == source(within(2))
    (True, False)
    """
    text = "\n".join(_parts(given, set()))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]
    package = origin(given).partition(":")[0].partition(".")[0]
    version = getattr(sys.modules.get(package), "__version__", None)
    if package in sys.stdlib_module_names and package != "__main__":
        package, version = "python", ".".join(map(str, sys.version_info[:3]))
    return f"src:{digest}" + (f"|{package}:{version}" if isinstance(version, str) else "")


def bare(given: Any) -> Any:
    """Return what a partial calls, or the object itself."""
    while isinstance(given, functools.partial):
        given = given.func
    return given


def _parts(given: Any, seen: set[int]) -> Iterator[str]:
    """Yield what defines an object; `seen` holds what was met, as functions may name themselves."""
    if id(given) in seen:
        return
    seen.add(id(given))
    if _is_plain(given):
        yield repr(given)
    elif isinstance(given, functools.partial):
        yield from _parts(given.func, seen)
        yield from _bound({**dict(enumerate(given.args)), **given.keywords}, seen)
    elif isinstance(given, types.MethodType):
        yield from _parts(given.__func__, seen)
        yield from _parts(given.__self__, seen)
    elif isinstance(given, types.FunctionType):
        yield from _of_function(given, seen)
    elif isinstance(given, (type, types.ModuleType)):
        yield _text(given) or origin(given)
        yield from _named_in(given, seen)
    else:
        yield origin(given)
        if not isinstance(given, types.BuiltinFunctionType):
            yield from _parts(type(given), seen)
            yield from _bound(_attributes(given), seen)


def _of_function(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    yield _text(function) or _compiled(function.__code__)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closed = {name: cell.cell_contents for name, cell in cells if _filled(cell)}
    given = dict(enumerate(function.__defaults__ or ()))
    yield from _bound({**given, **(function.__kwdefaults__ or {}), **closed}, seen)
    yield from _named_in(function, seen)


def _named_in(given: Any, seen: set[int]) -> Iterator[str]:
    """Yield constants and functions of its own module that an object names."""
    if isinstance(given, type):
        functions = [f for f in vars(given).values() if isinstance(f, types.FunctionType)]
    else:
        functions = [given] if isinstance(given, types.FunctionType) else []
    for function in functions:
        for name in _names(function.__code__):
            value = function.__globals__.get(name)
            same = getattr(value, "__module__", None) == function.__module__
            if _is_plain(value) or (same and isinstance(value, (types.FunctionType, type))):
                yield from _bound({name: value}, seen)


def _bound(values: dict[Any, Any], seen: set[int]) -> Iterator[str]:
    for name, value in values.items():
        if _is_plain(value):
            yield f"{name}={value!r}"
        elif callable(value):
            yield f"{name}:"
            yield from _parts(value, seen)
        else:
            # What may be a cache, such as a mapping, must not change the digest while it fills.
            yield f"{name}:{type(value).__qualname__}"


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return type(value) in PLAIN


def _attributes(given: Any) -> dict[str, Any]:
    slots = (name for kind in type(given).__mro__ for name in getattr(kind, "__slots__", ()))
    found = {name: getattr(given, name) for name in slots if hasattr(given, name)}
    return {**found, **getattr(given, "__dict__", {})}


def _names(code: types.CodeType) -> tuple[str, ...]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    found = dict.fromkeys(code.co_names)
    for nested in inner:
        found.update(dict.fromkeys(_names(nested)))
    return tuple(found)


def _text(given: Callable[..., Any] | type | types.ModuleType) -> str:
    try:
        return inspect.getsource(given)
    except (OSError, TypeError, SyntaxError):
        return ""


def _compiled(code: types.CodeType) -> str:
    constants = map(_constant, code.co_consts)
    return "\n".join((code.co_code.hex(), *code.co_names, *code.co_varnames, *constants))


def _constant(value: Any) -> str:
    if isinstance(value, types.CodeType):
        return _compiled(value)
    # The order of a set differs from process to process.
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - reading an empty cell raises
    except ValueError:
        return False
    return True
