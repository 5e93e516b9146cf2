"""Logs that came from elsewhere, by `deadheat inspect` and `deadheat compare`.

Whatever stands in a file there is a result, or one paragraph on standard error and exit code 2;
nothing is executed, followed or written.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calls import Done, call
from deadheat.readers import formats
from readers.logs.builders import details, inspect_ai, langsmith, lm_eval, promptfoo

Call = Callable[..., Done]
Make = Callable[[Path, str], Path]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Call:
    return lambda *arguments: call(capsys, *arguments)


@pytest.fixture(autouse=True)
def _nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run in a folder of its own, beside which nothing may appear."""
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.chdir(room)
    yield
    assert [path.name for path in tmp_path.iterdir()] == ["room"]
    assert not {path.name for path in room.rglob("*")} & {"evil.json", "evil.txt"}


def samples(folder: Path, model: str) -> Path:
    values = {"none": {"acc": [1.0, 0.0, 1.0, float(model == "a")]}}
    path = folder / model / f"samples_t_{lm_eval.FIRST}.jsonl"
    return lm_eval.lines(path, lm_eval.task_samples("t", values))


def eval_log(folder: Path, model: str) -> Path:
    values = "CICC" if model == "a" else "CICI"
    made = [inspect_ai.sample(k, value) for k, value in enumerate(values, start=1)]
    path = folder / f"{model}.eval"
    inspect_ai.eval_log(path, made, inspect_ai.header(f"m/{model}"))
    return path


def parquet(folder: Path, model: str) -> Path:
    path = folder / model / f"details_{details.TASK}_{details.FIRST}.parquet"
    path.parent.mkdir(parents=True)
    frame = details.new([{"acc": 1.0}, {"acc": 0.0}, {"acc": float(model == "a")}])
    frame.write_parquet(path)
    return path


def table(folder: Path, model: str) -> Path:
    return langsmith.example(folder / model).rename(folder / f"{model}.csv")


def document(folder: Path, model: str) -> Path:
    return promptfoo.example(folder / model).rename(folder / f"{model}.json")


MADE: dict[str, Make] = {
    "lm_eval": samples,
    "inspect_ai": eval_log,
    "lighteval": parquet,
    "langsmith": table,
    "promptfoo": document,
}


def refused(run: Call, *sources: Path | str) -> str:
    """Return the paragraphs with which both commands refuse; they name the file."""
    said = []
    for arguments in (("inspect", sources[0]), ("compare", *sources)):
        done = run(*arguments)
        assert (done.code, done.out) == (2, ""), (arguments, done.out, done.err)
        assert done.err.startswith("deadheat: ")
        assert done.err.count("\n") == 1
        assert "Traceback" not in done.err
        assert Path(sources[0]).name in done.err
        said.append(done.err)
    return "".join(said)


DEEP = b"[" * 200_000 + b"]" * 200_000

REPLACED: dict[str, tuple[bytes, str]] = {
    "pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "Git LFS pointer",
    ),
    "annex": (b"/annex/objects/SHA256E-s9--4d7a.jsonl\n", "git-annex pointer"),
    "0 bytes": (b"", r"empty \(0 bytes\)"),
    "blank": (b" \n\r\n\t\n", "empty"),
    "page": (b"<!DOCTYPE html><html><body>Not found</body></html>", "web page"),
    "gzip": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzip"),
    "nested": (b'{"results": ' + DEEP + b"}", ""),
    "nested line": (b'{"item": "q1", "score": 1}\n{"item": "q2", "score": ' + DEEP + b"}\n", ""),
    "zeros": (b"\x00" * 4096, "binary"),
    "archive": (b"PK\x03\x04" + b"\x00" * 64, "ZIP|archive"),
    "Parquet": (b"PAR1" + b"\x15\x04" * 200 + b"PAR1", "Parquet"),
}


@pytest.mark.parametrize("what", REPLACED)
@pytest.mark.parametrize("tool", MADE)
def test_what_stands_in_place_of_a_log(run: Call, tool: str, what: str) -> None:
    first, second = (MADE[tool](Path(), name) for name in ("a", "b"))
    content, message = REPLACED[what]
    first.write_bytes(content)
    for said in refused(run, first, second).splitlines():
        assert re.search(message, said), said


