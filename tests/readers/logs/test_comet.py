"""COMET and mt-metrics-eval: scores of segments of one or several systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import codes, only, said, scores, tool


def to_json(path: Path, systems: dict[str, list[float | None]], **more: Any) -> Path:
    """Write what --to_json writes."""
    content = {
        file: [
            {"src": f"s{k}", "mt": f"{file} {k}", "ref": f"r{k}", "COMET": value} | more
            for k, value in enumerate(values)
        ]
        for file, values in systems.items()
    }
    path.write_text(json.dumps(content, indent=4), encoding="utf-8")
    return path


def printed(
    path: Path, systems: dict[str, list[float]], totals: dict[str, float] | None = None
) -> Path:
    """Write what comet-score prints."""
    n = max(map(len, systems.values()))
    rows = [
        f"{file}\tSegment {k}\tscore: {values[k]:.4f}"
        for k in range(n)
        for file, values in systems.items()
    ]
    means = {file: sum(values) / len(values) for file, values in systems.items()} | (totals or {})
    rows += [f"{file}\tscore: {value:.4f}" for file, value in means.items()]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


A, B = [0.8123, 0.4411, 0.5], [0.79, 0.52, 0.6]


@pytest.mark.parametrize("write", [to_json, printed])
def test_systems_of_one_file(tmp_path: Path, write: Any) -> None:
    path = write(tmp_path / "out", {"hyps/a.txt": A, "hyps/b.txt": B})
    assert tool(path) == "comet"
    evaluation = read(path)
    assert scores(evaluation) == {"a": dict(enumerate(A)), "b": dict(enumerate(B))}
    assert codes(evaluation) == []
    found = deadheat.compare(path)
    assert found.difference.estimate == pytest.approx(sum(B) / 3 - sum(A) / 3)


def test_files_of_one_stem_keep_their_folders(tmp_path: Path) -> None:
    path = to_json(tmp_path / "out", {"a/hyp.txt": A, "b/hyp.txt": B})
    assert [*scores(read(path))] == ["a/hyp.txt", "b/hyp.txt"]


def test_other_sources_are_other_items(tmp_path: Path) -> None:
    a = to_json(tmp_path / "a.json", {"a": A})
    b = to_json(tmp_path / "b.json", {"b": B}, src="another")
    with pytest.raises(AlignmentError, match="something else in 3 of 3 items"):
        deadheat.compare(a, b)


def test_translations_can_be_scored_too(tmp_path: Path) -> None:
    path = to_json(tmp_path / "a.json", {"a": A, "b": B})
    outputs = only(read(path, output_column="mt", systems=["a"])).outputs
    assert outputs is not None
    assert outputs.to_list() == ["a 0", "a 1", "a 2"]


def test_missing_scores(tmp_path: Path) -> None:
    path = to_json(tmp_path / "a.json", {"a": [0.5, None, float("nan")]}, errors=[{"text": "x"}])
    evaluation = read(path)
    assert scores(evaluation) == {"a": {0: 0.5, 1: None, 2: None}}
    assert "2 segments have no score" in said(evaluation, "unscored_samples")


def test_the_printed_mean_is_checked(tmp_path: Path) -> None:
    path = printed(tmp_path / "out", {"a": A, "b": B}, {"b": 0.7})
    message = said(read(path), "published_disagrees")
    assert "COMET of b 0.7 (its 3 samples: 0.636667)" in message
    assert " a " not in message.partition("comes with")[2]


def test_only_systems(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("a.txt\tscore: 0.8\nb.txt\tscore: 0.7\n", encoding="utf-8")
    assert tool(path) == "comet"
    with pytest.raises(InputError, match="--only_system"):
        read(path)


def test_broken_files(tmp_path: Path) -> None:
    path = printed(tmp_path / "out", {"a": A * 500})
    path.write_text(path.read_text(encoding="utf-8") + "a\tSegm", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1502"):
        read(path)
    path = to_json(tmp_path / "a.json", {"a": A})
    text = path.read_text(encoding="utf-8")
    for content in (text[:-9], text.replace("0.8123", '"high"')):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(FormatError):
            read(path)
    path.write_text(
        json.dumps({"a": [{"src": "s", "mt": "m", "COMET": 1}], "b": {}}), encoding="utf-8"
    )
    with pytest.raises(FormatError):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        '{"a": [{"src": "s", "mt": "m", "score": 0.5}]}',
        '{"COMET": 0.5, "mt": "x"}\n{"COMET": 0.5, "mt": "y"}\n',
        "a\tscore\nb\t0.5\n",
    ],
)
def test_tables_of_people_are_not_taken(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    assert tool(path) is None


# --- mt-metrics-eval ------------------------------------------------------------------------------


def stacked(path: Path, systems: dict[str, list[float | None]], end: str = "\n") -> Path:
    rows = [f"{system}\t{value}{end}" for system, values in systems.items() for value in values]
    path.write_bytes("".join(rows).encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_stacked_systems(tmp_path: Path, end: str) -> None:
    path = stacked(tmp_path / "BLEURT-refA.seg.score", {"a": [*A, None], "b": [*B, 1.0]}, end)
    assert tool(path) == "mtme"
    assert scores(read(path)) == {
        "a": dict(enumerate([*A, None], start=1)),
        "b": dict(enumerate([*B, 1.0], start=1)),
    }
    found = deadheat.compare(path, missing="drop")
    assert (found.items.n, found.difference.estimate) == (3, pytest.approx(sum(B) / 3 - sum(A) / 3))


def test_values_of_two_metrics_are_not_runs_of_one(tmp_path: Path) -> None:
    a = stacked(tmp_path / "BLEURT-refA.seg.score", {"a": A, "b": B})
    b = stacked(tmp_path / "COMET-refA.seg.score", {"a": B, "b": A})
    with pytest.raises(InputError, match="different tasks: x BLEURT-refA; y COMET-refA"):
        deadheat.compare(f"x={cut(a, 'a')}", f"y={cut(b, 'a')}")


def cut(path: Path, system: str) -> Path:
    """Keep the lines of one system."""
    folder = path.parent / path.stem
    folder.mkdir()
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(f"{system}\t")]
    target = folder / path.name
    target.write_text("".join(kept), encoding="utf-8")
    return target


@pytest.mark.parametrize("level", ["sys", "domain"])
def test_scores_of_systems_are_refused(tmp_path: Path, level: str) -> None:
    path = tmp_path / f"BLEU-refA.{level}.score"
    path.write_text("a\tnews\t0.5\nb\tnews\t0.25\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"\.seg\.score"):
        read(path)


def test_names_alone_do_not_decide(tmp_path: Path) -> None:
    for name, content in (
        ("x.tsv", "a\t0.5\nb\t0.25\n"),
        ("x.seg.score", "a,0.5\nb,0.25\n"),
        ("y.seg.score", "system\tscore\na\t0.5\n"),
    ):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        assert tool(path) is None


def test_a_line_that_is_cut_off(tmp_path: Path) -> None:
    path = stacked(tmp_path / "x.seg.score", {"a": [0.25] * 9_000})
    path.write_text(path.read_text(encoding="utf-8") + "a\t", encoding="utf-8")
    with pytest.raises(FormatError, match="line 9001"):
        read(path)


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "comet"
    assert scores(read(folder / "comet_to_json.json")) == {
        "sysA": {0: 0.8123, 1: 0.4411},
        "sysB": {0: 0.79, 1: 0.52},
    }
    printed_ = read(folder / "comet_stdout.txt")
    assert scores(printed_) == {"sysA": {0: 0.8123, 1: 0.4411}}
    assert codes(printed_) == []
    assert scores(read(folder / "mtme.seg.score"))["sysB"] == {1: 0.79, 2: None}
