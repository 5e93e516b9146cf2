"""Each metric by its name, through every door, against who else knows its value."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadheat
from calls import Done, call
from cases.data import codes, json_lines
from cli.doors import DOORS, SYSTEMS, Row, fits, rows
from cli.judges import CASES, NAMED, Case, N
from contract import COMPARISON, misfits
from deadheat.metrics import names

Call = Callable[..., Done]

DRAWS = ("--resamples", "99")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


@pytest.fixture
def answer(run: Call) -> Callable[..., Any]:
    def _answer(*arguments: object) -> Any:
        done = run(*arguments, "--format", "json")
        assert (done.code, done.err) == (0, "")
        return done.json

    return _answer


def groups() -> dict[str, list[Case]]:
    """Return the cases that share items, and so can be asked for in one call."""
    found: dict[tuple[int, str], list[Case]] = {}
    for case in CASES:
        found.setdefault((id(case.systems), str(case.options)), []).append(case)
    return {f"{cases[0].metric}...": cases for cases in found.values()}


every_case = pytest.mark.parametrize(
    "case",
    # The averages and betas left out are other values of the same sums.
    [
        c
        for c in CASES
        if not c.metric.startswith(("micro_", "weighted_")) and "f0.5" not in c.metric
    ],
    ids=lambda case: case.metric,
)
every_group = pytest.mark.parametrize("cases", groups().values(), ids=groups())
every_door = pytest.mark.parametrize(
    ("door", "cases"),
    [
        pytest.param(door, cases, id=f"{door}-{name}")
        for door, (name, cases) in itertools.product(DOORS, groups().items())
        if fits(door, cases[0])
    ],
)
NAMED_CASES = {case.metric: case for case in CASES}


def asked(cases: Sequence[Case], **options: object) -> list[object]:
    """Return the options of the command line that name the metrics of some cases."""
    given = {"metric": ",".join(c.metric for c in cases), **cases[0].options, **options}
    return [word for name, value in given.items() for word in (f"--{name}", value)]


def long(case: Case) -> list[Row]:
    """Return all rows of both systems."""
    return [{"system": system, **row} for system in SYSTEMS for row in rows(case, system)]


def compared(case: Case, table: Sequence[Row] | None = None, **options: Any) -> Any:
    frame = pl.DataFrame(long(case) if table is None else table)
    given = {"n_resamples": 199, **case.options, **options}
    return deadheat.compare(frame, metric=case.metric, **given)


# --- values --------------------------------------------------------------------------------------


def test_no_metric_is_left_out() -> None:
    assert {NAMED.get(case.metric, case.metric) for case in CASES} == set(names())


@every_door
def test_values_through_every_door(
    answer: Callable[..., Any], tmp_path: Path, door: str, cases: list[Case]
) -> None:
    sources, options = DOORS[door](cases[0], tmp_path)
    if all(isinstance(source, str) for source in sources):
        told = answer("score", *sources, *asked(cases, **options), *DRAWS)
    else:
        metrics = [case.metric for case in cases]
        given = cases[0].options | options
        told = deadheat.score(*sources, metric=metrics, n_resamples=99, **given).to_dict()
    cards = told["scorecards"] if len(cases) > 1 else [told]
    for case, card in zip(cases, cards, strict=True):
        assert card["metric"]["name"] == case.metric
        values = {row["system"]: row["value"] for row in card["systems"]}
        assert values == pytest.approx({s: case.value(s) for s in "ab"}, rel=case.rel), case.metric


@every_group
def test_differences_and_how_many_they_are(
    answer: Callable[..., Any], tmp_path: Path, cases: list[Case]
) -> None:
    sources, options = DOORS["json lines"](cases[0], tmp_path)
    told = answer("compare", *sources, *asked(cases, **options), *DRAWS)
    several = len(cases) > 1
    if several:
        assert told["schema"] == "deadheat/comparisons/1"
        assert "several_comparisons" in codes(told)
    for case, found in zip(cases, told["comparisons"] if several else [told], strict=True):
        assert misfits(COMPARISON, found) == []
        gap = case.value("b") - case.value("a")
        assert found["difference"]["estimate"] == pytest.approx(gap, rel=1e-12, abs=1e-12)
        assert found["comparisons"] == {"n": len(cases), "correction": "none"}
        assert f"|comparisons:{len(cases)}|" in found["signature"]
        assert found["metric"]["signature"] in found["signature"]
        low, high = (found["difference"]["interval"][end] for end in ("low", "high"))
        assert low <= found["difference"]["estimate"] <= high


LOWER = {"wer", "cer", "ter", "brier", "log_loss", "ece"}


@every_case
def test_who_is_ahead(case: Case) -> None:
    """Systems differ; the better one is ahead, whether greater or lower is better."""
    found = compared(case)
    assert found.greater_is_better == (case.metric not in LOWER)
    gain = case.value("b") - case.value("a")
    better = "b" if (gain > 0) == found.greater_is_better else "a"
    if found.reading.code == "resolved":
        other = "a" if better == "b" else "b"
        assert found.reading.text.startswith(f"{better} is ahead of {other}")


# --- what may not change a number ----------------------------------------------------------------


@every_case
def test_exchanged_sides_negate(case: Case) -> None:
    there, back = compared(case), compared(case, baseline="b", candidate="a")
    close = {"rel": 1e-9, "abs": 1e-12}
    assert back.difference.estimate == -there.difference.estimate
    assert (back.difference.interval.low, back.difference.interval.high) == pytest.approx(
        (-there.difference.interval.high, -there.difference.interval.low), **close
    )
    p = [[r.difference.p_value, *(t.p_value for t in r.difference.tests)] for r in (there, back)]
    assert p[0] == pytest.approx(p[1], **close)
    assert (back.baseline, back.candidate) == (there.candidate, there.baseline)
    assert back.reading.code == there.reading.code


@every_case
def test_order_of_rows_and_threads_give_the_same_bits(case: Case) -> None:
    table = long(case)
    shuffled = random.Random(7).sample(table, len(table))
    # The first row says which system is the baseline.
    shuffled.sort(key=lambda row: row["system"])
    one = compared(case, table, threads=1).to_dict()
    assert compared(case, table, threads=2).to_dict() == one
    assert compared(case, shuffled, threads=2).to_dict() == one


@every_group
def test_metrics_together_and_alone_give_the_same_exact_numbers(cases: list[Case]) -> None:
    frame = pl.DataFrame(long(cases[0]))
    metrics = [case.metric for case in cases]
    together = deadheat.compare(frame, metric=metrics, n_resamples=99, **cases[0].options)
    for case, found in zip(cases, together if len(cases) > 1 else [together], strict=True):
        alone = compared(case, n_resamples=99)
        assert found.difference.estimate == alone.difference.estimate
        assert found.difference.interval.method == alone.difference.interval.method
        if found.difference.exact:
            assert found.difference == alone.difference
            assert (found.baseline, found.candidate) == (alone.baseline, alone.candidate)


# --- options -------------------------------------------------------------------------------------

MEANS = ("rouge1", "squad_f1", "brier", "pass@2", "ndcg@3", "win_rate", "majority_vote")
OF_THE_WHOLE_SET = ("bleu", "wer", "span_f1", "auroc", "kendall", "ece", "macro_f1")
SHARED_METHODS = ("basic", "bca", "bca_t", "expanded", "normal", "percentile")


@pytest.mark.parametrize("method", SHARED_METHODS)
@pytest.mark.parametrize("metric", MEANS + OF_THE_WHOLE_SET)
def test_methods(metric: str, method: str) -> None:
    found = compared(NAMED_CASES[metric], method=method).difference
    assert found.interval.method == method
    assert found.interval.low <= found.estimate <= found.interval.high or method == "percentile"
    # The p-value is dual to the interval: below 5% exactly where it leaves out zero.
    outside = found.interval.low > 0.0 or found.interval.high < 0.0
    assert outside == (found.p_value <= 0.05)


@pytest.mark.parametrize("test", ["swap", "bootstrap", "shift"])
@pytest.mark.parametrize("metric", OF_THE_WHOLE_SET)
def test_tests_of_metrics_of_the_whole_set(metric: str, test: str) -> None:
    found = compared(NAMED_CASES[metric], test=test)
    assert found.difference.tests[0].name == test
    assert f"test:{test}-" in found.signature


@pytest.mark.parametrize("test", ["sign_flip", "t", "wilcoxon", "bootstrap", "shift"])
@pytest.mark.parametrize("metric", MEANS)
def test_tests_of_means(metric: str, test: str) -> None:
    assert compared(NAMED_CASES[metric], test=test).difference.tests[0].name == test


@every_case
def test_one_sided(case: Case) -> None:
    both = compared(case)
    greater, less = (compared(case, alternative=side) for side in ("greater", "less"))
    assert greater.difference.interval.high == float("inf")
    assert less.difference.interval.low == float("-inf")
    assert both.difference.interval.low <= greater.difference.interval.low
    assert less.difference.interval.high <= both.difference.interval.high
    halves = greater.difference.p_value, less.difference.p_value
    assert min(halves) <= both.difference.p_value <= 2.0 * min(halves) + 0.011
    assert greater.to_dict()["difference"]["interval"]["high"] is None


@every_case
def test_a_margin_as_wide_as_the_scale_is_a_dead_heat(case: Case) -> None:
    span = max(abs(case.value(s)) for s in "ab") + 100.0
    assert compared(case, margin=span).reading.code == "equivalent"


@every_case
def test_unpaired_says_what_it_throws_away(case: Case) -> None:
    found = compared(case, paired=False)
    assert found.pairing == "unpaired"
    assert (found.items.n, found.items.matched) == (2 * N, N)
    paired = compared(case)
    assert found.difference.estimate == pytest.approx(paired.difference.estimate, rel=1e-12)
    (note,) = (note for note in found.notes if note.code == "pairing_discarded")
    assert found.scale.interval(paired.difference.interval) in note.message


@every_case
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_reports_hold_the_numbers(case: Case, form: str) -> None:
    found = compared(case)
    report = getattr(found, f"to_{form}")()
    scale = found.scale
    for part in (
        case.metric,
        scale.value(found.baseline.value),
        scale.value(found.candidate.value),
        scale.difference(found.difference.estimate),
        scale.ends(found.baseline.interval, signed=False),
        found.reading.code,
    ):
        plain = report.replace("\\", "") if form == "markdown" else report
        assert part in plain, part
    assert found.signature in report.replace("\n", "")


# --- what is missing -----------------------------------------------------------------------------

BLANK = 3
"""The item of which b has nothing."""

OF_SCORES = ("auroc", "average_precision", "brier", "log_loss", "ece", "pearson", "spearman")
WORST = {
    "bleu": "",
    "chrf": "",
    "ter": "",
    "wer": "",
    "cer": "",
    "rouge1": "",
    "exact_match": "",
    "squad_f1": "",
    "win_rate": 0,
    "mean": 0,
    "pass@2": [0, 0, 0, 0],
    "pass^3": [0, 0, 0, 0],
    "majority_vote": ["none"] * 3,
    "ndcg@3": [],
    "mrr": [],
    "accuracy": "none",
}
"""What stands for an output or a score that is missing and scored as wrong."""


def with_a_hole(case: Case, *, kept: bool) -> list[Row]:
    """Leave an item out of b, or keep it without output or score."""
    found = []
    for row in long(case):
        if (row["system"], row["id"]) == ("b", f"q{BLANK:02}"):
            if not kept:
                continue
            row[case.role] = None
        found.append(row)
    return found


def without(column: list[Any] | None) -> list[Any]:
    return [value for item, value in enumerate(column or []) if item != BLANK]


@every_case
@pytest.mark.parametrize("kept", [False, True], ids=["absent", "null"])
def test_dropped(run: Call, tmp_path: Path, case: Case, kept: bool) -> None:
    """Left out of both systems, counted, and the value is that of the items left."""
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=kept)), encoding="utf-8")
    asking = ("compare", file, *asked([case]), *DRAWS, "--unparseable", "missing")
    refusal = run(*asking)
    assert refusal.code == 2
    assert "'q03'" in refusal.err
    found = run(*asking, "--missing", "drop", "--format", "json").json
    assert found["items"]["n"] == N - 1
    assert sum(dropped["n"] for dropped in found["items"]["dropped"]) == 1
    for side, system in (("baseline", "a"), ("candidate", "b")):
        right = case.judge(without(case.references), without(case.systems[system]))
        assert found[side]["value"] == pytest.approx(float(right), rel=1e-12)


@pytest.mark.parametrize("kept", [False, True], ids=["absent", "null"])
@pytest.mark.parametrize("metric", WORST)
def test_scored_as_wrong(run: Call, tmp_path: Path, metric: str, kept: bool) -> None:
    """As bad as an output can be: empty, no vote, no run that passed, the lowest score."""
    case = NAMED_CASES[metric]
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=kept)), encoding="utf-8")
    done = run("compare", file, *asked([case]), *DRAWS, "--missing", "wrong", "--format", "json")
    assert done.code == 0, done.err
    column = [*case.systems["b"]]
    column[BLANK] = WORST[metric]
    right = case.judge(case.references or [], column)
    assert done.json["candidate"]["value"] == pytest.approx(float(right), rel=1e-12)
    assert codes(done.json) & {"missing_scored_wrong", "unparseable_scored_wrong"}


@pytest.mark.parametrize("metric", OF_SCORES)
def test_no_score_is_the_worst_for_every_item(run: Call, tmp_path: Path, metric: str) -> None:
    """A confidence of 1 is the worst for a negative and the best for a positive."""
    case = NAMED_CASES[metric]
    file = tmp_path / "t.jsonl"
    file.write_text(json_lines(*with_a_hole(case, kept=True)), encoding="utf-8")
    done = run("compare", file, *asked([case]), *DRAWS, "--missing", "wrong")
    assert done.code == 2
    assert "--missing drop" in done.err


# --- records -------------------------------------------------------------------------------------

OWN = """
def first_letter(reference, output):
    return output[:1] == reference[:1]


