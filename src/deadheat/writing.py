"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text as UTF-8, whole or not at all.

    Raises
    ------
    OSError
        As of `whole`.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with whole(path) as file:
        file.write(data)


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give a file under a temporary name beside `path`, moved into place once it is complete.

    A link is followed and stays, a file that is replaced hands on its mode, and a device or pipe,
    such as /dev/stdout, is written to.

    Raises
    ------
    OSError
        That names `path`, if it is a folder, goes in a circle of links, or lies where nothing can
        be written; a file of that name stays as it was.
    """
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise _refused(errno.EISDIR, path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    # The name is cut so that the temporary one is no longer than a file system allows.
    partial = target.with_name(f".{target.name[:32]}.{os.getpid()}.partial")
    try:
        with partial.open("xb") as file:
            yield file
        if mode is not None:
            partial.chmod(stat.S_IMODE(mode))
        partial.replace(target)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # The temporary name means nothing to whoever asked for the file.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


def _mode(path: str | os.PathLike[str]) -> int | None:
    """Return type and mode of what is there, through links; None where nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except ValueError:  # a null character
        raise _refused(errno.EINVAL, path) from None


def _refused(number: int, path: str | os.PathLike[str]) -> OSError:
    return OSError(number, os.strerror(number), os.fspath(path))
