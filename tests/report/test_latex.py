"""LaTeX: of the right shape, escaped, and set by an engine where one is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import deadheat
from deadheat.report.latex import render
from deadheat.report.report import Report, Sentence, Table
from deadheat.report.tex import escaped
from report.results import BOARDS, COMPARISONS, adjustment, scorecard, unresolved
from report.test_hostile_names import NAMES, reports


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & c", r"a\_b \& c"),
        ("50%", r"50\%"),
        ("$x^2$ {y} #1 ~", r"\$x\textasciicircum{}2\$ \{y\} \#1 \textasciitilde{}"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("[-1.2, +8.4]", r"{[}$-$1.2, +8.4]"),
        ("candidate - baseline", "candidate - baseline"),
        ("2-3", "2-3"),
        ("a--b", "a-{}-b"),
        ("a---b", "a-{}-{}-b"),
        ("''", "'{}'"),
        ("< | >", r"\textless{} \textbar{} \textgreater{}"),
        ("é ü č Å ß", r"\'{e} \"{u} \v{c} \AA{} \ss{}"),
        ("í", r"\'{\i}"),
        ("−1 ± 2", r"$-$1 $\pm$ 2"),
        ("模", r"\texttt{U+6A21}"),
        ("🙂", r"\texttt{U+1F642}"),
        ("a\nb", r"a\texttt{U+000A}b"),
        ("a\u202eb", r"a\texttt{U+202E}b"),
        ("x" * 30, "x" * 24 + r"\allowbreak{}" + "x" * 6),
    ],
)
def test_escapes(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_a_table_is_one_of_booktabs() -> None:
    table = Table(title="T & U", columns=("a", "n"), rows=(("x", "1"), ("y", "-2")), numeric=("n",))
    text = render(Report(title="t", blocks=(table,)))
    assert text.endswith(
        r"""\begin{table}[htbp]
  \centering
  \caption{T \& U}
  \label{tab:t-u}
  \begin{tabular}{@{}lr@{}}
    \toprule
    a & n \\
    \midrule
    x & 1 \\
    y & $-$2 \\
    \bottomrule
  \end{tabular}
\end{table}
"""
    )


def test_labels_differ() -> None:
    table = Table(title="The same", columns=("a",), rows=(("x",),))
    text = render(Report(title="t", blocks=(table, table, table)))
    assert re.findall(r"\\label\{(.*)\}", text) == [
        "tab:the-same",
        "tab:the-same2",
        "tab:the-same3",
    ]


def test_no_sentence_leaves_its_comment() -> None:
    hostile = "one\ntwo\rthree\x0bfour\u2028five\\input{x}" + " word" * 60
    text = render(Report(title=hostile, blocks=(Sentence(text=hostile, label=hostile),)))
    assert all(line.startswith("%") or not line for line in text.splitlines())


def test_it_is_ascii_and_a_signature_is_one_line() -> None:
    found = unresolved()
    text = found.to_latex()
    assert text.isascii()
    assert f"% {found.signature}" in text.splitlines()


PREAMBLE = r"\documentclass{article}\usepackage{booktabs}\begin{document}"

needs_tex = pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no TeX engine (pdflatex) is installed"
)


def compiled(bodies: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    whole = "\n\\clearpage\n".join([PREAMBLE, *bodies]) + "\n\\end{document}\n"
    (folder / "t.tex").write_text(whole, encoding="ascii")
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t.tex"]
    return subprocess.run(words, cwd=folder, capture_output=True, timeout=120, check=False)


@needs_tex
def test_reports_compile(tmp_path: Path) -> None:
    makers = [*COMPARISONS.values(), *BOARDS.values(), scorecard, adjustment]
    done = compiled([made().to_latex() for made in makers], tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]


@needs_tex
def test_hostile_names_compile(tmp_path: Path) -> None:
    bodies = [result.to_latex() for name in NAMES.values() for result in reports(name)]
    done = compiled(bodies, tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_long_cell_is_shown_by_its_beginning() -> None:
    table = Table(title="t", columns=("name",), rows=(("é" * 10_000,), ("é" * 320,)))
    text = render(Report(title="t", blocks=(table,)))
    assert text.count(r"\'{e}") == 320 + 320
    assert text.count("...") == 1


@needs_tex
def test_a_board_of_names_of_10_000_letters_compiles(tmp_path: Path) -> None:
    """Of all its pairs: a table that is taller than TeX can measure cannot be set at all."""
    board = deadheat.rank({f"{k}{'n' * 10_000}": [1, 0, k % 2, 1] * 5 for k in range(6)})
    done = compiled([board.to_latex()], tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]


@needs_tex
def test_every_character_that_is_composed_can_be_set(tmp_path: Path) -> None:
    text = "".join(map(chr, range(0x20, 0x250))) + "αβγδΔκλμρστφ−±×÷·≤≥≠≈∞→←°–—‘’“”…"
    done = compiled([escaped(f"{letter}{letter}") for letter in text], tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
