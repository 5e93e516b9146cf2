"""Figures of real sets that their authors or other programs give, from the files as they are."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calls import call
from cases.data import codes, said

Answer = Callable[..., Any]


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Answer:
    """Call `deadheat ... --format json` in this process."""

    def _answer(*arguments: object) -> Any:
        done = call(capsys, *arguments, "--format", "json")
        assert (done.code, done.err) == (0, "")
        return done.json

    return _answer


def values(card: Any, digits: int) -> dict[str, float]:
    return {row["system"]: round(row["value"], digits) for row in card["systems"]}


# --- WMT17 English-German, nine systems ---------------------------------------------------------

WMT17 = {
    "uedin-nmt.4722": 28.30,
    "LMU-nmt-reranked.4934": 27.11,
    "SYSTRAN.4847": 26.71,
    "xmu.4910": 26.69,
    "online-B.0": 26.65,
    "LIUM-NMT.4900": 26.60,
    "LMU-nmt-single.4893": 26.56,
    "KIT.4950": 26.08,
    "C-3MA.4959": 22.67,
}
"""BLEU by sacrebleu 13a, as the set's README has it; WMT17 published them to one decimal."""

PAIRED_AR = {
    "KIT.4950": 0.041,
    "LMU-nmt-reranked.4934": 0.0903,
    "LMU-nmt-single.4893": 0.585,
    "online-B.0": 0.941,
    "SYSTRAN.4847": 0.599,
    "xmu.4910": 0.711,
    "uedin-nmt.4722": 0.0001,
    "C-3MA.4959": 0.0001,
}
"""p-values of 10,000 exchanges against LIUM-NMT, tokenize none, of sacrebleu's own tests."""


