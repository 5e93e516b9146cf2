"""Files that only look like logs of Inspect AI, or are broken, or were made to do harm."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from deadheat.readers.logs import inspect_ai
from readers.logs.builders.inspect_ai import entries, eval_log, header, json_log, sample
from readers.logs.builders.zipped import Packed, archive, packed


def recognised(path: Path) -> bool:
    return inspect_ai.recognises(str(path), path.read_bytes()[: 1 << 20])


def replaced(found: list[Packed], name: str, content: bytes) -> list[Packed]:
    return [packed(name, content) if e.name == name.encode() else e for e in found]


def test_logs_are_known_by_what_they_hold(tmp_path: Path) -> None:
    samples = [sample(1)]
    assert recognised(json_log(tmp_path / "a.txt", samples))
    assert recognised(eval_log(tmp_path / "a.bin", samples))
    assert recognised(eval_log(tmp_path / "b.eval", samples, finished=False))
    found = entries(samples)
    # Unpacked and packed again, in the order of names or with what stands first left out.
    by_name = sorted(found, key=lambda e: e.name)
    for order in (found[1:], by_name[1:], [*reversed(found)]):
        assert recognised(archive(tmp_path / "c.zip", order))
    whole = json.loads((tmp_path / "a.txt").read_text())
    by_key = tmp_path / "sorted.json"
    by_key.write_text(json.dumps(whole, sort_keys=True))
    assert recognised(by_key)
    assert len(read(by_key).answers) == 1


def test_nothing_else_is_taken_for_a_log(tmp_path: Path) -> None:
    pages = [packed("[Content_Types].xml", b"<x/>"), packed("xl/workbook.xml", b"<x/>")]
    others = [
        archive(tmp_path / "sheet.xlsx", pages),
        archive(tmp_path / "a.zip", [packed("header.json", b"{}"), packed("a.json", b"{}")]),
        archive(tmp_path / "b.zip", [packed("my/samples/1_epoch_1.json", b"{}")]),
        archive(tmp_path / "c.zip", [packed("samples/1.json", b"{}"), packed("x", b"")]),
        archive(tmp_path / "d.zip", []),
    ]
    texts = {
        "a.json": '{"version": 2, "status": "success", "evals": {}}',
        "b.json": '{"eval": {"model": "m", "task": "t"}, "samples": []}',
        "c.json": '[{"version": 2, "status": "success", "eval": {}}]',
        "d.jsonl": '{"version": 2, "status": "ok", "eval": {"a": 1}}\n{"version": 2}\n',
        "e.csv": 'item,note\n1,"{""version"": 2}"\n',
        "f.json": '{"text": "{\\"version\\": 2, \\"status\\": \\"success\\", \\"eval\\": {}"}',
        "empty.eval": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        others.append(tmp_path / name)
    assert [path.name for path in others if recognised(path)] == []


def test_files_of_other_tools_are_not_taken_for_logs(shared: Path) -> None:
    files = [f for f in (shared / "formats").rglob("*") if f.is_file()]
    found = {f.parent.name for f in files if recognised(f)}
    assert found == {"inspect"}


def test_no_prefix_is_read_as_a_log(tmp_path: Path) -> None:
    """Cut off anywhere there is an error, and it says that the file is not whole."""
    samples = [sample(1), sample(2, "I")]
    for path in (json_log(tmp_path / "a.json", samples), eval_log(tmp_path / "a.eval", samples)):
        whole = path.read_bytes()
        for end in range(400, len(whole) - 1, 97):
            cut = tmp_path / f"cut{path.suffix}"
            cut.write_bytes(whole[:end])
            with pytest.raises(FormatError, match=r"truncated|cut off"):
                read(cut)


def test_a_document_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = json_log(tmp_path / "a.json", [sample(1)])
    monkeypatch.setattr(inspect_ai, "LARGEST_DOCUMENT", 1_000)
    with pytest.raises(FormatError, match="inspect log convert LOG --to eval"):
        read(path)


def test_a_pointer_in_place_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n")
    with pytest.raises(FormatError, match="Git LFS pointer"):
        read(path)


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("header.json", b"{}", r"entry 'header\.json': .*missing required field `eval`"),
        ("header.json", b"", r"entry 'header\.json': .*truncated"),
        ("header.json", b'{"eval": {"model": 3, "task": ""}}', r"Expected `str`, got `int`"),
        ("header.json", b'{"eval": {"model": "\xff', r"entry 'header\.json'"),
        ("header.json", b'{"x": ' + DEEP, "nested too deeply"),
        ("summaries.json", b"{}", "an array of objects is expected"),
        ("summaries.json", b"[1]", "an array of objects is expected|Expected `object`"),
        ("summaries.json", b'[{"id": 1}', "cut off"),
        ("summaries.json", b'[{"epoch": 1}]', r"sample 1: .*missing required field `id`"),
        ("summaries.json", b'[{"id": 1.5}]', r"sample 1: .*got `float`"),
        ("summaries.json", b'[{"id": true}]', r"sample 1: .*got `bool`"),
        ("summaries.json", b'[{"id": 1, "epoch": "x"}]', r"sample 1: .*got `str`"),
        ("summaries.json", b'[{"id": 1}, {"id": "\xff"}]', "UTF-8|utf-8"),
        ("summaries.json", b'[{"id": 1, "x": ' + DEEP, "nested more than 1,000 deep"),
        ("summaries.json", b'[{"id": 1, "scores": []}]', "Expected `object"),
    ],
)
def test_entries_of_another_shape(tmp_path: Path, name: str, content: bytes, match: str) -> None:
    found = replaced(entries([sample(1)]), name, content)
    with pytest.raises(FormatError, match=match) as caught:
        read(archive(tmp_path / "a.eval", found))
    assert str(tmp_path / "a.eval") in str(caught.value)


def test_values_nested_deeply_are_no_scores(tmp_path: Path) -> None:
    deep = b'{"id": 1, "scores": {"m": {"value": ' + b"[" * 900 + b"]" * 900 + b"}}}"
    good = b'{"id": 2, "scores": {"m": {"value": 1}}}'
    found = replaced(entries([sample(1), sample(2)]), "summaries.json", b"[%s,%s]" % (deep, good))
    (answers,) = read(archive(tmp_path / "a.eval", found)).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [None, 1.0]


def test_an_archive_without_a_header(tmp_path: Path) -> None:
    found = [e for e in entries([sample(1)]) if e.name.startswith(b"samples/")]
    with pytest.raises(FormatError, match=r"neither header\.json nor _journal/start\.json"):
        read(archive(tmp_path / "a.eval", found))


@pytest.mark.parametrize("content", ["other entries", "first bytes"])
def test_what_is_called_a_log_and_is_none_is_no_spreadsheet(tmp_path: Path, content: str) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("notes.txt" if content == "other entries" else "header.json", "{}")
    if content == "first bytes":
        path.write_bytes(b"PK\x03\x05" + path.read_bytes()[4:])
    with pytest.raises(FormatError, match=r"called \.eval and holds none of the entries of a log"):
        read(str(path))


def test_more_summaries_than_any_log_has(tmp_path: Path) -> None:
    """Two kilobytes that unpack to 100,001 summaries of one sample."""
    many = b"[%s]" % b",".join([b'{"id":1,"epoch":1}'] * 100_001)
    found = [
        packed("summaries.json", many, "zstd") if e.name == b"summaries.json" else e
        for e in entries([sample(1)])
    ]
    with pytest.raises(FormatError, match="more than 100,000 summaries of 1 samples"):
        read(archive(tmp_path / "a.eval", found))


def test_bombs(tmp_path: Path) -> None:
    found = entries([sample(1)])
    bomb = dataclasses.replace(found[-2], size=3 << 30, name=b"summaries.json")
    assert found[-2].name == b"summaries.json"
    with pytest.raises(FormatError, match="250 times its size"):
        read(archive(tmp_path / "a.eval", [*found[:-2], bomb, found[-1]], wide=True))
    bomb = dataclasses.replace(found[-1], size=300 << 20)
    with pytest.raises(FormatError, match="more than the 256 MB that are read of one entry"):
        read(archive(tmp_path / "a.eval", [*found[:-1], bomb]))


def test_ids_may_be_anything(tmp_path: Path) -> None:
    """Names of entries are no paths; numbers beyond 64 bits and texts of any kind are ids."""
    ids = ["../../etc/passwd", "a/b", "", "é\u2028\x00", "x" * 65_000]
    (answers,) = read(eval_log(tmp_path / "a.eval", [sample(i) for i in ids])).answers
    assert answers.items is not None
    assert answers.items.to_list() == ids
    numbers = [2**63, -(2**70), 0]
    (answers,) = read(eval_log(tmp_path / "b.eval", [sample(i) for i in numbers])).answers
    assert answers.items is not None
    assert answers.items.to_list() == numbers
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.eval", "b.eval"]
    for path in (
        json_log(tmp_path / "c.json", [sample(2**200)]),
        json_log(tmp_path / "d.json", [sample(1, epoch=2**200)]),
    ):
        with pytest.raises(FormatError, match="beyond 128 bits"):
            read(path)


def test_a_version_of_the_future(tmp_path: Path) -> None:
    """Fields that are not known are passed over, wherever they stand."""
    more: dict[str, Any] = {"new": {"deep": [1, {"er": None}]}}
    head = header(**more)
    for part in ("eval", "results", "plan"):
        head[part] |= more
    one = sample(1, **more)
    one["scores"]["match"] |= more
    found = [*entries([one], head | {"version": 99}), packed("new/entry.bin", b"\0\1")]
    (answers,) = read(archive(tmp_path / "a.eval", found)).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0]


def test_chunked_samples(tmp_path: Path) -> None:
    """Since 0.3.28x a sample may be a folder; what is small of it is in sample.json."""
    found = entries([sample(1), sample(2, "I")], summaries=False)
    chunked = [
        dataclasses.replace(e, name=e.name.replace(b".json", b"/sample.json"))
        if e.name.startswith(b"samples/")
        else e
        for e in found
    ]
    extra = [packed(f"samples/1_epoch_1/{n}/0.json", b"[]") for n in ("events", "messages")]
    (answers,) = read(archive(tmp_path / "a.eval", [*chunked, *extra])).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0]


@given(st.data())
def test_no_change_does_harm(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Bytes changed, left out or put in: rows or an error, never anything else."""
    folder = tmp_path_factory.mktemp("changed")
    samples = [sample(1, {"a": 1}), sample(2, float("nan")), sample("x", "C")]
    kind = data.draw(st.sampled_from(["json", "eval", "inside"]))
    if kind == "json":
        path = json_log(folder / "a.json", samples)
    else:
        path = eval_log(folder / "a.eval", samples, method="stored")
    found = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(found) - 1))
        what = data.draw(st.binary(max_size=3))
        found[at : at + data.draw(st.integers(0, 3))] = what
    if kind == "inside":
        at = data.draw(st.integers(0, 6))
        whole = entries(samples)
        at %= len(whole)
        content = bytearray(json.dumps(samples).encode())
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + 2] = data.draw(st.binary(max_size=3))
        archive(path, replaced(whole, whole[at].name.decode(), bytes(content)))
    else:
        path.write_bytes(found)
    with contextlib.suppress(InputError):
        assert read(path).answers
