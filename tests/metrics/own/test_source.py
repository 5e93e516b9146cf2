"""A digest tells whether a metric of one's own is still the same."""

from __future__ import annotations

import functools
import math
import operator
import os
import subprocess
import sys
import textwrap

import pytest
from sklearn.metrics import f1_score

from deadheat.metrics.own.source import origin, source

PLAIN = """
FAR = 1
WORDS = ("a", "b")
CACHE = {}

def helper(x):
    return x + 1

def f(reference, output, base=2):
    return helper(reference) - output <= FAR and output not in WORDS
"""


def digest_of(text, name="f", filed=None):
    """Digest of what a text defines, read from a file or made in memory."""
    space = {"__name__": "made"}
    exec(compile(text, str(filed or "<made>"), "exec"), space)
    return source(space[name])


CHANGES = [
    ("- output <= FAR", "- output < FAR"),
    ("FAR = 1", "FAR = 2"),
    ('"b"', '"c"'),
    ("x + 1", "x + 2"),
    ("base=2", "base=3"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
@pytest.mark.parametrize("in_file", [True, False])
def test_a_change_is_seen(old, new, in_file, tmp_path):
    found = []
    for k, text in enumerate((PLAIN, PLAIN.replace(old, new), PLAIN)):
        path = tmp_path / f"m{k}.py" if in_file else None
        if path:
            path.write_text(text, encoding="utf-8")
        found.append(digest_of(text, filed=path))
    assert found[0] != found[1]
    assert found[0] == found[2]


def test_what_has_nothing_to_do_with_it_is_not_seen():
    other = PLAIN.replace("CACHE = {}", "CACHE = {1: 2}") + "\n\ndef g():\n    return 3\n"
    assert digest_of(other) == digest_of(PLAIN)


def test_it_is_the_same_in_every_process(tmp_path):
    (tmp_path / "m.py").write_text(
        PLAIN
        + textwrap.dedent("""
            from deadheat.metrics.own.source import source
            compiled = {"__name__": "made"}
            exec('f = lambda r, o: r in {"a", "b", "c", "d"} or o', compiled)
            if __name__ == "__main__":
                import m
                print(source(m.f), source(compiled["f"]))
        """),
        encoding="utf-8",
    )
    said = {
        subprocess.run(
            [sys.executable, "m.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
    assert said.pop().count("src:") == 2


def within(far):
    def close(reference, output):
        return abs(reference - output) <= far

    return close


class Beta:
    def __init__(self, beta):
        self.beta = beta

    def statistics(self, references, outputs):
        return outputs

    def __call__(self, references, outputs):
        return self.beta


class Slotted:
    __slots__ = ("beta",)

    def __init__(self, beta):
        self.beta = beta

    def __call__(self, references, outputs):
        return self.beta


@pytest.mark.parametrize(
    "made",
    [
        within,
        Beta,
        Slotted,
        lambda k: Beta(k).__call__,
        lambda k: functools.partial(within, far=k),
        lambda k: functools.partial(within, k),
        lambda k: lambda r, o: within(k)(r, o),
        lambda k: within([k]),
        lambda k: within(within(k)),
    ],
)
def test_what_is_bound_to_a_function_counts(made):
    assert source(made(1)) == source(made(1))
    assert source(made(1)) != source(made(2))


def test_a_function_that_names_itself():
    def depth(reference, output):
        return 0 if not reference else depth(reference[1:], output)

    assert source(depth) == source(depth)


def test_versions_of_packages():
    import sklearn

    assert source(f1_score).endswith(f"|sklearn:{sklearn.__version__}")
    python = ".".join(map(str, sys.version_info[:3]))
    assert source(operator.eq).endswith(f"|python:{python}")
    assert source(math.dist) != source(math.hypot)


def test_origins():
    assert origin(within(1)) == f"{__name__}:within.<locals>.close"
    assert origin(Beta) == origin(Beta(1)) == f"{__name__}:Beta"
    assert origin(functools.partial(functools.partial(within), 1)) == f"{__name__}:within"
    assert origin(math) == "math"
