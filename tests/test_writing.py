"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest

import deadheat
from calls import call
from deadheat.tabular import write_table
from deadheat.writing import whole, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("text", ["", "line\n", "two\nlines\n", "é 模型 🙂\n", "a\r\nb\u2028c"])
def test_text_arrives_as_utf_8(tmp_path: Path, text: str) -> None:
    write_whole(tmp_path / "f.txt", text)
    assert (tmp_path / "f.txt").read_bytes() == text.encode("utf-8")
    assert names(tmp_path) == ["f.txt"]


def test_a_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("a much longer text than the new one", encoding="utf-8")
    write_whole(str(tmp_path / "f.txt"), "new")
    assert (tmp_path / "f.txt").read_text(encoding="utf-8") == "new"
    assert names(tmp_path) == ["f.txt"]


def test_whoever_has_the_old_file_open_still_reads_it_whole(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("old", encoding="utf-8")
    with (tmp_path / "f.txt").open(encoding="utf-8") as reader:
        write_whole(tmp_path / "f.txt", "new")
        assert reader.read() == "old"


@pytest.mark.parametrize("failing", ["replace", "open"])
def test_a_failure_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    (tmp_path / "f.txt").write_text("old", encoding="utf-8")

    def refuse(self: Path, *arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, failing, refuse)
        with pytest.raises(OSError, match="No space left") as caught:
            write_whole(tmp_path / "f.txt", "new")
    assert caught.value.filename == str(tmp_path / "f.txt")
    assert (tmp_path / "f.txt").read_text(encoding="utf-8") == "old"
    assert names(tmp_path) == ["f.txt"]


def test_what_utf_8_cannot_hold_is_escaped(tmp_path: Path) -> None:
    """A file name that is no text reaches a report as a lone surrogate."""
    write_whole(tmp_path / "f.txt", "new \udcff")
    assert (tmp_path / "f.txt").read_bytes() == rb"new \udcff"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_whole(tmp_path / "nowhere" / "f.txt", "new")


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    with pytest.raises(OSError, match="d"):
        write_whole(tmp_path / "d", "new")
    assert names(tmp_path) == ["d"]
    assert names(tmp_path / "d") == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text(encoding="utf-8") == "new"


def test_a_link_to_nothing_yet(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text(encoding="utf-8") == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "through\n")
        assert os.read(reader, 100) == b"through\n"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("", encoding="utf-8")
    write_whole(tmp_path / "f.txt", "new")
    usual, found = ((tmp_path / name).stat().st_mode for name in ("usual", "f.txt"))
    assert found == usual


@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    """A report that was private, or shared with a group, stays so."""
    (tmp_path / "f.txt").write_text("old", encoding="utf-8")
    (tmp_path / "f.txt").chmod(0o600)
    write_whole(tmp_path / "f.txt", "new")
    assert stat.S_IMODE((tmp_path / "f.txt").stat().st_mode) == 0o600


def test_the_longest_name(tmp_path: Path) -> None:
    name = "x" * 251 + ".txt"
    (tmp_path / name).write_text("old", encoding="utf-8")
    write_whole(tmp_path / name, "new")
    assert (tmp_path / name).read_text(encoding="utf-8") == "new"


def test_a_file_that_is_not_completed_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("old", encoding="utf-8")

    def stopped() -> None:
        with whole(tmp_path / "f.txt") as file:
            file.write(b"half")
            assert len(names(tmp_path)) == 2
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert names(tmp_path) == ["f.txt"]
    assert (tmp_path / "f.txt").read_text(encoding="utf-8") == "old"


def test_a_name_with_a_null(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Invalid argument"):
        write_whole(f"{tmp_path}/a\0b", "new")


# -- everything that writes, on everything that a path may be ------------------------------------


def table(path: Path) -> None:
    write_table(pl.DataFrame({"x": [1]}), path)


def drawn_table(path: Path) -> None:
    deadheat.simulate(items=5, baseline=0.5, candidate=0.5, correlation=0.0).write(path)


def record(path: Path) -> None:
    with TemporaryDirectory() as folder:
        read = Path(folder, "read.csv")
        read.write_text("system_a,system_b\n1,0\n0,1\n", encoding="utf-8")
        deadheat.save(deadheat.compare(str(read)), path)


def converted(path: Path) -> None:
    deadheat.convert({"a": [1, 0], "b": [0, 1]}, output=path)


WRITERS: list[Callable[[Path], None]] = [
    *(lambda path: write_whole(path, "new"), table, drawn_table, record, converted)
]
every_writer = pytest.mark.parametrize("write", WRITERS, ids=lambda f: f.__name__)


@pytest.fixture(params=["csv", "parquet"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / f"f.{request.param}"


@every_writer
def test_a_circle_of_links(path: Path, write: Callable[[Path], None]) -> None:
    other = path.with_name("other")
    path.symlink_to(other)
    other.symlink_to(path)
    with pytest.raises(OSError, match="symbolic links") as caught:
        write(path)
    assert caught.value.filename == str(path)
    assert (path.is_symlink(), other.is_symlink()) == (True, True)


@every_writer
def test_a_device_stays(path: Path, write: Callable[[Path], None]) -> None:
    path.symlink_to(os.devnull)
    write(path)
    assert path.is_char_device()
    assert names(path.parent) == [path.name]


@every_writer
@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
def test_a_mode_stays(path: Path, write: Callable[[Path], None]) -> None:
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write(path)
    assert path.read_bytes() != b"old"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(path.parent) == [path.name]


@every_writer
def test_a_folder_stays(path: Path, write: Callable[[Path], None]) -> None:
    path.mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        write(path)
    assert caught.value.filename == str(path)
    assert [*path.iterdir()] == []


@every_writer
def test_no_folder_to_write_to(path: Path, write: Callable[[Path], None]) -> None:
    nowhere = path.parent / "nowhere" / path.name
    with pytest.raises(FileNotFoundError) as caught:
        write(nowhere)
    assert caught.value.filename == str(nowhere)
    assert names(path.parent) == []


@every_writer
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_may_not_be_written_to(path: Path, write: Callable[[Path], None]) -> None:
    path.parent.chmod(0o500)
    try:
        with pytest.raises(PermissionError) as caught:
            write(path)
        assert caught.value.filename == str(path)
    finally:
        path.parent.chmod(0o700)
    assert names(path.parent) == []


@pytest.mark.parametrize(
    "asked",
    [
        ("check", "read.csv", "--items"),
        ("simulate", "--items", "5", "--means", ".5,.5", "--correlation", "0", "--output"),
        ("compare", "read.csv", "--output"),
        ("compare", "read.csv", "--record"),
        ("convert", "read.csv", "--output"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("target", ["circle.csv", "folder.csv", "nowhere/t.csv"])
def test_a_command_says_so_in_one_paragraph(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: tuple[str, ...],
    target: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("read.csv").write_text("system_a,system_b\n1,0\n0,1\n1,1\n", encoding="utf-8")
    Path("circle.csv").symlink_to("circle.csv")
    Path("folder.csv").mkdir()
    before = names(tmp_path)
    done = call(capsys, *asked, target)
    assert done.code == 2
    assert done.err.startswith(f"deadheat: {target}: ")
    assert done.err.count("\n") == 1
    assert names(tmp_path) == before
