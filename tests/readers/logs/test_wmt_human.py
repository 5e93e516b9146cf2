"""Human scores of WMT, and executed code by task."""

from __future__ import annotations

import csv
import io
import json
from math import comb
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import codes, only, said, scores, tool

HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"


def assessed(path: Path, rows: list[tuple[str, str, str, float | str]]) -> Path:
    """Write a direct assessment: kind, system, segment and score of each row."""
    lines = [
        f"H1\tM1\tja\ten\tad\t2\t{system}\t1005298\t{kind}\t{item}\t{score}\t5425.0\n"
        for kind, system, item, score in rows
    ]
    path.write_text(HEADER + "".join(lines), encoding="utf-8")
    return path


def annotated(path: Path, rows: list[tuple[str, str, str, float | str, str]]) -> Path:
    """Write ESA: kind, system, segment, score and document of each row."""
    out = io.StringIO()
    for kind, system, item, score, document in rows:
        spans = '[{"start_i":8,"end_i":11,"severity":"minor"}]'
        times = ("1724108687.807", "1724108688.639")
        fields = ["engjpn79", system, item, kind, "eng", "jpn", score, document, "False", spans]
        csv.writer(out, lineterminator="\n").writerow([*fields, *times])
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def test_direct_assessment(tmp_path: Path) -> None:
    path = assessed(
        tmp_path / "ad-jaen.csv",
        [
            ("SYSTEM", "A", "1", 0.5),
            ("BAD_REF", "A", "1", -2.0),
            ("SYSTEM", "A", "2", -0.25),
            ("REPEAT", "B", "1", 1.0),
            ("SYSTEM", "B", "2", 0.75),
            ("SYSTEM", "B", "1", 0.25),
        ],
    )
    assert tool(path) == "wmt_human"
    evaluation = read(path)
    assert scores(evaluation) == {"A": {"1": 0.5, "2": -0.25}, "B": {"2": 0.75, "1": 0.25}}
    assert "1 BAD_REF, 1 REPEAT" in said(evaluation, "not_item_scores")
    assert deadheat.compare(path).difference.estimate == pytest.approx(0.375)


def test_several_scores_of_a_segment_are_runs(tmp_path: Path) -> None:
    rows = [
        ("SYSTEM", s, i, v)
        for s, i, v in (("A", "1", 0), ("A", "1", 1), ("B", "1", 1), ("A", "2", 1), ("B", "2", 0))
    ]
    answers = read(assessed(tmp_path / "a.csv", rows)).answers[0]
    assert answers.runs is not None
    assert answers.runs.to_list() == [1, 2, 1]


def test_esa(tmp_path: Path) -> None:
    path = annotated(
        tmp_path / "esa.csv",
        [
            ("TGT", "ende-tutorial1", "1000001", 0, "ende-tutorial1"),
            ("TGT", "A", "688", 98, "test-en-news_x_000"),
            ("TGT", "A", "689", 40, "test-en-news_x_001"),
            ("BAD", "A", "688", 3, "test-en-news_x_000#bad"),
            ("TGT", "B", "689", 50, "test-en-news_x_001"),
            ("TGT", "B", "688", 90, "test-en-news_x_000"),
        ],
    )
    assert tool(path) == "wmt_human"
    evaluation = read(path, cluster="document")
    assert scores(evaluation) == {"A": {"688": 98, "689": 40}, "B": {"689": 50, "688": 90}}
    assert "1 BAD, 1 tutorial" in said(evaluation, "not_item_scores")
    assert evaluation.answers[0].clusters is not None
    assert evaluation.answers[0].clusters.to_list() == ["test-en-news_x"] * 2