class Shorter:
    def statistics(self, references, outputs):
        return [[len(o), len(r)] for r, o in zip(references, outputs, strict=True)]

    def value(self, totals):
        return totals[..., 0] / totals[..., 1]
"""
PARTS = {"a.jsonl": "outputs", "right.jsonl": "rows"}


@pytest.fixture
def recorded(run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record a comparison by metrics of texts, normalised with a map, and by one's own."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    case = NAMED_CASES["wer"]
    DOORS["references apart"](case, tmp_path)
    (tmp_path / "map.tsv").write_text("dog\tcat\nmat\trug\n", encoding="utf-8")
    own = f"own_{tmp_path.name}"
    (tmp_path / f"{own}.py").write_text(OWN, encoding="utf-8")
    done = run(
        *("compare", "a.jsonl", "b.jsonl", "--reference", "right.jsonl", *DRAWS),
        *("--metric", f"bleu,wer,squad_f1,{own}:first_letter,{own}:Shorter"),
        *("--normalize", "lower,punctuation,map", "--normalize-map", "map.tsv"),
        *("--record", "r.json"),
    )
    assert (done.code, done.err) == (0, "")
    return tmp_path / "r.json"


def test_a_record_of_several_metrics_holds(
    run: Call, recorded: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also from another folder, without the map file, and for a record of an older version."""
    assert len(json.loads(recorded.read_text(encoding="utf-8"))["result"]["comparisons"]) == 5
    (tmp_path / "map.tsv").unlink()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("verify", "../r.json").code == 0
    older = recorded.read_text(encoding="utf-8").replace(
        f'"version": "{deadheat.__version__}"', '"version": "0.0.1"'
    )
    older = older.replace(f"deadheat:{deadheat.__version__}", "deadheat:0.0.1")
    recorded.write_text(older, encoding="utf-8")
    done = run("verify", "../r.json", "--format", "json")
    assert (done.code, done.json["changed"]) == (0, [])
    assert "version" in codes(done.json)


