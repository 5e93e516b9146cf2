"""The record of the study of automatic choices: its file, and the tables of the page.

PYTHONPATH=tests .venv/bin/python -m calibration.record     # runs everything again, rewrites both
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path

from calibration import choices, corpora, pairs
from calibration.choices import Covered

FILE = Path(__file__).with_name("choices.csv")
PAGE = Path(__file__).parents[2] / "docs" / "choices.md"

N_SETS = {"means": 4_000, "clusters": 1_000}
"""Data sets of a cell."""

FIELDS = (
    *("study", "design", "n", "method", "sets", "coverage", "low", "high"),
    *("too_high", "too_low", "none", "width", "wide"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One design at one size, and how to run it."""

    study: str
    design: str
    n: int
    run: Callable[[], Mapping[str, Covered]]


def cluster_design(name: str, equal: bool, correlation: float) -> str:
    return f"{name}, {'equal' if equal else 'unequal'}, {correlation}"


def split_of(won: float, lost: float) -> str:
    return f"{100 * won:g}%, {100 * lost:g}%"


def cells() -> Iterator[Cell]:
    for (won, lost), n in product(pairs.SPLITS, pairs.SIZES):
        run = partial(pairs.of_pair_cell, won, lost, n)
        yield Cell(study="pairs", design=split_of(won, lost), n=n, run=run)
    for name, n in product(choices.MEANS, choices.SIZES):
        run = partial(choices.of_mean_cell, name, n, N_SETS["means"])
        yield Cell(study="means", design=name, n=n, run=run)
    grid = product(choices.CLUSTERED, (True, False), (0.1, 0.3), choices.CLUSTERS)
    for name, equal, correlation, n in grid:
        run = partial(choices.of_cluster_cell, name, n, correlation, equal, N_SETS["clusters"])
        yield Cell(study="clusters", design=cluster_design(name, equal, correlation), n=n, run=run)
    for name, corpus in corpora.CORPORA.items():
        for n in corpus.sizes:
            run = partial(corpora.of_corpus_cell, name, n, corpus.n_sets)
            yield Cell(study="corpora", design=name, n=n, run=run)