def test_automatic_scores_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "automatic-scores.tsv"
    path.write_text(
        "pair\tsystem\tid\tis_constrained\tmetric\tscore\nde-fr\tA\t1\tTRUE\tbleu\t2\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="automatic scores of whole systems"):
        read(path)


def test_broken_rows(tmp_path: Path) -> None:
    path = assessed(tmp_path / "a.csv", [("SYSTEM", "A", "1", 0.5), ("SYSTEM", "A", "2", "NA")])
    assert scores(read(path)) == {"A": {"1": 0.5, "2": None}}
    whole = path.read_text(encoding="utf-8")
    for tail, match in (
        ("H1\tM1", "2 fields, and 12"),
        (whole.splitlines()[1].replace("0.5", "x"), "no score"),
    ):
        path.write_text(whole + tail + "\n", encoding="utf-8")
        with pytest.raises(FormatError, match=f"line 4.*{match}"):
            read(path)
    with pytest.raises(FormatError, match="0 rows"):
        read(assessed(tmp_path / "b.csv", [("REPEAT", "A", "1", 0.5)]))
    path = annotated(tmp_path / "c.csv", [("TGT", "A", "1", 1, "d_1")])
    path.write_text(path.read_text(encoding="utf-8") + "engjpn79,A,2,TG", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2"):
        read(path)


def test_tables_of_people_are_not_taken(tmp_path: Path) -> None:
    for content in (
        "item,system,score\n1,a,0.5\n",
        "HITId,WorkerId,score\n1,2,3\n",
        "pair\tsystem\tscore\nde-fr\ta\t1\n",
        "a,b,1,TGT,eng,jpn,high,doc,False\n",
    ):
        path = tmp_path / "x.csv"
        path.write_text(content, encoding="utf-8")
        assert tool(path) is None


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "wmt_human"
    found = read(folder / "ad-jaen-good-stnd.head200.csv")
    rows = [
        line.split("\t")
        for line in (folder / "ad-jaen-good-stnd.head200.csv").read_text("utf-8").splitlines()[1:]
    ]
    kept = [row for row in rows if row[8] == "SYSTEM"]
    assert sum(len(a.scores) for a in found.answers if a.scores is not None) == len(kept)
    by_system = {a.system: a.scores.sum() for a in found.answers if a.scores is not None}
    for system, total in by_system.items():
        assert total == pytest.approx(sum(float(row[10]) for row in kept if row[6] == system))
    esa = read(folder / "esa_generalMT2024_wave2.head100.csv")
    assert "tutorial" in said(esa, "not_item_scores")
    assert {a.tasks.unique().to_list()[0] for a in esa.answers if a.tasks is not None} == {
        "eng-jpn",
        "eng-zho",
    }


# --- Executed code --------------------------------------------------------------------------------


def executed(path: Path, tasks: dict[str, list[bool] | float], **more: Any) -> Path:
    """Write a task a line: its completions, or pass@1 alone."""
    lines = []
    for task, passed in tasks.items():
        alone = isinstance(passed, float)
        value = passed if isinstance(passed, float) else sum(passed) / len(passed)
        outputs = [] if isinstance(passed, float) else passed
        line: dict[str, Any] = {
            "scores": {"pass@1": value},
            "output": [
                [k, {"task_id": 0, "passed": one, "result": "passed", "completion_id": k}]
                for k, one in enumerate(outputs)
            ],
            "task_id": task,
            "entry_point": "f",
        }
        lines.append(
            json.dumps({k: v for k, v in line.items() if k != "output" or not alone} | more)
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_completions_are_runs(tmp_path: Path) -> None:
    right = {"T/0": [True, False, False], "T/1": [True, True, False]}
    path = executed(tmp_path / "m1.jsonl", right)  # type: ignore[arg-type]
    assert tool(path) == "code_execution"
    for k in (1, 2):
        value = deadheat.score(path, metric=f"pass@{k}").systems[0].value
        expected = sum(1 - comb(3 - sum(p), k) / comb(3, k) for p in right.values()) / 2
        assert value == pytest.approx(expected)


def test_one_completion_or_none(tmp_path: Path) -> None:
    a = executed(tmp_path / "a.jsonl", {"T/0": [True], "T/1": [False]})
    b = executed(tmp_path / "b.jsonl", {"T/0": 0.5, "T/1": 1.0})
    assert scores(read(a, b)) == {"a": {"T/0": 1, "T/1": 0}, "b": {"T/0": 0.5, "T/1": 1}}
    assert only(read(a)).runs is None


def test_pass_at_1_that_the_completions_do_not_give(tmp_path: Path) -> None:
    path = executed(
        tmp_path / "a.jsonl",
        {"T/0": [True], "T/1": [False]},
        scores={"pass@1": 1.0, "pass@10": 1.0},
    )
    evaluation = read(path)
    assert scores(evaluation) == {"a": {"T/0": 1, "T/1": 0}}
    assert "such as T/1" in said(evaluation, "published_disagrees")
    assert "pass@10" in said(evaluation, "not_item_scores")


@pytest.mark.parametrize(
    "tail", ['{"scores": {"pa', '{"scores": {"pass@1": "x"}, "task_id": "a"}', "7"]
)
def test_broken_lines(tmp_path: Path, tail: str) -> None:
    path = executed(tmp_path / "a.jsonl", {"T/0": [True]})
    path.write_text(path.read_text(encoding="utf-8") + tail, encoding="utf-8")
    with pytest.raises(FormatError, match="line 2"):
        read(path)


def test_other_lines_are_not_taken(tmp_path: Path) -> None:
    for row in ({"scores": {"acc": 1.0}, "task_id": "a"}, {"pass@1": 1.0, "task_id": "a"}):
        path = tmp_path / "x.jsonl"
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert tool(path) is None


def test_shared_execution(shared: Path) -> None:
    found = deadheat.compare(
        shared / "formats" / "code_execution_jsonl",
        baseline="gemini-pro.head5",
        candidate="gpt-4-turbo.head5",
    )
    assert (found.baseline.value, found.candidate.value) == (0.6, 1.0)
    assert codes(read(shared / "formats" / "code_execution_jsonl" / "gemini-pro.head5.jsonl")) == []
