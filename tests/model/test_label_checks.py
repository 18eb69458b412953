"""Assessors who use other labels than the others; slips; pools chosen by their labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import gainsayer as gs
from gainsayer.errors import CallError, LabelSetError
from gainsayer.model import compare_label_sets, measure_agreement, notice_missing_zeros
from gainsayer.reading import Judgments

Run = Callable[..., Result]
Table = dict[str, dict[str, int]]


def opinions(count: int, seed: int, *, noise: float = 0.6, top: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Two people's levels from 0 to `top` of the same documents."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(1.5, 1.0, count)
    return tuple(np.clip(np.rint(quality + rng.normal(0, noise, count)), 0, top).astype(int) for _ in range(2))  # type: ignore[return-value]


def as_table(levels: np.ndarray) -> Table:
    """Levels of ten documents per topic."""
    return {
        f"q{at}": {f"d{at + n}": int(x) for n, x in enumerate(levels[at : at + 10])} for at in range(0, len(levels), 10)
    }


def codes(findings: tuple[gs.DataError, ...] | tuple[object, ...]) -> list[str]:
    """The codes of findings."""
    return [finding.code for finding in findings]  # type: ignore[attr-defined]


def test_a_shifted_scale_is_refused_and_a_map_repairs_it() -> None:
    """People on 1-4 beside a machine on 0-3: refused with the map to give; mapped, it is what 0-3 beside 0-3 gives."""
    one, two = opinions(400, 1)
    right = measure_agreement(gs.read_judgments({"people": as_table(one), "machine": as_table(two)}))
    shifted = gs.read_judgments({"people": as_table(one + 1), "machine": as_table(two)})
    with pytest.raises(
        LabelSetError,
        match=r"look shifted by 1.*maps=\{'people': \{'1': '0', '2': '1', '3': '2', '4': '3'\}\}\..*levels='0,1,2,3,4'",
    ):
        measure_agreement(shifted)
    with pytest.raises(LabelSetError, match="look shifted by 1"):
        gs.estimate_disagreement(gs.count_pairs(shifted))
    maps = {"people": {"1": "0", "2": "1", "3": "2", "4": "3"}}
    mapped = gs.read_judgments({"people": as_table(one + 1), "machine": as_table(two)}, maps=maps)
    for name, found in measure_agreement(mapped).coefficients.items():
        expected = right.coefficients[name]
        assert (found.value, *(found.interval or ())) == pytest.approx(
            (expected.value, *(expected.interval or ())), abs=1e-12, nan_ok=True
        )


def test_a_coarser_scale_is_refused_unless_levels_are_named() -> None:
    """0/1 beside 0-3: refused, one-sided possible; whoever names the levels says that all had them."""
    one, two = opinions(300, 2)
    tables = {"people": as_table(one), "machine": as_table((two >= 2).astype(int))}
    coarse = gs.read_judgments(tables)
    counts = gs.count_pairs(coarse)
    assert codes(counts.findings) == ["label-sets-differ"]
    for estimator in (None, "symmetric"):
        with pytest.raises(
            LabelSetError, match=r"machine gave 0, 1, and never 2 .* and 3 .*maps=\{'people': \{'2': '1', '3': '1'\}\}"
        ):
            gs.estimate_disagreement(counts, estimator=estimator)  # type: ignore[arg-type]
    assert gs.estimate_disagreement(counts, estimator="one-sided").matrix[3, 2:].tolist() == [0.0, 0.0]
    declared = gs.count_pairs(gs.read_judgments(tables, levels=gs.levels.parse_levels("0,1,2,3")))
    assert codes(declared.findings) == ["label-sets-differ"]
    assert gs.estimate_disagreement(declared).estimator == "symmetric"


@pytest.mark.parametrize("seed", range(20))
def test_few_judgments_and_strict_people_are_no_other_scale(seed: int) -> None:
    """Somebody with six judgments lacks labels by chance; somebody strict hardly gives the top: neither is refused."""
    one, two = opinions(200, seed)
    few = {"q0": {f"d{n}": int(x) for n, x in enumerate(two[:6])}}
    judgments = gs.read_judgments({"ann": as_table(one), "bob": as_table(two), "eve": few})
    assert compare_label_sets(judgments).different == ()
    strict = gs.read_judgments({"ann": as_table(one), "bob": as_table(np.minimum(two, 2))})
    found = compare_label_sets(strict)
    assert [own.assessor for own in found.different] == ["bob"]
    assert not found.refusal


def test_chance_alone_hardly_ever_raises_the_finding() -> None:
    """Assessors with one scale, many of them with few judgments: less than 1 collection in 50 is noticed."""
    noticed = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows = {
            f"w{worker}": {
                "q": {f"d{d}": int(rng.choice(4, p=[0.55, 0.25, 0.15, 0.05])) for d in rng.choice(60, 12, False)}
            }
            for worker in range(30)
        }
        noticed += bool(compare_label_sets(gs.read_judgments(rows)).different)
    assert noticed <= 4


def test_half_a_crowd_on_another_scale_is_refused_and_one_worker_only_noticed(judge: Callable[..., Judgments]) -> None:
    """What few judgments cannot spoil is said; what spoils the whole is refused."""
    rng = np.random.default_rng(4)

    def crowd(shifted: int) -> Judgments:
        rows = []
        for document in range(600):
            for worker in rng.choice(40, 4, replace=False):
                level = int(rng.integers(0, 4)) + (1 if worker < shifted else 0)
                rows.append((f"q{document % 30}", f"d{document}", f"w{worker:02}", str(level)))
        return judge(rows, roles=None)

    assert "look shifted by 1" in compare_label_sets(crowd(20)).refusal
    one = compare_label_sets(crowd(1))
    assert [own.assessor for own in one.different] == ["w00"]
    assert not one.refusal


def test_one_of_a_large_panel_is_never_refused(judge: Callable[..., Judgments]) -> None:
    """A worker who always gives 0 spoils their own labels alone: noticed among twelve, refused of two."""
    rng = np.random.default_rng(8)

    def panel(workers: int) -> Judgments:
        rows = []
        for document in range(450):
            for worker in rng.choice(workers, min(4, workers), replace=False):
                level = 0 if worker == 0 else int(np.clip(np.rint(document % 3 + rng.normal(0, 0.5)), 0, 2))
                rows.append((f"q{document % 30}", f"d{document}", f"w{worker:02}", str(level)))
        return judge(rows, roles=None)

    large = compare_label_sets(panel(12))
    assert [own.assessor for own in large.different] == ["w00"]
    assert not large.refusal
    assert compare_label_sets(panel(2)).refusal


def test_real_assessors_are_not_refused(shared_data: Callable[[str], Path]) -> None:
    """dl19's eight people, with and without NIST, and dl21's UMBRELA labels beside NIST share their labels."""
    for folder, files in (
        (
            "dl19",
            ["nist.qrels", *(f"annotators/pair{n}-{side}.qrels" for n in range(1, 5) for side in ("first", "second"))],
        ),
        ("dl19", [f"agreement_round/pair{n}-{side}.qrels" for n in range(1, 5) for side in ("first", "second")]),
        ("dl21", [f"assessors/{name}.qrels" for name in ("nist", "umbrela-gpt4", "umbrela-gpt4o", "umbrela-llama3.2")]),
    ):
        judgments = gs.read_judgments(*(shared_data(folder) / name for name in files), repeats="all")
        assert compare_label_sets(judgments).different == (), files
    people = [shared_data("dl21") / f"assessors/{name}.qrels" for name in ("nist", "umbrela-gpt4", "binary-gpt4")]
    found = compare_label_sets(gs.read_judgments(*people))
    assert [own.assessor for own in found.different] == ["binary-gpt4"]
    assert "maps={'nist': {'2': '1', '3': '1'}}, and likewise for umbrela-gpt4." in found.refusal


def test_slips_are_named_with_their_lines(tmp_path: Path) -> None:
    """Two lone 5s and a 10 among thousands of labels from 0 to 3 are found, file and line; a rare top level is not."""
    one, two = opinions(4000, 5)
    first, second = tmp_path / "first.qrels", tmp_path / "second.qrels"
    for path, levels in ((first, one), (second, two)):
        path.write_text("".join(f"q{n % 40} 0 d{n} {x}\n" for n, x in enumerate(levels)))
    lines = second.read_text().splitlines()
    for at, label in ((16, 5), (99, 5), (2000, 10)):
        lines[at] = lines[at].rsplit(" ", 1)[0] + f" {label}"
    second.write_text("\n".join(lines) + "\n")
    found = [f for f in gs.read_judgments(first, second).findings if f.code == "rare-labels"]
    assert "5 (2 times), 10 (1 time)" in found[0].message
    assert (
        "leave them out (missing=['5', '10']) or merge them (merges={'5': 'LABEL', '10': 'LABEL'})" in found[0].message
    )
    assert f"{second}, line 17; {second}, line 100; {second}, line 2001" in found[0].message
    rare = np.where(np.arange(4000) % 1500 == 7, 4, one)
    both = gs.read_judgments({"ann": as_table(rare), "bob": as_table(np.where(np.arange(4000) % 1700 == 9, 4, two))})
    assert codes(both.findings) == []
    alone = {"q": {f"d{n}": int(x) for n, x in enumerate(rare)}}
    assert codes(gs.read_judgments({"ann": alone}).findings) == []


def test_maps_by_assessor_and_file(tmp_path: Path) -> None:
    """A map may name an assessor of a table or a file as given; labels it lacks stay; an unknown name is refused."""
    table = tmp_path / "t.csv"
    table.write_text("qid,docno,judge,rel\nq,a,ann,1\nq,a,bob,2\nq,b,ann,2\nq,b,bob,0\n")
    maps = {"ann": {"1": "0", "2": "1"}}
    rows = gs.read_judgments(table, maps=maps).frame().select("document", "assessor", "level").rows()
    assert rows == [("a", "ann", "0"), ("a", "bob", "2"), ("b", "ann", "1"), ("b", "bob", "0")]
    whole = gs.read_judgments(table, maps={str(table): {"2": "1"}})
    assert whole.levels.names == ("0", "1")
    with pytest.raises(CallError, match="no assessor or file 'eve' whose labels could be mapped: there are"):
        gs.read_judgments(table, maps={"eve": {"1": "0"}})
    qrels = tmp_path / "nist.qrels"
    qrels.write_text("q 0 a 1\nq 0 b 04\n")
    assert gs.read_judgments(qrels, maps={"nist": {"4": "3"}}).levels.names == ("1", "3")


def test_maps_on_the_command_line(tmp_path: Path, run: Run) -> None:
    """--map repairs what agree refuses; a map without labels or given twice is a fault of the call."""
    one, two = opinions(300, 8)
    for name, levels in (("people", one + 1), ("machine", two)):
        text = "".join(f"q{n % 20} 0 d{n} {x}\n" for n, x in enumerate(levels))
        (tmp_path / f"{name}.qrels").write_text(text)
    files = (tmp_path / "people.qrels", tmp_path / "machine.qrels")
    refused = run("agree", *files)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "--map people:1=0,2=1,3=2,4=3" in refused.stderr
    assert run("agree", *files, "--map", "people:1=0,2=1,3=2,4=3").exit_code == 0
    assert run("agree", *files, "--levels", "0,1,2,3,4").exit_code == 0
    for faulty in (["--map", "people"], ["--map", "people:1"], ["--map", "people:1=0", "--map", "people:2=1"]):
        assert run("agree", *files, *faulty).exit_code == 2


def test_five_are_named_and_the_others_counted() -> None:
    """Seven of fourteen people never give the top label: five are described, two more are said to be there."""
    one, two = opinions(400, 9, top=2)
    tables = {f"full{n}": as_table(one) for n in range(7)} | {f"low{n}": as_table(np.minimum(two, 1)) for n in range(7)}
    found = compare_label_sets(gs.read_judgments(tables))
    assert [own.assessor for own in found.different] == [f"low{n}" for n in range(7)]
    assert "low4 gave 0, 1, and never 2" in found.findings[0].message
    assert "low5 gave" not in found.findings[0].message
    assert "; and 2 more assessors use other labels than the rest." in found.findings[0].message


def test_labels_beyond_a_coarse_scale_map_to_its_ends() -> None:
    """Somebody who gives 1 and 2 of 0 to 3: what lies below maps to the lower, what lies above to the higher."""
    one, two = opinions(400, 10)
    tables = {"people": as_table(one), "machine": as_table(np.where(two >= 2, 2, 1))}
    found = compare_label_sets(gs.read_judgments(tables))
    assert [(own.assessor, own.used, own.shift) for own in found.different] == [("machine", (1, 2), 0)]
    assert "maps={'people': {'0': '1', '3': '2'}}." in found.refusal


def test_two_labels_of_three_are_a_coarser_scale() -> None:
    """Never the third though others give it to many of the same documents: refused, as two labels only are coarser."""
    one, two = opinions(400, 11, top=2)
    found = compare_label_sets(gs.read_judgments({"people": as_table(one), "machine": as_table(np.minimum(two, 1))}))
    assert [own.assessor for own in found.different] == ["machine"]
    assert found.refusal.startswith("Equal labels do not seem to mean the same here: machine gave 0, 1, and never 2")


def test_one_of_three_on_a_shifted_scale() -> None:
    """Forty documents, 0 to 3 by two people and 1 to 4 by a machine: it stands one level up; the people are too few."""
    levels = np.resize([0, 1, 2, 3], 40)
    people = {name: {"q": {f"d{n}": int(x) for n, x in enumerate(levels)}} for name in ("ann", "bob")}
    machine = {"q": {f"d{n}": int(x) + 1 for n, x in enumerate(levels)}}
    found = compare_label_sets(gs.read_judgments(people | {"machine": machine}))
    assert [(own.assessor, own.shift) for own in found.different] == [("machine", 1)]
    assert "the labels look shifted by 1" in found.findings[0].message


def test_a_pool_listed_only_where_somebody_was_positive() -> None:
    """No document with the lowest label from all: noticed; with one such document, or few in all, it is not."""
    one, two = opinions(500, 6, noise=1.0)
    chosen = np.flatnonzero((one > 0) | (two > 0))
    listed = {"ann": as_table(one[chosen]), "bob": as_table(two[chosen])}
    for counts in (gs.count_pairs(gs.read_judgments(listed)), measure_agreement(gs.read_judgments(listed))):
        assert codes(counts.findings) == ["zeros-missing"]  # type: ignore[union-attr]
    assert codes(gs.count_pairs(gs.read_judgments({"ann": as_table(one), "bob": as_table(two)})).findings) == []
    few = {"ann": as_table(one[chosen][:30]), "bob": as_table(two[chosen][:30])}
    assert codes(gs.count_pairs(gs.read_judgments(few)).findings) == []


@pytest.mark.parametrize(("documents", "noticed"), [(18, False), (20, True)])
def test_five_must_be_expected(documents: int, noticed: bool) -> None:
    """Two labels each, half of them 0: a quarter of the documents would have 0 twice by chance; 4.5 are too few."""
    one = {f"d{n}": n % 2 for n in range(documents)}
    two = {f"d{n}": 1 - n % 2 for n in range(documents)}
    judgments = gs.read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    found = notice_missing_zeros(judgments, slice(None))
    assert bool(found) == noticed
    if noticed:
        assert "Not one of 20 documents has the label 0" in found[0].message
        assert "give it to about 5." in found[0].message


def test_only_the_judgments_that_count_are_looked_at() -> None:
    """A document that has 0 from everybody on these rows speaks against missing zeros; one left out does not."""
    one = {f"d{n}": n % 2 for n in range(40)} | {"z": 0}
    two = {f"d{n}": 1 - n % 2 for n in range(40)} | {"z": 0}
    judgments = gs.read_judgments({"ann": {"q": one}, "bob": {"q": two}})
    assert notice_missing_zeros(judgments, slice(None)) == ()
    kept = np.array(judgments.frame()["document"] != "z")
    assert len(notice_missing_zeros(judgments, kept)) == 1


def test_categories_have_no_lowest_label() -> None:
    """Where labels have no order nothing is missing."""
    tables = {
        "ann": {"q": {f"d{n}": "ab"[n % 2] for n in range(40)}},
        "bob": {"q": {f"d{n}": "ba"[n % 2] for n in range(40)}},
    }
    levels = gs.Levels(("a", "b"), ordered=False)
    assert notice_missing_zeros(gs.read_judgments(tables, levels=levels), slice(None)) == ()


@pytest.mark.parametrize(("each", "refused"), [(8, False), (9, False), (10, True)])
def test_a_shift_is_refused_from_twenty_missed_labels_on(each: int, refused: bool) -> None:
    """Labels one higher: A never gives 3, B never 0, where the other did on 8, 9 or 10 documents each; 20 in all do."""
    lower = {"q": {f"d{n}": n % 3 for n in range(3 * each)}}
    higher = {"q": {f"d{n}": n % 3 + 1 for n in range(3 * each)}}
    counts = gs.count_pairs(gs.read_judgments({"A": lower, "B": higher}))
    assert codes(counts.findings) == ["label-sets-differ"]
    assert bool(counts.refusal) == refused
