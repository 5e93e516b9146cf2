"""Options and their effect, downloads, copies, progress and errors."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from playwright.sync_api import expect

from calls import call
from visitor import Visit


def test_a_change_of_options_is_answered_by_itself(visit: Visit) -> None:
    """90%: the exact interval of 24 against 8 is narrower. 20 points: the gap is equivalent."""
    seen = visit()
    seen.answered("95% interval [+4.2, +22.5]")
    seen.option("confidence_level", "0.9")
    seen.answered("90% interval")
    expect(seen["#example-said"]).to_be_visible()
    seen.option("margin", "0.3")
    seen.answered("equivalent")
    seen.option("margin", "")
    seen.option("alternative", "greater")
    seen.answered("greater")
    seen["[data-reset]"].click()
    seen.answered("95% interval [+4.2, +22.5]")
    expect(seen['[name="confidence_level"]']).to_have_value("0.95")


def test_metric_is_picked_or_named(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    expect(seen["#metric optgroup[label='Fit these data'] option"].first).to_be_attached()
    seen["#metric"].select_option("macro_f1")
    seen.answered("macro_f1")
    seen["#metric"].select_option("other")
    seen["#metric-name"].fill("mcc")
    seen.answered("mcc")


@pytest.mark.parametrize("name", ["compare", "rank", "score", "plan", "claim"])
def test_downloads_are_what_the_copied_line_gives(
    visit: Visit,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
) -> None:
    seen = visit(name, permissions=["clipboard-read", "clipboard-write"])
    seen.answered()
    shown = json.loads(seen.download("report.json"))
    if name in ("compare", "rank", "score"):
        (tmp_path / "data.csv").write_text(seen.download("data.csv"), encoding="utf-8")
        assert seen.download("record.json").startswith("{")
    assert seen.download("report.html").lower().startswith("<!doctype html>")
    assert "\\toprule" in seen.download("report.tex")
    seen["button[aria-label='Copy command line']"].click()
    line = str(seen.page.evaluate("navigator.clipboard.readText()"))
    seen["button[aria-label='Copy python']"].click()
    assert f"deadheat.{name}(" in seen.page.evaluate("navigator.clipboard.readText()")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)
    assert words.pop(0) == "deadheat"
    assert call(capsys, *words, "--format", "json").json == shown


def test_long_work_is_cancelled(visit: Visit) -> None:
    seen = visit("rank")
    seen.answered()
    before = seen["#result"].inner_text()
    seen.option("n_resamples", "9000000")
    expect(seen["#progress"]).to_be_visible()
    expect(seen["#state"]).to_contain_text("%")
    seen.shot("progress")
    seen["#cancel"].click()
    expect(seen["#state"]).to_contain_text("Cancelled")
    expect(seen["#progress"]).to_be_hidden()
    assert seen["#result"].inner_text() == before
    seen.option("n_resamples", "999")
    seen.answered("999")


def test_what_is_asked_last_is_what_is_shown(visit: Visit) -> None:
    """An answer to an earlier question never takes the place of a later one."""
    seen = visit("rank")
    seen.answered()
    seen.option("n_resamples", "9000000")
    expect(seen["#progress"]).to_be_visible()
    seen.option("n_resamples", "1999")
    seen.answered(re.compile(r"1,?999"))


def test_errors_are_the_librarys_words_beside_the_field(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    seen.option("method", "nonsense")
    problem = seen.refused("nonsense")
    expect(problem).to_contain_text("percentile")
    field = seen['[name="method"]']
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field.locator("xpath=..").locator(".beside")).to_contain_text("nonsense")
    seen.shot("error")
    seen.option("method", "tango")
    seen.answered("tango")
    expect(problem).to_be_hidden()


def test_a_server_that_is_gone_is_said(visit: Visit) -> None:
    seen = visit("plan")
    seen.answered()
    seen.page.route("**/api/**", lambda route: route.abort())
    seen.option("gap", "0.02")
    seen.refused("does not answer")
    assert [said for said in seen.complaints if "ERR_FAILED" not in said] == []
    seen.complaints.clear()


def test_items_that_changed_are_filtered_and_searched(visit: Visit) -> None:
    """24 gained and 8 lost; what is searched for is looked for in every column."""
    seen = visit()
    seen.answered()
    rows = seen["#flips-table tbody tr"]
    expect(rows).to_have_count(32)
    seen["#flips button[data-kind=lost]"].click()
    expect(rows).to_have_count(8)
    expect(seen["#flips button[data-kind=lost]"]).to_have_attribute("aria-pressed", "true")
    seen["#flips button[data-kind=gained]"].click()
    expect(rows).to_have_count(24)
    seen["#flips-search"].fill("r003")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("gained")
    expect(seen["#flips-count"]).to_have_text("1 of 32 items.")


def test_cells_of_a_csv_are_read_whole(visit: Visit) -> None:
    """Quoted cells hold quotes, commas and lines; the last may be empty."""
    seen = visit("plan")
    seen.answered()
    text = 'a,b\r\n"x, ""y""\nz",\n,"="\n'
    read = "async (text) => (await import('/static/flips.js')).cells(text)"
    assert seen.page.evaluate(read, text) == [["a", "b"], ['x, "y"\nz', ""], ["", "="]]