def rows_of(cell: Cell, found: Mapping[str, Covered]) -> list[dict[str, str]]:
    """Return the rows of a cell as they are written, shares to 1e-5 and widths to five digits."""
    rows = []
    for method, one in found.items():
        low, high = one.bounds if one.n_sets else (one.held, one.held)
        shares = (one.held, low, high, one.too_high, one.too_low, one.none)
        rows.append(
            dict(
                zip(
                    FIELDS,
                    (
                        *(cell.study, cell.design, str(cell.n), method, str(one.n_sets)),
                        *(f"{share:.5f}" for share in shares),
                        *(f"{width:.5g}" for width in (one.width, one.wide)),
                    ),
                    strict=True,
                )
            )
        )
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The numbers of a row of the record."""

    coverage: float
    too_high: float
    too_low: float
    none: float
    width: float
    wide: float


Record = Mapping[tuple[str, str, int], Mapping[str, Recorded]]
"""By study, design and n, then by method."""


@cache
def recorded() -> Record:
    found: dict[tuple[str, str, int], dict[str, Recorded]] = {}
    with FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            cell = found.setdefault((row["study"], row["design"], int(row["n"])), {})
            numbers = {name: float(row[name]) for name in Recorded.__slots__}
            cell[row["method"]] = Recorded(**numbers)
    return found


# Tables


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], n_words: int) -> str:
    rule = ["---"] * n_words + ["--:"] * (len(head) - n_words)
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def pairs_table() -> str:
    methods = (*pairs.ENUMERATED, *pairs.CLOSED, *pairs.RESAMPLED)
    rows = []
    for (won, lost), n in product(pairs.SPLITS, pairs.SIZES):
        cell = recorded()["pairs", split_of(won, lost), n]
        shares = [_percent(cell[name].coverage) if name in cell else "" for name in methods]
        rows.append([split_of(won, lost), f"{n:,}", *shares])
    return _table(["wins, losses", "n", *(f"`{name}`" for name in methods)], rows, 1)


MEANS = (
    *("percentile", "expanded", "bca", "bca_t", "studentized", "studentized, else bca_t"),
    *("student_t", "johnson_t", "hall_t"),
)


def means_table() -> str:
    rows = []
    for name, n in product(choices.MEANS, choices.SIZES):
        cell = recorded()["means", name, n]
        shares = [_percent(cell[method].coverage) for method in MEANS if method != "studentized"]
        refused = cell["studentized"].none - cell["bca_t"].none
        rows.append([name, f"{n:,}", *shares, _percent(refused) if refused else ""])
    methods = [f"`{name}`" for name in MEANS if name not in ("studentized", MEANS[5])]
    methods.insert(4, "`studentized`*")
    return _table(["scores", "n", *methods, "refused"], rows, 1)


COMPARED = ("student_t", "bca_t", "studentized, else bca_t", "hall_t")


def misses_table() -> str:
    rows = []
    for name, n in product(choices.MEANS, choices.SIZES):
        cell = recorded()["means", name, n]
        base = cell["student_t"].width
        found = [
            f"{_percent(cell[m].too_low)} / {_percent(cell[m].too_high)}; "
            f"{cell[m].width / base:.2f} / {cell[m].wide / base:.2f}"
            for m in COMPARED
        ]
        rows.append([name, f"{n:,}", *found])
    names = ["`student_t`", "`bca_t`", "`studentized`*", "`hall_t`"]
    return _table(["scores", "n", *names], rows, 1)


def gains_table() -> str:
    rows = []
    for n in choices.SIZES:
        row = [f"{n:,}"]
        for method in (MEANS[5], "hall_t"):
            gained, wider = gain(method, n)
            row += [f"{100 * gained:+.1f}", f"{wider[0]:.2f}", f"{wider[1]:.2f}"]
        rows.append(row)
    part = ["closer by", "width", "greatest"]
    return _table(["n", *(f"`{m}` {p}" for m in ("studentized*", "hall_t") for p in part)], rows, 0)


def gain(
    method: str, n: int, designs: Sequence[str] = choices.SKEWED
) -> tuple[float, tuple[float, float]]:
    """Return the mean gain over designs, and the mean and greatest ratio of mean widths."""
    found = [recorded()["means", name, n] for name in designs]
    gained = [abs(one["bca_t"].coverage - 0.95) - abs(one[method].coverage - 0.95) for one in found]
    wider = [one[method].width / one["bca_t"].width for one in found]
    return sum(gained) / len(found), (sum(wider) / len(found), max(wider))


def clusters_table() -> str:
    rows = []
    for equal, correlation, n in product((True, False), (0.1, 0.3), choices.CLUSTERS):
        row = ["equal" if equal else "unequal", f"{correlation}", f"{n}"]
        for name in choices.CLUSTERED:
            cell = recorded()["clusters", cluster_design(name, equal, correlation), n]
            cr2, bca_t = cell["cr2"], cell["bca_t"]
            row.append(
                f"{_percent(cr2.coverage)} / {_percent(bca_t.coverage)} "
                f"({cr2.width / bca_t.width:.2f})"
            )
        rows.append(row)
    return _table(["sizes", "ICC", "clusters", *choices.CLUSTERED], rows, 1)


def corpora_table() -> str:
    rows = []
    for name, n in ((name, n) for name, one in corpora.CORPORA.items() for n in one.sizes):
        cell = recorded()["corpora", name, n]
        found = [
            f"{_percent(cell[m].coverage)} ({_percent(cell[m].too_low)} / "
            f"{_percent(cell[m].too_high)}; {cell[m].width:.3f})"
            for m in corpora.METHODS
        ]
        rows.append([name, f"{n:,}", *found, _percent(cell["bca_t"].none)])
    return _table(["metric", "n", *(f"`{m}`" for m in corpora.METHODS), "none"], rows, 1)


TABLES = {
    "pairs": pairs_table,
    "gains": gains_table,
    "means": means_table,
    "misses": misses_table,
    "clusters": clusters_table,
    "corpora": corpora_table,
}


def with_tables(page: str) -> str:
    """Put every table of the record in its place: after its comment, as far as it goes."""
    for name, made in TABLES.items():
        place = re.compile(rf"(<!-- table: {name} -->\n\n)(?:\|[^\n]*\n)*\n*")
        assert len(place.findall(page)) == 1, name
        page = place.sub(lambda found, table=made: f"{found[1]}{table()}\n\n", page)
    return page


def main() -> None:
    rows = [row for cell in cells() for row in rows_of(cell, cell.run())]
    with FILE.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    recorded.cache_clear()
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
