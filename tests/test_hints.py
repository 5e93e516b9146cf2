"""Clusters that ids and columns suggest, and what they would mean."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deadheat.comparing import compare
from deadheat.hints import candidates
from deadheat.measuring import Measured, measured
from deadheat.metrics import metrics_of
from deadheat.readers import read
from deadheat.recipe import READING
from deadheat.scorecard import score

SIZES = [1, 3, 4, 8, 4]
CLUSTER = np.repeat(np.arange(len(SIZES)), SIZES)


def ids(pattern: str) -> list[str]:
    return [pattern.format(c="abcde"[c], i=i, u="vwxyz"[c]) for i, c in enumerate(CLUSTER)]


def outcomes(seed: int) -> list[int]:
    """Items of one cluster tend to share an outcome."""
    rng = np.random.default_rng(seed)
    easy = rng.random(len(SIZES))
    return [int(x) for x in rng.random(CLUSTER.size) < easy[CLUSTER]]


def written(path: Path, items: list[Any], **columns: Any) -> Path:
    rows = [
        ",".join(map(str, row))
        for row in zip(items, outcomes(1), outcomes(2), *columns.values(), strict=True)
    ]
    path.write_text("\n".join([",".join(["item,system_a,system_b", *columns]), *rows]) + "\n")
    return path


def hints(result: Any) -> list[str]:
    return [note["message"] for note in result.to_dict()["notes"] if note["code"] == "cluster_hint"]


def measured_of(path: Path, metric: str | None = None, **reading: Any) -> Measured:
    (part,) = measured(
        [path],
        dict.fromkeys(READING) | reading,
        metrics_of(metric),
        lambda systems: [systems],
        missing="error",
        unparseable="wrong",
    )
    return part


@pytest.mark.parametrize(
    ("pattern", "rule"),
    [
        ("{c}__{c}-{i}", "^(.+)__"),
        ("{c}/{i}", "^(.+)/"),
        ("{c}::x::{i}", "^(.+)::"),
        ("doc-{c}_q{i}", "^(.+)_"),
        ("{c}#{i}", "^(.+)#"),
        ("{c}|{i}", r"^(.+)\|"),
        ("{c}.{i}", r"^(.+)\."),
        ("{c}:{i}", "^(.+):"),
        ("{c}-{i}", "^(.+)-"),
        ("{c} {i}", "^(.+) "),
        ("{c}_{i}_{u}{i}", "^(.+?)_"),
    ],
)
def test_the_option_of_a_hint_makes_the_clusters_that_it_speaks_of(
    tmp_path: Path, pattern: str, rule: str
) -> None:
    path = written(tmp_path / "t.csv", ids(pattern))
    (message,) = hints(compare(path))
    assert "begin with 5 different prefixes" in message
    assert "in 20 items (1 to 8 each)" in message
    option = re.search(r"--cluster '(.+)' takes", message)
    assert option is not None
    assert option[1] == f"item:{rule}"
    clusters = read(path, cluster=option[1]).answers[0].clusters
    assert clusters is not None
    assert (clusters.rank("dense") - 1).to_list() == CLUSTER.tolist()
    clustered = compare(path, cluster=option[1])
    assert not hints(clustered)
    assert clustered.to_dict()["unit"]["n"] == 5


@pytest.mark.parametrize(
    "items",
    [
        [f"q{i}" for i in range(20)],
        [f"HumanEval/{i}" for i in range(20)],
        [f"{i}_1" for i in range(20)],
        [f"{'ab'[i % 2]}_{i}" if i else "alone" for i in range(20)],
        list(range(20)),
        [f"_{i}" for i in range(20)],
    ],
    ids=["no separator", "one prefix", "all different", "one without", "numbers", "nothing before"],
)
def test_ids_that_suggest_nothing(tmp_path: Path, items: list[Any]) -> None:
    assert not hints(compare(written(tmp_path / "t.csv", items)))


def test_correlation_and_design_effect_of_the_differences(tmp_path: Path) -> None:
    message = hints(compare(written(tmp_path / "t.csv", ids("{c}_{i}"))))[0]
    differences = np.array(outcomes(2)) - np.array(outcomes(1))
    # The analysis of variance by hand, and the size of the cluster of an average item.
    groups = [differences[c == CLUSTER] for c in range(5)]
    msb = sum(len(g) * (g.mean() - differences.mean()) ** 2 for g in groups) / 4
    msw = sum(((g - g.mean()) ** 2).sum() for g in groups) / 15
    squares = sum(m * m for m in SIZES)
    rho = (msb - msw) / (msb + ((20 - squares / 20) / 4 - 1) * msw)
    effect = 1 + (squares / 20 - 1) * rho
    assert f"correlation of the differences is {rho:.3f}" in message
    assert f"design effect of about {effect:.1f}, intervals {effect**0.5:.1f} times" in message


def test_scores_of_each_system_alone_give_one_hint(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", ids("{c}_{i}"))
    (message,) = hints(score(path))
    assert re.search(r"correlation of the scores is -?0\.\d+ to 0\.\d+", message)


def test_a_metric_of_the_whole_set_is_taken_apart(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    easy = np.array([0.05, 0.95, 0.1, 0.9, 0.5])[CLUSTER]
    right = rng.random((20, 2)) < np.stack([easy, np.full(20, 0.6)], axis=1)
    rows = [
        f"{item},{gold},{gold if a else 1 - gold},{gold if b else 1 - gold}"
        for item, gold, (a, b) in zip(ids("{c}_{i}"), [0, 1] * 10, right, strict=True)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["item,label,system_a,system_b", *rows]) + "\n")
    (message,) = hints(compare(path, metric="macro_f1"))
    assert "of the differences of contributions is" in message
    # Accuracy is a mean: its pseudo-values are the scores, and so are those of micro-F1.
    accuracy = hints(compare(path, metric="accuracy"))[0]
    micro = hints(compare(path, metric="micro_f1"))[0]
    number = re.compile(r"is (-?\d\.\d{3})")
    assert number.findall(accuracy) == number.findall(micro)


def test_a_metric_of_ranks_is_taken_apart_too(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    rows = [
        f"{item},{k % 2},{k % 2 + rng.normal():.3f},{k % 2 + rng.normal():.3f}"
        for k, item in enumerate(ids("{c}_{i}"))
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["item,label,a,b", *rows]) + "\n")
    (message,) = hints(compare(path, metric="auroc", systems=("a", "b")))
    assert re.search(r"of the differences of contributions is -?\d\.\d{3}", message)


def test_columns(tmp_path: Path) -> None:
    items = list(range(20))
    doc = [f"d{c}" for c in CLUSTER]
    path = written(tmp_path / "t.csv", items, doc=doc)
    (message,) = hints(compare(path))
    assert message.startswith("Column 'doc' has 5 different values in 20 items (1 to 8 each)")
    assert "--cluster 'doc' takes them" in message
    # Ids that say the same are not reported twice; those that say something else are.
    again = written(tmp_path / "u.csv", ids("{c}_{i}"), doc=doc)
    assert len(hints(compare(again))) == 1
    other = written(tmp_path / "v.csv", [f"{i % 4}_{i}" for i in items], doc=doc)
    assert len(hints(compare(other))) == 2


def test_a_column_of_references_and_one_by_order(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.txt").write_text("\n".join(map(str, outcomes(seed))) + "\n")
    gold = "\n".join(["gold,context", *(f"1,c{c}" for c in CLUSTER)])
    (tmp_path / "gold.csv").write_text(gold + "\n")
    found = compare(tmp_path / "a.txt", tmp_path / "b.txt", references=tmp_path / "gold.csv")
    assert hints(found)[0].startswith("Column 'context' has 5 different values")


def test_what_differs_within_an_item_is_no_cluster(tmp_path: Path) -> None:
    rows = [
        f"{i},{s},{i % 2},d{i // 4 if s == 'a' else i // 5},{run}"
        for i in range(20)
        for s in "ab"
        for run in (1, 2)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["item,system,score,doc,run", *rows]) + "\n")
    # Each system has a column of its own: the first one's is shown.
    assert len(hints(compare(path))) == 1
    rows = [f"{i},{s},1,d{(i + run) // 4},{run}" for i in range(20) for s in "ab" for run in (1, 2)]
    path.write_text("\n".join(["item,system,score,doc,run", *rows]) + "\n")
    assert not hints(compare(path))


def test_strata_that_are_the_same_parts_say_enough(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", ids("{c}_{i}"), part=[max(c, 1) for c in CLUSTER])
    assert len(candidates(measured_of(path, stratum="part").alignments[0])) == 1
    two = [f"{'ab'[i % 2]}_{i}" for i in range(20)]
    equal = written(tmp_path / "v.csv", two, part=[i % 2 for i in range(20)])
    assert not candidates(measured_of(equal, stratum="part").alignments[0])


def test_nothing_that_varies_gives_a_hint_without_numbers(tmp_path: Path) -> None:
    rows = [f"{item},1,1" for item in ids("{c}_{i}")]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["item,system_a,system_b", *rows]) + "\n")
    (message,) = hints(compare(path))
    assert "correlation" not in message
    assert "--cluster 'item:^(.+)_'" in message


def test_swebench_ids_name_their_repositories(shared: Path) -> None:
    path = shared / "data" / "swebench_bash_only" / "leaderboards.json"
    (message,) = hints(score(path))
    assert "begin with 12 different prefixes ('astropy', 'django', 'matplotlib', ...)" in message
    assert "in 500 items (1 to 231 each)" in message
    assert "--cluster 'item:^(.+)__'" in message
