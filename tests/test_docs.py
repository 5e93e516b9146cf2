"""The documentation shows what the code does: outputs, options, fields, names and codes."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from pathlib import Path
from typing import Any, get_args

import click
import numpy as np
import polars as pl
import pytest

import deadheat
from deadheat.cli import cli
from deadheat.errors import UsageError
from deadheat.readers.columns import ROLES
from deadheat.reading import Code
from pages import COMMANDS, METHODS, PAGES, ROOT, UPDATE, command_page, rows, section, spans
from recipes import frame, graded

# Outputs


RUNNING = [
    name
    for name, page in PAGES.items()
    if any(f"```{kind}" in page for kind in ("console", "pycon"))
]


@pytest.mark.parametrize("name", RUNNING)
def test_commands_and_sessions_print_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `python docs/update.py` writes what they print. A page is run once: some take their time.
    page = PAGES[name]
    assert UPDATE["refreshed"](page, tmp_path) == page
    monkeypatch.chdir(tmp_path)
    session = "\n".join(
        f["body"] for f in UPDATE["FENCE"].finditer(page) if f["language"] == "pycon"
    )
    test = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert bool(test.examples) == ("```pycon" in page)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


def test_every_command_has_a_page_with_an_output() -> None:
    for name in COMMANDS:
        assert f"$ deadheat {name} " in command_page(name), name


def test_fences_close_and_none_is_left_unread() -> None:
    for name, page in PAGES.items():
        assert len(re.findall(r"^```", page, re.MULTILINE)) == 2 * len(
            list(UPDATE["FENCE"].finditer(page))
        ), name


# Options


def described(parameter: click.Parameter) -> tuple[set[str], list[str], list[str]]:
    """Spellings of an option, what it takes, and its default."""
    assert isinstance(parameter, click.Option)
    if parameter.is_flag:
        takes = []
    elif isinstance(parameter.type, click.Choice):
        takes = list(parameter.type.choices)
    else:
        takes = [parameter.metavar or parameter.type.name]
        takes = takes if "," in takes[0] else [takes[0].upper()]
    default = [str(parameter.default)] if parameter.show_default else []
    return set(parameter.opts), takes, default


@pytest.mark.parametrize("name", COMMANDS)
def test_option_tables_hold_the_options_of_the_command(name: str) -> None:
    documented = [
        (set(spans(option)), spans(takes), spans(default))
        for option, takes, default, _ in (
            row for row in rows(section(command_page(name), "Options")) if len(row) == 4
        )
    ]
    real = [described(p) for p in cli.commands[name].params if isinstance(p, click.Option)]
    key = lambda option: sorted(option[0])  # noqa: E731
    assert sorted(documented, key=key) == sorted(real, key=key)


@pytest.mark.parametrize("name", COMMANDS)
def test_synopsis_is_the_usage_of_the_command(name: str) -> None:
    context = click.Context(cli.commands[name], info_name=f"deadheat {name}")
    usage = cli.commands[name].get_usage(context).removeprefix("Usage: ")
    assert section(command_page(name), "Synopsis").strip().splitlines()[0].strip() == usage


def test_keywords_are_those_of_the_options() -> None:
    keywords = {
        flag: re.match(r"\w+", spans(keyword)[0])[0]  # type: ignore[index]
        for option, keyword in rows(section(PAGES["docs/python.md"], "Keywords"))
        for flag in re.findall(r"--[\w-]+", option)
        if "=" in keyword
    }
    elsewhere = {"--record", "--format", "--output", "--flips"}
    for name in ("compare", "rank", "score"):
        accepted = set(inspect.signature(getattr(deadheat, name)).parameters)
        for parameter in cli.commands[name].params:
            for flag in parameter.opts if isinstance(parameter, click.Option) else ():
                if flag not in elsewhere:
                    plain = flag.removeprefix("--").replace("-", "_")
                    assert keywords.get(flag, plain) in accepted, (name, flag)


# Methods and tests by design

GENERATOR = np.random.default_rng(3)
LABELS = GENERATOR.integers(0, 3, 60)
RIGHT, WRONG = (LABELS.copy() for _ in range(2))
RIGHT[::7], WRONG[::5] = 1, 2
DATA: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "0/1": (tuple(np.arange(60.0) % k == 0 for k in (2, 3)), {}),
    "numbers": (tuple(GENERATOR.random(60).round(1) for _ in range(2)), {}),
    "metric of totals": ((WRONG, RIGHT), {"references": LABELS, "metric": "macro_f1"}),
    "auroc": (
        tuple(GENERATOR.random(60) + (LABELS == 1) for _ in range(2)),
        {"references": (LABELS == 1).astype(int), "metric": "auroc"},
    ),
    "runs that are `random`": ((frame(graded(runs=(5, 5))),), {"runs": "random"}),
}


def known(call: Any, **refused: str) -> set[str]:
    """Names that an error lists."""
    with pytest.raises(UsageError) as caught:
        call(**refused)
    return set(re.findall(r"[\w.]+", caught.value.fix.partition("Known: ")[2].rstrip(".")))


def unpaired(sources: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The same as two frames that share no item."""
    references = options.get("references")
    column = "score" if references is None else "output"
    frames = {}
    for k, source in enumerate(sources):
        columns = {"item": [f"{k}-{i}" for i in range(len(source))], column: source}
        if references is not None:
            columns["reference"] = references
        frames[f"s{k}"] = pl.DataFrame(columns)
    rest = {name: value for name, value in options.items() if name != "references"}
    return (frames,), rest | {"paired": False}


DESIGNS = [row for row in rows(section(command_page("compare"), "The inference")) if len(row) == 3]


