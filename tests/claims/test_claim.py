"""What a claim holds, and that true numbers are never contradicted."""

from __future__ import annotations

import dataclasses
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

import deadheat
from calls import strict
from claims.exactly import bootstrap_p, mcnemar, percentile, shares
from deadheat import claim
from deadheat.errors import UsageError

# -- what is true ----------------------------------------------------------------------------------


@st.composite
def publications(draw: st.DrawFn) -> dict[str, Any]:
    """Numbers of some counts, computed by fractions and printed with some digits."""
    n = draw(st.integers(2, 60))
    cells = draw(st.tuples(*[st.integers(0, n)] * 3).filter(lambda c: sum(c) <= n))
    both, only_baseline, only_candidate = cells
    places = draw(st.integers(0, 3))

    def printed(number: Fraction) -> str:
        return f"{float(number):.{places}f}"

    found: dict[str, Any] = {"n": n}
    if draw(st.booleans()):
        found["baseline"] = printed(Fraction(100 * (both + only_baseline), n))
        found["candidate"] = printed(Fraction(100 * (both + only_candidate), n))
    if "baseline" not in found or draw(st.booleans()):
        found["gap"] = printed(Fraction(100 * (only_candidate - only_baseline), n))
    here = only_baseline, only_candidate
    if draw(st.booleans()) and only_baseline + only_candidate:
        found["interval"] = [printed(end) for end in percentile(n, *here)]
    p = draw(st.sampled_from([None, mcnemar(*here), bootstrap_p(n, *here)]))
    if p is not None:
        text = f"{float(p):.{draw(st.integers(2, 4))}f}"
        found["p"] = draw(st.sampled_from([text, float(text), "<0.05" if p < 0.05 else text]))
    if draw(st.booleans()):
        found["discordant"] = only_baseline + only_candidate
    if draw(st.booleans()):
        found["share"] = f"{float(100 * (1 - shares(n, *here)[0])):.1f}"
    return found


@hypothesis_settings(max_examples=120)
@given(publications())
def test_what_is_true_is_not_contradicted(publication: dict[str, Any]) -> None:
    found = claim(**publication)
    assert found.findings == ()
    assert found.reading.code in ("resolved", "unresolved", "open")
    assert strict(found.to_json()) == json.loads(json.dumps(found.to_dict()))


@pytest.mark.parametrize("seed", range(24))
def test_what_was_drawn_is_not_contradicted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, draws = int(rng.integers(60, 600)), int(rng.choice([1_000, 2_000, 10_000]))
    both, only_baseline, only_candidate, _ = rng.multinomial(n, [0.55, 0.1, 0.15, 0.2])
    here = only_baseline / n, only_candidate / n
    drawn = rng.multinomial(n, [*here, 1.0 - sum(here)], size=draws)
    gaps = np.sort(drawn[:, 1] - drawn[:, 0])
    rank = math.floor((draws + 1) * 0.025 + 1e-9)
    p = min(1.0, 2.0 * min((gaps <= 0).sum(), (gaps >= 0).sum()) / draws)
    found = claim(
        n=n,
        baseline=f"{100 * (both + only_baseline) / n:.1f}",
        candidate=f"{100 * (both + only_candidate) / n:.1f}",
        interval=[f"{100 * gaps[at] / n:.1f}" for at in (rank - 1, draws - rank)],
        p=f"{p:.3f}" if p else f"<{2 / draws:.4f}",
        n_resamples=draws if seed % 2 else None,
    )
    assert found.findings == ()


@hypothesis_settings(max_examples=40)
@given(publications())
def test_the_other_system_first_turns_all_signs(publication: dict[str, Any]) -> None:
    turned = dict(publication)

    def negative(text: str) -> str:
        return text.removeprefix("-") if text.startswith("-") else f"-{text}"

    if "baseline" in publication:
        turned["baseline"], turned["candidate"] = publication["candidate"], publication["baseline"]
    if "gap" in publication:
        turned["gap"] = negative(publication["gap"])
    if "interval" in publication:
        low, high = publication["interval"]
        turned["interval"] = [negative(high), negative(low)]
    for each in (publication, turned):
        each.pop("share", None)  # ties are on neither side, so that the shares do not add up to 1
    one, other = claim(**publication).to_dict(), claim(**turned).to_dict()
    assert one["reading"]["code"] == other["reading"]["code"]
    assert one["discordant"] == other["discordant"]
    assert one["gap"]["items"] == [-end for end in other["gap"]["items"][::-1]]
    assert one["narrowest"]["discordant"] == other["narrowest"]["discordant"]
    matched = {(m["only_candidate"], m["only_baseline"]) for m in one["matches"]}
    assert matched == {(m["only_baseline"], m["only_candidate"]) for m in other["matches"]}


