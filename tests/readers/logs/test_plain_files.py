"""Recognisers are sure: plain files stay what they are, and no file is of two tools."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.readers.logs import readers
from readers.logs.builders import code_benchmarks as made
from readers.logs.test_comet import printed, stacked, to_json
from readers.logs.test_hf_trainer import predictions
from readers.logs.test_nemo import manifest, pairs
from readers.logs.test_sclite import A, system
from readers.logs.test_segments import CTM, STM, segments
from readers.logs.test_squad import data_set
from readers.logs.test_transcripts import SAID, kaldi, trn
from readers.logs.test_trec import QRELS, RUN, Q, evaluated
from readers.logs.test_wmt_human import annotated, assessed, executed


def taken(path: str, data: bytes) -> list[str]:
    return [name for name, reader in readers().items() if reader.recognises(path, data[: 1 << 20])]


NAMES = ["a.txt", "text", "hyp.txt", "ref", "predictions.txt", "a.csv", "a.tsv", "results.json"]

WORDS = [
    *("the", "a", "cat", "dog-1", "2024-05", "utt_1", "O", "B-PER", "yes", "no", "0.5", "17"),
    *("Q0", "all", "map", "score", "(x_1)", "{a", "/", "b}"),
]


@settings(max_examples=200)
@given(
    lines=st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=8),
    separator=st.sampled_from([" ", "\t", ","]),
    name=st.sampled_from(NAMES),
)
def test_lines_are_of_one_tool_at_most(lines: list[list[str]], separator: str, name: str) -> None:
    data = "\n".join(separator.join(line) for line in lines).encode()
    assert len(taken(name, data)) <= 1


@settings(max_examples=200)
@given(
    lines=st.lists(st.text(st.characters(codec="utf-8"), max_size=30), min_size=2, max_size=8),
    name=st.sampled_from(NAMES),
)
def test_lines_of_any_text_are_of_no_tool(lines: list[str], name: str) -> None:
    assert taken(name, "\n".join(lines).encode()) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "content",
    [
        "entailment\nneutral\ncontradiction\n",
        "0.5\n0.25\n\n1\n",
        "item,score\nq1,1\nq2,0\n",
        "id\tlabel\nq-1\tyes\nq-2\tno\n",
        "system;item;score\na;1;0,5\nb;1;0,7\n",
        '{"id": 1, "score": 0.5}\n{"id": 2, "score": 1}\n',
        '[{"id": 1, "prediction": "a"}, {"id": 2, "prediction": "b"}]',
        '{"accuracy": 0.5, "n": 100}',
        '{"resolved": ["a"], "model": "m"}',
        "The first sentence.\nThe second one, which is longer.\n\nThe last.\n",
        "1\tthe cat\n2\tthe dog\n",
        "EU B-ORG\nrejects O\n\nPeter B-PER\nBlackburn I-PER\n",
    ],
)
def test_what_people_write_is_of_no_tool(name: str, content: str) -> None:
    assert taken(name, content.encode()) == []


def test_noise_is_of_no_tool() -> None:
    draw = random.Random(0)
    for _ in range(200):
        assert taken("x", draw.randbytes(draw.randrange(1, 400))) == []


def test_every_log_is_of_one_tool(tmp_path: Path) -> None:
    """Those that the tests of these readers make, each taken by its own reader alone."""
    a, b, c = "org__repo-1", "org__repo-2", "org__repo-3"
    ok, old = ("pass", "pass"), ("success", None)
    sgml = tmp_path / "a.sgml"
    sgml.write_text(system("a", {"u": A}), encoding="utf-8")
    logs: dict[str, list[Path]] = {
        "evalplus": [
            made.evalplus(tmp_path / "m_eval_results.json", {"HumanEval/0": [ok]}),
            made.evalplus_01(tmp_path / "m1_eval_results.json", {"HumanEval/0": [old]}),
        ],
        "livecodebench": [made.livecodebench(tmp_path / "s_eval_all.json", {"q": [True]})],
        "bfcl": [made.bfcl(tmp_path / "simple_score.json", [1], 2)],
        "aider": [
            made.aider(tmp_path / "x", "one", [True]),
            made.aider(tmp_path / "y", "one", None),
        ],
        "tau_bench": [made.tau_bench(tmp_path / "t.json", {0: [1.0, None]})],
        "tau2_bench": [made.tau2_bench(tmp_path / "t2.json", {"0": [1.0, None]})],
        "swe_bench": [
            made.swe_report(tmp_path / "m.r.json", resolved=[a], unresolved=[b], empty=[c]),
            made.swe_instance(tmp_path, "r2", "m", a, True),
        ],
        "trn": [trn(tmp_path / "a.trn", SAID)],
        "kaldi": [kaldi(tmp_path / "text", SAID)],
        "stm": [write(tmp_path / "a.stm", STM), write(tmp_path / "one.stm", STM.split("\n")[1])],
        "ctm": [write(tmp_path / "a.ctm", CTM)],
        "seglst": [segments(tmp_path / "a.seglst.json", [("s", "A", 0, 1, "x")])],
        "nemo": [manifest(tmp_path / "n.json", [("/a.wav", "a", "b")])],
        "transcript_pairs": [pairs(tmp_path / "p.json", {"u": {"ground": "a", "transcript": "b"}})],
        "sclite": [sgml],
        "trec_eval": [evaluated(tmp_path / "e", Q)],
        "trec": [write(tmp_path / "run", RUN), write(tmp_path / "qrels", QRELS)],
        "comet": [
            to_json(tmp_path / "c.json", {"a": [1.0]}),
            printed(tmp_path / "c", {"a": [1.0]}),
        ],
        "mtme": [stacked(tmp_path / "x.seg.score", {"a": [1.0]})],
        "squad": [data_set(tmp_path / "dev.json", [{"q1": ["a"]}])],
        "hf_trainer": [predictions(tmp_path / "predict_results_x.txt", ["a"])],
        "wmt_human": [
            assessed(tmp_path / "da.csv", [("SYSTEM", "a", "1", 1)]),
            annotated(tmp_path / "esa.csv", [("TGT", "a", "1", 1, "d_1")]),
        ],
        "code_execution": [executed(tmp_path / "h.jsonl", {"T/0": [True]})],
    }
    for name, paths in logs.items():
        for path in paths:
            assert taken(str(path), path.read_bytes()) == [name]


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_shared_files_are_of_one_tool_at_most(shared: Path) -> None:
    for root in ("formats", "data"):
        for path in (shared / root).rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    assert len(taken(str(path), file.read(1 << 20))) <= 1, path
