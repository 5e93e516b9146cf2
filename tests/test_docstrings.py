"""What functions take and raise is written down where others call them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from pages import ROOT

FOLDERS = ("benchmark", "claims", "health", "similarity")


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Public functions, and public methods of public classes."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) and node.name[0] != "_" else [node]
        for one in inner:
            if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
                yield one


@pytest.mark.parametrize("folder", FOLDERS)
def test_parameters_and_errors_are_described(folder: str) -> None:
    seen = 0
    for path in sorted((ROOT / "src" / "deadheat" / folder).glob("*.py")):
        for function in functions(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(function) or ""
            where = f"{path.name}: {function.name}"
            taken = [*function.args.args, *function.args.kwonlyargs]
            names = [one.arg for one in taken if one.arg not in ("self", "cls")]
            if names and "Parameters as in" not in text and "options of `" not in text:
                assert "Parameters\n" in text, where
                described = text.partition("Parameters\n")[2]
                # "..." stands for what another function describes.
                assert ", ...\n" in text or all(name in described for name in names), where
            if any(isinstance(node, ast.Raise) for node in ast.walk(function)):
                assert "Raises\n" in text, where
            seen += 1
    assert seen > 5
