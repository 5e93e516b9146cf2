"""Run what the documentation shows and write down what came out: `python docs/update.py`.

A page is read from top to bottom, in a fresh folder that holds a copy of `examples/`:

- a fenced block with a file name after its language, such as ``csv a.csv``, becomes that file;
- in a ``console`` block, each line that begins with ``$ `` is run as by a shell, and the lines
  below it are replaced by what it wrote to standard output and standard error.

`tests/test_docs.py` checks that this changes nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from deadheat.cli import main as deadheat

ROOT = Path(__file__).resolve().parents[1]

FENCE = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.M | re.S)

ALONE = re.compile(
    r"(?!.* --metric \S*:)deadheat (?P<words>[^|;&<>$`*]*?)"
    r'(?: \| head -n (?P<lines>\d+)|(?P<code>; echo "exit code \$\?"))?'
)
"""A command that needs no shell, and so no process of its own, which is ten times as fast.

Metrics of one's own need a process: a module stays imported where it was imported first.
"""


def pages() -> list[Path]:
    """Return the README and every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def refreshed(page: str, folder: Path) -> str:
    """Return a page with its commands run in `folder` and their output as it is.

    Parameters
    ----------
    page : str
        Markdown.
    folder : Path
        An empty folder; the files of the page are left in it.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")

    def done(fence: re.Match[str]) -> str:
        body = fence["body"]
        if fence["file"]:
            file = folder / fence["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")
        elif fence["language"] == "console":
            body = "".join(_transcript(body, folder))
            return f"```console\n{body}```"
        return fence[0]

    return FENCE.sub(done, page)


def _transcript(body: str, folder: Path) -> Iterator[str]:
    for line in body.splitlines():
        if line.startswith("$ "):
            yield f"{line}\n"
            if output := _run(line.removeprefix("$ "), folder).rstrip("\n"):
                yield f"{output}\n"


def _run(command: str, folder: Path) -> str:
    alone = ALONE.fullmatch(command)
    if alone is None:
        return _by_shell(command, folder)
    printed, code = io.StringIO(), 0
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        try:
            deadheat(shlex.split(alone["words"]))
        except SystemExit as left:
            code = int(left.code or 0)
    output = printed.getvalue()
    if alone["lines"]:
        return "".join(output.splitlines(keepends=True)[: int(alone["lines"])])
    return f"{output}exit code {code}\n" if alone["code"] else output


def _by_shell(command: str, folder: Path) -> str:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": programs, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.stdout


def main() -> None:
    """Rewrite the pages whose output changed, and name them."""
    for path in pages():
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new = refreshed(page, Path(folder))
        if new != page:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"updated {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
