"""Facts measured by others on published judgments; skipped where the data is not beside the project."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

Find = Callable[[str], Path]
Run = Callable[..., Result]


def annotators(shared_data: Find) -> tuple[list[Path], list[str]]:
    """The eight annotators' files of DL19, and the options that name them pair by pair."""
    folder = shared_data("dl19/annotators")
    files = sorted(folder.glob("*.qrels"))
    sides = {side: ",".join(f"pair{pair}-{side}" for pair in range(1, 5)) for side in ("first", "second")}
    return files, ["--first", sides["first"], "--second", sides["second"]]


def test_dl19_annotator_pairs(shared_data: Find, run: Run) -> None:
    """Four pairs of annotators pooled: counts, probabilities at three thresholds and topic errors as published."""
    files, sides = annotators(shared_data)
    result = run("fit", *files, *sides, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["counts"] == [
        [1300, 299, 113, 29],
        [617, 328, 213, 97],
        [326, 237, 306, 135],
        [100, 100, 173, 118],
    ]
    assert (document["pairs"], document["topics"], document["estimator"]) == (4491, 43, "symmetric")
    found = {
        entry["threshold"]: [round(level["probability"], 3) for level in entry["levels"]]
        for entry in document["thresholds"]
    }
    assert found == {
        "1": [0.363, 0.587, 0.757, 0.852],
        "2": [0.139, 0.292, 0.509, 0.625],
        "3": [0.032, 0.089, 0.170, 0.271],
    }
    errors = [round(level["standard_error"]["topic"], 4) for level in document["thresholds"][1]["levels"]]
    assert errors == [0.0324, 0.0369, 0.0517, 0.0544]
    assert [warning["code"] for warning in document["warnings"]] == ["pairs-across-teams", "few-effective-topics"]
    # Eight people in two teams, who share the work about equally.
    assert (document["people"], document["over"]) == ([4, 4], "topics and people")
    assert 3 < min(document["effective_people"]) <= max(document["effective_people"]) < 4
    said = "The intervals speak of other topics and other people like these four and four."
    assert document["interval_note"] == said


def test_dl19_nist_against_annotators(shared_data: Find, run: Run) -> None:
    """Only 409 of 5,158 level-0 results were judged again: symmetric is refused, one-sided gives .136 and .451."""
    files, _ = annotators(shared_data)
    arguments = ["fit", shared_data("dl19/nist.qrels"), *files, "--first", "nist", "--threshold", "1"]
    refused = run(*arguments, "--estimator", "symmetric")
    assert refused.exit_code == 1
    assert "0 7.9%, 1 100.0%, 2 100.0%, 3 100.0%" in refused.stderr
    assert "--estimator one-sided" in refused.stderr
    assert "--sampled" in refused.stderr
    document = json.loads(run(*arguments, "--format", "json").stdout)
    assert document["estimator"] == "one-sided"
    assert "biased-second-sample" in [warning["code"] for warning in document["warnings"]]
    assert [round(level["probability"], 3) for level in document["levels"][:2]] == [0.136, 0.451]


def test_dl21_nist_and_gpt4(shared_data: Find, run: Run) -> None:
    """NIST by umbrela-gpt4 on 10,828 passages, and a machine judge is not exchangeable with people."""
    folder = shared_data("dl21/assessors")
    result = run("fit", folder / "nist.qrels", folder / "umbrela-gpt4.qrels", "--format", "json")
    document = json.loads(result.stdout)
    assert document["counts"] == [
        [2641, 1105, 469, 123],
        [315, 1223, 1037, 488],
        [46, 556, 1082, 657],
        [0, 38, 372, 676],
    ]
    assert document["pairs"] == 10828
    assert "sides-not-exchangeable" in [warning["code"] for warning in document["warnings"]]


def test_dl21_repeated_machine_calls(shared_data: Find, run: Run) -> None:
    """A judge that was asked up to four times conflicts with itself; kept all, its calls pair with people only."""
    folder = shared_data("dl21/assessors")
    files = [folder / "nist.qrels", folder / "umbrela-llama3.2.qrels"]
    refused = run("fit", *files)
    assert refused.exit_code == 1
    assert "different levels from one assessor" in refused.stderr
    assert "umbrela-llama3.2.qrels, line" in refused.stderr
    document = json.loads(run("fit", *files, "--repeats", "all", "--format", "json").stdout)
    lines = files[1].read_bytes().count(b"\n")
    assert document["documents"] == 10828
    assert document["pairs"] == lines
    assert "repeats-kept" in [warning["code"] for warning in document["warnings"]]


def test_dl19_eight_judgments_per_result(shared_data: Find, run: Run) -> None:
    """188 results judged by eight people: the three weightings coincide, and every pair of people is listed."""
    files = sorted(shared_data("dl19/agreement_round").glob("*.qrels"))
    found = [
        [
            level["probability"]
            for level in json.loads(run("fit", *files, "--weighting", kind, "--format", "json").stdout)["levels"]
        ]
        for kind in ("judgment", "pair", "document")
    ]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-12)
    agreement = json.loads(run("agree", *files, "--format", "json").stdout)
    assert len(agreement["assessor_pairs"]) == 28
    assert agreement["pairs"] == 188 * 28


def test_alpha_of_the_agreement_round(shared_data: Find, run: Run) -> None:
    """Krippendorff's alpha of eight people equals that of the krippendorff package."""
    krippendorff = pytest.importorskip("krippendorff")
    files = sorted(shared_data("dl19/agreement_round").glob("*.qrels"))
    labels: dict[tuple[str, str], dict[int, int]] = {}
    for place, file in enumerate(files):
        for topic, _, document, level in (line.split() for line in file.read_text().splitlines()):
            labels.setdefault((topic, document), {})[place] = int(level)
    table = np.full((len(files), len(labels)), np.nan)
    for column, given in enumerate(labels.values()):
        for row, level in given.items():
            table[row, column] = level
    coefficients = json.loads(run("agree", *files, "--format", "json").stdout)["coefficients"]
    for kind in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=kind)
        assert coefficients[f"krippendorff_alpha_{kind}"]["value"] == pytest.approx(expected, abs=1e-10)


def test_trec_eval_assessor_column(shared_data: Find, run: Run) -> None:
    """trec_eval's qrels.123 holds three assessors in column 2."""
    result = run("agree", shared_data("trec_eval/qrels.123"), "--by-assessor", "--format", "json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert [(pair["first"], pair["second"]) for pair in document["assessor_pairs"]] == [
        ("0", "1"),
        ("0", "2"),
        ("1", "2"),
    ]
