"""`deadheat inspect` as a user runs it, also on every real file and folder."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
        "b minus a on 2 of 3 items, what all systems have: deadheat compare wide.csv --missing drop"
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
    assert told["systems"] or told["impossible"]
    assert all(file["tool"] for file in told["files"] if not file["problem"])
    assert told["possible"] or told["impossible"]
    for file in told["files"]:
        assert bool(file["problem"]) != bool(file["systems"])


@absent
@pytest.mark.parametrize("path", SETS, ids=named)
def test_every_command_that_is_printed_runs(run: Call, path: Path) -> None:
    done = run("inspect", path, "--format", "json")
    assert (done.code, done.err) == (0, "")
    for one in done.json["possible"]:
        program, *arguments = shlex.split(one["command"])
        assert program == "deadheat"
        again = run(*arguments)
        assert (again.code, again.err) == (0, ""), one["command"]


# Values that the page beside a set states, of the first printed command that has these words.
STATED: list[tuple[str, str, float, dict[str, float]]] = [
    (
        "data/hans_nli",
        "--label-map",
        5e-4,
        {
            "bert_preds": 0.548,
            "spinn_preds_heur": 0.505,
            "decomp_attn_heur_preds": 0.503,
            "esim_heur_preds": 0.500,
        },
    ),
    *(
        (
            "data/xsum_hallucination",
            f"--score {metric}",
            5e-4,
            dict(zip(("bert_withckpt", "ptgen", "tconvs2s", "bert_nockpt"), values, strict=True)),
        )
        for metric, values in {
            "R1": (0.390, 0.305, 0.313, 0.325),
            "R2": (0.168, 0.093, 0.114, 0.114),
            "RL": (0.316, 0.241, 0.261, 0.257),
            "BERTScore": (0.789, 0.743, 0.752, 0.757),
        }.items()
    ),
    (
        "data/terminal_bench",
        "--missing wrong",
        5e-5,
        {
            "20250923_droid_claude-4-1-opus": 0.5875,
            "ob1-09-10-25": 0.5675,
            "20250924_droid_gpt-5": 0.525,
            "20250923_droid_claude-4-sonnet": 0.505,
            "20250911_chaterm_claude-4-sonnet": 0.4925,
            "20250829_goose_claude-4-opus": 0.4525,
            "20250829_goose_claude-4-sonnet": 0.4125,
            "20250711_openhands_claude-4-sonnet": 0.4125,
            "20250811_cursor-cli_claude-4-sonnet": 0.2625,
            "20250825_swe-agent-mini_claude-4-sonnet": 0.1275,
            "20250902_orchestrator_claude-4-sonnet": 0.36,
            "20250906_orchestrator_claude-4.1-opus": 0.3975,
            "20250902_orchestrator_qwen-3-coder-480B": 0.1925,
        },
    ),
    (
        "data/livecodebench",
        "compare",
        5e-5,
        {"O1-Preview-2024-09-12 (N=1)": 0.5557, "O1-Mini-2024-09-12 (N=1)": 0.6841},
    ),
    (
        "data/swebench_bash_only",
        "rank",
        1e-12,
        # Ties and a map that holds less than what is published, as the page says.
        {"Claude 3.7 Sonnet (20250219)": 0.102, "GPT-5.1-codex (medium reasoning)": 0.66},
    ),
    ("data/tau_bench_airline", "score", 1e-12, {"gpt-4o-airline": 0.42}),
    (
        "data/explainaboard_fig_qa",
        "rank",
        5e-5,
        {
            "fig_qa-roberta-output": 0.8949,
            "fig_qa-bert-output": 0.8364,
            "fig_qa-gpt3-output": 0.6508,
            "fig_qa-gptneo-output": 0.5722,
            "fig_qa-gpt2-output": 0.5430,
        },
    ),
    (
        "data/explainaboard_sst2",
        "compare",
        5e-5,
        {"sst2-cnn-output": 0.8572, "sst2-lstm-output": 0.8803},
    ),
    (
        "data/conll2003_ner",
        "compare",
        5e-5,
        {"conll2003-elmo.masked": 0.9222, "conll2003-flair.masked": 0.9303},
    ),
    (
        "data/wmt17_ende",
        "rank",
        0.005,
        {
            "newstest2017.uedin-nmt.4722": 28.30,
            "newstest2017.LMU-nmt-reranked.4934": 27.11,
            "newstest2017.SYSTRAN.4847": 26.71,
            "newstest2017.xmu.4910": 26.69,
            "newstest2017.online-B.0": 26.65,
            "newstest2017.LIUM-NMT.4900": 26.60,
            "newstest2017.LMU-nmt-single.4893": 26.56,
            "newstest2017.KIT.4950": 26.08,
            "newstest2017.C-3MA.4959": 22.67,
        },
    ),
    (
        "data/compare_mt",
        "ted.sys1.detok.eng",
        0.005,
        {"ted.sys1.detok": 21.71, "ted.sys2.detok": 23.05},
    ),
    (
        "data/asr_voxpopuli",
        "rank",
        5e-4,
        # Without normalisation, of which the page states one.
        {"wav2vec2-base-960h": 1.072},
    ),
    (
        "data/alpaca_eval",
        "score",
        5e-5,
        # NullModel calls itself "example", as the page says.
        {"claude-2": 0.171882, "example": 0.7692},
    ),
    (
        "formats/openai_evals",
        "compare",
        1e-12,
        {"gpt-3.5-turbo": 0.37, "gpt-3.5-turbo-0301": 0.37},
    ),
]


def values(told: dict[str, Any]) -> dict[str, float]:
    """What a comparison, a board or scorecards say of each system."""
    if "baseline" in told:
        sides = [told["baseline"], told["candidate"]]
    else:
        sides = told.get("systems") or [told]
    return {side["system"]: side["value"] for side in sides}


@absent
def test_printed_command_for_mmlu_pro_gives_what_its_files_hold(run: Call) -> None:
    # What the page states is of all categories, and the files hold four of them.
    folder = SHARED / "data" / "mmlu_pro"
    told = run("inspect", folder, "--format", "json").json
    (drop, wrong) = (one["command"] for one in told["possible"])
    assert (drop.endswith("--missing drop"), wrong.endswith("--missing wrong")) == (True, True)
    (why,) = [one["why"] for one in told["impossible"] if "disagree" in one["why"]]
    assert "1 of 2259 items, such as item 11289: 'I' and 'G'" in why
    found = values(run(*shlex.split(wrong)[1:], "--format", "json").json)
    assert len(found) == 8
    for system, value in found.items():
        rows = json.loads((folder / f"{system}.json").read_text(encoding="utf-8"))
        right = sum(row["pred"] == row["answer"] for row in rows)
        # Of the two that lack an item and have another reference, one gave that reference.
        right -= system == "model_outputs_gemini-1.5-pro-002_5shots"
        assert value == right / 2_259


@absent
@pytest.mark.parametrize(
    ("name", "words", "within", "stated"),
    STATED,
    ids=[f"{name} {words}" for name, words, *_ in STATED],
)
def test_printed_commands_give_the_values_that_are_stated(
    run: Call, name: str, words: str, within: float, stated: dict[str, float]
) -> None:
    printed = [
        one["command"] for one in run("inspect", SHARED / name, "--format", "json").json["possible"]
    ]
    command = next(one for one in printed if words in one)
    found = values(run(*shlex.split(command)[1:], "--format", "json").json)
    assert {system: found[system] for system in stated} == pytest.approx(stated, abs=within)


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
    "data/terminal_bench": ("rank", ["--missing", "wrong"]),
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
