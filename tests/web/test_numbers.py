"""The page's numbers are those of the command line, bit by bit, and what it copies repeats them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from deadheat.cli import main
from deadheat.web.examples import example
from local_page import Page

LONG = "item,system,score\n" + "".join(
    f"{item},{system},{int((item * step) % 7 < 4)}\n"
    for item in range(40)
    for system, step in (("x", 3), ("y", 5), ("z", 4))
)
REAL = "a\tb\n" + "".join(f"{k % 7 / 7:.4f}\t{k % 11 / 9:.4f}\n" for k in range(50))
ANSWERS = "item,output\n" + "".join(f"{k},{'xyz'[k % 3]}\n" for k in range(30))
OTHERS = "item,output\n" + "".join(f"{k},{'xyz'[k // 2 % 3]}\n" for k in range(30))
LABELS = "item,label\n" + "".join(f"{k},{'xyz'[k % 3 if k % 4 else 0]}\n" for k in range(30))
PAIRS = "pair,p\na-b,0.168\na-c,0.0016\nb-c,0.021\n"

EXAMPLES = {
    f"example of {page}": (page, found["options"], {"text": found["text"]})
    if "text" in found
    else (page, found["options"], {})
    for page in ("compare", "rank", "score", "plan", "claim", "adjust")
    for found in [example(page)]
}
UNNAMED = "".join(f"{'xyz'[k % 3]} {'xyz'[k // 2 % 3]} {'xyz'[k // 3 % 3]}\n" for k in range(60))
COUNTS = {"both": 86, "only_baseline": 8, "only_candidate": 24, "neither": 2}
FOLDER = [
    (f"board/{name}.csv", "item,score\n" + "".join(f"{k},{k * step % 5 % 2}\n" for k in range(40)))
    for name, step in (("x", 3), ("y", 2), ("z", 7))
]
TWO = [(name, text.replace("z", "y")) for name, text in (("a.csv", ANSWERS), ("b.csv", OTHERS))]

CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    **EXAMPLES,
    "compare, many options": (
        "compare",
        {
            "baseline": "z",
            "candidate": "x",
            "confidence_level": 0.9,
            "n_resamples": 999,
            "rng": 7,
            "method": "bca",
            "margin": 0.05,
            "alternative": "less",
            "unpaired": False,
            "about": ["x:temperature=0.7", "z:seed=1"],
        },
        {"files": [("runs of may/all.csv", LONG)]},
    ),
    "compare, unpaired": ("compare", {"unpaired": True}, {"text": REAL}),
    "compare, drawn": (
        "compare",
        {"metric": "macro_f1", "references": "labels.csv", "rng": 3},
        {"files": [("a.csv", ANSWERS), ("my b.csv", OTHERS), ("labels.csv", LABELS)]},
    ),
    "compare, several metrics": (
        "compare",
        {
            "metric": ["precision", "f1"],
            "positive": "x",
            "zero_division": "nan",
            "references": "r.csv",
        },
        {"files": [*TWO, ("r.csv", LABELS.replace("z", "y"))]},
    ),
    "compare, names": (
        "compare",
        {"references": "labels.csv", "label_map": "z=y", "lower_is_better": False},
        {
            "files": [("a.csv", ANSWERS), ("labels.csv", LABELS), ("b.csv", OTHERS)],
            "names": ["the first", None, "-second"],
        },
    ),
    "compare, counts": ("compare", {}, {"counts": COUNTS}),
    "compare, lines without names": (
        "compare",
        {"reference_column": "last"},
        {"text": UNNAMED},
    ),
    "rank, a folder": ("rank", {"correction": "holm", "descriptive": True}, {"files": FOLDER}),
    "score, real": ("score", {"confidence_level": 0.99}, {"text": REAL}),
    "plan, a pilot": (
        "plan",
        {"gap": 0.05, "pilot": ["pilot.csv"], "baseline": "x", "candidate": "y"},
        {"files": [("pilot.csv", LONG)]},
    ),
    "plan, answers": (
        "plan",
        {
            "gap": 0.05,
            "between_variance": 0.02,
            "answer_variance": "0.1,0.2",
            "answers": [3, 5],
        },
        {},
    ),
    "claim, all of it": (
        "claim",
        {
            "n": 500,
            "baseline": "71.2",
            "candidate": "74.8",
            "interval": "-1.4,8.4",
            "p": ".168",
            "n_resamples": 2000,
        },
        {},
    ),
    "adjust, a file": (
        "adjust",
        {"file": "pairs.csv", "column": "p", "label_column": "pair", "method": "bh"},
        {"files": [("pairs.csv", PAIRS)]},
    ),
    "inspect": ("inspect", {}, {"files": [("all.csv", LONG)]}),
}


def on_command_line(line: str) -> dict[str, Any]:
    """Run what was copied, with its numbers as JSON."""
    words = shlex.split(line)
    assert words[0] == "deadheat"
    at = words.index("--") if "--" in words else len(words)
    said, failed = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(failed),
        pytest.raises(SystemExit) as ended,
    ):
        main([*words[1:at], "--format", "json", *words[at:]])
    assert ended.value.code == 0, failed.getvalue()
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def in_python(code: str) -> dict[str, Any]:
    """Run what was copied, and take its result."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        exec(code, names)
    assert shown.getvalue().strip()
    found: dict[str, Any] = json.loads(names["result"].to_json())
    return found


@pytest.mark.parametrize("case", CASES)
def test_copied_lines_repeat_the_numbers(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    command, options, sent = CASES[case]
    result = page.result(command, options, **sent)
    shown = json.loads(page.download(result, "report.json"))
    for name, content in sent.get("files", ()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    for one in result["downloads"]:
        if one["name"].startswith("data."):
            (tmp_path / one["name"]).write_text(page.download(result, one["name"]))
    monkeypatch.chdir(tmp_path)
    assert on_command_line(result["command"]) == shown
    assert in_python(result["python"]) == shown
    assert os.listdir(tmp_path) or command in ("plan", "claim", "adjust")


def test_copied_python_says_any_text(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters beyond 16 bits and invisible ones, run as Python: the same as what was asked for."""
    family, last = "\U0001f468\u200d\U0001f469", "\U0001d538\u00ad"
    options = {
        "baseline": family,
        "candidate": last,
        "about": [f"{family}:checkpoint={last}", f"{last}:stop=\"'\\"],
    }
    result = page.result("compare", options, text=f"{last},{family}\n1,0\n0,1\n1,1\n1,0\n")
    (tmp_path / "data.csv").write_text(page.download(result, "data.csv"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(result["python"], found)
    again = found["result"]
    assert json.loads(again.to_json()) == page.numbers(result)
    assert again.to_methods() == result["paragraph"]
    assert last in result["paragraph"]
