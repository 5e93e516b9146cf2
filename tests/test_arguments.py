"""Whatever Python hands over: NumPy's types are Python's, and no type ends in a bare error."""

from __future__ import annotations

import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import deadheat
from deadheat.errors import DeadheatError, UsageError

SCORES = {"a": [1, 0, 1, 1, 0, 1, 0, 1], "b": [1, 1, 1, 0, 0, 1, 1, 1]}
LABELS = {"a": ["x", "y", "x", "x", "y", "x"], "b": ["x", "x", "y", "x", "y", "x"]}
RIGHT = ["x", "y", "y", "x", "y", "y"]
RUNS = {"a": [[1, 0], [1, 1], [0, 0]], "b": [[1, 1], [0, 1], [1, 0]]}
FEW: dict[str, Any] = {"n_resamples": 99}
OF_LABELS: dict[str, Any] = {"references": RIGHT, "metric": "macro_f1", **FEW}


def right_or_wrong(reference: object, output: object) -> float:
    return float(reference == output)


Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
CALLS: dict[str, Call] = {
    "compare scores": (deadheat.compare, (SCORES,), FEW),
    "compare labels": (deadheat.compare, (LABELS,), OF_LABELS),
    "compare runs": (deadheat.compare, (RUNS,), {"runs": "random", **FEW}),
    "rank scores": (deadheat.rank, (SCORES,), FEW),
    "rank labels": (deadheat.rank, (LABELS,), OF_LABELS),
    "score scores": (deadheat.score, (SCORES,), FEW),
    "score labels": (deadheat.score, (LABELS,), OF_LABELS),
    "check scores": (deadheat.check, (SCORES,), {"texts": list("abcdefgh"), **FEW}),
    "check labels": (deadheat.check, (LABELS,), OF_LABELS),
    "plan": (deadheat.plan, (), {"baseline": 0.7, "candidate": 0.8, "correlation": 0.3}),
    "plan means": (deadheat.plan, (), {"gap": 0.1, "between_variance": 0.2, "answers": 2}),
    "plan pilot": (deadheat.plan, (), {"pilot": SCORES, "items": 50}),
    "simulate": (
        deadheat.simulate,
        (),
        {"items": 30, "baseline": 0.7, "candidate": 0.8, "correlation": 0.3},
    ),
    "simulate replays": (
        deadheat.simulate,
        (),
        {"items": 20, "means": [0.4, 0.5], "correlation": 0.3, "replays": 2},
    ),
    "simulate pilot": (deadheat.simulate, (), {"pilot": SCORES, "items": 20}),
    "claim": (deadheat.claim, (), {"n": 500, "baseline": "71.2", "candidate": "74.8"}),
    "claim gap": (deadheat.claim, (), {"n": 400, "gap": 1.5, "interval": (1.1, 1.9)}),
    "adjust": (deadheat.adjust, (), {"p_values": [0.01, 0.04]}),
    "inspect": (deadheat.inspect, ("scores.csv",), {}),
    "convert": (deadheat.convert, (SCORES,), {"output": "t.csv"}),
    "read": (deadheat.read, (SCORES,), {}),
    "verify": (deadheat.verify, (), {"path": "r.json"}),
    "save": (deadheat.save, (), {"result": None, "path": "again.json"}),
    "per_item": (deadheat.per_item, (right_or_wrong,), {}),
    "whole_set": (deadheat.whole_set, (right_or_wrong,), {}),
}

ODD: dict[str, Any] = {
    "None": None,
    "3": 3,
    "2.5": 2.5,
    "-1": -1,
    "text": "x",
    "no text": "",
    "bytes": b"x",
    "list": [],
    "a list": [1, "x", None],
    "dictionary": {},
    "a dictionary": {"a": 1},
    "object": object(),
    "scalar": np.array(3.0),
    "array": np.array([1.0, 2.0]),
    "matrix": np.eye(2),
    "NaN": float("nan"),
    "infinity": float("inf"),
    "large": 10**40,
    "endless": 10**5000,
    "True": True,
    "function": lambda *given: None,
    "frame": pl.DataFrame({"x": [1]}),
    "complex": 1j,
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({f"system_{k}": v for k, v in SCORES.items()}).write_csv("scores.csv")
    return tmp_path


def parameters(function: Callable[..., Any]) -> list[str]:
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is not parameter.VAR_POSITIONAL
    ]


