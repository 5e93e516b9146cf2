"""What the page offers as files, and what it makes of what was pasted."""

from __future__ import annotations

import csv
import io
import json
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import DeadheatError
from deadheat.web.examples import example
from deadheat.web.pasted import stored
from local_page import Page

TEXT = str(example("compare")["text"])


def named(result: dict[str, Any]) -> set[str]:
    return {download["name"] for download in result["downloads"]}


def test_every_form_is_offered(page: Page) -> None:
    result = page.result("compare", text=TEXT)
    forms = {"report.html", "report.tex", "report.md", "report.json", "record.json"}
    assert forms | {"methods.txt", "flips.csv", "data.csv"} <= named(result)
    assert {f"{figure['name']}.svg" for figure in result["figures"]} <= named(result)
    assert len(result["figures"]) >= 4
    assert page.download(result, "data.csv") == TEXT
    assert page.download(result, "report.html").startswith("<!")
    assert "\\begin{tabular}" in page.download(result, "report.tex")
    assert page.download(result, "methods.txt").strip() == result["paragraph"]
    for name in named(result):
        if name.endswith(".svg"):
            assert xml.dom.minidom.parseString(page.download(result, name))


def test_flips_are_the_items_on_which_the_systems_differ(page: Page) -> None:
    result = page.result("compare", text=TEXT)
    rows = list(csv.DictReader(io.StringIO(page.download(result, "flips.csv"))))
    kinds = [row["kind"] for row in rows]
    assert (kinds.count("gained"), kinds.count("lost")) == (24, 8)
    right = {line.split(",")[0]: line.split(",")[1:] for line in TEXT.splitlines()[1:]}
    for row in rows:
        reference, baseline, candidate = right[row["item"]]
        better = candidate if row["kind"] == "gained" else baseline
        assert better == reference != (baseline if row["kind"] == "gained" else candidate)


def test_no_flips_where_no_item_can_flip(page: Page) -> None:
    assert "flips.csv" not in named(page.result("compare", {"unpaired": True}, text=TEXT))


def test_no_formula_leaves_in_a_table(page: Page) -> None:
    evil = '"=HYPERLINK(""http://evil"")"'
    table = "item,reference,system_a,system_b\n" + "".join(
        f"=cmd{k},x,{evil if k % 2 else 'x'},{'x' if k % 3 else '+1+cmd'}\n" for k in range(12)
    )
    found = page.download(page.result("compare", text=table), "flips.csv")
    for row in csv.reader(io.StringIO(found)):
        for cell in row:
            assert not cell.startswith(("=", "+", "@")), cell


def test_a_record_that_was_downloaded_verifies(page: Page, tmp_path: Path) -> None:
    result = page.result("compare", text=TEXT)
    for name in ("record.json", "data.csv"):
        (tmp_path / name).write_text(page.download(result, name))
    assert deadheat.verify(tmp_path / "record.json").holds
    assert json.loads((tmp_path / "record.json").read_text())["sources"][0]["path"] == "data.csv"


def test_no_download_names_the_folder_of_the_job(page: Page) -> None:
    board = [(f"board/{name}.csv", f"item,score\n1,1\n2,{k}\n3,1\n") for k, name in enumerate("ab")]
    ended = page.run("rank", files=board)
    folder = str(page.app.state.pool.jobs[ended["job"]].folder)
    shown = [json.dumps(ended)]
    shown += [page.download(ended["result"], name) for name in named(ended["result"])]
    for text in shown:
        assert folder not in text
        assert "deadheat-" not in text


def test_an_inspection_names_what_can_be_picked(page: Page) -> None:
    result = page.result("inspect", text=TEXT)
    assert result["systems"] == ["keywords", "classifier"]
    assert result["columns"] == ["item", "reference", "keywords", "classifier"]
    assert {"accuracy", "macro_f1", "exact_match"} <= set(result["metrics"])
    assert "mean" not in result["metrics"]
    scores = page.result("inspect", text="a,b\n0.5,0.25\n0.75,0.5\n0.25,0.125\n")
    assert "mean" in scores["metrics"]
    assert "accuracy" not in scores["metrics"]


# What was pasted

AS_IT_WAS = "item,a,b\n1,1,0\n2,0,1\n"


