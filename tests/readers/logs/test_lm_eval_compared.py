"""Folders that lm-evaluation-harness leaves, compared from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from calls import Done
from conftest import Call
from readers.logs.builders import lm_eval as made

A, B = "org/model-a", "org/model-b"


def bits(text: str) -> list[float]:
    return [float(mark) for mark in text]


def gsm8k(strict: str, flexible: str) -> Mapping[str, made.Scores]:
    return {
        "strict-match": {"exact_match": bits(strict)},
        "flexible-extract": {"exact_match": bits(flexible)},
    }


def arc(acc: str) -> Mapping[str, made.Scores]:
    return {"none": {"acc": bits(acc), "acc_norm": bits(acc[::-1])}}


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two models, two tasks, results and samples."""
    monkeypatch.chdir(tmp_path)
    made.run(tmp_path / "out", A, {"gsm8k": gsm8k("110000", "111100"), "arc_easy": arc("1010")})
    made.run(tmp_path / "out", B, {"gsm8k": gsm8k("111000", "111111"), "arc_easy": arc("1110")})
    return tmp_path / "out"


def codes(done: Done) -> set[str]:
    return {note["code"] for note in done.json["notes"]}


def message(done: Done, code: str) -> str:
    return " ".join(note["message"] for note in done.json["notes"] if note["code"] == code)


def folders(out: Path) -> tuple[Path, Path]:
    return out / "org__model-a", out / "org__model-b"


def test_two_folders_are_the_whole_command(out: Path, run: Call) -> None:
    done = run("compare", *folders(out), "--format", "json")
    assert done.code == 0, done.err
    result = done.json
    assert (result["baseline"]["system"], result["candidate"]["system"]) == (A, B)
    assert result["baseline"]["value"] == pytest.approx(4 / 10)
    assert result["candidate"]["value"] == pytest.approx(6 / 10)
    assert result["items"]["matched"] == 10
    assert "strata-2" in result["signature"]
    said = message(done, "other_scores")
    assert "exact_match,strict-match is the one used" in said
    assert "'exact_match,flexible-extract'" in said
    assert "acc,none is the one used" in said
    assert "settings_differ" not in codes(done)
    assert "published_disagrees" not in codes(done)
    assert result["baseline"]["about"]["num_fewshot"] == "0"


def test_one_folder_with_both_models(out: Path, run: Call) -> None:
    result = run("compare", out, "--format", "json").json
    assert result["difference"]["estimate"] == pytest.approx(0.2)
    board = run("rank", out, "--format", "json").json
    assert [row["system"] for row in board["systems"]] == [B, A]
    assert [row["value"] for row in board["systems"]] == pytest.approx([0.6, 0.4])
    card = run("score", out, "--format", "json").json
    assert {row["system"]: row["value"] for row in card["systems"]} == pytest.approx(
        {A: 0.4, B: 0.6}
    )


def test_another_filter_on_request(out: Path, run: Call) -> None:
    files = [folder / f"samples_gsm8k_{made.FIRST}.jsonl" for folder in folders(out)]
    done = run("compare", *files, "--score", "exact_match,flexible-extract", "--format", "json")
    assert done.json["baseline"]["value"] == pytest.approx(4 / 6)
    assert done.json["candidate"]["value"] == 1.0


def test_a_second_time_is_a_second_run(out: Path, run: Call) -> None:
    tasks = {"gsm8k": gsm8k("110011", "111111"), "arc_easy": arc("1000")}
    made.run(out, A, tasks, time=made.SECOND)
    made.run(out, B, {"gsm8k": gsm8k("000000", "111111")}, time=made.SECOND)
    done = run("compare", *folders(out), "--format", "json")
    assert done.code == 0, done.err
    # Of A two runs of both tasks: (2 + 4) / 2 + (2 + 1) / 2 of 10; of B two of one of them.
    assert done.json["baseline"]["value"] == pytest.approx((3 + 1.5) / 10)
    assert done.json["candidate"]["value"] == pytest.approx((1.5 + 3) / 10)
    assert f"{A} 2 runs, {B} 1 to 2 runs" in message(done, "runs_averaged")
    assert f"{A} 4 files" in message(done, "files_as_runs")
    card = run("score", folders(out)[0], "--runs", "random", "--format", "json")
    assert card.code == 0, card.err


def test_runs_that_were_not_made_alike_are_pointed_out(out: Path, run: Call) -> None:
    settings = {"shots": 5, "temperature": 0.7}
    tasks = {"gsm8k": gsm8k("110011", "111111")}
    made.run(out, A, tasks, time=made.SECOND, settings=settings, shots=5)
    done = run("compare", *folders(out), "--format", "json")
    said = message(done, "settings_differ")
    assert "Runs were not made alike" in said
    assert f"{A}: num_fewshot (0, 5); temperature (0, 0.7)" in said


def test_one_model_with_two_prompts_is_called_by_its_folders(out: Path, run: Call) -> None:
    made.run(out.parent / "cot", A, {"gsm8k": gsm8k("111100", "111111")}, shots=5)
    made.run(out.parent / "direct", A, {"gsm8k": gsm8k("110000", "111111")})
    done = run("compare", "direct", "cot", "--format", "json")
    assert done.code == 0, done.err
    assert done.json["candidate"]["system"] == "cot"
    assert f"call their system {A}" in message(done, "named_by_folder")
    named = run("compare", "direct=direct", "cot=cot", "--format", "json")
    assert named.code == 0, named.err
    assert named.json["candidate"]["system"] == "cot"
    assert named.json["difference"] == done.json["difference"]
    assert named.json["difference"]["estimate"] == pytest.approx(2 / 6)
    assert "prompt_hash (direct" in message(named, "settings_differ")


