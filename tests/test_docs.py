"""The documentation shows what the code does: outputs, options, fields, names and codes."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import runpy
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import click
import numpy as np
import polars as pl
import pytest
from sacrebleu.metrics import BLEU

import deadheat
from deadheat.cli import cli
from deadheat.errors import UsageError
from deadheat.metrics import metric, names
from deadheat.metrics.metric import OfSums
from deadheat.metrics.spans.tags import PREFIXES
from deadheat.metrics.texts.normalization import STEPS, Normalizer
from deadheat.metrics.win_rate import OF_TIES
from deadheat.readers.columns import ROLES
from deadheat.reading import Code
from recipes import frame, graded

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
UPDATE = runpy.run_path(str(DOCS / "update.py"))
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in UPDATE["pages"]()
}
DIGITS = [
    ROOT / "examples" / "digits" / f"{name}.csv"
    for name in ("discriminant_analysis", "logistic_regression", "reference")
]
GAP500 = ROOT / "examples" / "gap500" / "gap500.csv"

COMMANDS = sorted(cli.commands)


def command_page(name: str) -> str:
    return PAGES[f"docs/commands/{name}.md"]


def section(page: str, title: str) -> str:
    """Text under a heading, to the next heading of the same or a higher level."""
    head = re.search(rf"^(#+) {re.escape(title)}$", page, re.MULTILINE)
    assert head, title
    rest = page[head.end() :]
    end = re.search(rf"^#{{1,{len(head[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def rows(text: str) -> Iterator[list[str]]:
    """Cells of the rows of Markdown tables, without their heads."""
    lines = text.splitlines()
    for above, line in pairwise(lines):
        if line.startswith("|") and above.startswith("|") and not line.startswith("|--"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def spans(cell: str) -> list[str]:
    """What a cell writes as code."""
    return re.findall(r"`([^`]+)`", cell)


# Outputs


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if "```console" in page])
def test_commands_print_what_the_page_shows(name: str, tmp_path: Path) -> None:
    # `python docs/update.py` writes what they print.
    assert UPDATE["refreshed"](PAGES[name], tmp_path) == PAGES[name]


def test_every_command_has_a_page_with_an_output() -> None:
    for name in COMMANDS:
        assert f"$ deadheat {name} " in command_page(name), name


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if "```pycon" in page])
def test_python_sessions(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = UPDATE["refreshed"](PAGES[name], tmp_path)
    monkeypatch.chdir(tmp_path)
    session = "\n".join(
        f["body"] for f in UPDATE["FENCE"].finditer(page) if f["language"] == "pycon"
    )
    test = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
    assert test.examples
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


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
    elsewhere = {"--record", "--format", "--output"}
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
        found = deadheat.compare(*(source[few] for source in sources), **options)
        assert found.difference.interval.method == spans(interval)[0], scores
        named = f"{found.difference.tests[0].name} {found.difference.tests[0].variant}".casefold()
        first = re.split(r"[,\s]", companion.casefold().replace("-", "_"))[0]
        assert named.startswith(first), (scores, named)


# JSON


def expanded(path: str) -> list[str]:
    """Expand {a,b} as a shell does."""
    braces = re.search(r"\{([^}]*)\}", path)
    if not braces:
        return [path]
    return [
        whole
        for word in braces[1].split(",")
        for whole in expanded(path[: braces.start()] + word + path[braces.end() :])
    ]


def fields(tree: Any, path: str = "") -> Iterator[str]:
    """Every leaf of a JSON document; what --about says has names of the user's own."""
    if isinstance(tree, dict) and tree and not path.endswith((".about", ".unavailable")):
        for key, item in tree.items():
            yield from fields(item, f"{path}.{key}" if path else key)
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        for item in tree:
            yield from fields(item, f"{path}[]")
    else:
        yield f"{path}[]" if isinstance(tree, list) and path == "changed" else path


