"""The page of the command, held against results."""

from __future__ import annotations

import ast

import pytest

import deadheat
from benchmark.boards import every_field, frame
from calls import strict
from pages import PAGES, ROOT, command_page, rows, section, spans
from test_docs_of_json import expanded, fields


def test_the_table_of_json_fields_is_that_of_the_json() -> None:
    documented = [
        path
        for names, _ in rows(section(command_page("check"), "JSON"))
        for span in spans(names)
        for path in expanded(span)
    ]
    assert len(set(documented)) == len(documented)
    real = {field for result in every_field() for field in fields(result.to_dict())}
    whole = {f for f in real if any(other.startswith((f"{f}.", f"{f}[")) for other in documented)}
    assert real - whole == set(documented)


def test_results_render_themselves() -> None:
    for result in every_field():
        assert strict(result.to_json()) == result.to_dict()
        assert result.to_markdown().startswith("# Check of ")
        assert result.to_text().startswith("Check of ")
        assert not hasattr(result, "__dict__")
        with pytest.raises((AttributeError, TypeError)):
            result.metric = "other"  # type: ignore[misc]


def test_all_findings_are_explained() -> None:
    """The codes that the source has, and severities that it may give them."""
    table = section(PAGES["docs/methods/benchmark.md"], "All findings")
    documented = {spans(row[0])[0]: set(spans(row[1])) for row in rows(table)}
    written = set()
    for path in (ROOT / "src" / "deadheat" / "benchmark").glob("*findings.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                (code,) = (word.value for word in node.keywords if word.arg == "code")
                written.add(ast.literal_eval(code))
    assert written == set(documented)
    for result in every_field():
        for finding in result.findings:
            assert finding.severity in documented[finding.code], finding


@pytest.mark.parametrize(
    "flag", ["all_right", "all_wrong", "constant", "negative", "weak", "upset", "duplicate"]
)
def test_flags_are_listed_where_the_table_is_described(flag: str) -> None:
    assert flag in (deadheat.Benchmark.items_frame.__doc__ or "")
    flags = {
        name
        for result in every_field()
        for text in result.items_frame()["flags"].drop_nulls().to_list()
        for name in text.split(";")
    }
    assert flag in flags


def test_signature_tells_the_settings() -> None:
    one = deadheat.check(frame(), n_resamples=499)
    for other in (
        deadheat.check(frame(), n_resamples=500),
        deadheat.check(frame(), n_resamples=499, options=4),
        deadheat.check(frame(), n_resamples=499, label_error=0.1),
        deadheat.check(frame(), n_resamples=499, trivial=["m00"]),
        deadheat.check(frame(), n_resamples=499, rng=1),
        deadheat.check(frame(), n_resamples=499, confidence_level=0.9),
    ):
        assert one.signature != other.signature
    assert one.signature == deadheat.check(frame(), n_resamples=499).signature
