"""What is said of files, what can be compared, and commands that run."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deadheat
from deadheat import Inspection, inspect
from deadheat.cli import main
from deadheat.errors import DeadheatError, FormatError, InputError, UsageError
from deadheat.inspecting.groups import METRICS
from deadheat.metrics import names
from deadheat.readers import files as reading_of_files
from deadheat.readers.logs import readers
from readers.logs.builders import inspect_ai, lm_eval

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into the folder in which commands are run."""
    monkeypatch.chdir(tmp_path)

    def _write(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return _write


def table(rows: dict[str, Sequence[Any]]) -> str:
    """Lines of CSV with an item column: the scores of each system, None for a blank."""
    lines = [f"item,{','.join(rows)}"]
    lines += [
        ",".join([f"q{at}", *("" if value is None else str(value) for value in values)])
        for at, values in enumerate(zip(*rows.values(), strict=True))
    ]
    return "\n".join(lines) + "\n"


def run(inspection: Inspection) -> list[str]:
    """Run every command that was printed; return what they are."""
    for one in inspection.possible:
        program, *arguments = shlex.split(one.command)
        assert program == "deadheat"
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0, one.command
    return [one.command for one in inspection.possible]


def shows(inspection: Inspection) -> dict[str, str]:
    return {one.command: one.shows for one in inspection.possible}


# One table


def test_two_systems_of_a_table(write: Write) -> None:
    write("wide.csv", table({"a": [1, 0, 1, 1], "b": [1, 1, 1, 0]}))
    found = inspect("wide.csv")
    (file,) = found.files
    assert (file.tool, file.rows, file.runs, file.systems) == ("CSV", 4, 1, ("a", "b"))
    assert (file.version, file.tasks, file.scores, file.problem) == ("", (), (), "")
    assert [(s.system, s.items, s.rows, s.runs, s.unscored, s.kind) for s in found.systems] == [
        ("a", 4, 4, 1, 0, "0/1 scores"),
        ("b", 4, 4, 1, 0, "0/1 scores"),
    ]
    assert (found.matched, found.impossible) == (4, ())
    assert shows(found) == {
        "deadheat compare wide.csv": "b minus a on 4 items",
        "deadheat score wide.csv": "each system with its interval",
    }
    run(found)


def test_missing_scores_are_counted_and_a_policy_is_part_of_the_command(write: Write) -> None:
    write("wide.csv", table({"a": [1, 0, 1, 1, None], "b": [1, None, 1, 0, 1]}))
    found = inspect("wide.csv")
    assert [s.unscored for s in found.systems] == [1, 1]
    assert shows(found) == {
        "deadheat compare wide.csv --missing drop": "b minus a on 3 of 5 items, what all "
        "systems have",
        "deadheat compare wide.csv --missing wrong": "the same, 2 missing scored wrong",
        "deadheat score wide.csv --missing drop": "each system with its interval",
    }
    run(found)


def test_many_systems_are_ranked_and_a_pair_is_compared(write: Write) -> None:
    write("wide.csv", table({"a": [1, 0, 1], "b": [1, 1, 1], "c": [0, 0, 1]}))
    found = inspect("wide.csv")
    assert run(found) == [
        "deadheat rank wide.csv",
        "deadheat compare wide.csv --baseline a --candidate b",
        "deadheat score wide.csv",
    ]
    assert found.possible[0].shows == "3 systems on 3 items"


def test_runs_clusters_and_one_system(write: Write) -> None:
    lines = [f"q{k // 2},{k % 2},d{k // 4},{k % 3 / 2}" for k in range(12)]
    write("long.csv", "item,seed,cluster,score\n" + "\n".join(lines) + "\n")
    found = inspect("long.csv")
    (one,) = found.systems
    assert (one.items, one.rows, one.runs, one.clusters, one.kind) == (6, 12, 2, 3, "scores")
    assert found.files[0].runs == 2
    assert shows(found) == {"deadheat score long.csv": "long with an interval"}
    run(found)


def test_options_of_reading_are_part_of_the_command(write: Write) -> None:
    lines = [f"k {k},{name},{k % 2},{k % 3}" for k in range(6) for name in ("x y", "it's")]
    write("odd name.csv", "key,who,good,better\n" + "\n".join(lines) + "\n")
    options = {"item": "key", "system_column": "who", "score": "better"}
    found = inspect("odd name.csv", **options)
    assert found.systems[1].system == "it's"
    assert run(found)[0] == (
        "deadheat compare 'odd name.csv' --item key --system-column who --score better"
    )
    wide = write("wide.csv", table({"m n": [1, 2, 0], "o": [2, 2, 0], "p": [0, 0, 1]}))
    chosen = inspect(wide.name, systems=("m n", "p"))
    assert run(chosen)[0] == "deadheat compare wide.csv --system 'm n,p'"


def test_item_column_that_an_error_asks_for_is_tried(write: Write) -> None:
    for name, right in (("a", "1101"), ("b", "1001")):
        rows = [f"t{k},{value}" for k, value in enumerate(right)]
        write(f"board/{name}.csv", "task_id,score\n" + "\n".join(rows) + "\n")
    found = inspect("board")
    assert run(found)[0] == "deadheat compare board --item task_id"
    (why,) = found.impossible
    assert why.what == "as it stands"
    assert "'task_id' looks like it" in why.why
    assert "--item task_id is taken here" in why.why


# Several files


def test_files_that_do_not_belong_together_are_taken_apart(write: Write) -> None:
    write("all/a.csv", "item,score\nq1,1\nq2,0\nq3,1\n")
    write("all/b.csv", "item,score\nq1,1\nq2,1\nq4,0\n")
    write("all/c.csv", "item,score\nz1,0.5\nz2,0.25\nz3,1\n")
    write("all/notes.json", '{"author": "somebody", "year": 2026}')
    found = inspect("all")
    assert found.matched is None
    assert run(found) == [
        "deadheat compare all/a.csv all/b.csv --missing drop",
        "deadheat compare all/a.csv all/b.csv --missing wrong",
        "deadheat score all/c.csv",
    ]
    assert found.possible[0].shows == "b minus a on 2 of 4 items, what all systems have"
    (why,) = found.impossible
    assert why.what == "all of it together"
    assert "0 of 7 items matched" in why.why
    problems = {Path(file.path).name: file.problem for file in found.files}
    assert problems.pop("notes.json").startswith("the file is one JSON object")
    assert set(problems.values()) == {""}


def test_a_folder_around_a_folder_is_left_out(write: Write) -> None:
    for system, values in (("x", "10"), ("y", "01")):
        rows = "".join(f"q{k},{v}\n" for k, v in enumerate(values))
        write(f"outer/inner/{system}.csv", f"item,score\n{rows}")
    found = inspect("outer")
    assert [(s.system, s.runs) for s in found.systems] == [("x", 1), ("y", 1)]
    assert run(found)[0] == "deadheat compare outer/inner"
    assert "holds nothing to read but the folder 'inner'" in found.impossible[0].why


def test_a_folder_around_folders_of_runs_is_read(write: Write) -> None:
    for system, values in (("x", "10"), ("y", "01")):
        for run_ in "12":
            rows = "".join(f"q{k},{v}\n" for k, v in enumerate(values))
            write(f"outer/inner/{system}/{run_}.csv", f"item,score\n{rows}")
    found = inspect("outer")
    assert [(s.system, s.runs) for s in found.systems] == [("x", 2), ("y", 2)]
    assert run(found)[0] == "deadheat compare outer"
    assert found.impossible == ()


def test_systems_without_a_common_item_leave_the_pair_that_has_most(write: Write) -> None:
    rows = {"a": range(6), "b": range(3, 9), "c": range(7, 12)}
    lines = [f"q{k},{name},{k % 2}" for name, items in rows.items() for k in items]
    write("long.csv", "item,system,score\n" + "\n".join(lines) + "\n")
    found = inspect("long.csv")
    # a and b share q3, q4 and q5; b and c share q7 and q8; a and c nothing.
    assert shows(found) == {
        "deadheat compare long.csv --missing drop --baseline a --candidate b": "b minus a on 3 of "
        "9 items, what all systems have"
    }
    run(found)
    assert "0 of 12 items matched" in found.impossible[0].why


TEXTS = [f"the {word} is on the table" for word in ("cat", "dog", "book", "cup", "pen", "hat")]


@pytest.mark.parametrize(
    ("names", "references"),
    [
        (("ted.sys1.eng", "ted.sys2.eng"), "ted.ref.eng"),
        (("out-a.txt", "out-b.txt"), "out-gold.txt"),
        (("x.hyp", "y.hyp"), "reference.hyp"),
        (("first.de", "second.de"), "set-ref.de"),
    ],
)
def test_references_are_found_by_their_names(
    write: Write, names: tuple[str, str], references: str
) -> None:
    write(f"mt/{references}", "\n".join(TEXTS) + "\n")
    write(f"mt/{names[0]}", "\n".join([*TEXTS[:5], "a hat"]) + "\n")
    write(f"mt/{names[1]}", "\n".join(["no cat", *TEXTS[1:]]) + "\n")
    found = inspect("mt")
    pytest.importorskip("sacrebleu", reason="BLEU needs sacrebleu")
    assert run(found) == [
        f"deadheat compare mt/{names[0]} mt/{names[1]} --reference mt/{references} --metric bleu"
    ]
    assert all(system.kind == "outputs" for system in found.systems)


def test_labels_are_held_against_references_by_accuracy(write: Write) -> None:
    write("nli/labels.txt", "yes\nno\nyes\nno\n")
    write("nli/one.txt", "yes\nno\nno\nno\n")
    write("nli/two.txt", "yes\nyes\nyes\nno\n")
    found = inspect("nli")
    command = "deadheat compare nli/one.txt nli/two.txt --reference nli/labels.txt"
    assert run(found) == [command]
    assert found.possible[0].shows == "two minus one on 4 items"


def test_sets_of_files_with_references_of_their_own(write: Write) -> None:
    for name, n in (("sum", 5), ("ted", 6)):
        for who in ("ref", "sys1", "sys2"):
            write(f"mt/{name}.{who}.eng", "\n".join(TEXTS[:n]) + "\n")
    pytest.importorskip("sacrebleu", reason="BLEU needs sacrebleu")
    commands = run(inspect("mt"))
    assert [command.split()[2] for command in commands] == ["mt/sum.sys1.eng", "mt/ted.sys1.eng"]


def test_outputs_without_references_cannot_be_compared(write: Write) -> None:
    write("a.txt", "yes\nno\n")
    write("b.txt", "yes\nyes\n")
    found = inspect("a.txt", "b.txt")
    assert found.possible == ()
    (why,) = found.impossible
    assert why.what == "a.txt, b.txt"
    assert "no references" in why.why
    assert "--reference-column" in why.why
    write("right.txt", "yes\nno\n")
    told = inspect("a.txt", "b.txt", references="right.txt")
    assert run(told)[0] == "deadheat compare a.txt b.txt --reference right.txt"


def test_tags_are_held_against_references_by_spans(write: Write) -> None:
    def sentences(tag: str) -> str:
        return "".join(f"Ada {tag}\nruns O\n\nTurin B-LOC\nis O\n\n" for _ in range(3))

    write("ner/ner-gold.conll", sentences("B-PER"))
    write("ner/ner-a.conll", sentences("B-PER"))
    write("ner/ner-b.conll", sentences("O"))
    found = inspect("ner")
    assert {file.tool for file in found.files} == {"CoNLL"}
    assert run(found) == [
        "deadheat compare ner/ner-a.conll ner/ner-b.conll --reference ner/ner-gold.conll "
        "--metric span_f1"
    ]


# Logs


def harness(folder: Path, model: str, scores: dict[str, str]) -> None:
    """Write the samples of some tasks as lm-evaluation-harness does."""
    for task, right in scores.items():
        values = [float(digit) for digit in right]
        samples = lm_eval.task_samples(task, {"none": {"acc": values, "acc_norm": values[::-1]}})
        name = f"samples_{task}_{lm_eval.FIRST}.jsonl"
        lm_eval.lines(folder / lm_eval.sanitized(model) / name, samples)
    published = {
        task: {"acc,none": right.count("1") / len(right)} for task, right in scores.items()
    }
    results = lm_eval.results(f"org/{model}", published)
    path = folder / lm_eval.sanitized(model) / f"results_{lm_eval.FIRST}.json"
    path.write_text(json.dumps(results), encoding="utf-8")


def test_folder_of_a_harness(write: Write, tmp_path: Path) -> None:
    harness(tmp_path / "out", "a", {"arc": "1101", "gsm8k": "0110"})
    harness(tmp_path / "out", "b", {"arc": "1001", "gsm8k": "1110"})
    found = inspect("out")
    assert {(file.tool, file.problem) for file in found.files} == {("lm-evaluation-harness", "")}
    used = [file for file in found.files if file.rows]
    # The results are read with the samples beside them.
    beside = [file for file in found.files if not file.rows]
    assert {Path(file.path).name.partition("_")[0] for file in beside} == {"results"}
    assert [file.systems for file in beside] == [("org/a",), ("org/b",)]
    assert {file.version for file in used} == {"0.4.9.1"}
    assert {file.tasks for file in used} == {("arc",), ("gsm8k",)}
    assert {file.scores for file in used} == {("acc,none", "acc_norm,none")}
    assert [(s.system, s.items, s.tasks) for s in found.systems] == [
        ("org/a", 8, 2),
        ("org/b", 8, 2),
    ]
    assert found.systems[0].about["version"] == "0.4.9.1"
    assert found.matched == 8
    assert run(found) == [
        "deadheat compare out",
        "deadheat score out",
        "deadheat compare out --score acc_norm,none",
    ]


def test_logs_of_other_tasks_are_said_to_be_of_other_tasks(write: Write, tmp_path: Path) -> None:
    harness(tmp_path / "out", "a", {"arc": "1101"})
    harness(tmp_path / "out", "b", {"gsm8k": "1001"})
    found = inspect("out")
    assert "did different tasks" in found.impossible[0].why
    assert run(found) == [
        f"deadheat score out/a/samples_arc_{lm_eval.FIRST}.jsonl",
        f"deadheat score out/b/samples_gsm8k_{lm_eval.FIRST}.jsonl",
    ]
    told = inspect("out", different_items=True)
    assert run(told)[0] == "deadheat compare out --different-items"


def test_logs_of_one_task_are_found_among_others(write: Write, tmp_path: Path) -> None:
    def log(name: str, model: str, task: str, values: str) -> None:
        samples = [inspect_ai.sample(k, value) for k, value in enumerate(values, start=1)]
        head = inspect_ai.header(model, task)
        inspect_ai.eval_log(tmp_path / "logs" / name, samples, head)

    log("1.eval", "m/one", "quiz", "CICI")
    log("2.eval", "m/two", "quiz", "CCC")
    log("3.eval", "m/one", "essay", "CIC")
    log("4.eval", "m/three", "poem", "C")
    found = inspect("logs")
    assert {file.tool for file in found.files} == {"Inspect AI"}
    assert run(found)[0] == "deadheat compare logs/1.eval logs/2.eval --missing drop"
    assert found.possible[0].shows == "m/two minus m/one on 3 of 4 items, what all systems have"
    assert [(s.system, Path(s.file).name) for s in found.systems if s.file] == [
        ("m/one", "1.eval"),
        ("m/two", "2.eval"),
        ("m/one", "3.eval"),
        ("m/three", "4.eval"),
    ] or found.matched is None


def test_samples_that_were_appended_again_are_duplicates_and_no_runs(
    write: Write, tmp_path: Path
) -> None:
    harness(tmp_path / "out", "a", {"arc": "1101"})
    path = next((tmp_path / "out" / "a").glob("samples_*"))
    path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    found = inspect("out/a")
    (one,) = found.systems
    assert (one.items, one.rows, one.runs, one.duplicated) == (4, 8, 1, 4)
    assert max(file.runs for file in found.files) == 1
    assert found.possible == ()
    assert "an item and run has more than one row" in found.impossible[0].why


def test_folders_of_one_model_are_called_by_the_folders(write: Write, tmp_path: Path) -> None:
    for name, right in (("before", "1101"), ("after", "1111")):
        harness(tmp_path / name, "m", {"arc": right})
    found = deadheat.compare("before", "after")
    assert (found.baseline.system, found.candidate.system) == ("before", "after")
    assert (found.baseline.value, found.candidate.value) == (0.75, 1.0)
    (note,) = [note.message for note in found.notes if note.code == "named_by_folder"]
    assert "call their system org/m" in note
    assert deadheat.compare("x=before", "after").candidate.system == "org/m"
    with pytest.raises(DeadheatError, match="two systems are called 'org/m'"):
        deadheat.compare("before", "before/../before")


# How it is done


def test_each_file_is_read_once(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    harness(Path("out"), "a", {"arc": "1101", "gsm8k": "0110"})
    harness(Path("out"), "b", {"arc": "1001", "gsm8k": "1110"})
    read = reading_of_files.read_table
    seen: Counter[str] = Counter()

    def counted(path: str, *wanted: Any, **more: Any) -> Any:
        seen[path] += 1
        return read(path, *wanted, **more)

    monkeypatch.setattr(reading_of_files, "read_table", counted)
    found = inspect("out")
    # Another score is another reading; all else, with every trial, is one.
    assert len(found.possible) == 3
    assert len(seen) == 6
    assert max(seen.values()) <= 2
    seen.clear()
    deadheat.compare("out")
    assert set(seen.values()) == {1}
    deadheat.compare("out")
    assert set(seen.values()) == {2}


def test_plain_data(write: Write) -> None:
    write("wide.csv", table({"a": [1, 0, None], "b": [1, 1, 0]}))
    found = inspect("wide.csv").to_dict()
    assert found["schema"] == "deadheat/inspection/1"
    assert found["files"][0] == {
        "path": "wide.csv",
        "tool": "CSV",
        "version": None,
        "rows": 3,
        "runs": 1,
        "systems": ["a", "b"],
        "tasks": [],
        "scores": [],
        "columns": [],
        "problem": None,
    }
    assert found["systems"][0] == {
        "system": "a",
        "file": None,
        "items": 3,
        "rows": 3,
        "runs": 1,
        "duplicated": 0,
        "clusters": None,
        "tasks": None,
        "unscored": 1,
        "kind": "0/1 scores",
        "about": {},
    }
    assert found["matched"] == 3
    assert next(one["command"] for one in found["possible"]).endswith("--missing drop")
    assert (found["impossible"], [note["code"] for note in found["notes"]]) == (
        [],
        ["items_dropped"],
    )


# What cannot be used


def test_one_file_that_cannot_be_used_is_its_error(write: Write) -> None:
    write("empty.csv", "")
    with pytest.raises(FormatError, match=r"empty \(0 bytes\)"):
        inspect("empty.csv")
    with pytest.raises(InputError, match="no such file"):
        inspect("nowhere.csv")


def test_files_of_which_none_can_be_used_are_one_error(write: Write) -> None:
    for name in ("a", "b", "c"):
        write(f"all/{name}.csv", "")
    write("all/d.json", '{"x": 1}')
    with pytest.raises(DeadheatError) as caught:
        inspect("all")
    said = str(caught.value)
    assert "none of 4 files holds answers of systems" in said
    assert "a.csv and 2 more: the file is empty (0 bytes)" in said
    assert "d.json: the file is one JSON object" in said
    assert "\n" not in said


# Tables whose columns do not say which reading is meant


def test_column_that_files_share_is_the_reference(write: Write) -> None:
    right = "ABCABCABCABC"
    for name, start in (("a", 4), ("b", 8)):
        rows = [f"q{k},{letter},{letter if k < start else 'A'}" for k, letter in enumerate(right)]
        write(f"all/{name}.csv", "item,answer,pred\n" + "\n".join(rows) + "\n")
    found = inspect("all")
    assert found.systems == ()
    assert [file.columns for file in found.files] == [("item", "answer", "pred")] * 2
    assert all("could each be the output" in file.problem for file in found.files)
    assert shows(found) == {
        "deadheat compare all --reference-column answer --output-column pred": "pred as the "
        "output, answer as the reference: b minus a on 12 items"
    }
    run(found)
    told = deadheat.compare("all", reference_column="answer", output_column="pred")
    # Right by chance beyond the start: 'A' at every third place, of 4 to 11 and of 8 to 11.
    assert (told.baseline.value, told.candidate.value) == (6 / 12, 9 / 12)


def test_one_file_has_both_readings(write: Write) -> None:
    rows = [f"q{k},{'AB'[k % 2]},{'AAB'[k % 3]}" for k in range(12)]
    write("one.csv", "item,answer,pred\n" + "\n".join(rows) + "\n")
    assert run(inspect("one.csv")) == [
        "deadheat score one.csv --reference-column pred --output-column answer",
        "deadheat score one.csv --reference-column answer --output-column pred",
    ]


def test_references_that_differ_in_one_item_are_taken_from_one_file(write: Write) -> None:
    for name, last in (("a", "C"), ("b", "A")):
        rows = [f"q{k},{'ABC'[k % 3]},{('ABCC' + last)[k % 5]}" for k in range(23)]
        rows.append(f"q23,{last},C")
        write(f"all/{name}.csv", "item,answer,pred\n" + "\n".join(rows) + "\n")
    found = inspect("all")
    assert run(found) == [
        "deadheat compare all --reference all/a.csv --reference-column answer --output-column pred"
    ]
    (why,) = [one.why for one in found.impossible if "disagree" in one.why]
    assert "a and b disagree about the references of 1 of 24 items" in why
    assert "item 'q23': 'C' and 'A'" in why
    assert "--reference FILE" in why


def test_labels_that_no_reference_has_are_mapped_to_the_one_that_nobody_gave(write: Write) -> None:
    names = ["yes", "maybe", "never"]
    for name, step in (("a", 1), ("b", 2)):
        rows = [f"p{k},{names[k * step % 3]}" for k in range(12)]
        write(f"nli/{name}.txt", "pairID,label_given\n" + "\n".join(rows) + "\n")
    rows = [f"p{k},{'no' if k % 3 else 'yes'},x" for k in range(12)]
    write("nli/gold.csv", "pairID,label_given,kind\n" + "\n".join(rows) + "\n")
    found = inspect("nli")
    plain = (
        "deadheat compare nli/a.txt nli/b.txt --reference nli/gold.csv --reference-column "
        "label_given --item pairID --output-column label_given"
    )
    assert run(found) == [f"{plain} --label-map maybe=no,never=no", plain]
    assert "maybe and never taken as no" in found.possible[0].shows
    assert "labels as they stand" in found.possible[1].shows
    told = deadheat.compare(
        "nli/a.txt",
        "nli/b.txt",
        references="nli/gold.csv",
        reference_column="label_given",
        item="pairID",
        output_column="label_given",
        label_map={"maybe": "no", "never": "no"},
    )
    assert told.baseline.value == 1.0


def test_systems_glued_to_items_are_taken_apart_and_every_score_is_shown(write: Write) -> None:
    rows = [f"{name}_{k},{k / 10},{30 + k}" for k in range(9) for name in ("my_a", "b")]
    write("glued.csv", "key,share,points\n" + "\n".join(rows) + "\n")
    found = inspect("glued.csv")
    assert [one.shows for one in found.possible] == [
        "share as the score: b minus my_a on 9 items",
        "points as the score: b minus my_a on 9 items",
    ]
    run(found)


def test_numbers_that_say_where_something_stands_are_no_score(write: Write) -> None:
    rows = [f"d{k},{name},{k},{k + 3}" for k in range(9) for name in "ab"]
    write("spans.csv", "docid,system,span_start,tokens\n" + "\n".join(rows) + "\n")
    found = inspect("spans.csv")
    assert found.possible == ()
    assert "the columns are 'docid', 'system', 'span_start', 'tokens'" in found.files[0].problem


def test_verdicts_on_many_pairs_are_told_and_not_compared(write: Write) -> None:
    names = [("x", "y"), ("y", "z"), ("z", "x")]
    votes = [
        {"model_a": a, "model_b": b, "winner": "model_a", "question_id": f"q{k}", "turn": 1}
        for k, (a, b) in enumerate(names)
    ]
    lines = "\n".join(map(json.dumps, votes))
    write("votes/votes.jsonl", f"{lines}\n")
    write("votes/ratings.txt", "Ratings of search\nx: 1,200\ny: 1,100\n")
    found = inspect("votes")
    assert (found.systems, found.possible) == ((), ())
    problems = {Path(file.path).name: file.problem for file in found.files}
    assert "3 verdicts on pairs of 3 systems" in problems["votes.jsonl"]
    assert "lines of text beside the log of a tool" in problems["ratings.txt"]
    assert "no score of a system on an item" in found.impossible[0].why
    with pytest.raises(DeadheatError, match="no table of answers"):
        deadheat.compare("votes")


def test_what_loses_more_than_half_comes_second(write: Write) -> None:
    rows: dict[str, Sequence[Any]] = {
        name: [None if k == at else k % 2 for k in range(8)]
        for at, name in enumerate(("a", "b", "c", "d", "e"))
    }
    write("wide.csv", table(rows))
    told = [(one.command, one.shows) for one in inspect("wide.csv").possible]
    # Each of five systems lacks another of the first five items; three are in all of them.
    assert told[:2] == [
        ("deadheat rank wide.csv --missing wrong", "5 systems on 8 items, 5 missing scored wrong"),
        (
            "deadheat rank wide.csv --missing drop",
            "the same on 3 of 8 items, what all systems have",
        ),
    ]


def test_a_log_without_any_score_is_said_to_have_none(write: Write) -> None:
    write("none.csv", "item,score\nq1,\nq2,NA\n")
    found = inspect("none.csv")
    assert (found.possible, found.systems[0].unscored) == ((), 2)
    assert [one.why for one in found.impossible] == ["nothing in it has a score."]


@pytest.mark.parametrize(
    ("sources", "message"),
    [((), "nothing to inspect"), ((np.ones(3),), "only files"), (([1, 0],), "only files")],
)
def test_sources_that_are_no_paths(sources: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        inspect(*sources)


def test_options_that_cannot_be_meant_are_refused(write: Write) -> None:
    write("wide.csv", table({"a": [1, 0], "b": [1, 1]}))
    with pytest.raises(UsageError, match="none"):
        inspect("wide.csv", systems=())
    with pytest.raises(TypeError, match="itm"):
        inspect("wide.csv", itm="item")


def test_progress_is_told_of_the_files_of_a_folder(write: Write) -> None:
    for name in "abc":
        write(f"all/{name}.csv", "item,score\nq1,1\nq2,0\n")
    told: list[tuple[int, int]] = []
    inspect("all", progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_file_of_references_in_a_folder_is_called_so(write: Write) -> None:
    write("nli/right.csv", "item,reference\nq1,yes\nq2,no\nq3,yes\n")
    for name, third in (("a", "yes"), ("b", "no")):
        write(f"nli/{name}.csv", f"item,output\nq1,yes\nq2,no\nq3,{third}\n")
    found = inspect("nli", references="nli/right.csv")
    problems = {Path(file.path).name: file.problem for file in found.files}
    assert problems == {"a.csv": "", "b.csv": "", "right.csv": "these are the references."}
    assert run(found)[0] == "deadheat compare nli --reference nli/right.csv"
    with pytest.raises(InputError, match="no such file"):
        inspect("nli", references="nowhere.csv")


def test_metrics_are_kept_by_names_of_readers() -> None:
    assert set(METRICS) <= {*readers(), "conll"}
    assert {name for found in METRICS.values() for name in found} <= {*names(), "ndcg@10"}
