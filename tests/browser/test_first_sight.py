"""What is seen before anything was done, on screens of all kinds."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from deadheat.significance.multiplicity import METHODS
from visitor import Visit, Visitor

PAGES = ("compare", "rank", "score", "plan", "claim", "adjust")

SCREENS = {"light": 1280, "dark": 1280, "phone-dark": 360, "phone": 360}


def test_the_example_is_answered_and_nothing_leaves(visit: Visit) -> None:
    """Figures of STATISTICS.md 12: 94 and 110 of 120, 24 against 8, [4.2, 22.5], exact p .0070."""
    seen = visit()
    shown = seen.answered("resolved")
    for words in ("[+4.2, +22.5] points", "p = 0.0070", "p = 0.0042", "78.3%", "91.7%"):
        expect(shown).to_contain_text(words)
    expect(seen["main"]).to_contain_text("Nothing leaves this machine.")
    expect(seen["#example-said"]).to_contain_text("An example")
    expect(shown.locator("svg.dh-figure").first).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_every_screen_and_has_no_serious_fault(visit: Visit, name: str) -> None:
    seen = visit(name)
    seen.answered()
    for screen, wide in SCREENS.items():
        seen.page.emulate_media(color_scheme="dark" if "dark" in screen else "light")
        seen.page.set_viewport_size({"width": wide, "height": 800})
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= wide
        seen.shot(f"{name}-{screen}")
        if screen == "light":
            assert faults(seen) == []
    # What is folded away is there for its own sake: once all of it is open, nothing else is worse.
    seen.page.emulate_media(color_scheme="dark")
    seen.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.shot(f"{name}-open")
    assert faults(seen) == []


def faults(seen: Visitor) -> list[tuple[str, object]]:
    """Faults that axe-core calls serious or critical, with some of the places."""
    return [
        (fault["id"], [node["target"] for node in fault["nodes"]][:3])
        for fault in Axe().run(seen.page).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


def test_theme_is_the_systems_until_it_is_chosen_and_is_kept(visit: Visit) -> None:
    seen = visit(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('#result .deadheat')).color"
    seen.answered()
    dark = seen.page.evaluate(f"[{ground}, {ink}]")
    seen["#theme"].click()
    light = seen.page.evaluate(f"[{ground}, {ink}]")
    assert [luma(colour) < 60 for colour in dark] == [True, False]
    assert [luma(colour) < 60 for colour in light] == [False, True]
    seen.page.reload()
    seen.answered()
    assert seen.page.evaluate(f"[{ground}, {ink}]") == light


def luma(colour: str) -> float:
    """Brightness of rgb(r, g, b), from 0 to 255."""
    red, green, blue = map(float, colour.removeprefix("rgb(").removesuffix(")").split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_nothing_jumps_when_an_answer_comes_again(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    seen["#run"].scroll_into_view_if_needed()
    before = seen["#result"].bounding_box()
    seen["#run"].click()
    during = seen["#result"].bounding_box()
    seen.answered()
    assert before == during == seen["#result"].bounding_box()


def test_keys_alone_reach_everything(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    keyboard = seen.page.keyboard
    keyboard.press("Tab")
    expect(seen[".skip"]).to_be_focused()
    seen["#tab-paste"].focus()
    keyboard.press("ArrowRight")
    expect(seen["#tab-files"]).to_be_focused()
    expect(seen["#pane-files"]).to_be_visible()
    keyboard.press("End")
    expect(seen["#pane-counts"]).to_be_visible()
    keyboard.press("Tab")
    expect(seen["#c-both"]).to_be_focused()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert seen.page.evaluate(outline) == "solid"


def test_figures_say_their_numbers_to_pointer_and_keys(visit: Visit) -> None:
    seen = visit()
    seen.answered()
    mark = seen["#result .dh-hit"].first
    said = mark.get_attribute("aria-label")
    assert said is not None
    mark.hover()
    expect(seen[".dh-tip"]).to_have_text(said)
    seen.page.mouse.move(0, 0)
    expect(seen[".dh-tip"]).to_be_hidden()
    mark.focus()
    expect(seen[".dh-tip"]).to_have_text(said)


def test_methods_of_adjustment_are_all_offered(visit: Visit) -> None:
    seen = visit("adjust")
    seen.answered()
    offered = seen["#o-method option"].all_inner_texts()
    assert sorted(offered) == sorted(METHODS)
