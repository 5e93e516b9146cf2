"""Options of metrics that cannot be meant, maps that are broken, packages that are missing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

from calls import call
from cases.data import Write

Refusal = Callable[..., str]


# --- options --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("metric", "options", "said"),
    [
        ("bleu", ("--tokenize", "moses"), "no tokeniser 'moses'"),
        ("bleu", ("--tokenize", "13A"), "Did you mean 13a?"),
        ("bleu", ("--tokenize", ""), "no tokeniser ''"),
        ("bleu", ("--tokenize", "flores200"), "nothing is fetched here"),
        ("chrf", ("--tokenize", "13a"), "chrf does not take a tokeniser"),
        ("wer", ("--normalize", "upper"), "no normalisation step 'upper'"),
        ("wer", ("--normalize", "lower,,map"), "no normalisation step ''"),
        ("wer", ("--normalize", "map"), "--normalize-map FILE"),
        ("wer", ("--normalize", "map", "--normalize-map", "no.tsv"), "no.tsv: "),
        ("span_f1", ("--scheme", "iobes"), "'iobes'"),
        ("bleu", ("--scheme", "bio"), "bleu does not take a scheme of tags"),
        ("bleu", ("--bins", "10"), "bleu does not take a number of bins"),
        ("ece", ("--bins", "0"), "bins is 0"),
        ("bleu,wer", ("--ties", "win"), "does not take a policy on ties"),
        ("bleu,wer", ("--positive", "x"), "does not take a positive label"),
        ("bleu", ("--lower-is-better",), "does not take a direction of its own"),
        ("macro_f1", ("--normalize", "lower"), "does not take steps of normalisation"),
        ("bleu,bleu", (), "bleu is named twice"),
        ("f1,wer, f", (), "f1 is named twice"),
        ("bleu,", (), "no metric ''"),
        ("pass@0", (), "k is 0"),
        ("pass@", (), "Did you mean pass@k"),
        ("ndcg@0", (), "k is 0"),
        ("blue", (), "Did you mean bleu"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_options_that_cannot_be_meant(
    refused: Refusal, metric: str, options: tuple[str, ...], said: str
) -> None:
    told = refused("score", "a.txt", "--reference", "ref.txt", "--metric", metric, *options)
    assert said in told


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("color colour\n", "m.tsv, line 1: 1 columns"),
        ("a\tb\nc\td\te\n", "m.tsv, line 2: 3 columns"),
        ("a\tb\na\tc\n", "m.tsv, line 2: the word 'a' is replaced twice"),
        ("two words\tb\n", "m.tsv, line 1: 'two words' is not one word"),
        (b"caf\xe9\tb\n", "m.tsv, line 1: byte 0xe9 is not UTF-8"),
        ('{"a": "b"', "starts as JSON but is none"),
        ('{"a": 1}', "'a' is replaced by what is not text"),
        ('{"a": "b", "a": "c"}', "replaced twice"),
    ],
)
def test_a_map_that_is_broken(
    refused: Refusal, write: Write, content: str | bytes, said: str
) -> None:
    write("m.tsv", content)
    told = refused(
        *("score", "a.txt", "--reference", "ref.txt", "--metric", "wer"),
        *("--normalize", "map", "--normalize-map", "m.tsv"),
    )
    assert said in told


# --- packages that are not installed --------------------------------------------------------------


class _Absent(MetaPathFinder):
    """Say of some packages that they are not there."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("sacrebleu", "rapidfuzz"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Absent("sacrebleu", "rapidfuzz"), *sys.meta_path])


@pytest.mark.usefixtures("three", "without_extra")
@pytest.mark.parametrize(
    ("metric", "package"),
    [("bleu", "sacrebleu"), ("chrf++", "sacrebleu"), ("ter", "sacrebleu"), ("wer", "rapidfuzz")],
)
def test_a_package_that_is_missing(refused: Refusal, metric: str, package: str) -> None:
    told = refused("score", "a.txt", "--reference", "ref.txt", "--metric", metric)
    assert f"{package}, which is not installed" in told
    assert "deadheat[text]" in told


@pytest.mark.usefixtures("three", "without_extra")
@pytest.mark.parametrize("metric", ["rouge1", "exact_match", "squad_f1"])
def test_what_needs_no_package_works_without(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, metric: str
) -> None:
    files = (tmp_path / "a.txt", "--reference", tmp_path / "ref.txt")
    done = call(capsys, "score", *files, "--metric", metric, "--format", "json")
    assert done.json["systems"][0]["value"] == 1.0
