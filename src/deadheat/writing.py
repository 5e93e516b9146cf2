"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, under a temporary name beside it, then move it into place.

    Raises
    ------
    OSError
        If the folder cannot be written to; a file of that name stays as it was.
    """
    target = Path(path)
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if target.exists() and not target.is_file() and not target.is_dir():
        # A device or pipe, such as /dev/stdout, cannot be replaced; it is written to.
        target.write_bytes(data)
        return
    try:
        target = target.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    # The name is cut so that the temporary one is no longer than a file system allows.
    partial = target.with_name(f".{target.name[:32]}.{os.getpid()}.partial")
    try:
        with partial.open("xb") as file:
            file.write(data)
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o7777)
        partial.replace(target)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # The temporary name means nothing to whoever asked for the file.
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