def test_a_task_of_one_model_alone(out: Path, run: Call) -> None:
    (out / "org__model-b" / f"samples_arc_easy_{made.FIRST}.jsonl").unlink()
    done = run("compare", *folders(out))
    assert done.code == 2
    assert f"{B}: 4 not answered, such as item 'arc_easy/0'" in done.err
    dropped = run("compare", *folders(out), "--missing", "drop", "--format", "json").json
    assert dropped["items"]["n"] == 6
    assert dropped["difference"]["estimate"] == pytest.approx(1 / 6)


def test_models_of_different_tasks(out: Path, run: Call) -> None:
    (out / "org__model-a" / f"samples_gsm8k_{made.FIRST}.jsonl").unlink()
    (out / "org__model-b" / f"samples_arc_easy_{made.FIRST}.jsonl").unlink()
    done = run("compare", *folders(out))
    assert done.code == 2
    assert "different tasks" in done.err
    assert "arc_easy" in done.err
    assert "gsm8k" in done.err


def test_documents_of_another_text_are_refused(out: Path, run: Call) -> None:
    made.run(out, B, {"gsm8k": gsm8k("111000", "111111")}, text="Something else?")
    files = [folder / f"samples_gsm8k_{made.FIRST}.jsonl" for folder in folders(out)]
    done = run("compare", *files)
    assert done.code == 2
    assert f"{A} and {B} were asked something else in 6 of 6 items" in done.err
    assert "--different-items" in done.err
    allowed = run("compare", *files, "--different-items", "--format", "json")
    assert allowed.code == 0
    assert allowed.json["difference"]["estimate"] == pytest.approx(1 / 6)
    assert "asked something else" in message(allowed, "different_items")


def test_other_settings_are_said_before_the_numbers(out: Path, run: Call) -> None:
    settings = {"shots": 5, "temperature": 0.7, "versions": {"gsm8k": 2.0}}
    made.run(out, B, {"gsm8k": gsm8k("111000", "111111")}, settings=settings, shots=5)
    files = [folder / f"samples_gsm8k_{made.FIRST}.jsonl" for folder in folders(out)]
    done = run("compare", *files, "--format", "json")
    said = message(done, "settings_differ")
    for part in (
        f"task_version ({A} 1, {B} 2)",
        f"num_fewshot ({A} 0, {B} 5)",
        f"temperature ({A} 0, {B} 0.7)",
        "prompt_hash (",
    ):
        assert part in said
    assert done.json["candidate"]["about"]["temperature"] == "0.7"
    text = run("compare", *files).out
    assert text.index("num_fewshot (") < text.index("Systems")


def test_versions_of_the_harness_compare_with_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    scores: dict[str, Any] = {"none": {"acc": bits("1100")}}
    array = made.task_samples("arc_easy", scores, era="array")
    made.array(Path("pretrained__old_arc_easy.jsonl"), array)
    published = {"arc_easy": {"acc,none": 0.5}}
    old = made.results("old", published, lm_eval_version=None, named=False)
    old["config"]["model_args"] = "pretrained=old"
    made.write_results(Path("results.json"), old)
    made.run(Path("out"), "middle", {"arc_easy": scores}, era="unlabelled")
    made.run(Path("out"), "new", {"arc_easy": {"none": {"acc": bits("1111")}}})
    done = run("rank", "pretrained__old_arc_easy.jsonl", "out", "--format", "json")
    assert done.code == 0, done.err
    values = {row["system"]: row["value"] for row in done.json["systems"]}
    assert values == {"old": 0.5, "middle": 0.5, "new": 1.0}
    # The old log says acc and the others acc,none, which is one score.
    assert "; score (" not in message(done, "settings_differ")
    assert "files_skipped" not in {note["code"] for note in done.json["notes"]} or (
        "results_" not in message(done, "files_skipped")
    )


def test_a_group_of_many_tasks(tmp_path: Path, run: Call) -> None:
    def group(shift: int) -> dict[str, Mapping[str, Sequence[Any]]]:
        return {
            f"mmlu_{k:02d}": arc("".join(str((k + at + shift) % 2) for at in range(3)))
            for k in range(57)
        }

    for model, shift in ((A, 0), (B, 1)):
        place = made.run(tmp_path, model, group(shift))
        for path in place.glob("samples_*"):
            path.write_text(path.read_text().replace('"42"', '"[invalid]"', 1))
    done = run("compare", tmp_path, "--format", "json")
    assert done.json["items"]["matched"] == 57 * 3
    assert "strata-57" in done.json["signature"]
    assert len(done.json["notes"]) < 30
    assert "108 more notes of this kind" in message(done, "failed_as_wrong")
    about = done.json["baseline"]["about"]
    assert about["task_hash"].startswith("57 values (")


def test_a_folder_is_recorded_and_verified(out: Path, run: Call) -> None:
    done = run("compare", *folders(out), "--record", "r.json")
    assert done.code == 0, done.err
    assert run("verify", "r.json").code == 0
    results = out / "org__model-a" / f"results_{made.FIRST}.json"
    results.write_text(results.read_text().replace('"temperature": 0.0', '"temperature": 0.5'))
    changed = run("verify", "r.json")
    assert changed.code == 1
    assert results.name in changed.out + changed.err


def test_inspect_and_convert_take_a_folder(out: Path, run: Call) -> None:
    done = run("inspect", out)
    assert done.code == 0, done.err
    assert "lm_eval" in done.out or "lm-evaluation-harness" in done.out
    assert run("convert", out, "--output", "table.csv").code == 0
    again = run("compare", "table.csv", "--format", "json")
    assert again.json["difference"]["estimate"] == pytest.approx(0.2)