@pytest.mark.parametrize("tool", MADE)
def test_last_line_or_entry_that_is_cut_off(run: Call, tool: str) -> None:
    first, second = (MADE[tool](Path(), name) for name in ("a", "b"))
    assert run("inspect", first).code == 0
    data = first.read_bytes()
    for end in (len(data) - 12, len(data) * 5 // 8, 40):
        first.write_bytes(data[:end])
        if tool == "langsmith":
            continue  # A table that ends early is a shorter table.
        refused(run, first, second)


def test_cut_off_line_is_named(run: Call) -> None:
    first, second = samples(Path(), "a"), samples(Path(), "b")
    first.write_bytes(first.read_bytes()[:-30])
    said = refused(run, first, second)
    assert "line 4: the line is cut off: the file is still being written" in said
    assert "Wait until it is whole, or remove the line." in said


@pytest.mark.parametrize("tool", MADE)
def test_file_that_changes_while_it_is_read(
    run: Call, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (MADE[tool](Path(), name) for name in ("a", "b"))
    real = formats.log_of

    class Slow:
        """A reader during which something is written at the end of the file."""

        def __init__(self, reader: Any) -> None:
            self.reader = reader

        def read(self, log: Any, wanted: Any) -> Any:
            table = self.reader.read(log, wanted)
            with open(log.path, "ab") as file:
                file.write(b"\n")
            return table

    whole = first.read_bytes()

    def slowed(path: str, head: bytes) -> Any:
        first.write_bytes(whole)
        found = real(path, head)
        return found and (found[0], Slow(found[1]))

    monkeypatch.setattr(formats, "log_of", slowed)
    said = refused(run, first, second)
    assert "the file changed while it was read: it is still being written" in said


# Folders


def logs() -> Path:
    folder = Path("logs")
    for name in ("a", "b"):
        samples(folder, name)
    return folder


def test_links_that_lead_in_a_circle_end(run: Call) -> None:
    folder = logs()
    before = run("compare", folder)
    assert before.code == 0
    (folder / "a" / "up").symlink_to(folder.absolute(), target_is_directory=True)
    (folder / "again").symlink_to((folder / "b").absolute(), target_is_directory=True)
    (folder / "itself").symlink_to("itself")
    (folder / "gone").symlink_to("nowhere")
    after = run("compare", folder)
    assert after.code == 0
    assert after.out.splitlines()[0] == before.out.splitlines()[0]
    found = run("inspect", folder, "--format", "json")
    assert found.code == 0
    assert len([file for file in found.json["files"] if not file["problem"]]) == 2


def test_a_link_to_itself_is_refused(run: Call) -> None:
    Path("loop.jsonl").symlink_to("loop.jsonl")
    said = refused(run, "loop.jsonl", samples(Path(), "b"))
    assert "loop.jsonl" in said


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(run: Call) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo("pipe.jsonl")
    assert "empty" in refused(run, "pipe.jsonl", samples(Path(), "b"))
    folder = logs()
    os.mkfifo(folder / "pipe.jsonl")
    assert run("compare", folder).code == 0


def test_a_pointer_in_a_folder_is_refused_and_not_passed_over(run: Call) -> None:
    folder = logs()
    path = next((folder / "a").glob("*.jsonl"))
    path.write_bytes(REPLACED["pointer"][0])
    done = run("compare", folder)
    assert done.code == 2 or "Git LFS" in done.out
    told = run("inspect", folder)
    assert "Git LFS pointer" in f"{told.out}{told.err}".replace("\n", " ")


# Archives


def repacked(path: Path, *more: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    """Add entries to an archive."""
    with zipfile.ZipFile(path, "a", method) as archive:
        for name, content in more:
            archive.writestr(name, content)


def test_names_of_entries_are_no_paths(run: Call) -> None:
    first, second = eval_log(Path(), "a"), eval_log(Path(), "b")
    for name in ("../evil.json", "/evil.json", "samples/../../evil.json", "..\\evil.txt"):
        repacked(first, (name, b'{"id": 9}'))
    for arguments in (("inspect", first), ("compare", first, second)):
        done = run(*arguments)
        assert done.code in (0, 2), done.err
        assert done.err.count("\n") == (done.code == 2)
    assert not Path("/evil.json").exists()


def test_an_entry_that_unpacks_to_a_thousand_times_its_size(run: Call) -> None:
    first, second = eval_log(Path(), "a"), eval_log(Path(), "b")
    bomb = io.BytesIO()
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "summaries.json":
                content = b" " * (200 << 20) + content
            new.writestr(info.filename, content)
    first.write_bytes(bomb.getvalue())
    assert first.stat().st_size < 1 << 20
    for arguments in (("inspect", first), ("compare", first, second)):
        done = run(*arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        assert "a.eval" in done.err


# Values


def test_constants_that_are_no_json_are_missing(run: Call) -> None:
    first, second = samples(Path(), "a"), samples(Path(), "b")
    text = first.read_text(encoding="utf-8")
    assert text.count('"acc": 0.0') == 1
    first.write_text(text.replace('"acc": 0.0', '"acc": NaN'), encoding="utf-8")
    done = run("compare", first, second)
    assert done.code == 2
    assert "1 no score" in done.err
    told = run("compare", first, second, "--missing", "drop", "--format", "json").json
    assert told["items"]["n"] == 3
    systems = run("inspect", first, "--format", "json").json["systems"]
    assert [one["unscored"] for one in systems] == [1]


HOSTILE = ("=cmd()", "$(touch evil.txt)", "`touch evil.txt`", "\x1b[31m", "a\nb")


@pytest.mark.parametrize("text", HOSTILE)
def test_names_in_logs_are_shown_and_not_run(run: Call, text: str) -> None:
    names = (text, "b")
    rows = [{"item": f"q{k}", "system": n, "score": k % 2} for k in range(4) for n in names]
    path = Path("long.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for arguments in (("inspect", path), ("compare", path)):
        done = run(*arguments)
        assert done.code == 0
        assert "\x1b" not in done.out
    told = run("inspect", path, "--format", "json").json
    assert [one["system"] for one in told["systems"]] == [text, "b"]
