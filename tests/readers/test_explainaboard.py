"""Multiple choice in lists of their own: references and outputs without ids."""

from __future__ import annotations

import json
from pathlib import Path

from deadheat.readers import read

OPTIONS = [["It was very quiet in there.", "It was very loud in there."], ["No.", "Yes, it was."]]


def test_the_number_of_the_option_is_compared(tmp_path: Path) -> None:
    dataset = [
        {"context": f"c{k}", "answers": {"text": options[right], "option_index": right},
         "options": options}
        for k, (options, right) in enumerate((o, r) for o in OPTIONS for r in (0, 1))
    ]  # fmt: skip
    (tmp_path / "gold.json").write_text(json.dumps(dataset))
    for name, chosen in (("a", [0, 1, 0, 0]), ("b", [1, 1, 0, 1])):
        rows = [{"predicted_answers": {"text": "?", "option_index": k}} for k in chosen]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    evaluation = read(tmp_path, references=tmp_path / "gold.json")
    assert evaluation.systems == ("a", "b")
    assert evaluation.references is not None
    assert evaluation.references.values.to_list() == [0, 1, 0, 1]
    assert [a.outputs.to_list() for a in evaluation.answers if a.outputs is not None] == [
        [0, 1, 0, 0],
        [1, 1, 0, 1],
    ]
    # Questions that share their options can be declared to be clusters.
    assert list(evaluation.references.candidates) == ["options"]
    asked = read(tmp_path, references=tmp_path / "gold.json", cluster="options").references
    assert asked is not None
    assert asked.clusters is not None
    assert asked.clusters.to_list() == [
        json.dumps(o, separators=(",", ":")) for o in OPTIONS for _ in (0, 1)
    ]


def test_fig_qa(shared: Path) -> None:
    """Its README: accuracies of five models on 1,094 items in 547 pairs."""
    folder = shared / "data" / "explainaboard_fig_qa"
    evaluation = read(folder, references=folder / "fig_qa-dataset.json", cluster="options")
    assert evaluation.references is not None
    assert evaluation.references.clusters is not None
    assert evaluation.references.clusters.n_unique() == 547
    accuracy = {
        a.system.split("-")[1]: round(float((a.outputs == evaluation.references.values).mean()), 4)  # type: ignore[arg-type,union-attr]
        for a in evaluation.answers
    }
    assert accuracy == {
        "bert": 0.8364, "gpt2": 0.5430, "gpt3": 0.6508, "gptneo": 0.5722, "roberta": 0.8949
    }  # fmt: skip
