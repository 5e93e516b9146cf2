"""trec_eval -q, runs and qrels."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import codes, only, said, scores, texts, tool

Values = dict[str, dict[str, object]]


def evaluated(path: Path, values: Values, summary: dict[str, object] | None = None) -> Path:
    """Write what trec_eval prints: %-22s, tab, query, tab, value."""
    lines = [
        f"{measure:<22}\t{query}\t{value}\n"
        for query, measures in values.items()
        for measure, value in measures.items()
    ]
    lines += [f"{measure:<22}\tall\t{value}\n" for measure, value in (summary or {}).items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path


Q = {
    "q1": {"num_ret": 10, "map": "0.5000", "P_5": "0.4000"},
    "q2": {"num_ret": 10, "map": "0.2500", "P_5": "0.2000"},
}


def test_queries_are_items(tmp_path: Path) -> None:
    path = evaluated(tmp_path / "bm25.eval", Q, {"runid": "r", "num_q": 2, "map": "0.3750"})
    assert tool(path) == "trec_eval"
    evaluation = read(path)
    assert scores(evaluation) == {"bm25": {"q1": 0.5, "q2": 0.25}}
    assert scores(read(path, score="P_5")) == {"bm25": {"q1": 0.4, "q2": 0.2}}
    assert only(evaluation).about["run_tag"] == "r"
    assert "num_ret" in said(evaluation, "not_item_scores")
    assert "published_disagrees" not in codes(evaluation)


def test_map_is_the_main_score_wherever_it_stands(tmp_path: Path) -> None:
    path = evaluated(
        tmp_path / "a", {"q1": {"ndcg": 0.9, "map": 0.1}, "q2": {"ndcg": 0.8, "map": 0.2}}
    )
    assert scores(read(path)) == {"a": {"q1": 0.1, "q2": 0.2}}
    path = evaluated(tmp_path / "b", {"q1": {"ndcg": 0.9}, "q2": {"ndcg": 0.8}})
    assert scores(read(path)) == {"b": {"q1": 0.9, "q2": 0.8}}


def test_two_systems(tmp_path: Path) -> None:
    a = evaluated(tmp_path / "a.eval", Q)
    b = evaluated(tmp_path / "b.eval", {q: m | {"map": "0.5"} for q, m in reversed(Q.items())})
    assert deadheat.compare(a, b).difference.estimate == pytest.approx(0.125)


def test_averages_are_held_against_the_queries(tmp_path: Path) -> None:
    """With -c, queries without a document count 0 in the average and stand nowhere else."""
    path = evaluated(tmp_path / "a", Q, {"map": "0.2500", "P_5": "0.3000", "gm_map": "0.1"})
    message = said(read(path), "published_disagrees")
    assert "map 0.25 (its 2 samples: 0.375)" in message
    assert "P_5" not in message


def test_rounding_is_no_disagreement(tmp_path: Path) -> None:
    """Values and their average are rounded to four digits, each by itself."""
    values = {f"q{k}": {"map": "0.3333"} for k in range(3)}
    assert codes(read(evaluated(tmp_path / "a", values, {"map": "0.3334"}))) == []


def test_measures_in_blocks_and_queries_twice(tmp_path: Path) -> None:
    path = tmp_path / "a"
    rows = ["map \tq1\t0.5", "map \tq2\t0.25", "ndcg \tq1\t0.75", "ndcg \tq2\t0.5"]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert scores(read(path, score="ndcg")) == {"a": {"q1": 0.75, "q2": 0.5}}
    path.write_text("\n".join([*rows, rows[0], rows[2]]) + "\n", encoding="utf-8")
    with pytest.raises(AlignmentError, match="q1"):
        deadheat.score(path)


def test_averages_alone_are_refused(tmp_path: Path) -> None:
    path = evaluated(tmp_path / "a", {}, {"runid": "r", "num_q": 2, "map": 0.5})
    assert tool(path) == "trec_eval"
    with pytest.raises(InputError, match="trec_eval with -q"):
        read(path)
    with pytest.raises(InputError, match="no value of any query"):
        read(evaluated(tmp_path / "b", {"q1": {"num_ret": 3}, "q2": {"num_ret": 4}}))


def test_texts_and_nan(tmp_path: Path) -> None:
    values = {
        "q1": {"relstring_10": "'---1'", "map": "nan"},
        "q2": {"relstring_10": "'1'", "map": 1},
    }
    evaluation = read(evaluated(tmp_path / "a", values))
    assert scores(evaluation) == {"a": {"q1": None, "q2": 1.0}}
    assert "relstring_10" in said(evaluation, "not_item_scores")


def test_cut_off(tmp_path: Path) -> None:
    path = evaluated(tmp_path / "a", {f"q{k}": {"map": "0.5000"} for k in range(2_000)})
    path.write_text(path.read_text(encoding="utf-8") + "map  ", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2001"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        "item\tsystem\tscore\n1\ta\t0.5\n",
        "a\t1\t0.5\nb\t2\t0.25\n",
        "map\tsystem\tvalue\nx\ty\n",
        "measure,query,value\nmap,1,0.5\n",
    ],
)
def test_tables_of_people_are_not_taken(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(content, encoding="utf-8")
    assert tool(path) is None


# --- Runs and qrels -------------------------------------------------------------------------------

RUN = """q1 Q0 d1 1 3.5 tag
q1 Q0 d2 2 2.5 tag
q2\tQ0\td9\t0\t1e-3\ttag
q1 Q0 d3 3 2.25 tag
"""
QRELS = "q1 0 d2 1\nq1 0 d3 2\nq1 0 d4 0\nq1 0 d8 -1\nq2 0 d1 1\nq3 0 d1 1\n"


def test_runs_against_qrels(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text(RUN, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    assert tool(tmp_path / "a.run") == tool(tmp_path / "qrels.txt") == "trec"
    assert texts(read(tmp_path / "a.run"))["a"]["q1"] == b'{"d1":3.5,"d2":2.5,"d3":2.25}'
    asked = {"references": tmp_path / "qrels.txt", "missing": "wrong"}
    value = deadheat.score(tmp_path / "a.run", metric="mrr", **asked).systems[0].value
    # Of three queries, the first finds d2 in second place, and the third was not answered.
    assert value == pytest.approx((1 / 2) / 3)
    value = deadheat.score(tmp_path / "a.run", metric="ndcg", **asked).systems[0].value
    gained, most = 1 / log2(3) + 2 / log2(4), 2 / log2(2) + 1 / log2(3)
    assert value == pytest.approx(gained / most / 3)


def test_a_document_that_stands_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text(RUN + "q1 Q0 d1 9 0.1 tag\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"line 5: document 'd1' stands twice under query 'q1'"):
        read(path)


@pytest.mark.parametrize("tail", ["q1 Q0 d7", "q1 Q0 d7 1 high tag", "q1 Q0 d7 1 nan tag", "q 1"])
def test_broken_runs(tmp_path: Path, tail: str) -> None:
    path = tmp_path / "a.run"
    lines = "".join(f"q{k} Q0 d1 1 0.5 tag\n" for k in range(3_000))
    path.write_text(lines + tail, encoding="utf-8")
    with pytest.raises(FormatError, match="line 3001"):
        read(path)


def test_qrels_of_numbers_need_the_name(tmp_path: Path) -> None:
    rows = "1 0 17 1\n1 0 18 0\n2 0 3 1\n"
    for name, expected in (("qrels.dev.tsv", "trec"), ("numbers.txt", None)):
        (tmp_path / name).write_text(rows, encoding="utf-8")
        assert tool(tmp_path / name) == expected


def test_shared_examples(shared: Path) -> None:
    """What trec_eval itself prints of its run, to four digits."""
    folder = shared / "formats" / "trec_eval"
    run, qrels, out = (folder / name for name in ("results.test", "qrels.test", "out.test.aq"))
    printed = read(out)
    rows = (line.split() for line in out.read_text(encoding="utf-8").splitlines())
    maps = {row[1]: float(row[2]) for row in rows if row[0] == "map" and row[1] != "all"}
    assert scores(printed) == {"out.test": maps}
    assert "published_disagrees" not in codes(printed)
    for metric, measure in (
        ("mrr", "recip_rank"),
        ("ndcg", "ndcg"),
        ("ndcg@10", "ndcg_cut_10"),
        ("recall@100", "recall_100"),
    ):
        card = deadheat.score(run, references=qrels, metric=metric)
        expected = scores(read(out, score=measure))["out.test"].values()
        mean = sum(value or 0.0 for value in expected) / 3
        assert card.systems[0].value == pytest.approx(mean, abs=6e-5)
