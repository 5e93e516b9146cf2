"""`deadheat inspect` as a user runs it, also on every real file and folder."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from calls import Done, call

Call = Callable[..., Done]

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Call:
    return lambda *arguments: call(capsys, *arguments)


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wide.csv").write_text("item,a,b\nq1,1,0\nq2,1,1\nq3,0,\n", encoding="utf-8")
    return tmp_path


# The report


def test_report_in_text(run: Call, inside: Path) -> None:
    done = run("inspect", "wide.csv")
    assert (done.code, done.err) == (0, "")
    blocks = [block.strip() for block in done.out.split("\n\n")]
    assert blocks[0] == "1 file, 1 of them to read, 2 systems"
    lines = [re.split(r"\s{2,}", line.strip()) for line in done.out.splitlines()]
    assert ["wide.csv", "CSV", "a, b", "3"] in lines
    assert ["a", "3", "1", "0", "0/1 scores"] in lines
    assert ["b", "3", "1", "1", "0/1 scores"] in lines
    assert "Systems (3 items in all of them)" in blocks
    assert (
        "b minus a on 2 items, what all systems have: deadheat compare wide.csv --missing drop"
    ) in blocks


def test_command_is_one_line_however_long_it_is(run: Call, inside: Path) -> None:
    name = f"{'long-' * 40}wide.csv"
    (inside / "wide.csv").rename(inside / name)
    command = f"deadheat compare {name} --missing drop"
    assert any(line.endswith(command) for line in run("inspect", name).out.splitlines())


def test_report_as_json_and_in_a_file(run: Call, inside: Path) -> None:
    told = run("inspect", "wide.csv", "--format", "json").json
    assert told["schema"] == "deadheat/inspection/1"
    written = run("inspect", "wide.csv", "--format", "json", "--output", "found.json")
    assert (written.code, written.out) == (0, "")
    assert json.loads(Path("found.json").read_text(encoding="utf-8")) == told
    marked = run("inspect", "wide.csv", "--format", "markdown").out
    assert marked.startswith("# 1 file, 1 of them to read, 2 systems\n")
    assert "| wide.csv | CSV | a, b | 3 |" in marked


def test_output_over_an_input_is_refused(run: Call, inside: Path) -> None:
    done = run("inspect", "wide.csv", "--output", "wide.csv")
    assert (done.code, done.out) == (2, "")
    assert "--output wide.csv is an input" in done.err


def test_many_files_are_put_together_by_system(run: Call, inside: Path) -> None:
    for at in range(45):
        rows = "".join(f"t{at}-{k},{k % 2}\n" for k in range(3))
        for system in ("x", "y"):
            path = inside / "all" / system / f"{at:02}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"item,score\n{rows}", encoding="utf-8")
    told = run("inspect", "all", "--format", "json").json
    assert len(told["files"]) == 90
    out = run("inspect", "all").out
    assert "90 files, 90 of them to read, 2 systems" in out
    lines = [re.split(r"\s{2,}", line.strip()) for line in out.splitlines()]
    assert ["x/00.csv and 44 more", "CSV", "x", "135"] in lines
    assert ["y/00.csv and 44 more", "CSV", "y", "135"] in lines


def test_files_that_are_not_used_stand_together_by_their_reason(run: Call, inside: Path) -> None:
    for at in range(7):
        (inside / f"page{at}.json").write_text('{"a": 1}', encoding="utf-8")
    out = run("inspect", ".").out
    (said,) = [block for block in out.split("\n\n") if block.startswith("not used")]
    text = " ".join(said.split())
    assert text.startswith("not used: page0.json, page1.json, page2.json, page3.json and 3 more")
    assert "the file is one JSON object" in text


def test_names_from_data_are_no_markup_and_no_commands(run: Call, inside: Path) -> None:
    name = "$(touch gone)`x`;[bold]a.csv"
    (inside / "wide.csv").rename(inside / name)
    told = run("inspect", name, "--format", "json").json
    for one in told["possible"]:
        program, *arguments = shlex.split(one["command"])
        assert (program, arguments[1]) == ("deadheat", name)
    assert "[bold]" in run("inspect", name).out


# Every real file and folder

MANY = ("alpaca_eval/results/", "terminal_bench/terminal-bench-core@0.1.1/")
"""Sets of many files that are alike: the first of them stand for all."""

PATHS = sorted(path for folder in ("formats", "data") for path in (SHARED / folder).rglob("*"))
PATHS = [p for p in PATHS if not any(m in p.as_posix() for m in MANY)] + [
    p for m in MANY for p in [p for p in PATHS if m in p.as_posix()][:6]
]
SETS = sorted(path for folder in ("formats", "data") for path in (SHARED / folder).glob("*/"))

absent = pytest.mark.skipif(not PATHS, reason="the shared data sets are not beside this checkout")


def named(path: Path) -> str:
    return path.relative_to(SHARED).as_posix()


@absent
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_every_real_file_and_folder_is_inspected(run: Call, path: Path) -> None:
    done = run("inspect", path, "--format", "json")
    if done.code == 2:
        assert done.out == ""
        assert done.err.startswith("deadheat: ")
        assert done.err.count("\n") == 1
        return
    assert (done.code, done.err) == (0, "")
    told = done.json
    assert told["systems"]
    assert all(file["tool"] for file in told["files"] if not file["problem"])
    assert told["possible"] or told["impossible"]
    for file in told["files"]:
        assert bool(file["problem"]) != bool(file["systems"])


@absent
@pytest.mark.parametrize("path", SETS, ids=named)
def test_every_command_that_is_printed_runs(run: Call, path: Path) -> None:
    done = run("inspect", path, "--format", "json")
    for one in done.json["possible"] if done.code == 0 else ():
        program, *arguments = shlex.split(one["command"])
        assert program == "deadheat"
        again = run(*arguments)
        assert (again.code, again.err) == (0, ""), one["command"]


# Systems, items that all of them have (null: not all together), tools; as the pages beside the
# files say.
SAYS: dict[str, tuple[int, int | None, set[str]]] = {
    "formats/aider": (1, 1, {"Aider"}),
    "formats/bfcl": (2, 400, {"BFCL"}),
    "formats/code_execution_jsonl": (2, 5, {"Code execution (pass@k by task)"}),
    "formats/deepeval": (1, 2, {"DeepEval"}),
    "formats/every_eval_ever": (1, 1, {"Every Eval Ever"}),
    "formats/inspect": (5, None, {"Inspect AI"}),
    "formats/lm_eval": (4, None, {"lm-evaluation-harness"}),
    "formats/mt_bench": (8, None, {"MT-bench"}),
    "formats/openai_evals": (2, 100, {"OpenAI evals"}),
    "formats/promptfoo": (2, 2, {"promptfoo"}),
    "data/alpaca_eval": (12, 802, {"AlpacaEval"}),
    "data/asr_voxpopuli": (5, 150, {"NeMo manifests"}),
    "data/conll2003_ner": (3, 3_453, {"CoNLL"}),
    "data/livecodebench": (2, 880, {"LiveCodeBench"}),
    "data/swebench_bash_only": (29, 500, {"SWE-bench board"}),
    "data/tau_bench_airline": (1, 50, {"tau-bench"}),
    "data/terminal_bench": (13, 80, {"Terminal-Bench"}),
    "data/wmt17_ende": (10, 3_004, {"lines of text"}),
}


@absent
@pytest.mark.parametrize("name", SAYS)
def test_what_is_said_of_real_sets(run: Call, name: str) -> None:
    told = run("inspect", SHARED / name, "--format", "json").json
    tools = {file["tool"] for file in told["files"] if not file["problem"]}
    systems = {one["system"] for one in told["systems"]}
    assert (len(systems), told["matched"], tools) == SAYS[name]


# What ends the first command that is printed, for sets that hold what a command needs.
FIRST = {
    "formats/bfcl": ("compare", []),
    "formats/inspect": ("compare", ["--missing", "drop"]),
    "formats/openai_evals": ("compare", ["--missing", "drop"]),
    "formats/squad": ("score", ["--metric", "squad_f1"]),
    "data/alpaca_eval": ("rank", ["--missing", "drop"]),
    "data/asr_voxpopuli": ("rank", ["--metric", "wer"]),
    "data/compare_mt": ("compare", ["--metric", "bleu"]),
    "data/conll2003_ner": ("compare", ["--metric", "span_f1"]),
    "data/explainaboard_sst2": ("compare", ["--reference-column", "2"]),
    "data/livecodebench": ("compare", []),
    "data/swebench_bash_only": ("rank", []),
    "data/terminal_bench": ("rank", ["--missing", "drop"]),
    "data/wmt17_ende": ("rank", ["--metric", "bleu"]),
}


@absent
@pytest.mark.parametrize("name", FIRST)
def test_first_command_of_real_sets(run: Call, name: str) -> None:
    told = run("inspect", SHARED / name, "--format", "json").json
    words = shlex.split(told["possible"][0]["command"])
    command, options = FIRST[name]
    assert words[1] == command
    assert words[len(words) - len(options) :] == options
