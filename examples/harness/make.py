"""Write what lm-evaluation-harness 0.4.9 leaves behind, for two imaginary models on sums.

A model answers with a sentence. The filter ``strict-match`` wants it to end in ``#### NUMBER``;
``flexible-extract`` takes the last number. The large model adds better, and forgets the form more
often.

Run as ``python examples/harness/make.py [FOLDER]``; without a folder it writes beside itself.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

ITEMS = 150
TASK = "sums"
TIME = "2026-02-03T04-05-06.789012"
MODELS = {"small": (0.70, 0.05), "large": (0.82, 0.20)}
"""Chance of a right sum, and of forgetting the form."""


def main(folder: Path) -> None:
    """Write a folder for each model: samples, and the results that the harness makes of them."""
    questions = [(7 * k % 90 + 10, 13 * k % 80 + 10) for k in range(ITEMS)]
    ease = random.Random(20).choices(range(100), k=ITEMS)
    for model, (skill, careless) in MODELS.items():
        luck = random.Random(f"answers of {model}")
        found = [
            _answered(a, b, right=_right(skill, ease[k], luck), formal=luck.random() >= careless)
            for k, (a, b) in enumerate(questions)
        ]
        samples = [
            _sample(k, questions[k], text, name, score)
            for name in ("strict-match", "flexible-extract")
            for k, (text, scores) in enumerate(found)
            for score in (scores[name],)
        ]
        out = folder / model
        out.mkdir(exist_ok=True)
        lines = "".join(f"{json.dumps(sample)}\n" for sample in samples)
        (out / f"samples_{TASK}_{TIME}.jsonl").write_text(lines, encoding="utf-8")
        results = json.dumps(_results(model, samples), indent=2)
        (out / f"results_{TIME}.json").write_text(f"{results}\n", encoding="utf-8")


def _right(skill: float, ease: int, luck: random.Random) -> bool:
    """Half of what decides is the item, which is the same for both models."""
    return 0.5 * ease / 100 + 0.5 * luck.random() < skill


def _answered(a: int, b: int, *, right: bool, formal: bool) -> tuple[str, dict[str, float]]:
    total = a + b if right else a + b + 10
    text = f"{a} and {b} make {total}." + (f"\n#### {total}" if formal else "")
    return text, {"strict-match": float(right and formal), "flexible-extract": float(right)}


def _sample(
    k: int, question: tuple[int, int], text: str, name: str, score: float
) -> dict[str, Any]:
    a, b = question
    doc = {"question": f"What is {a} + {b}?", "answer": str(a + b)}
    prompt = f"Question: {doc['question']}\nAnswer:"
    return {
        "doc_id": k,
        "doc": doc,
        "target": doc["answer"],
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n\n"]}}},
        "resps": [[text]],
        "filtered_resps": [text.rpartition(" ")[2].rstrip(".")],
        "filter": name,
        "metrics": ["exact_match"],
        "doc_hash": _hash(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(prompt),
        "target_hash": _hash(doc["answer"]),
        "exact_match": score,
    }


def _results(model: str, samples: list[dict[str, Any]]) -> dict[str, Any]:
    means = {}
    for name in ("strict-match", "flexible-extract"):
        scores = [one["exact_match"] for one in samples if one["filter"] == name]
        means[f"exact_match,{name}"] = sum(scores) / len(scores)
    return {
        "results": {TASK: {"alias": TASK, **means}},
        "configs": {TASK: {"task": TASK, "output_type": "generate_until", "num_fewshot": 0}},
        "versions": {TASK: 1.0},
        "n-shot": {TASK: 0},
        "higher_is_better": {TASK: {"exact_match": True}},
        "n-samples": {TASK: {"original": ITEMS, "effective": ITEMS}},
        "config": {"model": "hf", "model_args": f"pretrained=imaginary/{model}", "limit": None},
        "lm_eval_version": "0.4.9",
        "model_name": f"imaginary/{model}",
        "model_name_sanitized": f"imaginary__{model}",
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
