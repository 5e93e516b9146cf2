"""The contract that other programs rely on (DESIGN.md 6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, strict
from contract import (
    CASES,
    COMPARISON,
    COUNTS,
    misfits,
)
from deadheat.cli import cli
from deadheat.cli.compare import compare as compare_command
from deadheat.cli.rank import rank as rank_command

Call = Callable[..., Done]

any_case = pytest.mark.parametrize("arguments", CASES.values(), ids=CASES)


@any_case
def test_fields_of_a_comparison(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    done = run("compare", *arguments, "--format", "json")
    assert (done.code, done.err) == (0, "")
    told = done.json
    assert told["schema"] == "deadheat/comparison/1"
    assert misfits(COMPARISON, told) == []
    # "0/1 scores only": there where the outcomes of items can be counted, null elsewhere.
    if told["counts"] is not None:
        assert misfits(COUNTS, told["counts"]) == []
        assert sum(told["counts"].values()) == told["items"]["n"]
    assert told["reading"]["code"] in {
        *("resolved", "unresolved", "borderline", "equivalent", "degenerate"),
    }
    assert told["pairing"] in ("paired", "unpaired")
    assert told["unit"]["kind"] in ("item", "cluster", "stratum")
    assert told["difference"]["alternative"] in ("two-sided", "less", "greater")
    assert told["comparisons"] == {"n": 1, "correction": "none"}
    if told["tests"] and told["tests"][0]["name"] == "mcnemar":
        assert {"only_baseline", "only_candidate"} <= told["tests"][0].keys()


@any_case
def test_what_is_null_says_why(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    told = run("compare", *arguments, "--format", "json").json
    difference = told["difference"]
    interval = difference["interval"]
    open_end = {"two-sided": (), "greater": ("high",), "less": ("low",)}
    closed = [e for e in ("low", "high") if e not in open_end[difference["alternative"]]]
    for holder in (interval, told["baseline"]["interval"], told["candidate"]["interval"]):
        ends = closed if holder is interval else ["low", "high"]
        undefined = [end for end in ends if holder[end] is None]
        # An interval has both ends or neither, and what is undefined comes with its reason.
        assert undefined in ([], ends)
        if undefined:
            assert holder.get("note") or told["notes"]
            assert holder.get("note", "") != ""
    if interval[closed[0]] is None:
        assert difference["p_value"] is None
    if difference["p_value"] is not None:
        assert 0.0 < difference["p_value"] <= 1.0
    if difference["p_value_bound"] is not None:
        assert difference["p_value"] <= difference["p_value_bound"]
    if difference["estimate"] is None:
        assert "undefined_metric" in {note["code"] for note in told["notes"]}
        assert interval["low"] is None
    for test in told["tests"]:
        assert test["p_value"] is None or 0.0 < test["p_value"] <= 1.0
        assert test["p_value"] is not None or test.get("note")


@any_case
def test_exactly_one_way_of_resampling(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    told = run("compare", *arguments, "--format", "json").json
    resampling = told["resampling"]
    if resampling["exact"]:
        assert (resampling["n_resamples"], resampling["seed"]) == (None, None)
        assert told["difference"]["interval"]["monte_carlo_error"] is None
        assert "resamples:exact" in told["signature"]
    else:
        assert resampling["n_resamples"] > 0
        assert resampling["seed"] == 0
        assert f"resamples:{resampling['n_resamples']}/seed:0" in told["signature"]


@any_case
def test_python_and_command_line_agree(run: Call, folder: Path, arguments: tuple[str, ...]) -> None:
    """Two readers of one report get identical numbers."""
    done = run("compare", *arguments, "--format", "json", "--record", "r.json")
    record = strict(Path("r.json").read_text(encoding="utf-8"))
    options = {**record["options"]}
    if "nan" in arguments:
        options["zero_division"] = math.nan
    sources = [source["path"] for source in record["sources"]]
    assert strict(deadheat.compare(*sources, **options).to_json()) == done.json
    assert record["result"] == done.json


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("compare", "binary.csv"), 0),
        (("compare", "one.csv"), 0),
        (("score", "binary.csv"), 0),
        (("rank", "binary.csv"), 0),
        (("rank", "one.csv"), 2),
        (("rank", "holes.csv"), 2),
        (("rank", "binary.csv", "--baseline", "z"), 2),
        (("rank", "binary.csv", "--correction", "bonferroni"), 2),
        (("adjust", "0.01", "0.04"), 0),
        (("adjust", "0.01", "0.04", "--format", "json"), 0),
        (("--version",), 0),
        (("--help",), 0),
        (("compare", "--help"), 0),
        ((), 2),
        (("compare",), 2),
        (("no-such-command",), 2),
        (("compare", "nowhere.csv"), 2),
        (("compare", "binary.csv", "--metric", "nope"), 2),
        (("compare", "holes.csv"), 2),
        (("verify", "binary.csv"), 2),
        (("verify", "nowhere.json"), 2),
        (("claim", "--n", "500", "--gap", "3.6"), 0),
        (("claim", "--n", "300", "--gap", "0.4"), 0),
        (("claim", "--n", "500"), 2),
        (("plan", "--gap", "0.02"), 0),
        (("plan",), 2),
        (("check", "binary.csv"), 0),
        (("simulate", "--items", "5"), 2),
        (("adjust", "1.5"), 2),
        (("adjust", "x"), 2),
        (("score", "binary.csv", "--method", "nope"), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_exit_codes(run: Call, folder: Path, arguments: tuple[str, ...], code: int) -> None:
    done = run(*arguments)
    assert done.code == code, done.err
    if code == 2 and arguments:
        assert done.out == ""
        assert done.err.startswith("deadheat: ")
        assert done.err.count("\n") == 1


OPTIONS: dict[str, tuple[str, ...]] = {
    "--metric": ("binary.csv", "--metric", "accuracy"),
    "--method": ("binary.csv", "--method", "tango"),
    "--confidence": ("binary.csv", "--confidence", "0.9"),
    "--resamples": ("binary.csv", "--resamples", "99"),
    "--seed": ("binary.csv", "--seed", "7"),
    "--reference": ("out.csv", "out2.csv", "--reference", "ref.csv"),
    "--reference-column": ("labels.csv", "--reference-column", "reference"),
    "--label-map": ("labels.csv", "--label-map", "x=y,z=y"),
    "--item": ("odd.csv", "--item", "key", "--system", "p,q"),
    "--system-column": ("table.csv", "--system-column", "who", "--score", "points"),
    "--score": ("table.csv", "--system-column", "who", "--score", "points"),
    "--output-column": (
        *("table.csv", "--system-column", "who", "--output-column", "said"),
        *("--reference-column", "truth"),
    ),
    "--cluster": ("strata.csv", "--cluster", "lang"),
    "--stratum": ("strata.csv", "--stratum", "lang"),
    "--strata": ("strata.csv", "--stratum", "lang", "--strata", "random"),
    "--weighting": ("strata.csv", "--stratum", "lang", "--weighting", "macro"),
    "--run": ("long.csv", "--run", "epoch"),
    "--different-items": ("binary.csv", "--different-items"),
    "--runs": ("long.csv", "--run", "epoch", "--runs", "random"),
    "--baseline": ("binary.csv", "--baseline", "b"),
    "--candidate": ("binary.csv", "--candidate", "a"),
    "--missing": ("holes.csv", "--missing", "wrong"),
    "--unparseable": ("binary.csv", "--unparseable", "missing"),
    "--unpaired": ("binary.csv", "--unpaired"),
    "--margin": ("binary.csv", "--margin", "0.1"),
    "--system": ("odd.csv", "--item", "key", "--system", "p,q"),
    "--alternative": ("binary.csv", "--alternative", "less"),
    "--test": ("binary.csv", "--test", "midp"),
    "--threads": ("binary.csv", "--threads", "1"),
    "--memory": ("binary.csv", "--memory", "1GB"),
    "--about": (
        *("binary.csv", "--about", "a:checkpoint=c", "--about", "a:temperature=0.5"),
        *("--about", "b:top_p=1", "--about", "b:max_tokens=9", "--about", "b:stop=="),
        *("--about", "b:seed=1", "--about", "b:date=2026-01-02"),
    ),
    "--format": ("binary.csv", "--format", "json"),
    "--output": ("binary.csv", "--output", "o.json"),
    "--record": ("binary.csv", "--record", "r.json"),
    "--flips": ("binary.csv", "--flips", "flips.csv"),
}


OF_TWO = {"--candidate", "--method", "--unpaired", "--margin", "--alternative", "--test"}
OF_TWO |= {"--flips"}
OF_RANK = [option for option in OPTIONS if option not in OF_TWO | {"--runs", "--about"}]
"""Options of `compare` that `rank` has as well."""

RANK_ALONE: dict[str, tuple[str, ...]] = {
    "--correction": ("binary.csv", "--correction", "holm"),
    "--cost": ("table.csv", "--system-column", "who", "--score", "points", "--cost", "id"),
    "--descriptive": ("binary.csv", "--descriptive"),
    "--confidence-set": ("binary.csv", "--confidence-set"),
    "--arena": ("binary.csv", "--arena"),
}


@pytest.fixture
def more(folder: Path) -> Path:
    """Files that have to be told what their columns are."""
    files = {
        "out.csv": "id,output\n1,x\n2,y\n3,x\n",
        "out2.csv": "id,output\n1,x\n2,x\n3,y\n",
        "ref.csv": "id,reference\n1,x\n2,y\n3,y\n",
        "odd.csv": "key,p,q,cost\n1,1,0,1.5\n2,0,1,2.5\n3,1,1,0.5\n",
        "table.csv": "id,who,points,said,truth\n"
        + "".join(
            f"{i},{w},{(i * k) % 2},{'xy'[i % k]},x\n"
            for i in range(9)
            for k, w in ((1, "p"), (2, "q"))
        ),
        "strata.csv": "item,lang,a,b\n1,de,1,0\n2,de,0,1\n3,en,1,1\n4,en,0,1\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_taken(run: Call, more: Path, option: str) -> None:
    done = run("compare", *OPTIONS[option])
    assert (done.code, done.err) == (0, "")
    told = done.out or Path("o.json").read_text(encoding="utf-8")
    assert told.strip()


@pytest.mark.parametrize("option", sorted({*OF_RANK, *RANK_ALONE}))
def test_rank_takes_its_options(run: Call, more: Path, option: str) -> None:
    done = run("rank", *(OPTIONS | RANK_ALONE)[option])
    assert (done.code, done.err) == (0, "")
    told = done.out or Path("o.json").read_text(encoding="utf-8")
    assert told.strip()


def test_every_option_is_in_the_contract() -> None:
    """Options of `compare` and `rank`, and those that metrics of this stage need besides."""
    names, of_rank = (
        {name for option in command.params for name in option.opts if "-" in name}
        for command in (compare_command, rank_command)
    )
    beyond = {"--references", "--labels", "--positive", "--zero-division", "--lower-is-better"}
    beyond |= {"--engine"}  # tests/test_engine.py has a scheduler for it
    beyond |= {"--tokenize", "--normalize", "--normalize-map", "--bins", "--ties", "--scheme"}
    assert names - beyond == set(OPTIONS)
    assert of_rank - beyond == {*OF_RANK, *RANK_ALONE}
    assert set(cli.commands) == {
        *("compare", "rank", "score", "plan", "simulate"),
        *("check", "adjust", "claim", "inspect", "convert", "verify", "serve"),
    }


@pytest.mark.parametrize("name", ["--reference", "--references"])
def test_reference_is_spelled_as_in_the_contract(run: Call, more: Path, name: str) -> None:
    told = run("compare", "out.csv", "out2.csv", name, "ref.csv", "--format", "json").json
    assert [told[side]["value"] for side in ("baseline", "candidate")] == [2 / 3, 2 / 3]


def test_options_do_what_they_say(run: Call, more: Path) -> None:
    def told(option: str) -> Any:
        return run("compare", *OPTIONS[option], "--format", "json").json

    assert told("--confidence")["difference"]["interval"]["confidence_level"] == 0.9
    assert told("--method")["difference"]["interval"]["method"] == "tango"
    assert told("--baseline")["baseline"]["system"] == "b"
    assert told("--baseline")["candidate"]["system"] == "a"
    assert told("--candidate")["candidate"]["system"] == "a"
    assert told("--system")["baseline"]["system"] == "p"
    assert told("--alternative")["difference"]["alternative"] == "less"
    assert told("--test")["tests"][0]["variant"] == "midp"
    assert told("--unpaired")["pairing"] == "unpaired"
    assert told("--about")["baseline"]["about"] == {"checkpoint": "c", "temperature": "0.5"}
    assert told("--about")["candidate"]["about"]["stop"] == "="
    assert told("--missing")["items"]["n"] == 5
    assert told("--output-column")["metric"]["name"] == "accuracy"
    assert told("--score")["baseline"]["value"] == 4 / 9
    assert told("--label-map")["baseline"]["value"] == 1.0


def test_output_goes_to_the_file_alone(run: Call, folder: Path) -> None:
    for form in ("json", "markdown", "text"):
        direct = run("compare", "binary.csv", "--format", form)
        done = run("compare", "binary.csv", "--format", form, "--output", f"o.{form}")
        assert (done.code, done.out, done.err) == (0, "", "")
        assert Path(f"o.{form}").read_text(encoding="utf-8") == direct.out
    assert strict(Path("o.json").read_text(encoding="utf-8"))
    assert Path("o.markdown").read_text(encoding="utf-8").startswith("# ")


def test_several_files_and_names(run: Call, more: Path) -> None:
    done = run(
        "compare", "new=out.csv", "old=out2.csv", "--reference", "ref.csv", "--format", "json"
    )
    assert [done.json[side]["system"] for side in ("baseline", "candidate")] == ["new", "old"]
    done = run("compare", "out.csv", "out2.csv", "--reference", "ref.csv", "--format", "json")
    assert [done.json[side]["system"] for side in ("baseline", "candidate")] == ["out", "out2"]


def test_more_than_two_systems_ask(run: Call, folder: Path) -> None:
    Path("three.csv").write_text("item,a,b,c\n1,1,0,1\n2,0,1,1\n3,1,1,0\n", encoding="utf-8")
    done = run("compare", "three.csv")
    assert done.code == 2
    assert "--baseline" in done.err
    assert "--candidate" in done.err
    told = run(
        *("compare", "three.csv", "--baseline", "c", "--candidate", "a", "--format", "json")
    ).json
    assert [told[side]["system"] for side in ("baseline", "candidate")] == ["c", "a"]
