"""The contract in data: what a comparison holds, and small files that show all of it."""

from __future__ import annotations

from pathlib import Path
from types import NoneType
from typing import Any

from tables import wide

TEXT, WHOLE, TRUTH = (str,), (int,), (bool,)
NUMBER = (int, float)
PERHAPS = (int, float, NoneType)


def perhaps(kind: tuple[type, ...]) -> tuple[type, ...]:
    return (*kind, NoneType)


INTERVAL = {
    "low": PERHAPS,
    "high": PERHAPS,
    "confidence_level": NUMBER,
    "method": TEXT,
    "monte_carlo_error": PERHAPS,
}
SIDE = {"system": TEXT, "value": PERHAPS, "interval": INTERVAL}
COMPARISON = {
    "schema": TEXT,
    "version": TEXT,
    "metric": {"name": TEXT, "greater_is_better": TRUTH, "signature": TEXT},
    "baseline": SIDE,
    "candidate": SIDE,
    "difference": {
        "estimate": PERHAPS,
        "standard_error": PERHAPS,
        "interval": INTERVAL,
        "p_value": PERHAPS,
        "p_value_bound": PERHAPS,
        "alternative": TEXT,
    },
    "tests": [{"name": TEXT, "variant": TEXT, "statistic": PERHAPS, "p_value": PERHAPS}],
    "items": {
        "n": WHOLE,
        "hash": TEXT,
        "matched": WHOLE,
        "only_baseline": WHOLE,
        "only_candidate": WHOLE,
        "duplicated": WHOLE,
        "dropped": [{"reason": TEXT, "n": WHOLE}],
    },
    "unit": {"kind": TEXT, "n": WHOLE, "design_effect": PERHAPS},
    "pairing": TEXT,
    "resampling": {"n_resamples": perhaps(WHOLE), "seed": perhaps(WHOLE), "exact": TRUTH},
    "comparisons": {"n": WHOLE, "correction": TEXT},
    "reading": {"code": TEXT, "text": TEXT},
    "signature": TEXT,
    "notes": [{"code": TEXT, "message": TEXT}],
}
RANKED = {
    "system": TEXT,
    "value": NUMBER,
    "interval": INTERVAL,
    "rank": WHOLE,
    "rank_interval": [WHOLE],
    "band": TEXT,
    "top": TRUTH,
}
LEADERBOARD = {
    "schema": TEXT,
    "version": TEXT,
    "metric": COMPARISON["metric"],
    "systems": [RANKED],
    "pairs": [
        {
            "baseline": TEXT,
            "candidate": TEXT,
            "estimate": NUMBER,
            "standard_error": NUMBER,
            "interval": {"low": PERHAPS, "high": PERHAPS, "confidence_level": NUMBER},
            "p_value": PERHAPS,
            "p_adjusted": PERHAPS,
        }
    ],
    "best_set": [TEXT],
    "items": {"n": WHOLE, "hash": TEXT, "dropped": [{"reason": TEXT, "n": WHOLE}]},
    "unit": {"kind": TEXT, "n": WHOLE},
    "resampling": COMPARISON["resampling"],
    "comparisons": {"n": WHOLE, "correction": TEXT, "family": TEXT},
    "signature": TEXT,
    "notes": [{"code": TEXT, "message": TEXT}],
}
COUNTS = {"both": WHOLE, "only_baseline": WHOLE, "only_candidate": WHOLE, "neither": WHOLE}


def misfits(shape: Any, told: Any, place: str = "$") -> list[str]:
    """Places where data lack a field of a shape or hold another type; more fields are allowed."""
    if isinstance(shape, dict):
        if not isinstance(told, dict):
            return [f"{place} is {told!r}"]
        absent = [f"{place}.{name} is absent" for name in shape if name not in told]
        return absent + [
            misfit
            for name, part in shape.items()
            if name in told
            for misfit in misfits(part, told[name], f"{place}.{name}")
        ]
    if isinstance(shape, list):
        if not isinstance(told, list):
            return [f"{place} is {told!r}"]
        return [m for i, part in enumerate(told) for m in misfits(shape[0], part, f"{place}[{i}]")]
    right = isinstance(told, shape) and (not isinstance(told, bool) or bool in shape)
    return [] if right else [f"{place} is {told!r}"]


def write_files(folder: Path) -> None:
    """Write small files, one of each kind of scores."""
    wide(folder / "binary.csv", both=30, only_a=8, only_b=15, neither=10)
    wide(folder / "same.csv", both=30, only_a=0, only_b=0, neither=10)
    wide(folder / "one.csv", both=0, only_a=0, only_b=1, neither=0)
    files = {
        "graded.csv": "item,a,b\n"
        + "".join(f"{i},{i * 7 % 5 / 4},{i * 3 % 5 / 4}\n" for i in range(30)),
        "constant.csv": "item,a,b\n" + "".join(f"{i},{i / 8},{i / 8 + 0.5}\n" for i in range(9)),
        "labels.csv": "item,reference,a,b\n"
        + "".join(
            f"{i},{'xyz'[i % 3]},{'xyz'[i * 2 % 3]},{'xyz'[(i + i // 20) % 3]}\n" for i in range(30)
        ),
        "one_class.csv": "item,reference,a,b\n" + "".join(f"{i},0,0,0\n" for i in range(12)),
        "holes.csv": "item,a,b\n1,1,0\n2,,1\n3,0,1\n4,1,1\n5,nan,0\n",
        "long.csv": "id,model,epoch,correct\n"
        + "".join(
            f"{i},{m},{r},{(i + r + k) % 2}\n"
            for i in range(8)
            for k, m in enumerate("ab")
            for r in (1, 2)
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


CASES: dict[str, tuple[str, ...]] = {
    "0/1": ("binary.csv",),
    "0/1 by draws of a test": ("binary.csv", "--method", "bca"),
    "graded": ("graded.csv",),
    "labels": ("labels.csv", "--metric", "macro_f1", "--resamples", "199"),
    "one-sided": ("binary.csv", "--alternative", "greater"),
    "one-sided the other way": ("graded.csv", "--alternative", "less"),
    "unpaired": ("binary.csv", "--unpaired"),
    "unpaired graded": ("graded.csv", "--unpaired"),
    "unpaired labels": (
        *("labels.csv", "--metric", "mcc", "--unpaired", "--resamples", "199"),
        *("--method", "percentile"),
    ),
    "margin": ("binary.csv", "--margin", "0.5"),
    "one item": ("one.csv",),
    "nothing varies": ("same.csv",),
    "a constant": ("constant.csv", "--system", "a,b"),
    "undefined": (
        *("one_class.csv", "--metric", "f1", "--positive", "1"),
        *("--zero-division", "nan", "--resamples", "199"),
    ),
    "zero division": (
        *("labels.csv", "--metric", "macro_f1", "--zero-division", "nan"),
        *("--resamples", "199", "--method", "percentile"),
    ),
    "dropped": ("holes.csv", "--missing", "drop"),
    "runs": ("long.csv", "--run", "epoch"),
    "new runs": ("long.csv", "--run", "epoch", "--runs", "random"),
}
