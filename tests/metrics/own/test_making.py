"""Finding a metric of one's own by name, and what an object is taken for."""

from __future__ import annotations

import functools
import json
import operator
import os
import sys
from fractions import Fraction

import pytest
from sklearn.metrics import f1_score

from deadheat.errors import UsageError
from deadheat.metrics import Metric
from deadheat.metrics.metric import OfSums, OfWeights, Settings
from deadheat.metrics.own import (
    FromSums,
    FromWeights,
    PerItem,
    WholeSet,
    adapted,
    from_name,
    per_item,
    whole_set,
)

MINE = """
import math as arithmetic
import statistics

from deadheat.metrics.own import per_item, whole_set

FAR = 1

def within_one(reference, output):
    return abs(reference - output) <= FAR

def mean_gap(references, outputs):
    return (outputs - references).mean()

nameless = per_item(lambda reference, output: reference == output)
named = whole_set(lambda references, outputs: 0.5, name="half", greater_is_better=False)

class Share:
    class Inner:
        @staticmethod
        def f(references, outputs):
            return 0.25

    def statistics(self, references, outputs):
        return [[r == o, 1] for r, o in zip(references, outputs)]

    def value(self, totals):
        return totals[0] / totals[1]

class Power:
    def __init__(self, exponent):
        self.exponent = exponent

    def __call__(self, references, outputs):
        return 1.0

square = Power(2)
number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current folder whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def mine(folder):
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [
        ("mine:within_one", PerItem, "within_one"),
        ("mine:mean_gap", WholeSet, "mean_gap"),
        ("mine:nameless", PerItem, "nameless"),
        ("mine:named", WholeSet, "half"),
        ("mine:Share", FromSums, "Share"),
        ("mine:Share.Inner.f", WholeSet, "f"),
        ("mine:square", WholeSet, "square"),
        ("sklearn.metrics:f1_score", WholeSet, "f1_score"),
    ],
)
def test_what_a_name_names(mine, name, kind, shown):
    made = from_name(name, Settings(name=name))
    assert type(made) is kind
    assert made.name == shown
    assert isinstance(made, Metric)
    assert isinstance(made, OfSums if kind in (PerItem, FromSums) else OfWeights)
    origin, *rest, version = made.signature.split("|")
    assert origin == f"own:{name}"
    assert version == "v:1"
    assert any(part.startswith("src:") and len(part) == 16 for part in rest)


def test_a_name_in_a_package(folder):
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").touch()
    (folder / "pack" / "inner.py").write_text("def f(reference, output): return 1", "utf-8")
    assert from_name("pack.inner:f").signature.startswith("own:pack.inner:f|src:")


def test_the_direction_is_that_of_the_settings(mine):
    for name, own in (("mine:mean_gap", True), ("mine:named", False), ("mine:Share", True)):
        assert from_name(name).greater_is_better is own
        for wanted in (True, False):
            settings = Settings(name=name, greater_is_better=wanted)
            made = from_name(name, settings)
            assert made.greater_is_better is wanted
            assert ("|lower_is_better|" in made.signature) is not wanted


@pytest.mark.parametrize(
    ("option", "value"),
    [("labels", ("a",)), ("zero_division", 1.0), ("bins", 3), ("tokenize", "13a"), ("positive", 1)],
)
def test_other_settings_are_refused(mine, option, value):
    settings = Settings(name="mine:mean_gap", **{option: value})
    with pytest.raises(UsageError, match=f"mean_gap does not take .*{option}"):
        from_name("mine:mean_gap", settings)


# What cannot be found


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine:within_on", r"mine has no 'within_on' \(mine.py\)\. Did you mean within_one\?"),
        ("mine:Share.Iner.f", r"mine\.Share has no 'Iner'.* Did you mean Inner"),
        ("mine:number.f", r"mine\.number has no 'f'.* None are known"),
        ("mine:number", r"number is 3, which cannot be called.*statistics and value"),
        ("mime:f", r"no module 'mime'.*In this folder: Did you mean mine\? Known: mine\."),
        ("sklearn.metric:f", r"no module 'sklearn\.metric'\. Did you mean metrics"),
        ("mine.part:f", r"no module 'mine\.part'\. None are known"),
        ("mine:", r"'mine:' names no function or class.*package\.module:name"),
        (":f", r"':f' names no function"),
        ("mine:f:g", r"'mine:f:g' names no function"),
        (".mine:f", r"'\.mine:f' names no function"),
        ("mine:Share()", r"'mine:Share\(\)' names no function"),
        ("mine.py:within_one", r"names a file, and a module is needed\. Write mine:within_one,"),
        ("./mine:within_one", r"names a file.*Write mine:within_one,"),
        ("mine:Power", r"Power cannot be made without arguments.*exponent.*Make an instance"),
        ("mine:arithmetic", r"arithmetic is <module 'math'.*cannot be called"),
    ],
)
def test_what_is_not_there(mine, name, message):
    with pytest.raises(UsageError, match=message) as caught:
        from_name(name, Settings(name=name))
    assert "\n" not in str(caught.value)


def test_near_names_are_the_module_s_own(mine):
    with pytest.raises(UsageError) as caught:
        from_name("mine:gap")
    assert caught.value.fix == (
        "Did you mean mean_gap? Known: Power, Share, mean_gap, named, nameless, square, within_one."
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such_thing_here", "ModuleNotFoundError: No module named 'no_such_thing_here'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def f(:", "SyntaxError: invalid syntax"),
        ("import sys; sys.exit('usage: m')", "SystemExit: usage: m"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
    ],
)
def test_a_module_that_cannot_be_imported(folder, code, said):
    (folder / "broken.py").write_text(code, encoding="utf-8")
    with pytest.raises(
        UsageError, match="broken, named by the metric 'broken:f', cannot"
    ) as caught:
        from_name("broken:f")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["statistics", "sys", "scipy"])
def test_a_file_that_another_module_hides(folder, name):
    (folder / f"{name}.py").write_text("def f(reference, output): return 1", encoding="utf-8")
    with pytest.raises(UsageError, match=rf"module {name} is both {name}.py in the .*Rename"):
        from_name(f"{name}:f")


def test_a_file_that_is_installed_as_it_is(mine, monkeypatch):
    installed = mine / "installed"
    installed.mkdir()
    (installed / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.syspath_prepend(installed)
    assert from_name("mine:within_one").name == "within_one"
    (mine / "mine.py").write_text(MINE + "# changed", encoding="utf-8")
    with pytest.raises(UsageError, match=r"the module mine is both mine.py in the current folder"):
        from_name("mine:within_one")


def test_the_current_folder_hides_nothing(mine):
    from_name("mine:within_one")
    from_name("mine:mean_gap")
    assert sys.path.count(os.getcwd()) == 1
    assert sys.path[-1] == os.getcwd()


# What an object is


class Sums:
    name = "sums"
    version = 2
    bounds = (0, 1)
    greater_is_better = False

    def statistics(self, references, outputs):
        return [[1.0, 1.0]] * len(outputs)

    def value(self, totals):
        return totals[..., 0] / totals[..., 1]


class Weighted:
    takes = "numbers"

    def rows(self, references, outputs):
        return outputs[:, None]

    def value_of(self, rows):
        return lambda weights: weights @ rows[:, 0]


def test_a_class_or_an_instance_says_what_it_is():
    for given in (Sums, Sums()):
        made = adapted(given)
        assert (made.name, made.greater_is_better, made.bounds) == ("sums", False, (0.0, 1.0))
        assert made.signature.startswith(
            f"own:{__name__}:Sums|lower_is_better|bounds:0,1|version:2"
        )
    made = adapted(Weighted)
    assert (made.name, made.takes, type(made)) == ("Weighted", "numbers", FromWeights)
    assert made.bounds is None


def test_the_name_of_an_entry_point():
    assert adapted(Sums, Settings(name="entry")).name == "entry"
    assert adapted(Sums, Settings(name="")).name == "sums"
    assert adapted(per_item(operator.eq), Settings(name="same")).name == "same"


def test_names_of_parameters_tell_one_item_from_all():
    assert type(adapted(lambda reference, output: 1)) is PerItem
    assert type(adapted(lambda reference, output, far=1: 1)) is PerItem
    assert type(adapted(functools.partial(lambda reference, output, far: 1, far=1))) is PerItem
    assert type(adapted(lambda references, outputs: 1)) is WholeSet
    assert type(adapted(lambda y_true, y_pred: 1)) is WholeSet
    assert type(adapted(operator.eq)) is WholeSet
    assert type(adapted(per_item(operator.eq))) is PerItem
    assert type(adapted(whole_set(lambda reference, output: 1))) is WholeSet


def test_a_decorated_function_is_still_a_function():
    @per_item
    def same(reference, output):
        return reference == output

    @whole_set(bounds=(0, 1), greater_is_better=False)
    def share(references, outputs):
        return sum(map(same, references, outputs)) / len(outputs)

    assert same("a", "a") is True
    assert share("ab", "ac") == 0.5
    assert (same.name, share.name) == ("same", "share")
    assert (share.bounds, share.greater_is_better) == ((0.0, 1.0), False)


def test_a_metric_of_ours_stays_what_it_is():
    made = adapted(Sums)
    assert adapted(made).signature == made.signature
    turned = adapted(made, Settings(name="", greater_is_better=True))
    assert turned.greater_is_better is True


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "the metric is 3, which cannot be called"),
        (None, "the metric is None"),
        (Fraction, "cannot be called and has no statistics and value"),
        (json, "cannot be called"),
        (lambda outputs: 1, r"lambda\(outputs\) cannot be called with references and outputs"),
        (lambda a, b, c: 1, r"missing a required argument: 'c'.*functools\.partial"),
        (lambda a, b, *, c: 1, r"missing a required argument: 'c'"),
        (lambda predictions, references: 1, "takes .predictions, references.*references first"),
        (lambda y_pred, y_true: 1, r"Swap them, or wrap it: lambda references, outputs: lambda\("),
        (lambda output, reference: 1, "takes .output, reference"),
        (type("Half", (), {"statistics": lambda *a: 1}), "Half has statistics and no value"),
        (type("Odd", (), {"statistics": 1, "value": 2}), "statistics of Odd is 1.*a method"),
        (type("Odd", (Sums,), {"takes": "labels"}), "takes 'labels'.*Known: numbers"),
        (type("Odd", (Sums,), {"bounds": (1, 0)}), r"bounds of sums are \(1, 0\)"),
        (type("Odd", (Sums,), {"bounds": 1}), "bounds of sums are 1"),
        (type("Odd", (Sums,), {"bounds": (0, float("inf"))}), "bounds of sums are"),
        (type("Odd", (Sums,), {"greater_is_better": "no"}), "greater_is_better of sums is 'no'"),
        (type("Odd", (Sums,), {"name": 3}), "the name of a metric is 3"),
        (type("Odd", (Sums,), {"name": "a|b"}), r"name of a metric is 'a\|b'.*parts settings"),
        (type("Odd", (Sums,), {"name": "a\nb"}), "one line of text"),
        (type("Odd", (Sums,), {"signature": lambda self: 1}), "the signature of sums is"),
        (type("Odd", (Sums,), {"version": 1.5}), "the version of sums is 1.5"),
    ],
)
def test_what_is_no_metric(given, message):
    with pytest.raises(UsageError, match=message) as caught:
        adapted(given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrap", [per_item, whole_set])
def test_what_cannot_be_wrapped(wrap):
    with pytest.raises(UsageError, match=r"this is 3, and a function is needed"):
        wrap(3)
    with pytest.raises(UsageError, match="this is a metric already"):
        wrap(per_item(operator.eq))
    with pytest.raises(UsageError, match="references first"):
        wrap(lambda output, reference: 1)


def test_other_judges_are_named_after_their_function():
    made = whole_set(functools.partial(f1_score, average="macro"), name="macro")
    assert made.name == "macro"
    assert made.signature.startswith("own:sklearn.metrics._classification:f1_score|src:")
    assert "|scikit" in made.signature or "|sklearn:" in made.signature
