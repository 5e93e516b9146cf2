"""Which columns are what: one system, long tables, wide tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import InputError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.readers import read


@pytest.fixture
def parse(tmp_path: Path) -> Any:
    def parsed(text: str, **options: Any) -> Evaluation:
        path = tmp_path / "t.csv"
        path.write_text(text.replace(" ", ""))
        return read(path, **options)

    return parsed


def scores(evaluation: Evaluation) -> dict[str, list[float | None]]:
    return {a.system: a.scores.to_list() for a in evaluation.answers if a.scores is not None}


def outputs(evaluation: Evaluation) -> dict[str, list[Any]]:
    return {a.system: a.outputs.to_list() for a in evaluation.answers if a.outputs is not None}


ALIASES = {
    "item": [
        "item",
        "id",
        "item_id",
        "example_id",
        "question_id",
        "doc_id",
        "sample_id",
        "instance_id",
        "qid",
    ],
    "score": ["score", "value", "correct", "is_correct", "acc", "resolved"],
    "output": ["output", "prediction", "pred", "answer", "response", "hypothesis"],
    "reference": ["reference", "gold", "target", "label", "answer_key"],
    "run": ["run", "seed", "epoch", "trial", "repeat", "run_id"],
    "cluster": ["cluster", "cluster_id"],
    "stratum": ["stratum", "task"],
}


@pytest.mark.parametrize("item", [*ALIASES["item"], "Item ID", "QUESTION-ID"])
@pytest.mark.parametrize("score", ALIASES["score"])
def test_item_and_score_by_any_of_their_names(parse: Any, item: str, score: str) -> None:
    (answers,) = parse(f"{item.replace(' ', '_')},{score}\nq1,1\nq2,0").answers
    assert answers.items.to_list() == ["q1", "q2"]
    assert answers.scores.to_list() == [1.0, 0.0]


@pytest.mark.parametrize("output", ALIASES["output"])
@pytest.mark.parametrize("reference", ALIASES["reference"])
def test_output_and_reference_by_any_of_their_names(
    parse: Any, output: str, reference: str
) -> None:
    (answers,) = parse(f"id,{output},{reference}\nq1,yes,no\nq2,,no").answers
    assert answers.outputs.to_list() == ["yes", None]
    assert answers.references.to_list() == ["no", "no"]


@pytest.mark.parametrize("name", ["run", "cluster", "stratum"])
def test_run_cluster_and_stratum_by_any_of_their_names(parse: Any, name: str) -> None:
    field = {"run": "runs", "cluster": "clusters", "stratum": "strata"}[name]
    for alias in ALIASES[name]:
        evaluation = parse(f"id,score,{alias}\nq1,1,x\nq2,0,y")
        assert getattr(evaluation.answers[0], field).to_list() == ["x", "y"]
        assert not evaluation.notes


@pytest.mark.parametrize("name", ["subtask", "subject", "category", "lang"])
def test_other_names_of_strata_only_give_a_hint(parse: Any, name: str) -> None:
    text = f"id,score,{name}\nq1,1,x\nq2,0,x\nq3,0,y"
    evaluation = parse(text)
    assert (evaluation.answers[0].clusters, evaluation.answers[0].strata) == (None, None)
    (note,) = evaluation.notes
    assert note.code == "stratum_hint"
    assert f"--stratum {name}" in note.message
    asked = parse(text, stratum=name)
    assert not asked.notes
    assert asked.answers[0].strata.to_list() == ["x", "x", "y"]


DOCUMENT = "A text of more than thirty characters"


@pytest.mark.parametrize(
    "header", ["group_id", "document_id", "doc", "Context", "repo", "conversation id", "whatever"]
)
def test_what_may_be_clusters_is_carried_along_and_not_used(tmp_path: Path, header: str) -> None:
    path = tmp_path / "t.csv"
    values = [f"{DOCUMENT} {k}" if header == "whatever" else k for k in "xxy"]
    rows = "".join(f"q{k},1,{value}\n" for k, value in enumerate(values))
    path.write_text(f"id,score,{header}\n{rows}")
    (answers,) = read(path).answers
    assert answers.clusters is None
    assert {name: c.to_list() for name, c in answers.candidates.items()} == {header: values}
    (asked,) = read(path, cluster=header).answers
    assert asked.clusters is not None
    assert asked.clusters.to_list() == values
    assert not asked.candidates


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("group_id", "xxx"),
        ("group_id", "xyz"),
        ("whatever", "xxy"),
        ("document", ["1.5", "1.5", "2.5"]),
        ("whatever", [DOCUMENT, DOCUMENT, ""]),
    ],
    ids=["one value", "all different", "short", "numbers", "a blank"],
)
def test_what_cannot_be_clusters(tmp_path: Path, header: str, values: Any) -> None:
    path = tmp_path / "t.jsonl"
    numbers = values[0] == "1.5"
    rows = [{"id": k, "score": 1, header: float(v) if numbers else v} for k, v in enumerate(values)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert not read(path).answers[0].candidates


def test_each_system_of_a_long_table_has_its_own_part_of_a_candidate(parse: Any) -> None:
    first, second = parse(
        "id,system,score,doc\nq1,a,1,x\nq1,b,1,x\nq2,b,0,x\nq2,a,0,x\nq3,a,1,y\nq3,b,1,y"
    ).answers
    assert first.candidates["doc"].to_list() == ["x", "x", "y"]
    assert second.candidates["doc"].to_list() == ["x", "x", "y"]
    wide = parse("id,system_a,system_b,doc\nq1,1,0,x\nq2,1,1,x\nq3,0,1,y").answers
    assert [a.candidates["doc"].to_list() for a in wide] == [["x", "x", "y"]] * 2


def test_long_tables_keep_the_order_of_systems_and_rows(parse: Any) -> None:
    text = "item,system,seed,score\nq1,b,0,1\nq1,a,0,0\nq2,b,0,\nq2,a,0,1"
    evaluation = parse(text)
    assert scores(evaluation) == {"b": [1.0, None], "a": [0.0, 1.0]}
    assert [a.items.to_list() for a in evaluation.answers] == [["q1", "q2"]] * 2
    assert [a.runs.to_list() for a in evaluation.answers] == [["0", "0"]] * 2
    assert scores(parse(text, systems=("a",))) == {"a": [0.0, 1.0]}
    with pytest.raises(InputError, match="names no system 'c'"):
        parse(text, systems=("a", "c"))


def test_wide_tables_of_scores(parse: Any) -> None:
    text = "item,system_a_correct,model_b_correct\nq1,1,TRUE\nq2,false,N/A\nq3,,0"
    assert scores(parse(text)) == {"a": [1.0, 0.0, None], "model_b": [1.0, None, 0.0]}
    with pytest.raises(InputError, match="column 'model_b_correct': 'x' is not a number"):
        parse(text.replace("TRUE", "x"))


def test_names_that_say_so_are_enough_beside_other_numbers(parse: Any) -> None:
    text = "item,system_a_correct,system_b_correct,cost\nq1,1,0,31.2\nq2,0,1,8"
    evaluation = parse(text)
    assert evaluation.systems == ("a", "b")
    assert [note.code for note in evaluation.notes] == ["columns_ignored"]
    assert "'cost'" in evaluation.notes[0].message


@pytest.mark.parametrize(
    "columns",
    [
        ("1", "0", "80"),  # 0/1 beside percent
        ("1", "0", "0.25"),  # 0/1 beside a share: a confidence, perhaps
        ("0.5", "0.25", "31"),
        ("80.5", "71.25", "2"),
        ("80.5", "71.25", "0.001"),
        ("80.5", "71.25", "75.5"),  # hardly varies
    ],
)
def test_numbers_that_do_not_look_alike_are_for_the_user_to_name(
    parse: Any, columns: tuple[str, str, str]
) -> None:
    a, b, c = columns
    text = f"item,a,b,c\nq1,{a},{b},{c}\nq2,{b},{a},{c}9"
    with pytest.raises(InputError, match=r"do not look alike.*--system a,b"):
        parse(text)
    assert parse(text, systems=("a", "b")).systems == ("a", "b")
    assert parse(text, systems=["c", "a"]).systems == ("c", "a")


def test_a_cost_is_no_system_though_it_looks_like_one(parse: Any) -> None:
    with pytest.raises(InputError, match=r"'cost' \(by its name no score.*--system a,b"):
        parse("item,a,b,cost\nq1,0.5,0.25,0.5\nq2,0.1,0.5,0.25")


@pytest.mark.parametrize("low_high", [("0", "1"), ("0.25", "0.5"), ("3", "5"), ("21.5", "80.25")])
def test_numbers_that_look_alike_are_systems(parse: Any, low_high: tuple[str, str]) -> None:
    low, high = low_high
    evaluation = parse(f"item,a,b\nq1,{low},{high}\nq2,{high},{low}")
    assert scores(evaluation) == {
        "a": [float(low), float(high)],
        "b": [float(high), float(low)],
    }


def test_systems_by_raw_or_stripped_name(parse: Any) -> None:
    text = "item,system_a_correct,b,note\nq1,1,0,x\nq2,0,1,y"
    for names in (("system_a_correct", "b"), ("a", "b")):
        assert parse(text, systems=names).systems == ("a", "b")
    with pytest.raises(InputError, match=r"no column 'c' \(--system\)"):
        parse(text, systems=("a", "c"))
    with pytest.raises(UsageError, match="a, a"):
        parse(text, systems=("a", "a"))
    with pytest.raises(UsageError, match="one text, 'a,b'"):
        parse(text, systems="a,b")
    with pytest.raises(UsageError, match="--system names the columns"):
        parse(text, systems=("a", "b"), score="b")


def test_a_system_may_be_called_like_a_score_or_a_number(parse: Any) -> None:
    assert parse("item,acc,7\nq1,1,0\nq2,0,1", systems=("acc", "7")).systems == ("acc", "7")


def test_wide_tables_of_outputs(parse: Any) -> None:
    text = "id,gold,bert,roberta\n1,yes,no,yes\n2,no,no,"
    evaluation = parse(text)
    assert outputs(evaluation) == {"bert": ["no", "no"], "roberta": ["yes", None]}
    assert evaluation.answers[1].references.to_list() == ["yes", "no"]


def test_whole_numbers_beside_a_reference_are_outputs(parse: Any) -> None:
    text = "id,label,a,b\n1,0,1,2\n2,2,2,0"
    assert outputs(parse(text)) == {"a": ["1", "2"], "b": ["2", "0"]}


def test_numbers_beside_references_of_text_are_scores(parse: Any) -> None:
    text = "id,answer_key,a,b\n1,Paris,1,0\n2,Rome,0,1"
    assert scores(parse(text)) == {"a": [1.0, 0.0], "b": [0.0, 1.0]}


def test_a_text_among_outputs_is_for_the_user_to_tell(parse: Any) -> None:
    text = "id,prompt,gold,a,b\n1,which,yes,no,yes\n2,what,no,no,no"
    with pytest.raises(InputError, match=r"'prompt' do not.*--system a,b"):
        parse(text)
    assert parse(text, systems=("a", "b")).systems == ("a", "b")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,item,score\n1,1,1\n2,2,0", r"'id', 'item' could each be the item.*--item id"),
        ("id,acc,correct\n1,1,1\n2,1,0", r"'acc', 'correct' could each be the score.*--score acc"),
        ("id,answer,pred\n1,x,y\n2,y,x", r"could each be the output.*--output-column answer"),
        ("id,gold,label,pred\n1,x,y,x\n2,y,x,x", r"be the reference.*--reference-column gold"),
        ("id,score,task,stratum\n1,1,x,y\n2,1,x,y", r"be the stratum.*--stratum task"),
        (
            "id,answer,system_a,system_b\n1,x,1,0\n2,y,1,0",
            r"look like one score for each system.*--system system_a,system_b.*--output-column",
        ),
        ("id,prompt,exact\n1,x,1\n2,y,0", r"only one with numbers is 'exact'.*--score"),
        ("id,prompt\n1,x\n2,y", r"none has numbers"),
        ("id,task\n1,x\n2,y", r"the columns are 'id', 'task'\. Name one with --score"),
        ("pairID,score\n1,1\n2,0", r"no column is known to hold item ids, and 'pairID'.*--item"),
        ("task_id,seed,score\na,1,1\na,2,0", r"'task_id' looks like it"),
    ],
)
def test_what_could_be_read_in_two_ways_is_asked_for(parse: Any, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse(text)


def test_named_columns_settle_it(parse: Any) -> None:
    text = "id,item,acc,correct,label,gold\n1,9,1,0,x,y\n2,8,0,1,y,y"
    (answers,) = parse(text, item="item", score="acc", output_column="label").answers
    assert answers.items.to_list() == ["9", "8"]
    assert answers.scores.to_list() == [1.0, 0.0]
    # The column named as the outputs is no candidate for the references any more.
    assert answers.outputs.to_list() == ["x", "y"]
    assert answers.references.to_list() == ["y", "y"]
    with pytest.raises(UsageError, match="named by --item and by --score"):
        parse(text, item="id", score="id")


def test_a_column_of_few_values_is_no_item_id(parse: Any) -> None:
    (answers,) = parse("conversation_id,score\nc1,1\nc1,0\nc1,1\nc2,1\nc2,1\nc2,1").answers
    assert answers.items is None


def test_the_index_that_pandas_writes_is_the_item(parse: Any) -> None:
    evaluation = parse(",score\n0,1\n3,0")
    assert evaluation.answers[0].items.to_list() == ["0", "3"]
    assert [note.code for note in evaluation.notes] == ["item_from_index"]


def test_columns_by_number(parse: Any) -> None:
    (answers,) = parse("q1,x,1\nq2,y,0", item="1", score=3).answers
    assert answers.items.to_list() == ["q1", "q2"]
    assert answers.scores.to_list() == [1.0, 0.0]
    with pytest.raises(InputError, match=r"no column 4 \(--score\); there are 3"):
        parse("q1,x,1\nq2,y,0", item="1", score=4)


def test_clusters_from_item_ids(parse: Any) -> None:
    text = "id,score\nd1/a,1\nd1/b,0\nd2/a,1"
    assert parse(text, cluster="item:^([^/]+)/").answers[0].clusters.to_list() == ["d1", "d1", "d2"]
    assert parse(text, cluster=r"item:d\d").answers[0].clusters.to_list() == ["d1", "d1", "d2"]
    with pytest.raises(InputError, match=r"line 4: item 'd2/a' does not match"):
        parse(text, cluster="item:^d1")
    with pytest.raises(UsageError, match="is not a regular expression"):
        parse(text, cluster="item:(")
    with pytest.raises(UsageError, match="there are none"):
        parse("score\n1\n0", cluster="item:x")


def test_a_name_for_a_table_of_several_systems_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text("item,a,b\n1,1,0\n2,0,1\n")
    with pytest.raises(UsageError, match="'x' names one system, and the table holds 2: a, b"):
        read(f"x={path}")


def test_an_existing_path_with_an_equals_sign_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a=b.csv"
    path.write_text("item,score\n1,1\n2,0\n")
    assert read(str(path)).systems == ("a=b",)
    assert read(f"c={path}").systems == ("c",)


def test_notes_are_said_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,score,lang\n1,1,de\n2,0,en\n3,0,en\n")
    assert len(read(f"a={path}", f"b={path}").notes) == 1
