"""The page of formats says what the readers say, and its own reader works."""

from __future__ import annotations

import importlib
import re
import runpy
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done
from deadheat import registry
from deadheat.readers import archives, content, csv_logs, details, listing
from deadheat.readers.logs import readers
from pages import DOCS, PAGES, ROOT, UPDATE, rows, section, spans

Call = Callable[..., Done]

PAGE = PAGES["docs/formats.md"]
MADE = runpy.run_path(str(DOCS / "formats.py"))


def note_codes(under: str) -> set[str]:
    """Codes of notes that are written out in a folder of the source."""
    files = (ROOT / under).rglob("*.py")
    return {code for f in files for code in re.findall(r'code="(\w+)"', f.read_text("utf-8"))}


def test_tables_are_those_of_the_readers() -> None:
    # `python docs/formats.py` writes them.
    assert MADE["refreshed"](PAGE) == PAGE


def test_every_reader_says_what_it_reads_in_sentences() -> None:
    for name, reader in MADE["own_readers"]().items():
        assert reader.TOOL.strip() == reader.TOOL != "", name
        assert reader.VERSIONS.strip() == reader.VERSIONS != "", name
        assert isinstance(reader.QUIRKS, tuple), name
        assert reader.QUIRKS, name
        for quirk in reader.QUIRKS:
            assert re.fullmatch(r"\S.*[.:]", quirk), (name, quirk)


def test_tools_have_names_of_their_own() -> None:
    tools = [reader.TOOL.casefold() for reader in readers().values()]
    assert len(set(tools)) == len(tools)


def test_notes_of_readers_are_explained() -> None:
    documented = {
        code
        for page in ("docs/formats.md", "docs/reading-a-report.md")
        for row in rows(section(PAGES[page], "Notes"))
        for code in spans(row[0])
    }
    assert note_codes("src/deadheat/readers") - documented == set()
    here = {code for row in rows(section(PAGE, "Notes")) for code in spans(row[0])}
    assert here - note_codes("src/deadheat") == set()


def test_limits_are_those_of_the_code() -> None:
    mb = 1 << 20
    assert dict(rows(section(PAGE, "Limits"))) == {
        "first bytes, by which a file is recognised": f"{content.HEAD // mb} MB",
        "one line of JSON lines": f"{content.LONGEST_LINE // mb} MB",
        "a document that is read as a whole": f"{content.LARGEST_DOCUMENT // mb:,} MB",
        "CSV that a tool wrote": f"{csv_logs.LARGEST // mb} MB",
        "files in a folder": f"{listing.MOST:,}",
        "entries of an archive": f"{archives.MOST_ENTRIES:,}",
        "directory of an archive": f"{archives.LARGEST_DIRECTORY // mb} MB",
        "all that is unpacked of an archive": f"{archives.LEAST_ALLOWED // mb} MB or "
        f"{archives.GROWTH} times its size",
        "rows of details in Parquet": f"{details._MOST_ROWS:,}",
    }


@pytest.fixture
def quizlog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The files of the page, and its reader as an installed package offers it."""
    UPDATE["refreshed"](PAGE, tmp_path)
    entry = EntryPoint(name="quizlog", value="quizlog", group="deadheat.readers")
    real = registry.entry_points

    def offered(*, group: str) -> Any:
        return [*real(group=group), *([entry] if group == entry.group else [])]

    monkeypatch.setattr(registry, "entry_points", offered)
    registry._added.cache_clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    registry._added.cache_clear()


def test_reader_of_ones_own(quizlog: Path, run: Call) -> None:
    (said,) = re.findall(r"^`(deadheat compare .*quiz .*)` gives$", PAGE, re.MULTILINE)
    fences = [f["body"] for f in UPDATE["FENCE"].finditer(PAGE[PAGE.index(said) :])]
    done = run(*said.split()[1:])
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(fences[0])
    found = deadheat.compare("small.quiz", "large.quiz", missing="drop")
    # Of q1 to q3 the small model answers two and the large one three.
    assert found.difference.estimate == pytest.approx(1 / 3)
    assert found.baseline.about["version"] == "1.0"


def test_reader_of_ones_own_is_inspected(quizlog: Path) -> None:
    found = deadheat.inspect("small.quiz", "large.quiz")
    assert [(file.tool, file.version) for file in found.files] == [("quizlog", "1.0")] * 2
    assert [(one.system, one.unscored) for one in found.systems] == [("small", 1), ("large", 0)]


def test_reader_of_ones_own_refuses_what_it_cannot_read(quizlog: Path, run: Call) -> None:
    (quizlog / "small.quiz").write_text("#quizlog 1.0 model=small\nq1\tperhaps\n", encoding="utf-8")
    done = run("compare", "small.quiz", "large.quiz")
    assert done.code == 2
    assert done.err == (
        "deadheat: small.quiz, line 2: 'perhaps' is no outcome. "
        "Outcomes are ok, wrong and a dash.\n"
    )


def test_reader_of_ones_own_replaces_none(quizlog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert readers()["quizlog"].TOOL == "quizlog"
    entry = EntryPoint(name="bfcl", value="quizlog", group="deadheat.readers")
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [entry])
    registry._added.cache_clear()
    assert readers()["bfcl"].TOOL == "BFCL"
