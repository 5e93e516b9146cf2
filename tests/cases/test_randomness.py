"""Rows 77 and 78 of class L (randomness), and row 52: what draws may and may not change."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import deadheat
from cases.data import Answer, Write, csv
from processes import Run

RNG = np.random.default_rng(77)
Y = RNG.integers(0, 4, 120)
A = np.where(RNG.random(120) < 0.55, Y, RNG.integers(0, 4, 120))
B = np.where(RNG.random(120) < 0.65, Y, RNG.integers(0, 4, 120))
SKEWED = RNG.exponential(size=(2, 30)) ** 3

DRAWN: dict[str, Any] = {"references": Y, "metric": "macro_f1"}


def compared(**options: Any) -> deadheat.Comparison:
    return deadheat.compare(A, B, **{**DRAWN, "n_resamples": 999, **options})


@pytest.mark.parametrize("door", ["drawn", "exact", "score"])
def test_the_caller_s_generators_are_left_alone(door: str) -> None:
    """Row 77: draws after seed 42 are the same whether or not intervals are made between them."""
    expected = np.random.RandomState(42).random(3)
    python = random.Random(42)
    wanted = [python.random() for _ in range(3)]
    np.random.seed(42)  # noqa: NPY002
    random.seed(42)
    got, drawn = [], []
    for _ in range(3):
        if door == "score":
            deadheat.score(A, **DRAWN, n_resamples=99)
        elif door == "drawn":
            compared(n_resamples=99)
        else:
            deadheat.compare([0, 1, 1] * 10, [1, 1, 0] * 10)
        got.append(np.random.random())  # noqa: NPY002
        drawn.append(random.random())
    assert got == expected.tolist()
    assert drawn == wanted


def test_the_caller_s_generators_do_not_matter() -> None:
    """Row 77: whatever state they are in."""
    results = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002
        random.seed(seed)
        results.append(compared().to_dict())
    assert results[0] == results[1]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**40])
def test_the_seed_stands_in_the_report(seed: int) -> None:
    """Row 78: seed and draws are in JSON, in the signature and on the page."""
    found = compared(rng=seed)
    resampling = found.to_dict()["resampling"]
    assert (resampling["seed"], resampling["n_resamples"], resampling["exact"]) == (
        seed,
        999,
        False,
    )
    assert f"resamples:999/seed:{seed}|" in found.signature
    for page in (found.to_text(), found.to_markdown()):
        assert f"999, seed {seed}" in page


def test_the_same_seed_gives_the_same_numbers() -> None:
    """Row 78: to the last bit, for any number of threads."""
    first = compared(rng=5)
    assert compared(rng=5).to_dict() == first.to_dict()
    assert compared(rng=5, threads=2).to_dict() == compared(rng=5, threads=1).to_dict()


def test_another_seed_moves_the_ends_within_the_stated_error() -> None:
    """Row 78: the Monte Carlo error of the ends is given, and is about what seeds do to them."""
    found = [compared(rng=seed).difference.interval for seed in range(12)]
    stated = np.mean([interval.monte_carlo_error for interval in found])
    for ends in ([i.low for i in found], [i.high for i in found]):
        assert len(set(ends)) > 1
        # Two draws differ by their errors together, in 95% of pairs by less than 1.4 of one.
        assert max(ends) - min(ends) < 3.0 * stated
    assert stated < 0.1


def test_the_error_of_a_drawn_p_value_is_given() -> None:
    """Row 78: with q = p / 2 of R draws it is 2 sqrt(q (1 - q) / R) (STATISTICS 0.7)."""
    found = compared(test="bootstrap").to_dict()
    test = found["tests"][0]
    q = test["p_value"] / 2
    assert test["monte_carlo_error"] == pytest.approx(2 * np.sqrt(q * (1 - q) / 999), rel=0.1)
    swap = next(t for t in found["tests"] if t["name"] == "swap")
    assert swap["monte_carlo_error"] > 0.0


@pytest.mark.parametrize("form", ["to_text", "to_markdown"])
def test_the_error_of_drawn_numbers_is_on_the_page(form: str) -> None:
    """Row 78: a p of .029 that was .023 yesterday has to say by how much it may move."""
    page = getattr(compared(), form)()
    assert "if drawn again" in page
    assert "999" in page


def test_exact_numbers_have_no_seed() -> None:
    """Row 78: what is computed without draws does not move at all."""
    results = [
        deadheat.compare([0, 1, 1] * 30, [1, 1, 0] * 30, rng=seed, n_resamples=n).to_dict()
        for seed, n in ((0, 9999), (7, 99))
    ]
    assert results[0] == results[1]
    assert results[0]["resampling"]["seed"] is None
    assert results[0]["difference"]["interval"]["monte_carlo_error"] is None


def test_a_generator_is_refused_as_a_seed() -> None:
    """Row 78: a record has to be able to state where its draws came from."""
    with pytest.raises(deadheat.DeadheatError, match="seed"):
        compared(rng=np.random.default_rng(0))


def test_unpaired_sides_do_not_share_their_draws() -> None:
    """Row 78: sides drawn from one stream would correlate; independent ones add variances."""
    alone, twice = (
        deadheat.compare(A, other, **DRAWN, paired=False, n_resamples=1999, names=("x", "y"))
        for other in (Y, A)
    )
    # Y as its own output always has F1 = 1: what varies is A alone.
    assert twice.difference.standard_error == pytest.approx(
        np.sqrt(2) * alone.difference.standard_error, rel=0.1
    )


POINTS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("macro-F1", (A, B), {"references": Y, "metric": "macro_f1"}),
    ("MCC", (A, B), {"references": Y, "metric": "mcc"}),
    ("skewed", (SKEWED[0], SKEWED[1]), {}),
    ("skewed, drawn", (SKEWED[0], SKEWED[1]), {"method": "studentized"}),
    ("accuracy", ([0, 1, 1] * 20, [1, 1, 0] * 20), {}),
]


@pytest.mark.parametrize(("name", "sources", "options"), POINTS, ids=[n for n, *_ in POINTS])
@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
def test_the_point_is_the_estimate_on_all_data(
    name: str, sources: tuple[Any, ...], options: dict[str, Any], paired: bool
) -> None:
    """Row 52: no median or mean of resamples: neither seed nor number of draws moves it."""
    if "drawn" in name and not paired:
        options = {"method": "percentile"}
    found = [
        deadheat.compare(*sources, **options, paired=paired, rng=seed, n_resamples=n)
        for seed, n in ((0, 199), (1, 199), (2, 1999))
    ]
    assert len({result.difference.estimate for result in found}) == 1
    assert len({result.baseline.value for result in found}) == 1
    result = found[0]
    assert result.difference.estimate == pytest.approx(
        result.candidate.value - result.baseline.value, rel=1e-12, abs=1e-15
    )
    if not options.get("metric"):
        means = [float(np.mean(source)) for source in sources]
        assert [result.baseline.value, result.candidate.value] == pytest.approx(means, rel=1e-12)


@pytest.mark.parametrize("method", ["percentile", "bca", "bca_t", "expanded", "student_t"])
@pytest.mark.parametrize("seed", range(4))
def test_the_point_lies_in_its_own_interval(method: str, seed: int) -> None:
    """Row 52: for skewed scores, small and large."""
    rng = np.random.default_rng(seed)
    for n in (8, 30, 200):
        a, b = rng.exponential(size=(2, n)) ** 3
        interval = deadheat.compare(a, b, method=method).difference.interval
        assert interval.low <= float(np.mean(b - a)) <= interval.high


def test_the_point_is_the_same_in_every_form(answer: Answer, run: Run, write: Write) -> None:
    """Row 52: JSON, text and Markdown show one number."""
    rows = [(i, f"{a:.3f}", f"{b:.3f}") for i, (a, b) in enumerate(SKEWED.T / 100)]
    table = write("t.csv", csv("item,a,b", *rows))
    options = ("--system", "a,b")
    estimate = answer("compare", table, *options)["difference"]["estimate"]
    assert estimate == pytest.approx(np.mean([float(b) - float(a) for _, a, b in rows]))
    shown = f"{estimate:+.3f}"
    for form in ("text", "markdown"):
        assert shown in run("compare", table, *options, "--format", form).stdout
