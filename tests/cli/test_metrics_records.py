"""Records of several metrics, of metrics with maps, and of metrics of one's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, call
from cases.data import codes
from cli.doors import DOORS
from cli.judges import BY_METRIC
from deadheat.metrics import metric as metric_named

Call = Callable[..., Done]

DRAWS = ("--resamples", "99")


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: call(capsys, *arguments)


OWN = """
def first_letter(reference, output):
    return output[:1] == reference[:1]


class Shorter:
    def statistics(self, references, outputs):
        return [[len(o), len(r)] for r, o in zip(references, outputs, strict=True)]

    def value(self, totals):
        return totals[..., 0] / totals[..., 1]
"""
PARTS = {"a.jsonl": "outputs", "right.jsonl": "rows"}


@pytest.fixture
def recorded(run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record a comparison by metrics of texts, normalised with a map, and by one's own."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    case = BY_METRIC["wer"]
    DOORS["references apart"](case, tmp_path)
    (tmp_path / "map.tsv").write_text("dog\tcat\nmat\trug\n", encoding="utf-8")
    own = f"own_{tmp_path.name}"
    (tmp_path / f"{own}.py").write_text(OWN, encoding="utf-8")
    done = run(
        *("compare", "a.jsonl", "b.jsonl", "--reference", "right.jsonl", *DRAWS),
        *("--metric", f"bleu,wer,squad_f1,{own}:first_letter,{own}:Shorter"),
        *("--normalize", "lower,punctuation,map", "--normalize-map", "map.tsv"),
        *("--record", "r.json"),
    )
    assert (done.code, done.err) == (0, "")
    return tmp_path / "r.json"


def test_a_record_of_several_metrics_holds(
    run: Call, recorded: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also from another folder, without the map file, and for a record of an older version."""
    assert len(json.loads(recorded.read_text(encoding="utf-8"))["result"]["comparisons"]) == 5
    (tmp_path / "map.tsv").unlink()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("verify", "../r.json").code == 0
    older = recorded.read_text(encoding="utf-8").replace(
        f'"version": "{deadheat.__version__}"', '"version": "0.0.1"'
    )
    older = older.replace(f"deadheat:{deadheat.__version__}", "deadheat:0.0.1")
    recorded.write_text(older, encoding="utf-8")
    done = run("verify", "../r.json", "--format", "json")
    assert (done.code, done.json["changed"]) == (0, [])
    assert "version" in codes(done.json)


@pytest.mark.parametrize("changed", PARTS)
def test_which_part_of_a_record_changed(run: Call, recorded: Path, changed: str) -> None:
    file = recorded.parent / changed
    text = file.read_text(encoding="utf-8")
    assert "sat," in text
    file.write_text(text.replace("sat,", "stood,"), encoding="utf-8")
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1
    assert done.json["changed"] == [PARTS[changed], "numbers"]
    assert "files" in codes(done.json)


def test_a_metric_of_ones_own_that_changed_is_a_changed_setting(run: Call, recorded: Path) -> None:
    (file,) = recorded.parent.glob("own_*.py")
    file.write_text(OWN.replace("[:1]", "[:10]"), encoding="utf-8")
    del sys.modules[file.stem]  # another process would not have it
    done = run("verify", "r.json", "--format", "json")
    assert done.code == 1
    assert done.json["changed"] == ["settings", "numbers"]


def test_a_record_of_scorecards(run: Call, tmp_path: Path) -> None:
    DOORS["json lines"](BY_METRIC["ndcg@3"], tmp_path)
    asking = ("score", "a.jsonl", "b.jsonl", "--metric", "ndcg@3,mrr", *DRAWS)
    assert run(*asking, "--record", "r.json").code == 0
    assert run("verify", "r.json").code == 0
    text = (tmp_path / "b.jsonl").read_text(encoding="utf-8").split("\n")
    (tmp_path / "b.jsonl").write_text("\n".join(text[1:]), encoding="utf-8")
    done = run("verify", "r.json", "--format", "json")
    assert (done.code, done.json["changed"]) == (1, ["rows", "outputs", "numbers"])


def right(reference: str, output: str) -> float:
    return float(reference == output)


@pytest.mark.parametrize(
    "metric",
    [right, deadheat.per_item(right), ["bleu", right], metric_named("bleu")],
    ids=["function", "of one item", "among names", "made already"],
)
def test_a_metric_without_a_name_has_no_record(tmp_path: Path, metric: Any) -> None:
    """Nobody could find it again."""
    case = BY_METRIC["wer"]
    sources, _ = DOORS["json lines"](case, tmp_path)
    found = deadheat.score(*sources, metric=metric, n_resamples=99)
    with pytest.raises(deadheat.DeadheatError, match="has to name the metric"):
        deadheat.save(found, tmp_path / "r.json")
    assert not (tmp_path / "r.json").exists()
