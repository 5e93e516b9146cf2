"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from deadheat.writing import write_whole


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