KEYWORDS = [
    (call, name) for call, (function, _, _) in CALLS.items() for name in parameters(function)
]


def test_every_public_function_is_called() -> None:
    public = {name for name in deadheat.__all__ if inspect.isfunction(getattr(deadheat, name))}
    assert public == {function.__name__ for function, _, _ in CALLS.values()}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("call", "name"), KEYWORDS, ids=map("-".join, KEYWORDS))
def test_odd_values_are_refused_or_taken(call: str, name: str) -> None:
    """Only errors of deadheat, with a sentence that says what to do; else JSON."""
    function, sources, options = CALLS[call]
    bare = {}
    for kind, value in ODD.items():
        try:
            if name == "function":  # by position only
                found = function(value, **options)
            else:
                found = function(*sources, **(options | {name: value}))
            if hasattr(found, "to_json"):
                json.loads(found.to_json())
        except DeadheatError as error:
            if not (str(error).strip() and len(str(error)) < 2000):
                bare[kind] = error
        except Exception as error:
            bare[kind] = error
    assert not bare


# -- an error names its parameter ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "name", "value"),
    [
        ("check scores", "options", 10**40),
        ("check scores", "systems", 2.5),
        ("check labels", "labels", 0),
        ("claim gap", "interval", np.array(3.0)),
        ("simulate replays", "test", 3),
        ("simulate replays", "means", 3),
        ("simulate", "means", object()),
        ("rank scores", "descriptive", "no"),
        ("rank scores", "arena", 1),
        ("compare scores", "different_items", None),
        ("compare scores", "n_resamples", 10**5000),
        ("compare scores", "names", 3),
        ("compare scores", "label_map", 3),
        ("compare scores", "about", 3),
        ("adjust", "labels", 3),
        ("read", "names", 3),
        ("verify", "path", 3),
        ("save", "result", 3),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_an_error_names_what_it_is_about(call: str, name: str, value: object) -> None:
    function, sources, options = CALLS[call]
    with pytest.raises(UsageError) as caught:
        function(*sources, **(options | {name: value}))
    words = name.replace("_", " ").removeprefix("n ").removesuffix("s")
    assert words in str(caught.value).replace("-", " ").replace("_", " ")


# -- NumPy's types are Python's --------------------------------------------------------------------


def of_numpy(value: Any) -> dict[str, Any]:
    """Return a value as NumPy and frames have it."""
    if isinstance(value, bool):
        return {"bool": np.bool_(value), "scalar": np.array(value)}
    if isinstance(value, int):
        return {kind.__name__: kind(value) for kind in (np.int64, np.uint8, np.int32)} | {
            "scalar": np.array(value)
        }
    if isinstance(value, float):
        # A short float is the decimal by which NumPy shows it.
        return {"double": np.float64(value), "single": np.float32(value), "0d": np.array(value)}
    if isinstance(value, str):
        return {"text": np.str_(value), "scalar": np.array(value)}
    if isinstance(value, list):
        return {
            "array": np.array(value),
            "pandas": pd.Series(value),
            "polars": pl.Series(value),
            "parts": [np.array(value)[k] for k in range(len(value))],
            "tuple": tuple(value),
        }
    assert isinstance(value, dict)
    return {"parts": {np.str_(k): np.str_(v) for k, v in value.items()}}


OF_INFERENCE = {"confidence_level": 0.9, "n_resamples": 98, "rng": 3, "threads": 2}
OF_DATA = {
    "strata": "fixed",
    "weighting": "pooled",
    "missing": "drop",
    "unparseable": "missing",
    "names": ["a", "b"],
    "systems": ["a", "b"],
    "different_items": True,
}
OF_METRICS = {
    "greater_is_better": True,
    "zero_division": 1.0,
    "bins": 10,
    "ties": "half",
    "scheme": "bio",
    "metric": "mean",
}
OF_COMPARE = {
    "baseline": "b",
    "candidate": "a",
    "method": "percentile",
    "alternative": "less",
    "test": "sign_flip",
    "margin": 0.3,
    "paired": False,
    "runs": "fixed",
}
OF_RANK = {
    "baseline": "b",
    "correction": "holm",
    "descriptive": True,
    "confidence_set": True,
    "arena": True,
}
VALID: dict[str, dict[str, Any]] = {
    "compare scores": OF_INFERENCE | OF_DATA | OF_METRICS | OF_COMPARE,
    "compare labels": {
        "labels": ["x", "y"],
        "references": RIGHT,
        "positive": "y",
        "label_map": {"x": "z"},
        "metric": "accuracy",
    },
    "rank scores": OF_INFERENCE | OF_DATA | OF_METRICS | OF_RANK,
    "score scores": OF_INFERENCE | OF_DATA | OF_METRICS | {"method": "jeffreys"},
    "check scores": OF_INFERENCE
    | OF_DATA
    | OF_METRICS
    | {"options": 4, "trivial": ["b"], "label_error": 0.1, "suspects": 2},
    "plan": {
        "gap": 0.05,
        "power": 0.9,
        "items": 100,
        "half_width": 0.05,
        "confidence_level": 0.9,
        "baseline": 0.6,
        "candidate": 0.9,
        "correlation": 0.5,
        "n_systems": 4,
        "method": "tango",
        "test": "midp",
        "cluster_size": 4.0,
        "design_effect": 1.5,
    },
    "plan means": {"between_variance": 0.3, "answers": [2, 3], "gap": 0.2, "answer_variance": 0.1},
    "plan pilot": {"baseline": "b", "candidate": "a", "metric": "mean", "missing": "drop"},
    "simulate": {
        "items": 20,
        "baseline": 0.6,
        "candidate": 0.9,
        "correlation": 0.5,
        "rng": 3,
        "scores": "binary",
        "runs": 2,
        "replays": 2,
        "cluster_size": 5,
    },
    "simulate replays": {
        "means": [0.4, 0.6],
        "replays": 3,
        "drawn": True,
        "method": "percentile",
        "test": "exact",
        "confidence_level": 0.9,
        "n_resamples": 98,
        "threads": 1,
    },
    "claim": {
        "n": 250,
        "baseline": 71.2,
        "candidate": "75.2",
        "p": 0.01,
        "discordant": 40,
        "share": 99.5,
        "confidence_level": 0.9,
        "gap": 4.0,
    },
    "claim gap": {"n": 200, "gap": 2.5, "interval": [1.25, 3.75], "n_resamples": 98},
    "adjust": {"p_values": [0.25, 0.125], "method": "bh", "alpha": 0.1, "labels": ["k", "l"]},
    "inspect": {"systems": ["a", "b"], "names": ["a", "b"], "score": "score"},
    "convert": {"systems": ["a", "b"], "to": "tidy", "output": "u.csv", "different_items": True},
}
OPTIONS = [(call, name) for call, options in VALID.items() for name in options]


def outcome(call: str, name: str, value: object) -> str:
    """Return the JSON of a result, or what is said where options do not go together."""
    function, sources, options = CALLS[call]
    try:
        return str(function(*sources, **(options | {name: value})).to_json())
    except DeadheatError as error:
        return str(error)


@pytest.mark.parametrize(("call", "name"), OPTIONS, ids=map("-".join, OPTIONS))
def test_a_value_of_numpy_is_the_value_of_python(call: str, name: str) -> None:
    value = VALID[call][name]
    wanted = outcome(call, name, value)
    assert {
        kind: outcome(call, name, other) for kind, other in of_numpy(value).items()
    } == dict.fromkeys(of_numpy(value), wanted)


def test_most_of_these_calls_succeed() -> None:
    """Else the comparison above would be one of messages."""
    done = [outcome(call, name, VALID[call][name]).startswith("{") for call, name in OPTIONS]
    assert sum(done) > 0.8 * len(done)


def test_paths_of_numpy() -> None:
    deadheat.save(deadheat.compare("scores.csv"), np.str_("r.json"))  # type: ignore[arg-type]
    assert deadheat.verify(np.str_("r.json")).to_json() == deadheat.verify("r.json").to_json()
    found = deadheat.read(SCORES, names=np.array(["c", "d"]))  # type: ignore[arg-type]
    assert found.systems == ("c", "d")
    assert all(type(name) is str for name in found.systems)


def test_other_processes_get_the_same_function() -> None:
    """They are sent functions by name."""
    for function, _, _ in CALLS.values():
        assert pickle.loads(pickle.dumps(function)) is function
        assert inspect.getdoc(function)