@pytest.mark.parametrize("row", DESIGNS, ids=lambda row: row[0])
def test_methods_and_tests_of_a_design_are_those_that_run(row: list[str]) -> None:
    design, methods, tests = row[0], spans(row[1]), spans(row[2])
    kind = re.sub(r"^(un)?paired,? ", "", design)
    sources, options = DATA[kind]
    if design.startswith("unpaired"):
        sources, options = unpaired(sources, options)

    def call(**chosen: str) -> deadheat.Comparison:
        return deadheat.compare(*sources, **options, n_resamples=999, **chosen)

    assert known(call, method="wilson_cc") == set(methods)
    assert known(call, test="wilson_cc") == set(tests)
    for method in methods:
        assert call(method=method).difference.interval.defined, method
    for test in tests:
        assert call(test=test).difference.tests[0].p_value <= 1.0, test


@pytest.mark.parametrize(
    "row",
    [row for row in rows(section(command_page("score"), "The interval")) if len(row) == 3],
    ids=lambda row: row[0],
)
def test_methods_of_score_are_those_that_run(row: list[str]) -> None:
    sources, options = DATA[row[0].removeprefix("other ")]

    def call(**chosen: str) -> deadheat.Scorecard:
        return deadheat.score(sources[0], **options, n_resamples=999, **chosen)

    assert call().systems[0].interval.method == spans(row[1])[0]
    unfit = "wilson" if row[0] != "0/1" else "tango"
    assert known(call, method=unfit) == set(spans(row[2]))
    for method in spans(row[2]):
        assert call(method=method).systems[0].interval.defined, method


def test_readme_names_the_automatic_choices() -> None:
    for scores, interval, companion in rows(section(PAGES["README.md"], "What is computed")):
        if scores == "`--unpaired`":
            apart = [unpaired(*DATA[kind]) for kind in ("0/1", "numbers", "metric of totals")]
            chosen = [deadheat.compare(*sources, **options) for sources, options in apart]
            assert [c.difference.interval.method for c in chosen] == spans(interval)
            continue
        kind = next(word for word in ("0/1", "numbers", "metric") if word in scores)
        sources, options = DATA["metric of totals" if kind == "metric" else kind]
        few = slice(0, 15 if "fewer" in scores else None)
        if kind == "metric" and "fewer" not in scores:
            sources = tuple(np.tile(source, 2) for source in sources)
            options = options | {"references": np.tile(options["references"], 2)}
        elif "references" in options:
            options = options | {"references": options["references"][few]}
        found = deadheat.compare(*(source[few] for source in sources), **options)
        assert found.difference.interval.method == spans(interval)[0], scores
        named = f"{found.difference.tests[0].name} {found.difference.tests[0].variant}".casefold()
        first = re.split(r"[,\s]", companion.casefold().replace("-", "_"))[0]
        assert named.startswith(first), (scores, named)


# Names and codes


def test_aliases_are_those_of_the_readers() -> None:
    table = section(PAGES["docs/input.md"], "Names of columns")
    documented = {
        role: (*map(spans, (option, keyword)), set(spans(aliases)), set(spans(hints)))
        for role, option, keyword, aliases, hints in rows(table)
    }
    assert documented == {
        role.name: (
            [role.option],
            [role.option.removeprefix("--").replace("-", "_")],
            set(role.aliases),
            set(role.hints),
        )
        for role in ROLES.values()
    }


def test_readings_are_all_explained() -> None:
    table = section(PAGES["docs/reading-a-report.md"], "The reading")
    assert {code for row in rows(table) for code in spans(row[0])} == set(get_args(Code))


def note_codes(under: str = "src") -> tuple[set[str], set[str]]:
    """Codes of notes in the source: those written out, and patterns of those put together."""
    written, patterns = set(), set()
    for path in (ROOT / under).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"):
                continue
            (code,) = (word.value for word in node.keywords if word.arg == "code")
            if isinstance(code, ast.Constant):
                written.add(str(code.value))
            elif isinstance(code, ast.JoinedStr):
                parts = (v.value if isinstance(v, ast.Constant) else r"[a-z]+" for v in code.values)
                patterns.add("".join(map(str, parts)))
    return written, patterns


def test_notes_are_all_explained() -> None:
    """On the page about reports, or on that of the command that makes them."""
    tables = [
        section(PAGES[page], title)
        for page, title in (
            ("docs/reading-a-report.md", "Notes"),
            *((f"docs/commands/{name}.md", "Notes") for name in ("plan", "simulate", "check")),
            ("docs/methods/published-numbers.md", "What is checked"),
            ("docs/formats.md", "Notes"),
        )
    ]
    documented = {code for table in tables for row in rows(table) for code in spans(row[0])}
    written, patterns = note_codes()
    assert written - documented == set()
    for pattern in patterns:
        assert any(re.fullmatch(pattern, code) for code in documented), pattern
    source = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "src").rglob("*.py"))
    for code in documented - written:
        made = any(re.fullmatch(pattern, code) for pattern in patterns)
        assert made or f'"{code}"' in source, code


def test_notes_of_metrics_are_on_the_page_of_the_metric() -> None:
    written, _ = note_codes("src/deadheat/metrics")
    pages = [PAGES[name] for name in (*METHODS, "docs/own-metrics.md")]
    said = {code for page in pages for code in spans(UPDATE["FENCE"].sub("", page))}
    assert written - said == set()


def test_public_names_are_listed() -> None:
    assert sorted(spans(section(PAGES["docs/python.md"], "Public names"))) == sorted(
        deadheat.__all__
    )


def test_readme_opens_with_the_two_commands() -> None:
    blocks = re.findall(r"^    (make \w+)", PAGES["README.md"], re.MULTILINE)
    assert blocks == ["make demo", "make test"]
    assert PAGES["README.md"].index("make demo") < 40
