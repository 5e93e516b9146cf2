"""HTML and LaTeX of every kind of result as they are written; figures have snapshots of their own.

After a change that is meant: `pytest tests/report --snapshot-update`, then read the difference.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import deadheat
from deadheat import report
from deadheat.report import html, latex
from report.test_every_result import made, result

LAST_DIGITS = re.compile(r"(\.\d{9})\d+")
"""They belong to the machine's special functions."""


def steady(text: str) -> str:
    """Return a text as if no version or digest were in it."""
    text = LAST_DIGITS.sub(r"\1", text.replace(deadheat.__version__, "0.0.0"))
    return re.sub(r"sha256-[\w+/]{43}=", "sha256-...", text)


@pytest.mark.parametrize("form", [html.fragment, latex.render], ids=["html", "latex"])
@pytest.mark.parametrize("kind", report.LAYOUTS)
def test_document(
    kind: str,
    form: Callable[[report.Report], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.chdir(tmp_path)
    document = report.document(result(kind, Path()))
    assert steady(form(dataclasses.replace(document, figures=()))) == snapshot


def test_page(snapshot: SnapshotAssertion) -> None:
    """The head of a file and what stands around the report."""
    document = dataclasses.replace(report.document(made()["Adjustment"]), figures=())
    text = html.render(document).replace(html.style(), "...").replace(html.script(), "...")
    assert steady(text) == snapshot