@pytest.mark.parametrize(
    ("given", "method"),
    [
        # 24 against 8 of 120: 13.333 -+ 1.980 x 4.573; 85 against 67 of 500.
        ({"n": 120, "baseline": "94/120", "candidate": "110/120", "interval": ("4.3", "22.4")},
         "student_t"),
        ({"n": 500, "baseline": 71.2, "candidate": 74.8, "interval": (-1.25, 8.42)},
         "bonett_price"),
        ({"n": 500, "baseline": 71.2, "candidate": 74.8, "interval": (-1.24, 8.42)}, "newcombe"),
    ],
    ids=str,
)  # fmt: skip
def test_intervals_of_other_methods_are_named(given: dict[str, Any], method: str) -> None:
    found = claim(**given)
    assert found.findings == ()
    assert method in {name for match in found.matches for name in match.methods}


def test_the_standard_error_of_an_evaluation_harness() -> None:
    """54% of 300, -+ 1.96 sqrt(.54 x .46 / 299)."""
    half = 100 * stats.norm.isf(0.025) * math.sqrt(0.54 * 0.46 / 299)
    ends = f"{54 - half:.2f}", f"{54 + half:.2f}"
    assert ends == ("48.35", "59.65")
    found = claim(n=300, baseline="162/300", interval=ends)
    assert [one.interval.method for one in found.singles if one.fits] == ["clt"]
    assert found.reading.code == "consistent"


def test_a_paired_t_test_is_named() -> None:
    differences = np.repeat([-1, 0, 1], [67, 348, 85])
    p = stats.ttest_1samp(differences, 0).pvalue
    found = claim(n=500, gap="18/500", discordant=152, p=f"{p:.5f}")
    (match,) = found.matches
    assert "student_t" in match.tests


def test_a_p_value_of_separate_items_is_no_contradiction() -> None:
    p = stats.chi2_contingency([[162, 138], [180, 120]], correction=False).pvalue
    given = {"n": 300, "baseline": "162/300", "candidate": "180/300", "discordant": 42}
    found = claim(**given, p=f"{p:.3f}")
    assert found.findings == ()
    assert found.matches[0].tests == ("two_proportions",)
    assert "items of their own" in notes(**given, p=f"{p:.3f}")["unpaired"]
    assert findings(**given, p=f"{p + 0.1:.3f}") == {"p_impossible"}


# -- what cannot be --------------------------------------------------------------------------------


def findings(**given: Any) -> set[str]:
    return {note.code for note in claim(**given).findings}


def notes(**given: Any) -> dict[str, str]:
    return {note.code: note.message for note in claim(**given).notes}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"n": 300, "baseline": 70.1}, "off_lattice"),
        ({"n": 300, "baseline": 70, "candidate": "70.1"}, "off_lattice"),
        ({"n": 1000, "baseline": 70.3, "candidate": 71.3, "gap": 2.0}, "margins"),
        ({"n": 1000, "baseline": "99.0", "gap": "2.0"}, "margins"),
        ({"n": 1000, "baseline": 70.3, "candidate": 71.3, "gap": "0.010"}, "unit"),
        ({"n": 1000, "baseline": "50.0", "candidate": "60.0", "gap": "20.0"}, "unit"),
        ({"n": 1000, "baseline": 70.3, "candidate": 71.3, "gap": 10}, "unit"),
        ({"n": 1000, "baseline": 70.3, "candidate": 71.3, "gap": -1.0}, "sign"),
        ({"n": 500, "baseline": 71.2, "candidate": 74.8, "discordant": 16}, "infeasible"),
        ({"n": 500, "baseline": 71.2, "candidate": 74.8, "discordant": 272}, "infeasible"),
        ({"n": 500, "baseline": 71, "candidate": 75, "discordant": 2}, "infeasible"),
        ({"n": 500, "gap": 3.6, "discordant": 151}, "parity"),
        ({"n": 400, "gap": 1.5, "interval": (2.0, 4.0)}, "outside"),
        ({"n": 400, "gap": 1.5, "interval": (-15, 18)}, "too_wide"),
        ({"n": 500, "baseline": 71.2, "candidate": 74.8, "interval": (-9, 15)}, "too_wide"),
        ({"n": 400, "gap": 1.5, "interval": (0.8, 2.2)}, "too_narrow"),
        ({"n": 400, "gap": 1.5, "discordant": 100, "interval": (0, 3)}, "too_narrow"),
        ({"n": 400, "gap": 1.5, "p": 0.99}, "p_impossible"),
        ({"n": 400, "gap": 1.5, "p": "<0.001", "n_resamples": 20_000}, "p_impossible"),
        ({"n": 400, "gap": 1.5, "discordant": 20, "p": ".9"}, "p_impossible"),
        ({"n": 500, "gap": 3.6, "interval": (0.6, 6.6), "p": ".17"}, "p_against_interval"),
        ({"n": 500, "gap": 3.6, "interval": (-1.2, 8.4), "p": ".01"}, "p_against_interval"),
        ({"n": 500, "gap": 3.6, "interval": (-1.2, 8.4), "p": ".35"}, "no_match"),
        ({"n": 500, "gap": 3.6, "share": 40}, "no_match"),
    ],
    ids=str,
)  # fmt: skip
def test_findings(given: dict[str, Any], code: str) -> None:
    found = claim(**given)
    assert {note.code for note in found.findings} == {code}
    assert found.reading.code == "inconsistent"
    assert code.replace("_", " ") in found.reading.text
    assert set(found.findings) <= set(found.notes)


