"""What the commands say as JSON, number by number, on one small simulated collection."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

HERE = Path(__file__).parent
LEVELS = "Non,Rel,HRel,Key"
# After a change that is meant to show, GAINSAYER_GOLDEN=write renews the files; read the diff.
WRITE = os.environ.get("GAINSAYER_GOLDEN") == "write"
COMMANDS: dict[str, tuple[str, ...]] = {
    "agree": ("agree", "first.qrels", "second.qrels", "--levels", LEVELS),
    "fit": ("fit", "first.qrels", "second.qrels", "--levels", LEVELS),
    "fit-one-sided-strata": (
        *("fit", "first.qrels", "second.qrels", "--levels", LEVELS, "--threshold", "HRel"),
        *("--estimator", "one-sided", "--strata", "strata.tsv"),
    ),
    "score": (
        *("score", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs"),
        *("-m", "nDCG@10", "-m", "P@5", "-m", "AP", "-m", "RBP(p=0.8)", "--gains", "prm,binary", "--per-topic"),
    ),
    "compare": (
        *("compare", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs"),
        *("-m", "nDCG@10", "-m", "DCG@5", "--gains", "prm,binary,linear", "--threshold", "Key"),
    ),
    "study-topics": (
        "study",
        "topics",
        "--judgments",
        "first.qrels",
        "second.qrels",
        "--levels",
        LEVELS,
        "--threshold",
        "Key",
    ),
    "study-amount": (
        *("study", "amount", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS),
        *("--threshold", "Key", "--sizes", "20,60", "--rounds", "10"),
    ),
    "study-quality": (
        *("study", "quality", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS),
        *("--threshold", "Key", "--runs", "runs", "--steps", "5,20"),
    ),
    "study-robustness": (
        *("study", "robustness", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs"),
        *("--threshold", "HRel"),
    ),
    "study-gains": (
        *("study", "gains", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs"),
        *("--threshold", "HRel"),
    ),
    "machine-check": (
        *("machine", "check", "--machine", "gpt=first.qrels", "--people", "second.qrels", "--levels", LEVELS),
        *("--runs", "runs", "--threshold", "HRel", "--effect", "votes,rank"),
    ),
    "machine-score": (
        *("machine", "score", "--machine", "gpt=first.qrels", "--people", "second.qrels", "--levels", LEVELS),
        *("--runs", "runs", "--threshold", "HRel", "-m", "DCG@10", "-m", "nDCG@10", "-m", "AP", "--pairwise"),
    ),
    "plan": (
        *("plan", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs/good.run", "runs/fair.run"),
        *("--for", "difference", "-m", "nDCG@10", "--threshold", "HRel", "--budget", "120", "--assessors", "6"),
    ),
    "report": (
        *("report", "--judgments", "first.qrels", "second.qrels", "--levels", LEVELS, "--runs", "runs"),
        *("-m", "nDCG@10", "--threshold", "Key", "--strata", "strata.tsv"),
    ),
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven topics, eight of them judged twice, five runs, two kinds of topics."""
    from gainsayer.datasets import LatentModel, RunDesign, simulate_collection, write_collection

    folder = tmp_path_factory.mktemp("golden")
    made = simulate_collection(
        LatentModel(),
        topics=11,
        documents=30,
        runs=RunDesign(qualities={"good": 0.9, "better": 0.95, "fair": 0.7, "poor": 0.4, "worst": 0.1}),
        strata={"nav": 0.5, "inf": 0.5},
        seed=5,
    )
    write_collection(made, folder, overwrite=True)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_as_kept(
    name: str, collection: Path, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JSON of a command keeps its keys and, to nine digits, its numbers."""
    monkeypatch.chdir(collection)
    result = run(*COMMANDS[name], "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    for passing in ("version", "files", "options", "command"):
        found.get("provenance", {}).pop(passing, None)
    kept = HERE / "json" / f"{name}.json"
    if WRITE:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(_rounded(found), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    expected = json.loads(kept.read_text(encoding="utf-8"))
    assert not list(_differences(expected, found, "$"))[:10]


def _rounded(value: Any) -> Any:
    """Ten digits are enough to keep, and do not change with the library that made them."""
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def _differences(expected: Any, found: Any, place: str) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in expected.keys() | found.keys():
            if key not in expected or key not in found:
                yield f"{place}.{key} is only in {'the kept file' if key in expected else 'the new output'}"
            else:
                yield from _differences(expected[key], found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{place}: {len(expected)} entries kept, {len(found)} found"
        for at, (one, two) in enumerate(zip(expected, found, strict=False)):
            yield from _differences(one, two, f"{place}[{at}]")
    elif isinstance(expected, int | float) and isinstance(found, int | float) and not isinstance(expected, bool):
        if not math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-12):
            yield f"{place}: kept {expected}, found {found}"
    elif expected != found:
        yield f"{place}: kept {expected!r}, found {found!r}"
