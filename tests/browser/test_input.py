"""Data that are pasted, dropped, chosen or counted."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from visitor import Visit

# 10 items: a is right on 6, b on 8; 1 against 3.
A = (1, 0, 1, 0, 1, 1, 0, 1, 1, 0)
B = (1, 0, 1, 1, 1, 1, 1, 1, 0, 1)
GAP = re.compile(r"\+20 points \(\+2 items\)")


def files(folder: Path) -> list[Path]:
    folder.mkdir()
    for name, scores in (("ant", A), ("bee", B)):
        lines = [f"q{item},{score}" for item, score in enumerate(scores)]
        (folder / f"{name}.csv").write_text("\n".join(["item,score", *lines, ""]))
    return sorted(folder.iterdir())


def test_two_pasted_columns(visit: Visit) -> None:
    seen = visit()
    seen["#clear"].click()
    expect(seen["#state"]).to_have_text("Paste a table to begin.")
    seen.paste("\n".join(f"{a}\t{b}" for a, b in zip(A, B, strict=True)))
    seen.answered(GAP)
    expect(seen["#example-said"]).to_be_hidden()
    seen["#example"].click()
    seen.answered("120 items")


def test_news_of_work_that_was_stopped_is_not_shown(visit: Visit) -> None:
    """The page is emptied at the moment at which the server says that it works."""
    seen = visit()
    seen.answered()
    seen.page.evaluate(
        """() => {
          const real = window.fetch;
          let job = null;
          window.fetch = async (path, options) => {
            if (path === "/api/jobs/compare") {
              const answer = await real(path, options);
              ({ job } = await answer.clone().json());
              return answer;
            }
            if (!job || !path.startsWith(`/api/jobs/${job}?wait=`)) return real(path, options);
            window.fetch = real;
            const json = async () => {
              document.getElementById("clear").click();
              return { state: "running", done: 0, total: 0 };
            };
            return { ok: true, json };
          };
        }"""
    )
    seen.paste("\n".join(f"{a}\t{b}" for a, b in zip(A, B, strict=True)))
    expect(seen["#state"]).to_have_text("Paste a table to begin.")
    seen.page.wait_for_timeout(500)
    expect(seen["#state"]).to_have_text("Paste a table to begin.")
    for name in ("#cancel", "#progress"):
        expect(seen[name]).to_be_hidden()


def test_pasted_outputs_say_where_the_right_answers_are(visit: Visit) -> None:
    """Labels in three columns without names: which of them is the reference is asked."""
    seen = visit()
    seen.answered()
    seen.paste("\n".join(f"{'xy'[a]} {'xy'[b]} y" for a, b in zip(A, B, strict=True)))
    seen.refused("right answers")
    seen["#reference"].select_option("last")
    seen.answered(GAP)


def test_counts(visit: Visit) -> None:
    """500 items of seed 2: 289, 67, 85 and 59; exact p .168, interval [-1.2, +8.4]."""
    seen = visit()
    seen.answered()
    seen["#tab-counts"].click()
    for name, count in zip(("both", "base", "cand", "none"), (289, 67, 85, 59), strict=True):
        seen[f"#c-{name}"].fill(str(count))
    expect(seen["#count-sum"]).to_have_text("500 items in all.")
    shown = seen.answered("[-1.2, +8.4] points")
    expect(shown).to_contain_text("p = 0.168")


def test_dropped_files_take_names_and_another_order(visit: Visit, tmp_path: Path) -> None:
    seen = visit()
    seen.answered()
    seen.drop(*files(tmp_path / "scores"))
    seen.answered("bee minus ant")
    seen["#file-list button[aria-label='Move down ant.csv']"].click()
    seen.answered("ant minus bee")
    seen["#file-list input[aria-label='Name of the system in ant.csv']"].fill("wasp")
    seen.answered("wasp minus bee")
    seen.shot("files")


def test_dropped_folder(visit: Visit, tmp_path: Path) -> None:
    files(tmp_path / "board")
    (tmp_path / "board" / ".hidden").write_text("no data")
    (tmp_path / "board" / ".git").mkdir()
    (tmp_path / "board" / ".git" / "more.csv").write_text("item,score\n1,1\n")
    seen = visit("rank")
    seen.answered()
    seen.drop(tmp_path / "board")
    expect(seen["#file-list .path"]).to_have_text(["board/ant.csv", "board/bee.csv"])
    expect(seen.answered("bee")).to_contain_text("ant")


def test_hidden_files_that_are_read_are_sent(visit: Visit, tmp_path: Path) -> None:
    """Aider keeps what came of each exercise in a hidden file of its folder: `board` reads them."""
    for exercise, solved in (("bowling", True), ("forth", False), ("zebra", True)):
        inner = tmp_path / "run" / exercise
        inner.mkdir(parents=True)
        found = {
            "testcase": exercise,
            "model": "m",
            "edit_format": "diff",
            "tests_outcomes": [solved],
        }
        (inner / ".aider.results.json").write_text(json.dumps(found))
        (inner / ".aider.chat.history.md").write_text("no data")
    names = ["bowling", "forth", "zebra"]
    for way in ("drop", "choose"):
        seen = visit("score")
        seen.answered()
        seen["#tab-files"].click()
        if way == "drop":
            seen.drop(tmp_path / "run")
        else:
            seen["#folder"].set_input_files(tmp_path / "run")
        expected = sorted(f"run/{name}/.aider.results.json" for name in names)
        expect(seen["#file-list .path"]).to_have_count(3)
        assert sorted(seen["#file-list .path"].all_inner_texts()) == expected
        expect(seen.answered(re.compile("67%|66.7"))).to_contain_text("m (diff)")


def test_the_focus_stays_where_the_files_are_moved(visit: Visit, tmp_path: Path) -> None:
    """The list is made again with each move; whoever uses the keyboard stays at that file."""
    seen = visit()
    seen.answered()
    paths = files(tmp_path / "scores")
    (tmp_path / "scores" / "cat.csv").write_text(paths[0].read_text())
    seen.drop(*sorted((tmp_path / "scores").iterdir()))
    expect(seen["#file-list .path"]).to_have_count(3)

    def focused() -> str:
        found = seen.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.id")
        return str(found)

    seen["#file-list button[aria-label='Move down ant.csv']"].focus()
    for expected in ("Move down ant.csv", "Move up ant.csv", "Move up ant.csv"):
        seen.page.keyboard.press("Enter")
        assert focused() == expected
    expect(seen["#file-list .path"]).to_have_text(["bee.csv", "ant.csv", "cat.csv"])
    seen["#file-list select[aria-label='What cat.csv holds']"].focus()
    seen["#file-list select[aria-label='What cat.csv holds']"].select_option("references")
    assert focused() == "What cat.csv holds"
    seen["#file-list button[aria-label='Remove cat.csv']"].focus()
    for expected in ("Remove ant.csv", "Remove bee.csv", "files"):
        seen.page.keyboard.press("Enter")
        assert focused() == expected


def test_chosen_folder_and_right_answers(visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "outputs"
    folder.mkdir()
    for name, scores in (("ant", A), ("bee", B), ("reference", (1,) * 10)):
        column = "reference" if name == "reference" else "output"
        lines = [f"q{item},{'xy'[score]}" for item, score in enumerate(scores)]
        (folder / f"{name}.csv").write_text("\n".join([f"item,{column}", *lines, ""]))
    seen = visit()
    seen.answered()
    seen["#tab-files"].click()
    seen["#folder"].set_input_files(folder)
    seen.answered(GAP)
    expect(seen["select[aria-label='What outputs/reference.csv holds']"]).to_have_value(
        "references"
    )


def test_more_than_two_systems_are_offered_by_name(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    rows = (f"{a},{b},{a * b}" for a, b in zip(A, B, strict=True))
    seen.paste("\n".join(["ant,bee,cat", *rows]))
    seen.refused("systems")
    expect(seen["#o-baseline option"]).to_have_text(["the first", "ant", "bee", "cat"])
    seen["#o-baseline"].select_option("cat")
    seen["#o-candidate"].select_option("bee")
    seen.answered("bee minus cat")


def test_columns_of_the_input_are_offered_where_one_is_asked_for(visit: Visit) -> None:
    """Clusters of two items: five units."""
    seen = visit()
    seen.answered()
    rows = (f"d{k // 2},{a},{b}" for k, (a, b) in enumerate(zip(A, B, strict=True)))
    seen.paste("\n".join(["essay,system_a,system_b", *rows]))
    seen.answered("unit of resamplingitem (10)")
    expect(seen["#columns option[value=essay]"]).to_be_attached()
    assert seen["#o-cluster"].get_attribute("list") == "columns"
    seen.option("cluster", "essay")
    seen.answered("5 clusters")


def test_p_values_with_and_without_names(visit: Visit) -> None:
    """Holm by hand: 0.01 x 3 = 0.03, 0.02 x 2 = 0.04, then 0.04."""
    seen = visit("adjust")
    seen.answered("ant vs bee")
    seen["#p-values"].fill("first, again 0.01\nsecond\t0.04\n\nthird: 0.02\n")
    shown = seen.answered("first, again")
    rows = shown.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("0.0300")
    expect(rows.nth(1)).to_contain_text("0.0400")
    seen["#p-values"].fill("0.5 \n 0.01")
    expect(seen.answered("0.0200").locator("tbody tr")).to_have_count(2)


HOSTILE = (
    "<script>document.title='taken'</script>",
    "\"><img src=x onerror=document.title='taken'>",
    "=HYPERLINK(1)",
    "\u202eevil\u2066",
)


def test_hostile_names_are_text(visit: Visit) -> None:
    seen = visit("rank")
    seen.answered()
    head = ",".join(f'"{name.replace(chr(34), 2 * chr(34))}"' for name in HOSTILE)
    rows = (",".join(map(str, (a, b, a * b, a | b))) for a, b in zip(A, B, strict=True))
    seen.paste("\n".join([head, *rows]))
    shown = seen.answered("10 items")
    for name in HOSTILE:
        for words in re.split(r"[\u202e\u2066]", name):
            expect(shown).to_contain_text(words)
    assert not re.search(r"[\u202e\u2066]", shown.inner_text())
    assert shown.locator("script, img, iframe, a[href^=javascript]").count() == 0
    assert seen.page.title() != "taken"
    seen.shot("hostile")


def test_names_that_turn_text_around_are_escaped_in_the_pickers(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    rows = (f"{a},{b}" for a, b in zip(A, B, strict=True))
    seen.paste("\n".join(["\u202eevil,b", *rows]))
    seen.answered(GAP)
    expect(seen["#o-baseline option"]).to_have_text(["the first", "\\u202eevil", "b"])
    seen["#o-baseline"].select_option("b")
    seen.answered("minus b")


def test_a_very_long_name_breaks_nothing(visit: Visit) -> None:
    seen = visit(wide=360)
    seen.answered()
    rows = (f"{a},{b}" for a, b in zip(A, B, strict=True))
    seen.paste("\n".join([f"{'long' * 2500},b", *rows]))
    seen.answered(GAP)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.shot("long-name")