def test_few_draws_find_none_beyond_zero() -> None:
    """6 against 0 of 400 have a tail of .0024: none of 1,000 draws is there with a chance of 9%."""
    found = claim(n=400, gap=1.5, p="<0.001", n_resamples=1_000)
    assert "p_floor" in {note.code for note in found.notes}
    assumed = claim(n=400, gap=1.5, p="<0.001")
    assert assumed.findings == ()
    (match, *_) = assumed.matches
    assert (match.outcome.only_candidate, match.outcome.only_baseline) == (6, 0)
    assert match.chance == pytest.approx((1 - float(shares(400, 0, 6)[0])) ** 1000, rel=1e-6)


def test_a_narrower_interval_is_flagged_by_its_width_alone() -> None:
    """Wald's standard error of 6 against 0 of 400, by hand; 0.8 of its width is the limit."""
    error = 100 * math.sqrt(6 / 400 - (6 / 400) ** 2) / 20
    width = 2 * stats.norm.isf(0.025) * error
    for part, flagged in ((0.75, True), (0.85, False)):
        ends = 1.5 - part * width / 2, 1.5 + part * width / 2
        found = findings(n=400, gap=1.5, interval=[f"{end:.4f}" for end in ends])
        assert ("too_narrow" in found) == flagged


def test_digits_that_were_cut_off() -> None:
    """2 of 3 is 66.7%, or 66.6% where digits are cut off: said, and no contradiction."""
    assert findings(n=3, baseline=66.6) == set()
    assert "cut off" in notes(n=3, baseline=66.6)["off_lattice"]
    assert claim(n=3, baseline=66.6).to_dict()["baseline"]["items"] == [2, 2]
    assert "cut off" not in notes(n=300, baseline=70.1)["off_lattice"]


def test_the_difference_of_rounded_values() -> None:
    """94 and 110 of 120 are 78.3% and 91.7%; they differ by 13.3 points, as rounded by 13.4."""
    given = {"n": 120, "baseline": 78.3, "candidate": 91.7}
    assert findings(**given, gap=13.4) == set()
    assert "+13.33 points" in notes(**given, gap=13.4)["rounded_difference"]
    assert "rounded_difference" not in notes(**given, gap=13.3)


def test_an_interval_and_a_p_value_of_two_methods() -> None:
    """7 against 1 of 400: [0.25, 3.00] by the bootstrap, .070 by the exact test."""
    given = {"n": 400, "gap": 1.5, "interval": ("0.25", "3.00"), "p": ".070"}
    found = claim(**given)
    assert found.findings == ()
    assert "exact" in notes(**given)["p_against_interval"]
    assert found.reading.code == "unresolved"
    assert "disagree" in found.reading.text


