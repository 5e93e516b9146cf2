"""Results of promptfoo: several systems in one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_json, write_lines
from readers.logs.builders.promptfoo import document, log, prompt, result
from readers.logs.looking import codes, only, said, scores

B = {"promptIdx": 1, "provider": {"id": "org:model-b", "label": "B"}}


def test_systems_are_providers(tmp_path: Path) -> None:
    rows = [result(1, **B), result(0), result(0, False, **B), result(1)]
    evaluation = read(log(tmp_path / "r.json", rows, [prompt(2, 0), prompt(1, 1)]))
    assert scores(evaluation) == {"B": {1: 1.0, 0: 0.0}, "org:model-a": {0: 1.0, 1: 1.0}}
    assert codes(evaluation) == ["other_scores"]
    assert evaluation.answers[0].about["version"] == "0.118.10"


def test_json_lines_say_the_same(tmp_path: Path) -> None:
    rows = [result(1, **B), result(0), result(0, False, **B), result(1)]
    whole = scores(read(log(tmp_path / "r.json", rows)))
    assert scores(read(write_lines(tmp_path / "r.jsonl", rows))) == whole


def test_prompts_make_systems_of_one_provider(tmp_path: Path) -> None:
    def row(test: int, number: int, label: str) -> dict[str, Any]:
        return result(test, promptIdx=number, prompt={"raw": "Solve", "label": label})

    rows = [row(t, n, label) for t in (0, 1) for n, label in enumerate(("short", "long"))]
    names = read(log(tmp_path / "a.json", rows)).systems
    assert names == ("org:model-a prompt short", "org:model-a prompt long")
    same = [row(t, n, "same") for t in (0, 1) for n in (0, 1)]
    evaluation = read(log(tmp_path / "b.json", same))
    assert evaluation.systems == ("org:model-a prompt same", "org:model-a prompt 1")
    assert all(answers.runs is None for answers in evaluation.answers)
    whole = [
        row(t, n, "Solve this riddle, and say why it is so: {{x}}") for t in (0, 1) for n in (0, 1)
    ]
    assert read(log(tmp_path / "c.json", whole)).systems[1] == "org:model-a prompt 1"


def test_an_error_is_missing_and_a_failed_assertion_is_not(tmp_path: Path) -> None:
    broken = result(1, False, failureReason=2, error="timeout", gradingResult=None)
    rows = [result(0), broken, result(2, False)]
    path = log(tmp_path / "r.json", rows, [prompt(1, 1, 1)])
    evaluation = read(path)
    assert scores(evaluation)["org:model-a"] == {0: 1.0, 1: None, 2: 0.0}
    assert "1 results ended in an error" in said(evaluation, "unscored_samples")
    assert "published_disagrees" not in codes(evaluation)
    assert deadheat.score(path, missing="drop").systems[0].value == 0.5
    assert deadheat.score(path, missing="wrong").systems[0].value == pytest.approx(1 / 3)


def test_before_there_were_reasons_an_error_has_no_grading(tmp_path: Path) -> None:
    rows = [
        result(0, False, error="timeout", gradingResult=None),
        result(1, False),
        result(2, error=None),
    ]
    for row in rows:
        del row["failureReason"]
    path = write_json(tmp_path / "r.json", document(rows, version=2))
    assert scores(read(path))["org:model-a"] == {0: None, 1: 0.0, 2: 1.0}


def test_what_is_published_is_held_against_the_rows(tmp_path: Path) -> None:
    path = log(tmp_path / "r.json", [result(0), result(1, False)], [prompt(2, 0, score=2.0)])
    message = said(read(path), "published_disagrees")
    assert "success of org:model-a 1 (its 2 samples: 0.5)" in message
    assert "score of org:model-a 1" in message


def test_repeats_have_numbers_of_their_own(tmp_path: Path) -> None:
    """With --repeat 2 tests 0 and 1 are numbered 0 to 3: 0, 1 and again 0, 1."""
    rows = []
    for number, (test, success) in enumerate([(0, True), (1, False), (0, False), (1, False)]):
        rows.append(result(test, success) | {"testIdx": number})
    rows.reverse()
    answers = only(read(log(tmp_path / "r.json", rows)))
    assert answers.items is not None
    assert answers.runs is not None
    assert answers.scores is not None
    found = sorted(zip(answers.items, answers.runs, answers.scores, strict=True))
    assert found == [(0, 1, 1.0), (0, 2, 0.0), (1, 1, 0.0), (1, 2, 0.0)]


def test_tests_of_the_same_variables_and_other_assertions_are_two(tmp_path: Path) -> None:
    variables = {"riddle": "one"}
    kinds = ("contains", "equals")
    rows = [
        result(k, testCase={"vars": variables, "assert": [{"type": kind}]}, vars=variables)
        for k, kind in enumerate(kinds)
    ]
    answers = only(read(log(tmp_path / "r.json", rows)))
    assert answers.items is not None
    assert answers.items.to_list() == [0, 1]
    assert answers.runs is None


def test_a_row_twice_stays_twice(tmp_path: Path) -> None:
    path = log(tmp_path / "r.json", [result(0), result(0), result(1)])
    with pytest.raises(AlignmentError, match="duplicat"):
        deadheat.score(path)


def test_rows_without_numbers_are_counted(tmp_path: Path) -> None:
    rows = [r for t in (0, 1, 2) for r in (result(t), result(t, t > 0, **B))]
    for row in rows:
        del row["testIdx"]
    evaluation = read(log(tmp_path / "r.json", rows))
    assert scores(evaluation) == {
        "org:model-a": {0: 1.0, 1: 1.0, 2: 1.0},
        "B": {0: 0.0, 1: 1.0, 2: 1.0},
    }


def test_results_in_two_files_are_paired_if_variables_agree(tmp_path: Path) -> None:
    a = log(tmp_path / "a.json", [result(k, k < 2) for k in range(4)])
    b = log(tmp_path / "b.json", [result(k, **B) for k in range(4)])
    c = log(tmp_path / "c.json", [result(k + 9, **B) | {"testIdx": k} for k in range(4)])
    assert deadheat.compare(a, b).difference.estimate == 0.5
    with pytest.raises(AlignmentError, match="something else in 4 of 4"):
        deadheat.compare(a, c)


def test_named_scores_may_be_called_as_others_are(tmp_path: Path) -> None:
    named = {"score": 0.25, "tone": 0.5, "word": "good"}
    path = log(tmp_path / "r.json", [result(0, namedScores=named), result(1, namedScores=named)])
    evaluation = read(path)
    assert "'namedScores.score', 'tone'" in said(evaluation, "other_scores")
    assert "word" in said(evaluation, "not_item_scores")
    assert deadheat.score(path, score="tone").systems[0].value == 0.5


def test_no_result_is_no_table_of_answers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no results of tests"):
        read(log(tmp_path / "r.json", []))


def test_the_real_export(shared: Path) -> None:
    """Two providers, two riddles, rows out of order; its prompts state 0 passes and mean scores."""
    path = shared / "formats" / "promptfoo" / "sample-export.trimmed.json"
    evaluation = read(path, score="score")
    found = scores(evaluation)
    assert found["openai:gpt-5-mini"] == {0: 0.75, 1: pytest.approx(2 / 3)}
    assert found["openai:gpt-5"] == {0: 0.5, 1: pytest.approx(2 / 3)}
    assert "published_disagrees" not in codes(evaluation)
    stated = {
        p["provider"]: p["metrics"]["score"]
        for p in json.loads(path.read_text())["results"]["prompts"]
    }
    assert {s: pytest.approx(sum(v.values()), abs=1e-12) for s, v in found.items()} == stated  # type: ignore[arg-type]
    assert deadheat.compare(path, score="score").difference.estimate == pytest.approx(-0.125)