@pytest.mark.parametrize(
    ("text", "reference", "found", "systems"),
    [
        # Names are there: nothing is changed but line ends.
        (AS_IT_WAS, None, AS_IT_WAS, None),
        ("\ufeff" + AS_IT_WAS.replace("\n", "\r\n"), None, AS_IT_WAS, None),
        ("\n\n" + AS_IT_WAS + "\n \n", None, AS_IT_WAS, None),
        ("gpt\tllama\n1\t0\n0\t1\n", None, "gpt\tllama\n1\t0\n0\t1\n", ["gpt", "llama"]),
        ("x;y\n0,5;0,25\n1;0\n", None, "x;y\n0,5;0,25\n1;0\n", ["x", "y"]),
        ("x y\n1 0\n0   1\n", None, "x\ty\n1\t0\n0\t1\n", ["x", "y"]),
        ('a,b\n"1","0"\n0,1\n', None, 'a,b\n"1","0"\n0,1\n', ["a", "b"]),
        # Names are put before numbers.
        ("1,0\n0,1\n", None, "a,b\n1,0\n0,1\n", ["a", "b"]),
        ("1 0\n0 1\n", "none", "a\tb\n1\t0\n0\t1\n", ["a", "b"]),
        ("0.5\t1\t2\n3\t4\t5\n", None, "a\tb\tc\n0.5\t1\t2\n3\t4\t5\n", ["a", "b", "c"]),
        ("-1e3,+.5\n1,2\n", None, "a,b\n-1e3,+.5\n1,2\n", ["a", "b"]),
        # And before labels, where it was said which are right.
        ("x,x,y\ny,y,y\n", "first", "reference,a,b\nx,x,y\ny,y,y\n", ["a", "b"]),
        ("x x y\ny y y\n", "last", "a\tb\treference\nx\tx\ty\ny\ty\ty\n", ["a", "b"]),
        # Names above labels are no labels.
        ("gold,p,q\nx,x,y\ny,y,y\n", None, "gold,p,q\nx,x,y\ny,y,y\n", None),
        ("truth,p,q\nx,x,y\ny,y,y\n", "first", "truth,p,q\nx,x,y\ny,y,y\n", None),
    ],
)
def test_pasted_tables(
    tmp_path: Path, text: str, reference: str | None, found: str, systems: list[str] | None
) -> None:
    source = tmp_path / "pasted"
    source.write_text(text, encoding="utf-8", newline="")
    values: dict[str, Any] = {} if reference is None else {"reference_column": reference}
    name, said = stored(source, tmp_path, values, 100)
    assert (tmp_path / name).read_text() == found
    assert values.get("systems") == systems
    assert bool(said) == (found.split("\n")[0] not in text.replace(" ", "\t"))
    wanted = {"first": "truth"} if text.startswith("truth") else {}
    assert values.get("reference_column") == wanted.get(reference or "")


@pytest.mark.parametrize(
    ("text", "reference", "message"),
    [
        ("", None, "nothing was pasted"),
        (" \n\t\n", None, "nothing was pasted"),
        ("1\n0\n", None, "one column"),
        ("x,y,x\nx,x,y\ny,y,y\n", None, "not said which column holds the right answers"),
        ("1,0\n0,1\n", "gold", "no column 'gold'"),
        ("a,b\n" + "1,0\n" * 200, None, "the page takes 100"),
        (",".join("1" * 40) + "\n", None, "40 columns"),
        (f"a,b\n1,{'x' * 200_000}\n", None, "cannot be divided into cells"),
    ],
)
def test_tables_that_cannot_be_meant(
    tmp_path: Path, text: str, reference: str | None, message: str
) -> None:
    source = tmp_path / "pasted"
    source.write_text(text)
    values: dict[str, Any] = {} if reference is None else {"reference_column": reference}
    with pytest.raises(DeadheatError, match=message):
        stored(source, tmp_path, values, 100)


def test_json_may_be_pasted(page: Page) -> None:
    lines = "".join(
        json.dumps({"item": k, "model": model, "score": k * step % 3 % 2}) + "\n"
        for k in range(30)
        for model, step in (("x", 1), ("y", 2))
    )
    result = page.result("compare", text=lines)
    assert "data.jsonl" in named(result)
    assert result["command"] == "deadheat compare data.jsonl"


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"both": 1}, "not four counts"),
        ({"both": -1, "only_baseline": 1, "only_candidate": 1, "neither": 1}, "count of both"),
        ({"both": 1.5, "only_baseline": 1, "only_candidate": 1, "neither": 1}, "count of both"),
        ({"both": True, "only_baseline": 1, "only_candidate": 1, "neither": 1}, "count of both"),
        ({"both": "9", "only_baseline": 1, "only_candidate": 1, "neither": 1}, "count of both"),
        ({"both": 0, "only_baseline": 0, "only_candidate": 0, "neither": 0}, "0 items"),
        ({"both": 10**30, "only_baseline": 0, "only_candidate": 0, "neither": 0}, "items"),
    ],
)
def test_counts_that_cannot_be_meant(page: Page, counts: dict[str, Any], message: str) -> None:
    ended = page.run("compare", counts=counts)
    assert ended["state"] == "failed"
    assert message in ended["error"]["error"]
