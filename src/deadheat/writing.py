"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def write_whole(path: str | Path, text: str) -> None:
    """Write a UTF-8 file under a temporary name beside it, then move it into place.

    Raises
    ------
    OSError
        If the folder cannot be written to; a file of that name stays as it was.
    """
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        # A device or pipe, such as /dev/stdout, cannot be replaced; it is written to.
        target.write_text(text, encoding="utf-8", errors="backslashreplace")
        return
    try:
        target = target.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    # The name is cut so that the temporary one is no longer than a file system allows.
    partial = target.with_name(f".{target.name[:32]}.{os.getpid()}.partial")
    try:
        with partial.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o7777)
        partial.replace(target)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # The temporary name means nothing to whoever asked for the file.
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