@pytest.mark.parametrize(
    ("given", "meant", "small"),
    [
        ({"baseline": 0.712}, "--baseline 71.2", "--baseline 0.712%"),
        (
            {"baseline": ".7", "candidate": ".80"},
            "--baseline 70 --candidate 80",
            "--baseline .7% --candidate .80%",
        ),
        (
            {"baseline": "0.9", "candidate": "1.0"},
            "--baseline 90 --candidate 100",
            "--baseline 0.9% --candidate 1.0%",
        ),
        ({"gap": ".036"}, "--gap 3.6", "--gap .036%"),
        ({"gap": "-0.0360"}, "--gap -3.60", "--gap -0.0360%"),
        ({"gap": "3.6", "share": ".97"}, "--share 97", "--share .97%"),
    ],
)
def test_shares_of_1_are_refused(given: dict[str, Any], meant: str, small: str) -> None:
    with pytest.raises(UsageError) as refused:
        claim(n=500, **given)
    assert f"Write {meant}; or, if " in str(refused.value)
    assert str(refused.value).endswith(f" indeed, {small}.")


@pytest.mark.parametrize(
    "given",
    [
        {"baseline": "0/500"},
        {"baseline": 1},
        {"baseline": "0.8%", "candidate": "1.0%"},
        {"baseline": "0.8", "candidate": "74.8"},
        {"baseline": "1/500", "candidate": "2/500"},
        {"gap": "0.2"},
        {"gap": "0.036%"},
        {"gap": "1.5", "share": "0.97%"},
        # The values decide, and the gap is a finding.
        {"baseline": "71.2", "candidate": "74.8", "gap": ".036"},
    ],
    ids=str,
)
def test_small_percent_are_read(given: dict[str, Any]) -> None:
    claim(n=500, **given)


def test_numbers_that_may_be_shares_are_pointed_at() -> None:
    """0.36 points of 500 are 1.8 items; an interval of shares does not hold a gap of points."""
    assert notes(n=500, gap=".36")["off_lattice"].endswith("If it is a share of 1, write 36.")
    assert "If it is a share" not in notes(n=300, gap="1.4")["off_lattice"]
    shares = notes(n=500, gap="3.6", interval=("-.012", ".084"))["unit"]
    assert "in points it is [-1.2, 8.4]" in shares


@pytest.mark.parametrize(
    ("share", "held"),
    [(99, "below"), (97.5, "at the edge of"), (97, "not below"), (3, "not below")],
)
def test_shares_of_resamples(share: float, held: str) -> None:
    value = 2 * min(share, 100 - share) / 100
    message = notes(n=500, share=share)["one_sided_share"]
    assert f"it is {value:.3g} (" in message
    assert f", {held} 0.05" in message


# -- what it holds ---------------------------------------------------------------------------------


def test_readings() -> None:
    codes = {
        "consistent": claim(n=500, baseline=71.2),
        "open": claim(n=500, gap=3.6),
        "resolved": claim(n=500, gap=3.6, discordant=74),
        "unresolved": claim(n=500, gap=3.6, discordant=76),
        "inconsistent": claim(n=500, gap=3.5),
    }
    assert {code: found.reading.code for code, found in codes.items()} == {c: c for c in codes}
    assert claim(n=500, gap=60).reading.code == "resolved"  # whatever the counts are
    assert claim(n=500, gap=0).reading.code == "unresolved"


