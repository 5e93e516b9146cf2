"""SGML of sclite: references and outputs out of alignments."""

from __future__ import annotations

from pathlib import Path

import pytest

import deadheat
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.looking import texts, tool

Words = list[tuple[str, str, str]]
"""What sclite says of each word: C, S, D or I, the word of the reference, the word heard."""


def system(title: str, utterances: dict[str, Words], *, timed: bool = False) -> str:
    """Make a SYSTEM as dump_SCORES_sgml of SCTK writes one."""
    aux = ' word_aux="h_t1+t2,h_conf"' if timed else ""
    found = [
        f'<SYSTEM title="{title}" ref_fname="r" hyp_fname="h" creation_date="Thu Jan  1" '
        'format="2.4" frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">',
        '<LABEL id="o" title="Overall" desc="All">',
        "</LABEL>",
        '<SPEAKER id="s1">',
    ]
    for item, words in utterances.items():
        line = []
        for kind, right, heard in words:
            first = f'"{right}"' if kind != "I" else ""
            second = f'"{heard}"' if kind != "D" else ""
            more = (",1.000+2.000,0.5" if kind != "D" else ",,") if timed else ""
            line.append(f"{kind},{first},{second}{more}")
        path = f'<PATH id="({item})" word_cnt="{len(words)}" sequence="0"{aux}>'
        found += [path, ":".join(line), "</PATH>"]
    return "\n".join([*found, "</SPEAKER>", "</SYSTEM>"]) + "\n"


A: Words = [("C", "the", "the"), ("S", "cat", "hat"), ("D", "sat", ""), ("I", "", "uh")]
B: Words = [("C", "the", "the"), ("C", "cat", "cat"), ("C", "sat", "sat")]


@pytest.mark.parametrize("timed", [False, True])
def test_two_systems(tmp_path: Path, timed: bool) -> None:
    """2 edits of 3 words on a shortest alignment: cat sat / hat uh."""
    for name, words in (("a", A), ("b", B)):
        text = system(f"out/{name}.ctm", {"s1-001": words, "s1-002": []}, timed=timed)
        (tmp_path / f"{name}.sgml").write_text(text, encoding="utf-8")
    assert tool(tmp_path / "a.sgml") == "sclite"
    assert texts(read(tmp_path / "a.sgml")) == {"a.ctm": {"s1-001": "the hat uh", "s1-002": ""}}
    found = deadheat.compare(tmp_path / "a.sgml", tmp_path / "b.sgml", metric="wer")
    assert (found.baseline.value, found.candidate.value) == (pytest.approx(2 / 3), 0.0)


def test_systems_below_each_other(tmp_path: Path) -> None:
    """As sc_stats takes them."""
    path = tmp_path / "all.sgml"
    path.write_text(system("a", {"u": A}) + "\n" + system("b", {"u": B}), encoding="utf-8")
    found = deadheat.compare(path, metric="wer")
    assert (found.baseline.system, found.candidate.system) == ("a", "b")
    assert found.candidate.value == 0.0


def test_what_sclite_counts_as_right_is_the_same(tmp_path: Path) -> None:
    """A fragment heard as a word, and an optional word that was not heard."""
    words: Words = [("C", "(ha-)", "had"), ("C", "(uh)", ""), ("C", "yes", "yes")]
    path = tmp_path / "a.sgml"
    path.write_text(system("a", {"u": words}), encoding="utf-8")
    assert deadheat.score(path, metric="wer").systems[0].value == 0.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</SYSTEM>\n", ""),
        ("</PATH>\n</SPEAKER>\n</SYSTEM>\n", ""),
        ('C,"the","the":', 'C,"the" the:'),
        ('C,"the","the"', "X,"),
        ("</SPEAKER>", "</PATH>"),
        ('<PATH id="(u)" word_cnt="4" sequence="0">\n', ""),
    ],
)
def test_broken_files(tmp_path: Path, old: str, new: str) -> None:
    text = system("a", {"u": A})
    assert old in text
    path = tmp_path / "a.sgml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError, match="sclite"):
        read(path)


def test_no_utterance(tmp_path: Path) -> None:
    path = tmp_path / "a.sgml"
    path.write_text(system("a", {}), encoding="utf-8")
    with pytest.raises(FormatError, match="0 rows"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        "\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSystem name:   ./x.hyp\n",
        "     SYSTEM SUMMARY PERCENTAGES by SPEAKER      \n",
        "      SEGMENTATION REPORT FOR SYSTEMS\n              a and b\n",
    ],
)
def test_reports_for_readers_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.pra"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="-o sgml"):
        read(path)


def test_shared_set(shared: Path) -> None:
    """9 and 7 errors, as sc_stats counts them, on the 11 words of the reference."""
    folder = shared / "data" / "sctk_asr"
    report = (folder / "base_sc_stats" / "test1a.stats.mapsswe").read_text(encoding="utf-8")
    _, _, first, second = next(
        line for line in report.splitlines() if line.startswith("Totals")
    ).split()
    files = (folder / "file1.sgml", folder / "file2.sgml")
    found = deadheat.compare(*files, metric="wer", method="percentile")
    assert found.baseline.value == pytest.approx(int(first) / 11)
    assert found.candidate.value == pytest.approx(int(second) / 11)
    swapped = deadheat.compare(*reversed(files), metric="wer", method="percentile")
    assert swapped.difference.estimate == pytest.approx(-found.difference.estimate)