@pytest.fixture
def wmt17(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.chdir(shared / "data" / "wmt17_ende")
    return lambda system: f"{system}=newstest2017.{system}.en-de"


TO_GERMAN = ("--reference", "newstest2017-ende-ref.de", "--metric", "bleu")


def test_wmt17_bleu_of_nine_systems(answer: Answer, wmt17: Callable[[str], str]) -> None:
    card = answer("score", *map(wmt17, WMT17), *TO_GERMAN, "--resamples", "99")
    assert values(card, 2) == WMT17
    assert "|tok:13a|" in card["metric"]["signature"]


@pytest.mark.parametrize("system", PAIRED_AR)
def test_wmt17_exchanges_agree_with_sacrebleu(
    answer: Answer, wmt17: Callable[[str], str], system: str
) -> None:
    found = answer(
        *("compare", wmt17("LIUM-NMT.4900"), wmt17(system), *TO_GERMAN),
        *("--tokenize", "none", "--test", "swap", "--method", "percentile"),
    )
    (swap,) = found["tests"]
    assert (swap["name"], swap["n_resamples"]) == ("swap", 9_999)
    p = PAIRED_AR[system]
    # Both are drawn, each with a standard error of sqrt(p (1 - p) / 10,000).
    assert swap["p_value"] == pytest.approx(p, abs=4.0 * math.sqrt(2.0 * p * (1.0 - p) / 10_000))
    if p < 0.05:
        assert found["reading"]["code"] == "resolved"
        ahead = max("LIUM-NMT.4900", system, key=WMT17.__getitem__)
        assert found["reading"]["text"].startswith(f"{ahead} is ahead")


# --- compare-mt: BLEU and chrF disagree ----------------------------------------------------------

TED = ("ted.sys1{}.eng", "ted.sys2{}.eng", "--reference", "ted.ref{}.eng")


@pytest.fixture
def ted(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    monkeypatch.chdir(shared / "data" / "compare_mt")
    return lambda form: [word.format(form) for word in TED]


def test_compare_mt_tokenised(answer: Answer, ted: Callable[[str], list[str]]) -> None:
    found = answer("compare", *ted(""), "--metric", "bleu", "--tokenize", "none")
    assert round(found["baseline"]["value"], 2) == 22.44
    assert round(found["candidate"]["value"], 2) == 24.04
    assert found["reading"]["code"] == "resolved"


def test_compare_mt_shows_that_bleu_and_chrf_disagree(
    answer: Answer, ted: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("compare", *ted(".detok"), "--metric", "bleu,chrf", "--resamples", "999")
    told = answer(*asked)
    bleu, chrf = told["comparisons"]
    assert [round(bleu[side]["value"], 2) for side in ("baseline", "candidate")] == [21.71, 23.05]
    assert [round(chrf[side]["value"], 2) for side in ("baseline", "candidate")] == [48.34, 45.58]
    (note,) = (note for note in told["notes"] if note["code"] == "metrics_disagree")
    assert "ted.sys2.detok by bleu (resolved)" in note["message"]
    assert "ted.sys1.detok by chrf (resolved)" in note["message"]
    shown = call(capsys, *asked).out
    assert "metrics disagree:" in shown
    for value in ("21.71", "23.05", "48.34", "45.58"):
        assert value in shown


# --- CoNLL-2003 ----------------------------------------------------------------------------------


@pytest.fixture
def conll(shared: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(shared / "data" / "conll2003_ner")
    elmo, flair, gold = (f"conll2003-{name}.masked.conll" for name in ("elmo", "flair", "gold"))
    return [f"elmo={elmo}", f"flair={flair}", "--reference", gold]


def test_conll2003_span_f1(answer: Answer, conll: list[str]) -> None:
    found = answer("compare", *conll, "--metric", "span_f1", "--resamples", "999")
    assert found["items"]["n"] == 3_453
    # 2 tp / (2 tp + fp + fn) of the README's counts.
    assert found["baseline"]["value"] == 2 * 5_213 / (2 * 5_213 + 445 + 435)
    assert found["candidate"]["value"] == 2 * 5_270 / (2 * 5_270 + 412 + 378)
    assert round(100 * found["baseline"]["value"], 2) == 92.22
    assert round(100 * found["candidate"]["value"], 2) == 93.03
    assert found["reading"]["code"] == "resolved"
    assert "LOC 1,552 of 1,668 found, 103 false" in said(found)


def test_conll2003_in_a_scheme_that_it_is_not_written_in(answer: Answer, conll: list[str]) -> None:
    """Strict BIOES knows no span of several tokens without an end: that is said, with counts."""
    card = answer("score", *conll, "--metric", "span_f1", "--scheme", "bioes", "--resamples", "99")
    assert {"tags_in_no_span", "undefined_metric"} <= codes(card)
    assert "scheme:bioes" in card["signature"]


# --- VoxPopuli -----------------------------------------------------------------------------------

ASR = {
    "whisper-small.en": 0.1288,
    "distil-small.en": 0.1350,
    "whisper-base.en": 0.1403,
    "whisper-tiny.en": 0.1471,
    "wav2vec2-base-960h": 0.2654,
}
"""Word error rates by jiwer, lower case and without punctuation."""

SPOKEN = ("--item", "audio_filepath", "--output-column", "pred_text", "--reference-column", "text")


@pytest.fixture
def asr(shared: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(shared / "data" / "asr_voxpopuli")
    return [f"{system}.jsonl" for system in ASR]


def test_voxpopuli_normalised(answer: Answer, asr: list[str]) -> None:
    card = answer(
        *("score", *asr, *SPOKEN, "--metric", "wer", "--normalize", "lower,punctuation"),
        *("--resamples", "99"),
    )
    assert values(card, 4) == ASR
    assert "norm:lower+punctuation" in card["metric"]["signature"]
    empty = [note["message"] for note in card["notes"] if note["code"] == "empty_references"]
    assert len(empty) == len(ASR)
    assert all("4 of 150 references are empty" in message for message in empty)


def test_voxpopuli_as_written(answer: Answer, asr: list[str]) -> None:
    """One system answers in capitals: normalisation decides."""
    card = answer("score", *asr, *SPOKEN, "--metric", "wer", "--resamples", "99")
    assert values(card, 3)["wav2vec2-base-960h"] == 1.072
    assert "norm:none" in card["metric"]["signature"]


def test_voxpopuli_lower_is_better(answer: Answer, asr: list[str]) -> None:
    found = answer(
        *("compare", asr[4], asr[0], *SPOKEN, "--metric", "wer", "--resamples", "999"),
        *("--normalize", "lower,punctuation"),
    )
    assert found["difference"]["estimate"] == pytest.approx(0.1288 - 0.2654, abs=1e-4)
    assert found["reading"]["code"] == "resolved"
    assert "whisper-small.en is ahead of wav2vec2-base-960h" in found["reading"]["text"]


# --- tau-bench -----------------------------------------------------------------------------------


def test_tau_bench_pass_hat_k(answer: Answer, shared: Path) -> None:
    file = shared / "data" / "tau_bench_airline" / "gpt-4o-airline.json"
    asked = ("score", file, "--item", "task_id", "--score", "reward")
    told = answer(*asked, "--metric", "pass^1,pass^2,pass^3,pass^4,pass@1,mean", "--run", "trial")
    found = [card["systems"][0]["value"] for card in told["scorecards"]]
    assert [round(value, 3) for value in found] == [0.420, 0.273, 0.220, 0.200, 0.420, 0.420]
    assert all(card["systems"][0]["items"]["n"] == 50 for card in told["scorecards"])


def test_tau_bench_rows_of_one_task_are_its_runs(
    answer: Answer, shared: Path, tmp_path: Path
) -> None:
    """Without the column of trials the value is the same, and that is said."""
    file = shared / "data" / "tau_bench_airline" / "gpt-4o-airline.json"
    rows = json.loads(file.read_text(encoding="utf-8"))
    bare = tmp_path / "bare.jsonl"
    lines = [json.dumps({"id": row["task_id"], "score": row["reward"]}) for row in rows]
    bare.write_text("\n".join(lines), encoding="utf-8")
    card = answer("score", bare, "--metric", "pass^4")
    assert card["systems"][0]["value"] == 0.2
    assert "runs_by_order" in codes(card)


# --- AlpacaEval ----------------------------------------------------------------------------------

WEIGHTED = "weighted_alpaca_eval_gpt4_turbo"


def test_alpaca_eval_win_rates_and_standard_errors(answer: Answer, shared: Path) -> None:
    """All twelve against the leaderboard, two of them with 804 and 803 items."""
    folder = shared / "data" / "alpaca_eval"
    with (folder / f"{WEIGHTED}_leaderboard.csv").open(encoding="utf-8", newline="") as file:
        board = {row[""]: row for row in csv.DictReader(file)}
    systems = sorted(path.name for path in (folder / "results").iterdir())
    assert len(systems) == 12
    files = [f"{s}={folder / 'results' / s / WEIGHTED / 'annotations.json'}" for s in systems]
    card = answer("score", *files, "--metric", "win_rate", "--score", "preference")
    told = " ".join(note["message"] for note in card["notes"])
    for row in card["systems"]:
        published = board[row["system"]]
        assert 100 * row["value"] == pytest.approx(float(published["win_rate"]), abs=5e-7)
        error = float(published["standard_error"])
        assert 100 * row["standard_error"] == pytest.approx(error, abs=5e-7)
        assert row["items"]["n"] == int(published["n_total"])
        counts = (published["n_wins"], published["n_draws"], published["n_wins_base"])
        assert "{} wins {}, ties {} and loses {};".format(row["system"], *counts) in told
    sizes = {row["system"]: row["items"]["n"] for row in card["systems"]}
    assert {name: n for name, n in sizes.items() if n != 805} == {
        "gpt35_turbo_instruct": 804,
        "text_davinci_001": 803,
    }


# --- XSum ----------------------------------------------------------------------------------------

XSUM = {
    "bert_withckpt": {"R1": 0.390, "R2": 0.168, "RL": 0.316, "BERTScore": 0.789},
    "ptgen": {"R1": 0.305, "R2": 0.093, "RL": 0.241, "BERTScore": 0.743},
    "tconvs2s": {"R1": 0.313, "R2": 0.114, "RL": 0.261, "BERTScore": 0.752},
    "bert_nockpt": {"R1": 0.325, "R2": 0.114, "RL": 0.257, "BERTScore": 0.757},
}


@pytest.fixture
def xsum(shared: Path) -> list[object]:
    """Item and system are glued in one column."""
    file = shared / "data" / "xsum_hallucination" / "eval_scores_xsum_summaries.csv"
    glued = "system_bbcid"
    return [file, "--item", rf"{glued}:_(\d+)$", "--system-column", rf"{glued}:^(.*)_\d+$"]


@pytest.mark.parametrize("column", ["R1", "R2", "RL", "BERTScore"])
def test_xsum_means(answer: Answer, xsum: list[object], column: str) -> None:
    card = answer("score", *xsum, "--score", column)
    assert values(card, 3) == {system: row[column] for system, row in XSUM.items()}
    assert {row["items"]["n"] for row in card["systems"]} == {498}


def test_xsum_two_systems(answer: Answer, xsum: list[object], shared: Path) -> None:
    found = answer(
        *("compare", *xsum, "--score", "R1"),
        *("--baseline", "tconvs2s", "--candidate", "bert_nockpt"),
    )
    scores: dict[str, dict[str, float]] = {}
    with Path(str(xsum[0])).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            system, _, item = row["system_bbcid"].rpartition("_")
            scores.setdefault(system, {})[item] = float(row["R1"])
    gaps = [scores["bert_nockpt"][item] - scores["tconvs2s"][item] for item in scores["tconvs2s"]]
    assert found["difference"]["estimate"] == pytest.approx(np.mean(gaps), rel=1e-12)
    error = np.std(gaps, ddof=1) / math.sqrt(len(gaps))
    assert found["difference"]["standard_error"] == pytest.approx(error, rel=1e-12)
    assert found["items"]["matched"] == 498