def results(name: str, folder: Path) -> Iterator[Any]:
    """Results that between them have every field."""
    gone = folder / "gone.csv"
    gone.write_text("item,system_a,system_b\n1,1,0\n2,0,\n3,1,1\n", encoding="utf-8")
    classifiers, references = DIGITS[:2], DIGITS[2]
    if name == "compare":
        yield deadheat.compare(GAP500)
        yield deadheat.compare(gone, missing="drop")
        yield deadheat.compare([1], [0])
        yield deadheat.compare(
            *classifiers, references=references, metric="macro_f1", method="bca", n_resamples=99
        )
        yield deadheat.compare([0.1, 0.2, 0.4], [0.5, 0.5, 0.5])
        yield deadheat.compare(frame(graded()), runs="random")
        yield deadheat.compare(
            np.ones(60, int), 1 - (np.arange(60) < 1), references=np.ones(60, int),
            metric="balanced_accuracy", n_resamples=99,
        )  # fmt: skip
    elif name == "score":
        yield deadheat.score(gone, missing="drop")
        yield deadheat.score([0.5])
        yield deadheat.score(frame(graded()), runs="random")
    elif name == "rank":
        yield deadheat.rank(gone, missing="drop")
        yield deadheat.rank([1] * 30 + [0] * 30, [0, 1] * 30, descriptive=True, arena=True)
        yield deadheat.rank([0.1, 0.5] * 9, [0.2, 0.4] * 9, confidence_set=True)
        yield deadheat.rank(*classifiers, references=references, metric="macro_f1")
        parts = {"x": [1, 1, 1, 0], "y": [1, 1, None, None], "z": [0, 1, 0, 0]}
        yield deadheat.rank(pl.DataFrame({"item": range(4), **parts}), missing="wrong")
        long = {
            "item": [1, 1, 2, 2],
            "system": [*"abab"],
            "score": [1, 0, 0, 1],
            "usd": [1, 2, 1, 3],
        }
        yield deadheat.rank(pl.DataFrame(long), cost="usd")
    elif name == "adjust":
        yield deadheat.adjust([0.2, float("nan")])
    else:
        result = deadheat.compare(gone, missing="drop")
        deadheat.save(result, folder / "gone.json")
        gone.write_text("item,system_a,system_b\n1,1,0\n2,0,\n3,1,0\n", encoding="utf-8")
        yield deadheat.verify(folder / "gone.json")


@pytest.mark.parametrize("name", COMMANDS)
def test_json_tables_hold_the_fields_of_the_json(name: str, tmp_path: Path) -> None:
    documented = [
        path
        for names, _ in rows(section(command_page(name), "JSON"))
        for span in spans(names)
        for path in expanded(span)
    ]
    assert len(set(documented)) == len(documented)
    real = {field for result in results(name, tmp_path) for field in fields(result.to_dict())}
    # Where there is nothing to list or to count, the whole is empty or null.
    whole = {f for f in real if any(other.startswith((f"{f}.", f"{f}[")) for other in documented)}
    assert real - whole == set(documented)


