"""seqeval as judge of spans of tags, nervaluate of spans given as objects."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nervaluate import Evaluator
from seqeval import metrics as judge
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, Entities

from deadheat.errors import MetricError
from deadheat.metrics import metric

TYPES = ["PER", "LOC", "A-B", "Ünïcode", "人名"]
PREFIXES = {"conll": "BIES", "bio": "BI", "bioes": "BIES", "iob1": "BI"}
STRICT = {"bio": IOB2, "bioes": IOBES, "iob1": IOB1}
FAMILIES = {
    "span_precision": judge.precision_score,
    "span_recall": judge.recall_score,
    "span_f1": judge.f1_score,
}

Tags = list[list[str]]


@st.composite
def tagged(draw: Any, prefixes: str) -> tuple[Tags, Tags]:
    """References and outputs of a few sentences; most sequences break the rules of any scheme."""
    types = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True))
    tag = st.one_of(
        st.just("O"),
        st.builds("{}-{}".format, st.sampled_from(prefixes), st.sampled_from(types)),
    )
    references = draw(st.lists(st.lists(tag, max_size=8), min_size=1, max_size=4))
    outputs = []
    for tags in references:
        other = draw(st.lists(tag, min_size=len(tags), max_size=len(tags)))
        copied = draw(st.lists(st.booleans(), min_size=len(tags), max_size=len(tags)))
        outputs.append([a if same else b for a, b, same in zip(tags, other, copied, strict=True)])
    return references, outputs


def value(name: str, references: Any, outputs: Any, *others: Any, **options: Any) -> float:
    """Score one system as it is scored beside others."""
    made = metric(name, **options).bind_values(references, [outputs, *others]).for_system(outputs)
    return float(made.value(made.statistics(references, outputs).sum(axis=0)))


def judged(name: str, references: Tags, outputs: Tags, zero_division: float, scheme: str) -> float:
    average, _, family = name.partition("_")
    if average not in ("micro", "macro", "weighted"):
        average, family = "micro", name
    strict = {"mode": "strict", "scheme": STRICT[scheme]} if scheme != "conll" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(
            FAMILIES[family](
                references, outputs, average=average, zero_division=int(zero_division), **strict
            )
        )


def found(tags: Tags, scheme: str) -> list[Any]:
    """Return the spans that the judge finds."""
    if scheme == "conll":
        return get_entities(tags)
    return [span for sentence in Entities(tags, STRICT[scheme]).entities for span in sentence]


@pytest.mark.parametrize("scheme", PREFIXES)
@pytest.mark.parametrize("average", ["", "macro_", "weighted_"])
@settings(max_examples=40)
@given(st.data(), st.sampled_from(list(FAMILIES)), st.sampled_from([0.0, 1.0]))
def test_seqeval(
    scheme: str, average: str, data: st.DataObject, family: str, zero_division: float
) -> None:
    references, outputs = data.draw(tagged(PREFIXES[scheme]))
    if average == "macro_":
        # The judge has no value for the mean of nothing.
        assume(found(references, scheme) or found(outputs, scheme))
    if average == "weighted_":
        # Without support scikit-learn, whose rule is ours, takes a plain mean; the judge does not.
        assume(found(references, scheme))
    name = f"{average}{family}"
    # The other system puts out a type that is no concern of this one.
    other = [["B-OTHER"] * len(tags) for tags in references]
    got = value(name, references, outputs, other, zero_division=zero_division, scheme=scheme)
    expected = judged(name, references, outputs, zero_division, scheme)
    assert got == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40)
@given(tagged("BILU"))
def test_bilou_is_bioes_by_other_names(data: tuple[Tags, Tags]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = judge.f1_score(*data, mode="strict", scheme=BILOU, zero_division=0)
    assert value("span_f1", *data, scheme="bioes") == pytest.approx(expected, abs=1e-12)
    renamed = [
        [[tag.replace("L-", "E-", 1).replace("U-", "S-", 1) for tag in tags] for tags in side]
        for side in data
    ]
    assert value("span_f1", *data) == pytest.approx(judged("span_f1", *renamed, 0.0, "conll"))


@settings(max_examples=40)
@given(tagged("BI"))
def test_spans_as_objects_equal_their_tags_and_nervaluate(data: tuple[Tags, Tags]) -> None:
    sides = []
    for side in data:
        objects = []
        for tags in side:
            spans = get_entities(list(tags))
            objects.append([{"label": t, "start": a, "end": b} for t, a, b in spans])
        sides.append(objects)
    by_objects = value("span_f1", *sides)
    assert by_objects == pytest.approx(value("span_f1", *data), abs=1e-12)
    triples = [[[[s["start"], s["end"], s["label"]] for s in x] for x in side] for side in sides]
    assert value("span_f1", *triples) == by_objects
    result = Evaluator(*sides, tags=TYPES, loader="dict").evaluate()["overall"]["strict"]
    assert by_objects == pytest.approx(result.f1, abs=1e-12)


def test_lenient_and_strict_rules_differ() -> None:
    # CASES 58: the values are those of seqeval 1.2.2.
    references, outputs = [["B-PER", "I-PER", "O"]], [["I-PER", "I-PER", "O"]]
    assert value("span_f1", references, outputs) == 1.0
    assert value("span_f1", references, outputs, scheme="bio") == 0.0


@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
def test_without_any_span_the_value_is_zero_division(zero_division: float) -> None:
    # CASES 58: all O, as a whole and in a resample.
    tags = [["O", "O"], ["B-PER", "O"]]
    for name in ("span_f1", "span_precision", "span_recall"):
        alone = value(name, tags[:1], tags[:1], zero_division=zero_division)
        assert alone == pytest.approx(zero_division, nan_ok=True)
    for name in ("span_f1", "macro_span_f1", "weighted_span_f1"):
        made = metric(name, zero_division=zero_division).bind_values(tags, [tags]).for_system(tags)
        statistics = made.statistics(tags, tags)
        resample = statistics[[0, 0]].sum(axis=0)
        assert made.value(resample) == pytest.approx(zero_division, nan_ok=True)
        assert made.undefined(resample)
        assert not made.undefined(statistics.sum(axis=0))


def test_an_average_over_no_type_is_refused() -> None:
    tags = [["O", "O"]]
    for name, options in (("macro_span_f1", {}), ("span_f1", {"labels": ["PER"]})):
        with pytest.raises(MetricError, match="has no type to count"):
            metric(name, **options).bind_values(tags, [tags])


def test_each_output_counts_once() -> None:
    # CASES 60: an output put out twice is right once, and one that covers two references is false.
    once, twice = (
        [{"start": 0, "end": 2, "label": "TD"}],
        [{"start": 0, "end": 2, "label": "TD"}] * 2,
    )
    assert value("span_precision", [once], [twice]) == 0.5
    assert value("span_recall", [once], [twice]) == 1.0
    assert value("span_recall", [twice], [once]) == 0.5
    parts = [[0, 4, "TD"], [6, 10, "TD"]]
    made = metric("span_f1")
    assert made.statistics([parts], [[[0, 10, "TD"]]]).tolist() == [[0.0, 1.0, 2.0]]


def test_statistics_are_counts_of_the_item() -> None:
    references = [["B-PER", "I-PER", "O", "B-LOC"], [], ["B-PER"]]
    outputs = [["B-PER", "I-PER", "B-LOC", "I-LOC"], [], None]
    assert metric("span_f1").statistics(references, outputs).tolist() == [
        [1.0, 2.0, 2.0],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ]
    # Columns: right, put out and wanted; LOC before PER in each.
    made = metric("macro_span_f1").bind_values(references, [outputs])
    assert made.statistics(references, outputs).tolist() == [
        [0.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [0.0] * 6,
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ]


def test_labels_limit_the_types() -> None:
    references = [["B-PER", "B-LOC", "B-ORG", "O"]]
    outputs = [["B-PER", "B-ORG", "O", "B-LOC"]]
    assert value("span_f1", references, outputs, labels=["PER"]) == 1.0
    # Of PER and LOC: one right, two put out, two wanted.
    assert value("span_f1", references, outputs, labels=["LOC", "PER"]) == 0.5
    assert value("macro_span_f1", references, outputs, labels=["LOC", "PER"]) == 0.5
    with pytest.raises(MetricError, match="'MISC' occurs"):
        value("span_f1", references, outputs, labels=["MISC"])


def test_systems_that_exchange_outputs_average_over_the_types_at_hand() -> None:
    references = [["B-PER"], ["O"]]
    mine, other = [["B-PER"], ["O"]], [["B-PER"], ["B-LOC"]]
    common = metric("macro_span_f1").bind_values(references, [mine, other])
    own = common.statistics(references, mine)
    exchanged = np.array([own[0], common.statistics(references, other)[1]]).sum(axis=0)
    assert common.value(own.sum(axis=0)) == 1.0
    assert common.value(exchanged) == 0.5
    assert common.for_system(mine).value(own.sum(axis=0)) == 1.0
    # LOC is a type of the other system: in its resample without LOC, LOC is 0/0.
    assert common.for_system(other).value(own.sum(axis=0)) == 0.5


def test_signatures() -> None:
    tags = [["B-PER", "B-LOC"]]
    assert metric("micro_span_f1").name == metric("span_f1").name == "span_f1"
    assert metric("span_f1").signature == "span_f1|scheme:conll|zd:0|v:1"
    asked = metric("span_recall", labels=["PER"], scheme="bio", zero_division=1.0)
    assert asked.signature == "span_recall|scheme:bio|labels:[PER]|zd:1|v:1"
    bound = metric("macro_span_f1").bind_values(tags, [tags])
    assert bound.signature == "macro_span_f1|scheme:conll|labels:2|zd:0|v:1"


def read(path: Path) -> Tags:
    sentences = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [[line.split("\t")[1] for line in s.splitlines()] for s in sentences]


@pytest.mark.parametrize(
    ("system", "f1", "counts"),
    [("elmo", 92.22, (5213, 445, 435)), ("flair", 93.03, (5270, 412, 378))],
)
def test_conll_2003(shared: Path, system: str, f1: float, counts: tuple[int, int, int]) -> None:
    # Values from the README of the data set; those by type from seqeval.
    folder = shared / "data" / "conll2003_ner"
    references = read(folder / "conll2003-gold.masked.conll")
    outputs = read(folder / f"conll2003-{system}.masked.conll")
    made = metric("span_f1")
    right, given, wanted = made.statistics(references, outputs).sum(axis=0)
    assert (right, given - right, wanted - right) == counts
    assert round(100 * value("span_f1", references, outputs), 2) == f1
    report = judge.classification_report(references, outputs, output_dict=True, zero_division=0)
    for name, scores in made.per_type(references, outputs).items():
        expected = report[name]
        assert scores.precision == pytest.approx(expected["precision"], abs=1e-12)
        assert scores.recall == pytest.approx(expected["recall"], abs=1e-12)
        assert scores.f1 == pytest.approx(expected["f1-score"], abs=1e-12)
        assert scores.wanted == expected["support"]
    for average in ("macro", "weighted"):
        got = value(f"{average}_span_f1", references, outputs)
        assert got == pytest.approx(report[f"{average} avg"]["f1-score"], abs=1e-12)


def test_remarks_list_the_counts_of_each_type() -> None:
    references = [["B-PER", "O", "B-LOC", "I-LOC"], ["B-PER", "B-PER"]]
    outputs = [["B-PER", "I-LOC", "B-LOC", "I-LOC"], ["B-PER", "O"]]
    (note,) = metric("span_f1").remarks("flair", references, outputs)
    assert note.code == "spans_by_type"
    assert note.message == ("flair: LOC 1 of 1 found, 1 false; PER 2 of 3 found, 0 false.")
    by_type, loose = metric("span_f1", scheme="bio").remarks("flair", references, outputs)
    assert "LOC 1 of 1 found, 0 false" in by_type.message
    assert loose.code == "tags_in_no_span"
    assert "1 tags of flair and 0 of the references" in loose.message


def test_many_types_are_not_listed() -> None:
    tags = [[f"B-T{k:02}" for k in range(13)]]
    assert metric("span_f1").remarks("flair", tags, tags) == ()
    (note,) = metric("span_f1").remarks("flair", [tags[0][1:]], [tags[0][1:]])
    assert note.code == "spans_by_type"
