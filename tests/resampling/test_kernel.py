"""The compiled kernel against the NumPy twin, bit by bit, and what is said of which was used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import deadheat
from deadheat.resampling import counts as engine
from deadheat.resampling import kernel
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.exchange import flipped_totals
from deadheat.resampling.stratified import Stratified
from deadheat.rng import Purpose, Stream

compiled = pytest.mark.skipif(
    kernel.compiled is None, reason="the kernel was not built: no compiler"
)

MULTIPLICITIES = st.lists(
    st.one_of(
        st.integers(0, 3), st.integers(0, 50), st.integers(900, 5_000), st.integers(0, 10**7)
    ),
    min_size=1,
    max_size=40,
).filter(lambda units: sum(units) > 0)


def drawn(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    units: NDArray[np.int64],
    rows: int,
    seed: int = 0,
    strata: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """All counts of a block, by the kernel of a name."""
    monkeypatch.setenv(kernel.VARIABLE, name)
    assert kernel.name() == name
    drawing = Multinomial(units) if strata is None else Stratified(units, strata)
    dtype = np.float32 if units.sum() < 1 << 23 else np.float64
    chunks = drawing.chunks(Stream(seed, Purpose.BOOTSTRAP, 3), rows, dtype)
    return np.concatenate([chunk.astype(np.float64) for chunk in chunks])


@compiled
@settings(deadline=None)
@given(units=MULTIPLICITIES, rows=st.integers(1, 40), seed=st.integers(0, 2**40))
def test_any_multiplicities_give_the_same_bits(units: list[int], rows: int, seed: int) -> None:
    given_units = np.array(units)
    with pytest.MonkeyPatch.context() as patch:
        fast, plain = (drawn(patch, name, given_units, rows, seed) for name in ("c", "numpy"))
    assert np.array_equal(fast, plain)
    assert (fast.sum(axis=1) == given_units.sum()).all()


@compiled
@given(
    seed=st.one_of(st.integers(0, 2**33), st.integers(2**60, 2**200)),
    purpose=st.sampled_from(Purpose),
    block=st.one_of(st.integers(0, 50), st.integers(0, 2**40)),
    branch=st.lists(st.integers(0, 3), max_size=2),
)
def test_streams_begin_where_numpy_has_them_begin(
    seed: int, purpose: Purpose, block: int, branch: list[int]
) -> None:
    """Against NumPy's SeedSequence and the state of its SFC64."""
    words = np.zeros(9, dtype=np.uint64)
    kernel.compiled.seed(Stream(seed, purpose, block, *branch).entropy, words, 3)
    sequence = np.random.SeedSequence(seed, spawn_key=(int(purpose), block, *branch))
    assert words[3:7].tolist() == np.random.SFC64(sequence).state["state"]["state"].tolist()
    assert not words[[0, 1, 2, 7, 8]].any()


@compiled
@pytest.mark.parametrize(("n", "at"), [(3, 0), (6, -1), (6, 2)])
def test_seeds_that_do_not_fit_are_refused(n: int, at: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        kernel.compiled.seed(np.zeros(n, np.uint32), np.zeros(5, np.uint64), at)


@compiled
@pytest.mark.parametrize("slack", [1.0, 2.0, 3.0, None])
@pytest.mark.parametrize("units", [[1] * 300, [2, 21, 415, 9_562], [1, 5, 5_000, 70_000, 4]])
def test_every_completion_gives_the_same_bits(
    units: list[int], slack: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_slack", lambda ascending, n: slack)
    fast, plain = (drawn(monkeypatch, name, np.array(units), 100) for name in ("c", "numpy"))
    assert np.array_equal(fast, plain)


@compiled
@pytest.mark.parametrize("cells", [1, 700, 1 << 20])
def test_chunks_change_no_bit(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    units = np.array([1] * 120 + [7] * 30 + [4_000])
    whole = drawn(monkeypatch, "numpy", units, 50)
    monkeypatch.setattr(engine, "CHUNK_CELLS", cells)
    assert np.array_equal(drawn(monkeypatch, "c", units, 50), whole)


@compiled
def test_strata_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    units, strata = np.array([1, 4, 2, 9, 1, 1, 3, 800]), np.array([0, 0, 1, 1, 2, 2, 2, 0])
    fast, plain = (drawn(monkeypatch, name, units, 60, strata=strata) for name in ("c", "numpy"))
    assert np.array_equal(fast, plain)
    # Columns stand stratum by stratum: of three, two and three types.
    for columns, n in ((slice(0, 3), 805), (slice(3, 5), 11), (slice(5, 8), 5)):
        assert (fast[:, columns].sum(axis=1) == n).all()


@compiled
def test_flips_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    differences, units = generator.normal(size=500), generator.integers(1, 90, 500)
    found = []
    for name in ("c", "numpy"):
        monkeypatch.setenv(kernel.VARIABLE, name)
        found.append(flipped_totals(differences, units, seed=5, n_resamples=700))
    assert np.array_equal(*found)


@compiled
@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_no_bit(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    statistics, units = generator.normal(size=(3_000, 2, 2)), np.ones(3_000, dtype=np.int64)

    def ratio(totals: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(totals[..., 0] / (1.0 + totals[..., 1] ** 2))

    monkeypatch.setenv(kernel.VARIABLE, "numpy")
    plain = bootstrap(statistics, units, ratio, n_resamples=600, seed=2)
    monkeypatch.setenv(kernel.VARIABLE, "c")
    fast = bootstrap(statistics, units, ratio, n_resamples=600, seed=2, threads=threads)
    assert np.array_equal(fast, plain)


@compiled
def test_arrays_that_do_not_fit_are_refused() -> None:
    plan = Multinomial(np.array([1, 2]))._plan
    with pytest.raises(ValueError, match="do not fit"):
        plan.fill(np.empty((2, 2)), np.zeros(3, dtype=np.uint64))


def test_a_record_says_what_drew_and_another_kernel_confirms_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(3)
    rows = "".join(
        f"{number},{generator.integers(4)},{generator.integers(4)},{generator.integers(4)}\n"
        for number in range(90)
    )
    table = tmp_path / "t.csv"
    table.write_text(f"item,reference,a,b\n{rows}")
    monkeypatch.setenv(kernel.VARIABLE, "numpy")
    found = deadheat.compare(table, systems=["a", "b"], metric="macro_f1")
    deadheat.save(found, tmp_path / "record.json")
    assert json.loads((tmp_path / "record.json").read_text())["kernel"] == "numpy"
    monkeypatch.delenv(kernel.VARIABLE)
    assert deadheat.verify(tmp_path / "record.json").holds


def test_a_package_without_the_kernel_works(tmp_path: Path) -> None:
    """What an install without a compiler has: NumPy draws."""
    script = tmp_path / "without.py"
    script.write_text(
        "import sys\n"
        "sys.modules['deadheat.resampling._kernel'] = None\n"
        "from deadheat.resampling import kernel\n"
        "import deadheat\n"
        "found = deadheat.compare([0, 1, 2] * 9, [1, 1, 2] * 9, references=[0, 1, 1] * 9,\n"
        "    metric='macro_f1')\n"
        "print(kernel.name(), found.difference.interval.low)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    name, low = done.stdout.split()
    assert name == "numpy"
    again = deadheat.compare(
        [0, 1, 2] * 9, [1, 1, 2] * 9, references=[0, 1, 1] * 9, metric="macro_f1"
    )
    assert float(low) == again.difference.interval.low