SEVERAL = {
    "compare": ("comparisons", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
    "rank": ("leaderboards", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
    "score": ("scorecards", {"metric": "accuracy,macro_f1", "n_resamples": 99}),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_json_of_several_metrics_holds_that_of_each(name: str) -> None:
    table = section(command_page(name), "JSON of several metrics")
    documented = [
        path for names, _ in rows(table) for span in spans(names) for path in expanded(span)
    ]
    whole, options = SEVERAL[name]
    result = getattr(deadheat, name)(*DIGITS[:2], references=DIGITS[2], **options)
    found = result.to_dict()
    assert f"`{found['schema']}`" in table
    assert found[whole] == [one.to_dict() for one in result]
    assert [one["schema"] for one in found[whole]] == [f"deadheat/{whole[:-1]}/1"] * 2
    around = {path for path in fields(found) if not path.startswith(whole)}
    assert {*around, f"{whole}[]"} == set(documented)


# Metrics

METHODS = [name for name, page in PAGES.items() if "## At a glance" in page]
ONE = np.array([0, 1, 1, 0])
TEXT = (["a b c d e"], ["a b c d f"])
EXAMPLES: dict[str, tuple[Any, Any]] = {
    "metrics": (ONE[::-1], ONE),
    "translation": TEXT,
    "speech": TEXT,
    "summarisation": TEXT,
    "question-answering": TEXT,
    "spans": ([["B-X", "O"]], [["B-X", "O"]]),
    "ranking": ([["d1", "d2"]], [["d2"]]),
    "probability": (np.array([0.1, 0.9, 0.4, 0.2]), ONE),
    "correlations": (np.array([0.1, 0.9, 0.4, 0.2]), np.arange(4)),
    "repeated-answers": (["a"], ["a"]),
    "preference": ([0.0, 1.0], None),
}
"""Outputs and references that all metrics of a page take."""

GIVEN: dict[str, tuple[str, Any]] = {
    "--labels": ("labels", ["a"]),
    "--positive": ("positive", "a"),
    "--zero-division": ("zero_division", 1.0),
    "--lower-is-better": ("greater_is_better", False),
    "--tokenize": ("tokenize", "char"),
    "--normalize": ("normalize", "lower"),
    "--normalize-map": ("normalize_map", {"a": "b"}),
    "--bins": ("bins", 5),
    "--ties": ("ties", "win"),
    "--scheme": ("scheme", "bio"),
}
"""Options of metrics, and what none of them has for a default."""


def own_name(page: str) -> str:
    return Path(page).stem


def takes_option(name: str, keyword: str, value: Any) -> bool:
    try:
        metric(name, **{keyword: value})
    except UsageError as error:
        return "does not take" not in error.found
    return True


def kind_of(name: str) -> str:
    made = metric(name)
    if not isinstance(made, OfSums):
        return "weights"
    return "mean" if made.is_mean else "sums"


def test_metrics_are_all_listed() -> None:
    documented = []
    for cell, _, _ in rows(section(PAGES["docs/methods/metrics.md"], "All metrics")):
        plain = [name for name in spans(cell) if not name.endswith("_")]
        averages = [name for name in spans(cell) if name.endswith("_")]
        documented += [*plain, *(f"{average}{name}" for average in averages for name in plain)]
    assert sorted(documented) == list(names())


def test_options_of_metrics_are_those_of_the_commands() -> None:
    table = section(command_page("compare"), "The systems and the metric")
    others = {"--baseline", "--candidate", "--metric"}
    assert {spans(row[0])[0] for row in rows(table)} == GIVEN.keys() | others


@pytest.mark.parametrize("page", METHODS)
def test_metrics_are_as_the_page_says_at_a_glance(page: str) -> None:
    told = set()
    for listed, better, values, kind, options in rows(section(PAGES[page], "At a glance")):
        for name in spans(listed):
            made = metric(name)
            told.add(name)
            assert made.greater_is_better == {"greater": True, "lower": False}[better], name
            if made.bounds is None:
                assert values in ("any", "from 0"), name
            else:
                assert values == "{:g} to {:g}".format(*made.bounds), name
            assert kind == kind_of(name), name
            taken = {flag for flag, given in GIVEN.items() if takes_option(name, *given)}
            assert taken == set(spans(options)), name
    for cell, _, where in rows(section(PAGES["docs/methods/metrics.md"], "All metrics")):
        here = spans(cell) if f"({Path(page).name})" in where else []
        for name in here:
            whole = name.endswith("_") or any(
                one.startswith(name.removesuffix("k")) for one in told
            )
            assert whole, name


@pytest.mark.parametrize("page", METHODS)
def test_signatures_are_those_of_results(page: str) -> None:
    lines = re.findall(r"^    (\S+\|\S+)$", section(PAGES[page], "At a glance"), re.MULTILINE)
    assert lines
    outputs, references = EXAMPLES[own_name(page)]
    for line in lines:
        name = line.partition("|")[0]
        scored = ([0.0, 1.0], None) if name == "mean" else (outputs, references)
        if name.startswith("pass"):
            scored = (pl.DataFrame({"item": ["q"], "score": [[1, 0, 1, 1, 0]]}), None)
        found = deadheat.score(scored[0], references=scored[1], metric=name, n_resamples=99)
        own = re.sub(r"version:[^|]+", "version:", found.metric_signature)
        assert own == re.sub(r"version:[^|]+", "version:", line)


def test_every_page_of_metrics_is_held() -> None:
    assert {own_name(page) for page in METHODS} == EXAMPLES.keys()


def test_steps_of_normalisation_do_what_the_table_shows() -> None:
    table = list(rows(section(PAGES["docs/methods/speech.md"], "Normalisation")))
    assert [spans(row[0])[0] for row in table] == [
        *("lower", "casefold", "punctuation", "whitespace", "nfc", "nfd", "nfkc", "nfkd"),
        *("accents", "articles", "map"),
    ]
    assert {spans(row[0])[0] for row in table} == set(STEPS)
    for step, _, before, after in table:
        ((name,), (text,), (right,)) = (spans(cell) for cell in (step, before, after))
        mapping = {"mr": "mister"} if name == "map" else None
        assert Normalizer(steps=(name,), mapping=mapping)(text) == right, name
        assert text != right, name


def test_tokenisers_are_those_of_sacrebleu() -> None:
    text = section(PAGES["docs/methods/translation.md"], "BLEU")
    (item,) = (part for part in text.split("\n- ") if part.startswith("**Tokeniser**"))
    named = [word.removeprefix("--tokenize ") for word in spans(item)]
    assert sorted(named) == sorted(BLEU.TOKENIZERS)


def test_policies_and_schemes_are_all_explained() -> None:
    ties = section(PAGES["docs/methods/preference.md"], "Definition")
    assert {spans(row[0])[0] for row in rows(ties)} == set(OF_TIES)
    tags = section(PAGES["docs/methods/spans.md"], "Tags")
    assert {
        spans(scheme)[0]: "".join(spans(prefixes)) for scheme, prefixes, _ in rows(tags)
    } == PREFIXES


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
    table = section(PAGES["docs/reading-a-report.md"], "Notes")
    documented = {code for row in rows(table) for code in spans(row[0])}
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
