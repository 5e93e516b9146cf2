"""Real sets from their files as they are, with the figures their READMEs give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Answer = Callable[..., Any]


def test_sst2(answer: Answer, shared: Path) -> None:
    folder = shared / "data" / "explainaboard_sst2"
    found = answer(
        "compare",
        f"cnn={folder / 'sst2-cnn-output.txt'}",
        f"lstm={folder / 'sst2-lstm-output.txt'}",
        "--reference",
        folder / "sst2-dataset.tsv",
        "--reference-column",
        "2",
    )
    assert found["items"]["n"] == 1821
    assert round(found["baseline"]["value"], 4) == 0.8572
    assert round(found["candidate"]["value"], 4) == 0.8803
    assert (found["counts"]["only_baseline"], found["counts"]["only_candidate"]) == (59, 101)
    assert round(found["tests"][0]["p_value"], 4) == 0.0011


def test_hans(answer: Answer, shared: Path) -> None:
    """The overall accuracies are the README's; one file is in another row order."""
    folder = shared / "data" / "hans_nli"
    found = answer(
        "compare",
        f"spinn={folder / 'spinn_preds_heur.txt'}",
        f"bert={folder / 'bert_preds.txt'}",
        "--reference",
        folder / "gold.csv",
        *("--item", "pairID", "--output-column", "gold_label"),
        *("--reference-column", "gold_label"),
        *("--label-map", "neutral=non-entailment,contradiction=non-entailment"),
    )
    assert found["items"]["n"] == 30_000
    assert round(found["candidate"]["value"], 3) == 0.548
    assert round(found["baseline"]["value"], 3) == 0.505


def test_livecodebench(answer: Answer, shared: Path) -> None:
    name = "Scenario.codegeneration_1_0.2_eval_all.json"
    folder = shared / "data" / "livecodebench"
    found = answer(
        "compare",
        f"o1-preview={folder / 'O1-Preview-2024-09-12 (N=1)' / name}",
        f"o1-mini={folder / 'O1-Mini-2024-09-12 (N=1)' / name}",
        *("--item", "question_id", "--score", "pass@1"),
    )
    assert found["counts"] == {
        "both": 445,
        "only_baseline": 44,
        "only_candidate": 157,
        "neither": 234,
    }
    assert found["baseline"]["value"] == pytest.approx(489 / 880)
    assert found["candidate"]["value"] == pytest.approx(602 / 880)
