"""What holds for the tree as a whole: links, versions, sizes, and nothing of one machine in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadheat._version import __version__

ROOT = Path(__file__).resolve().parents[1]
BUILT = {"__pycache__", "build", "dist"}

# Written with brackets so that this file does not name what it looks for.
FOREIGN = re.compile(
    r"(?<![\w.])/(?:t[m]p|w[o]rk|r[o]ot|h[o]me)/"
    r"|py[p]i\.org|pythonho[s]ted|npm[j]s\.|deb\.deb[i]an|index[-]url",
    re.IGNORECASE,
)
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def tree(folder: Path = ROOT) -> Iterator[Path]:
    """Files of the checkout; of dot folders only .ci, and nothing that tools build."""
    for path in sorted(folder.iterdir()):
        if path.is_file():
            yield path
        elif path.name == ".ci" or not (
            path.name.startswith(".") or path.name in BUILT or path.suffix == ".egg-info"
        ):
            yield from tree(path)


def pages(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.md"))


def anchors(page: Path) -> set[str]:
    """Anchors that GitHub gives to the headings of a page."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in HEADING.findall(page.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *pages("docs"), *pages("examples")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_relative_links_resolve(page: Path) -> None:
    broken = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        if not found.exists() or (anchor and anchor not in anchors(found)):
            broken.append(target)
    assert not broken


def test_no_file_names_a_path_or_host_of_one_machine() -> None:
    found = []
    for path in tree():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [
            f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
            for number, line in enumerate(text.split("\n"), start=1)
            if FOREIGN.search(line)
        ]
    assert not found


def test_source_files_do_one_job() -> None:
    lines = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "src").rglob("*.py")
    }
    assert {name: count for name, count in lines.items() if count > 400} == {}


def test_one_version_everywhere() -> None:
    citation = re.findall(
        r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE
    )
    releases = re.findall(
        r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert citation == [__version__]
    assert releases[0] == __version__


def test_index_lists_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {
        (index.parent / target.partition("#")[0]).resolve()
        for target in LINK.findall(index.read_text(encoding="utf-8"))
    }
    unlisted = [page.relative_to(ROOT).as_posix() for page in pages("docs") if page not in linked]
    assert unlisted == [index.relative_to(ROOT).as_posix()]