@pytest.mark.parametrize("changed", PARTS)
def test_which_part_of_a_record_changed(run: Call, recorded: Path, changed: str) -> None:
    file = recorded.parent / changed
    text = file.read_text(encoding="utf-8")
    assert "sat," in text
    file.write_text(text.replace("sat,", "stood,"), encoding="utf-8")
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1
    assert done.json["changed"] == [PARTS[changed], "numbers"]
    assert "files" in codes(done.json)


def test_a_metric_of_ones_own_that_changed_is_a_changed_setting(run: Call, recorded: Path) -> None:
    (file,) = recorded.parent.glob("own_*.py")
    file.write_text(OWN.replace("[:1]", "[:10]"), encoding="utf-8")
    del sys.modules[file.stem]  # another process would not have it
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1
    assert done.json["changed"] == ["settings", "numbers"]


def test_a_record_of_scorecards(run: Call, tmp_path: Path) -> None:
    DOORS["json lines"](NAMED_CASES["ndcg@3"], tmp_path)
    asking = ("score", "a.jsonl", "b.jsonl", "--metric", "ndcg@3,mrr", *DRAWS)
    assert run(*asking, "--record", "r.json").code == 0
    assert run("verify", "r.json").code == 0
    text = (tmp_path / "b.jsonl").read_text(encoding="utf-8").split("\n")
    (tmp_path / "b.jsonl").write_text("\n".join(text[1:]), encoding="utf-8")
    done = run("verify", "r.json", "--format", "json")
    assert (done.code, done.json["changed"]) == (1, ["rows", "outputs", "numbers"])