def test_digits_that_leave_the_reading_open() -> None:
    """71% and 75% of 500 are 16 to 24 items apart, which 76 discordant items resolve or not."""
    p_values = [mcnemar((76 - net) // 2, (76 + net) // 2) for net in (16, 24)]
    assert p_values[1] < 0.05 < p_values[0]
    found = claim(n=500, baseline=71, candidate=75, discordant=76)
    assert found.reading.code == "open"
    assert "digits" in found.reading.text
    assert found.to_dict()["gap"]["items"] == [16, 24]
    assert found.to_dict()["discordant"]["parity"] == "either"
    # 0 to 8 items of 400: four are never resolved, eight may be.
    wide = claim(n=400, baseline=50, candidate=51)
    assert wide.to_dict()["gap"]["items"] == [0, 8]
    assert wide.reading.code == "open"
    assert "rounded away" in wide.reading.text


def test_what_was_not_searched_through_is_no_contradiction() -> None:
    """Of 10,001 net numbers only some are tried; that none of them fits proves nothing."""
    given = {"n": 1_000_000, "baseline": 71, "candidate": 72, "discordant": 100_000}
    found = claim(**given, p="0.5")
    assert found.findings == ()
    said = {note.code: note.message for note in found.notes}
    assert "Not all possible counts were searched" in said["p_impossible"]


def test_the_level_moves_everything() -> None:
    """46 against 28 have p = .047, which is not below .01."""
    at = {level: claim(n=500, gap=3.6, confidence_level=level) for level in (0.9, 0.95, 0.99)}
    borders = [found.to_dict()["resolution"]["border"] for found in at.values()]
    assert borders == sorted(borders, reverse=True)
    for (level, found), border in zip(at.items(), borders, strict=True):
        alpha = round(1 - level, 12)
        p_values = [mcnemar((d - 18) // 2, (d + 18) // 2) for d in (border, border + 2)]
        assert p_values[0] <= alpha < p_values[1]
        assert found.to_dict()["narrowest"]["interval"]["confidence_level"] == level


def test_fields_of_a_claim() -> None:
    told = claim(n=400, gap=1.5, interval=(1.1, 1.9), n_resamples=1_000).to_dict()
    assert told["schema"] == "deadheat/claim/1"
    assert told["version"] == deadheat.__version__
    assert told["stated"] == {
        "interval": ["1.1", "1.9"],
        "p": None,
        "share": None,
        "gap": "1.5",
        "resamples": 1000,
    }
    assert (told["baseline"], told["candidate"]) == (None, None)
    assert told["gap"]["unpaired"] is None
    assert told["resolution"]["typical"] is None
    assert {note["code"] for note in told["notes"]} >= {"too_narrow", "off_lattice", "assumed"}
    assert [note["code"] for note in told["findings"]] == ["too_narrow"]


def test_one_value_has_the_intervals_of_the_methods() -> None:
    told = claim(n=100, baseline=70).to_dict()
    assert (told["gap"], told["discordant"], told["table"], told["resolution"]) == (
        *(None, None, []),
        None,
    )
    ends = {
        one["interval"]["method"]: (one["interval"]["low"], one["interval"]["high"])
        for one in told["methods"]
    }
    law = stats.binomtest(70, 100)
    for name, judged in (
        ("wilson", "wilson"),
        ("wilson_cc", "wilsoncc"),
        ("clopper_pearson", "exact"),
    ):
        interval = law.proportion_ci(method=judged)
        assert ends[name] == pytest.approx((100 * interval.low, 100 * interval.high), abs=1e-6)
    jeffreys = stats.beta(70.5, 30.5).ppf([0.025, 0.975])
    assert ends["jeffreys"] == pytest.approx(tuple(100 * jeffreys), abs=1e-6)
    drawn = stats.binom(100, 0.7)
    assert ends["percentile"] == pytest.approx(
        (drawn.ppf(0.025), 100 - stats.binom(100, 0.3).ppf(0.025))
    )


def test_one_value_of_many_items_finds_the_count_that_fits() -> None:
    """70% of 2,000 is 1,390 to 1,410; Wilson's interval of 1,404 is that of no other."""
    low, high = stats.binomtest(1_404, 2_000).proportion_ci(method="wilson")
    found = claim(n=2_000, baseline=70, interval=(f"{100 * low:.3f}", f"{100 * high:.3f}"))
    assert [one.items for one in found.singles if one.interval.method == "wilson"] == [1_404]
    assert found.reading.code == "consistent"


def test_one_item() -> None:
    found = claim(n=1, baseline="0/1", candidate="1/1")
    told = found.to_dict()
    assert told["narrowest"]["interval"]["low"] is None
    assert "undefined" in found.to_text()
    assert found.reading.code == "unresolved"


def test_reports_say_nothing_of_significance() -> None:
    for stated in ({"gap": 3.6}, {"gap": 3.6, "share": 97, "p": ".06"}, {"baseline": 71.2}):
        found = claim(n=500, **stated)
        for text in (found.to_text(), found.to_markdown(), found.to_json()):
            assert "significan" not in text.lower()
            assert "partial credit" in text


def test_a_claim_is_frozen() -> None:
    found = claim(n=500, gap=3.6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.n = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    "given",
    [
        {"baseline": 71.2, "candidate": 74.8},
        {"baseline": 71.2, "candidate": 74.8, "interval": (3.57, 3.63), "p": "<0.001"},
        {"gap": 0.01, "interval": (-0.02, 0.04), "p": 0.5, "n_resamples": 5_000},
        {"baseline": "7120000/10000000", "candidate": "7480000/10000000", "share": 100},
    ],
    ids=str,
)
def test_ten_million_items(given: dict[str, Any]) -> None:
    found = claim(n=10_000_000, **given)
    assert found.findings == ()
    assert len(found.to_dict()["table"]) < 10
    assert len(found.matches) <= 40
