"""Metrics by name and options."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from deadheat import registry
from deadheat.errors import UsageError
from deadheat.metrics import Metric, metric, metrics_of, names
from deadheat.metrics.named import SHOWN
from metrics.measured import bound

LOWER = {"brier", "cer", "ece", "log_loss", "ter", "wer"}
"""Metrics of which less is better."""


@pytest.mark.parametrize("name", names())
def test_every_name_makes_a_metric_of_that_name(name):
    asked = re.sub("k$", "5", name) if "@" in name or "^" in name else name
    made = metric(asked)
    assert isinstance(made, Metric)
    assert made.name == asked
    assert made.greater_is_better == (name not in LOWER)
    assert made.signature.startswith(f"{asked}|")


def test_every_file_has_a_name():
    files = set(registry.names("deadheat.metrics")) - {"f"}
    assert {SHOWN.get(file, file) for file in files} <= set(names())


def test_several_metrics():
    assert metrics_of("accuracy,macro_f1") == (metric("accuracy"), metric("macro_f1"))
    assert metrics_of(["mcc", "f2"], positive="b") == (metric("mcc"), metric("f2", positive="b"))
    with pytest.raises(UsageError, match="named twice"):
        metrics_of("kappa,cohen_kappa")
    with pytest.raises(UsageError, match="tokenize"):
        metrics_of("accuracy,mcc", tokenize="zh")
    with pytest.raises(UsageError, match="there is no metric 'acuracy'"):
        metrics_of("mcc,acuracy")
    with pytest.raises(UsageError, match="no metric is named"):
        metrics_of([])


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("kappa", "cohen_kappa"),
        ("f", "f1"),
        ("macro_f", "macro_f1"),
        ("f1.0", "f1"),
        ("micro_f0.50", "micro_f0.5"),
        ("weighted_f3", "weighted_f3"),
    ],
)
def test_aliases(alias, name):
    assert metric(alias).name == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("acuracy", "Did you mean accuracy"),
        ("macro_f1_score", "Did you mean macro_f1"),
        ("f0", "above 0"),
        ("f-1", "there is no metric 'f-1'"),
        ("f1e3", "there is no metric 'f1e3'"),
        ("macro_accuracy", "there is no metric 'macro_accuracy'"),
        ("macro_macro_f1", "there is no metric"),
        ("metric", "there is no metric 'metric'"),
        ("label_counts", "there is no metric"),
        ("", "there is no metric ''"),
    ],
)
def test_unknown_names(name, said):
    with pytest.raises(UsageError, match=said):
        metric(name)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("accuracy", {"labels": ["a"]}),
        ("accuracy", {"positive": "a"}),
        ("accuracy", {"zero_division": 1.0}),
        ("accuracy", {"greater_is_better": False}),
        ("mean", {"zero_division": math.nan}),
        ("mean", {"labels": ["a"]}),
        ("mcc", {"labels": ["a"]}),
        ("balanced_accuracy", {"zero_division": 1.0}),
        ("cohen_kappa", {"positive": 1}),
        ("macro_f1", {"positive": 1}),
        ("macro_f1", {"greater_is_better": False}),
        ("f1", {"labels": ["a"]}),
    ],
)
def test_options_that_a_metric_does_not_have(name, option):
    with pytest.raises(UsageError, match=next(iter(option))):
        metric(name, **option)


@pytest.mark.parametrize("wrong", [0.5, -1.0, math.inf])
def test_zero_division_is_0_1_or_nan(wrong):
    with pytest.raises(UsageError, match="Give 0, 1 or nan"):
        metric("macro_f1", zero_division=wrong)


def test_direction():
    assert not metric("mean", greater_is_better=False).greater_is_better
    assert metric("mean", greater_is_better=True) == metric("mean")
    assert metric("accuracy", greater_is_better=True) == metric("accuracy")


def test_choice_of_an_option():
    assert metrics_of(None) == (None,)
    assert metrics_of("mcc") == (metric("mcc"),)
    ready = metric("macro_f1", labels=["a"])
    assert metrics_of(ready)[0] is ready
    assert metrics_of(None, greater_is_better=False) == (metric("mean", greater_is_better=False),)
    for option in ({"labels": ["a"]}, {"positive": 1}, {"zero_division": 1.0}):
        with pytest.raises(UsageError, match="without the name"):
            metrics_of(None, **option)
        with pytest.raises(UsageError, match="was given already made"):
            metrics_of(ready, **option)
    with pytest.raises(UsageError, match="was given already made"):
        metrics_of(ready, greater_is_better=False)


def test_signature_states_what_changes_the_value():
    references, outputs = ["a", "b", "c"], ["a", "b", "b"]

    def signature(name, references=references, outputs=outputs, **options):
        return bound(name, references, outputs, **options)[0].signature

    assert signature("macro_f1") == "macro_f1|labels:3|zd:0|v:1"
    assert signature("macro_f1", labels=["a", "b"]) == "macro_f1|labels:[a,b]|zd:0|v:1"
    assert signature("recall", positive="b") == "recall|positive:b|zd:0|v:1"
    assert signature("f1", [0, 1], [1, 1], zero_division=np.nan) == "f1|positive:1|zd:nan|v:1"
    assert signature("mcc") == "mcc|labels:3|v:1"
    assert signature("balanced_accuracy") == "balanced_accuracy|labels:3|v:1"
    assert metric("mean", greater_is_better=False).signature == "mean|lower_is_better|v:1"
