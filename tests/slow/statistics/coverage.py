"""The coverage tables of the documentation: `make coverage`, which takes hours.

    python -m tests.slow.statistics.coverage [--repeats 300] [--workers 2]

Every cell is written to docs/coverage/ when it is done, and not computed again; delete its file to begin anew. At the
end the tables between the markers of docs/explanation/coverage.md are written from them. A cell's seed is 0, as in the
tests that run some of these cells, so whoever runs one again finds the same number.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import run

import numpy as np
from tests.slow.statistics.machine_samples import JUDGES, LABELS, TARGETS, judge_judges, read_track
from tests.slow.statistics.machine_samples import MEASURES as MACHINE_MEASURES
from tests.slow.statistics.machine_samples import cover as cover_machine
from tests.slow.statistics.people_worlds import DESIGNS, FAMILIES, KINDS, MEASURES, PeopleWorld, cover
from tests.slow.statistics.plan_worlds import MEASURES as PLAN_MEASURES
from tests.slow.statistics.plan_worlds import PlanWorld, foretell, stop

from gainsayer.machines.rectified import Target
from gainsayer.model import ESTIMATORS

ROOT = Path(__file__).parents[3]
CELLS = ROOT / "docs" / "coverage" / "people.csv"
PAGE = ROOT / "docs" / "explanation" / "coverage.md"
PEOPLE, SDS, TOPICS = (4, 5, 8, 20), (0.0, 0.5, 1.0), (25, 50, 200)
WORLD = ("kind", "design", "family", "people", "sd", "topics", "repeats")
FOUND = (
    *(f"p({level})" for level in range(4)),
    *(f"score {name}" for name in MEASURES),
    *(f"difference {name}" for name in MEASURES),
    *(f"width {name}" for name in MEASURES),
    "over people",
)
LEAST, MOST = 0.92, 0.985


@dataclass(frozen=True)
class Cell:
    """A world, and what was found in it by the names of `FOUND`."""

    world: PeopleWorld
    repeats: int
    found: dict[str, float]

    def of(self, part: str) -> list[float]:
        """What begins with this word: p, score or difference."""
        return [value for name, value in self.found.items() if name.startswith(part)]


def worlds() -> list[PeopleWorld]:
    """Normal strictness of each size, and the other families where people differ most."""
    return [
        PeopleWorld(kind, people, sd, topics, design, family)
        for family, sd in [*itertools.product(FAMILIES[:1], SDS), *((family, 1.0) for family in FAMILIES[1:])]
        for kind, design, people, topics in itertools.product(KINDS, DESIGNS, PEOPLE, TOPICS)
    ]


def compute(world: PeopleWorld, repeats: int) -> Cell:
    """One cell."""
    found = cover(world, repeats)
    parts = (found.scores, found.differences, found.widths)
    values = [*found.fit.tolist(), *(part[name] for part in parts for name in MEASURES), found.over_people]
    return Cell(world, repeats, dict(zip(FOUND, values, strict=True)))


def read_cells() -> list[Cell]:
    """Those that were computed."""
    if not CELLS.exists():
        return []
    with CELLS.open(encoding="utf-8", newline="") as file:
        return [
            Cell(
                PeopleWorld(
                    row["kind"],
                    int(row["people"]),
                    float(row["sd"]),
                    int(row["topics"]),
                    row["design"],
                    row["family"],
                ),
                int(row["repeats"]),
                {name: float(row[name]) for name in FOUND},
            )
            for row in csv.DictReader(file)
        ]


def write_cells(cells: Iterable[Cell]) -> None:
    """All cells in the order of `worlds`."""
    place = {world: at for at, world in enumerate(worlds())}
    CELLS.parent.mkdir(exist_ok=True)
    with CELLS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*WORLD, *FOUND])
        for cell in sorted(cells, key=lambda cell: place[cell.world]):
            world = [getattr(cell.world, name) for name in WORLD[:-1]]
            writer.writerow([*world, cell.repeats, *(f"{cell.found[name]:.4g}" for name in FOUND)])


def summarise(cells: Sequence[Cell]) -> str:
    """Tables of means and ranges, and every cell outside with its number, as Markdown."""
    ordinary = [cell for cell in cells if cell.world.family == "normal"]
    lines = ["| who | strictness | p(R given i) | scores | differences |", "|---|---|---|---|---|"]
    groups = [
        (kind, sd, [c for c in ordinary if (c.world.kind, c.world.sd) == (kind, sd)]) for kind in KINDS for sd in SDS
    ]
    lines += [f"| {kind} | sd {sd:g} | {_row(group)} |" for kind, sd, group in groups]
    for family in FAMILIES[1:]:
        for kind in KINDS:
            group = [c for c in cells if (c.world.kind, c.world.family) == (kind, family)]
            lines.append(f"| {kind} | {family}, sd 1 | {_row(group)} |")
    lines += ["", "By the number of people, normal strictness:", ""]
    lines += ["| people | topics | p(R given i) | scores | differences |", "|---|---|---|---|---|"]
    for people, topics in itertools.product(PEOPLE, TOPICS):
        group = [c for c in ordinary if (c.world.people, c.world.topics) == (people, topics)]
        lines.append(f"| {people} | {topics} | {_row(group)} |")
    for title, part, most in (
        ("scores and differences", ("score", "difference"), MOST),
        ("p(R given i)", ("p(",), 1.0),
    ):
        for families in (FAMILIES[:1], FAMILIES[1:]):
            lines += ["", *_list_outside([c for c in cells if c.world.family in families], title, part, most)]
    return "\n".join(lines)


def _row(cells: Sequence[Cell]) -> str:
    return " | ".join(_range([value for cell in cells for value in cell.of(part)]) for part in ("p(", "score", "diff"))


def _range(values: Sequence[float]) -> str:
    return f"{_short(np.mean(values))} ({_short(min(values))} to {_short(max(values))})"


def _short(value: float | np.floating) -> str:
    return f"{value:.3f}".removeprefix("0")


def _list_outside(cells: Sequence[Cell], title: str, parts: tuple[str, ...], most: float) -> list[str]:
    """A sentence with the mean and the share inside, and a row per world that has something outside."""
    rows, number, outside, total = [], 0, 0, 0.0
    for cell in cells:
        values = {name: value for name, value in cell.found.items() if name.startswith(parts)}
        beyond = {name: value for name, value in values.items() if not LEAST <= value <= most}
        number, outside, total = number + len(values), outside + len(beyond), total + sum(values.values())
        if beyond:
            world = cell.world
            said = ", ".join(f"{name} {_short(value)}" for name, value in beyond.items())
            rows.append(
                f"| {world.kind} | {world.design} | {world.family}, sd {world.sd:g} | {world.people} | {world.topics} "
                f"| {said} |"
            )
    families = " and ".join(dict.fromkeys(cell.world.family for cell in cells))
    bounds = f"below {_short(LEAST)}" + (f" or above {_short(most)}" if most < 1 else "")
    lines = [
        f"**{title[0].upper()}{title[1:]}, {families}**: {number:,} cells, mean {_short(total / number)}; {outside:,} "
        f"({100 * outside / number:.1f} %) are {bounds}:"
    ]
    if rows:
        lines += ["", "| who | design | strictness | people | topics | covered |", "|---|---|---|---|---|---|", *rows]
    return lines


def write_page(cells: Sequence[Cell], plans: Sequence[dict[str, str]], machines: Sequence[dict[str, str]]) -> None:
    """The tables into the page, with the day and the commit they come from."""
    commit = run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    repeats = " to ".join(str(count) for count in sorted({cell.repeats for cell in cells}))
    when = f"Computed on {datetime.now(UTC).date()} at commit {commit}"
    text = PAGE.read_text(encoding="utf-8")
    for name, said in (
        ("people", f"{when}: {len(cells)} worlds, {repeats} collections each.\n\n{summarise(cells)}"),
        ("plans", f"{when}: {len(plans)} cells, {plans[0]['repeats']} studies each.\n\n{summarise_plans(plans)}"),
        ("machines", f"{when}: {machines[0]['draws']} draws a row.\n\n{summarise_machines(machines)}"),
        ("verdicts", summarise_verdicts(list(csv.DictReader(VERDICTS.open(encoding="utf-8", newline=""))))),
    ):
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        before, rest = text.split(begin)
        _, after = rest.split(end)
        text = f"{before}{begin}\n{said}\n{end}{after}"
    PAGE.write_text(text, encoding="utf-8")


PLANS = ROOT / "docs" / "coverage" / "plans.csv"
PLAN_WORLD = ("estimator", "topics", "twice", "pilot", "judged", "heavy")
PLAN_NUMBERS = (
    *(f"p({level})" for level in range(4)),
    *(f"score {name} run{run}" for name in PLAN_MEASURES for run in range(2)),
    *(f"difference {name}" for name in PLAN_MEASURES),
)
KINDS_OF_PLAN_CELLS = ("foretold", "stopped", "at the end")


def plan_worlds() -> list[tuple[str, PlanWorld]]:
    """Forecasts by topics, shares and tails; stops by topics and tails."""
    sizes = ((12, 12), (24, 24), (40, 40), (50, 24))
    forecasts = [
        ("foretold", PlanWorld(estimator, topics, twice, 0.25, judged, heavy))
        for estimator, (topics, twice), judged, heavy in itertools.product(
            ESTIMATORS, sizes, (0.3, 0.6, 0.9), (False, True)
        )
    ]
    stops = [
        ("stopped", PlanWorld(estimator, topics, twice, 0.2, 0.6, heavy))
        for estimator, (topics, twice), heavy in itertools.product(ESTIMATORS, sizes, (False, True))
    ]
    return [*forecasts, *stops]


def compute_plan(kind: str, world: PlanWorld, repeats: int) -> list[list[object]]:
    """The rows of one cell."""
    where = [*(getattr(world, name) for name in PLAN_WORLD), repeats]
    if kind == "foretold":
        found = foretell(world, repeats)
        return [[kind, *where, *found.levels, *found.scores, *found.differences]]
    held = stop(world, repeats)
    return [
        [kind, *where, *held.levels, *held.scores, *held.differences],
        ["at the end", *where, *held.fixed],
    ]


def read_plan_rows() -> list[dict[str, str]]:
    """Those that were computed."""
    if not PLANS.exists():
        return []
    with PLANS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def summarise_plans(rows: Sequence[dict[str, str]]) -> str:
    """By kind, estimator and topics: means and ranges over shares and tails."""
    lines = []
    for kind, title in (
        ("foretold", "Foretold over achieved half-widths, medians of a cell: mean (lowest to highest)"),
        ("stopped", "All looks from the first finished batch on hold the truth"),
        ("at the end", "The plain interval at the end holds it"),
    ):
        lines += [f"{title}:", ""]
        lines += ["| estimator | topics | p(R given i) | scores | differences |", "|---|---|---|---|---|"]
        for estimator, topics in itertools.product(ESTIMATORS, ("12", "24", "40", "50")):
            asked = (kind, estimator, topics)
            group = [row for row in rows if (row["kind"], row["estimator"], row["topics"]) == asked]
            cells = " | ".join(_range(_numbers(group, part)) for part in ("p(", "score", "difference"))
            said = f"{topics}, {group[0]['twice']} judged twice" if topics == "50" else topics
            lines.append(f"| {estimator} | {said} | {cells} |")
        lines.append("")
    foretold = [row for row in rows if row["kind"] == "foretold"]
    levels, runs = _numbers(foretold, "p("), [*_numbers(foretold, "score"), *_numbers(foretold, "difference")]
    near, nearer = (
        f"{np.mean([low <= value <= high for value in values]):.0%}"
        for values, low, high in ((levels, 0.7, 1.4), (runs, 0.85, 1.2))
    )
    lines.append(
        f"Of {len(levels)} cells of p(R given i) {near} lie in .7 to 1.4; of {len(runs)} cells of scores and "
        f"differences {nearer} in .85 to 1.2."
    )
    return "\n".join(lines)


def _numbers(rows: Sequence[dict[str, str]], part: str) -> list[float]:
    return [float(row[name]) for row in rows for name in PLAN_NUMBERS if name.startswith(part) and row[name]]


def add_plans(repeats: int, workers: int) -> None:
    """Compute the cells of plans that are missing."""
    rows: list[list[object]] = [list(row.values()) for row in read_plan_rows()]
    done = {tuple(map(str, row[: 1 + len(PLAN_WORLD)])) for row in rows}
    with ProcessPoolExecutor(workers) as pool:
        missing = [
            (kind, world)
            for kind, world in plan_worlds()
            if (kind, *(str(getattr(world, name)) for name in PLAN_WORLD)) not in done
        ]
        waiting = [pool.submit(compute_plan, kind, world, repeats) for kind, world in missing]
        for number, future in enumerate(as_completed(waiting), start=1):
            rows += future.result()
            with PLANS.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(["kind", *PLAN_WORLD, "repeats", *PLAN_NUMBERS])
                for row in sorted(rows, key=lambda row: [str(cell) for cell in row[:7]]):
                    shown = [f"{cell:.4g}" if isinstance(cell, float | np.floating) else cell for cell in row]
                    writer.writerow(["" if cell == "nan" else cell for cell in shown])
            print(f"{number} of {len(waiting)} plans: {rows[-1][:7]}", flush=True)


MACHINES = ROOT / "docs" / "coverage" / "machines.csv"
MACHINE_CELL = ("judge", "target", "labels", "measure")
MACHINE_FOUND = ("draws", "refused", "scores", "differences", "half", "bias")


def compute_machine(folder: Path, judge: str, target: Target, labels: int, repeats: int) -> list[list[object]]:
    """The rows of one cell, one per measure; draws without an interval are counted apart."""
    track = read_track(folder, judge)
    draws = [cover_machine(track, target, labels, seed) for seed in range(repeats)]
    rows: list[list[object]] = []
    for at, measure in enumerate(MACHINE_MEASURES):
        kept = [draw[at] for draw in draws if not draw[at].refused]
        means = [np.mean([getattr(one, name) for one in kept]) for name in MACHINE_FOUND[2:]] if kept else [np.nan] * 4
        rows.append([judge, target, labels, measure, repeats, repeats - len(kept), *means])
    return rows


def find_track() -> Path | None:
    """Where TREC DL 2021 is; None where it is not."""
    folder = Path(os.environ.get("GAINSAYER_DATA", ROOT.parent / "shared" / "data")) / "dl21"
    return folder if folder.is_dir() else None


def read_machine_rows() -> list[dict[str, str]]:
    """Those that were computed."""
    if not MACHINES.exists():
        return []
    with MACHINES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def add_machines(repeats: int, workers: int) -> None:
    """Compute the cells of machines that are missing; none without the real judgments."""
    folder = find_track()
    if folder is None:
        print("No machines: TREC DL 2021 is not there.", flush=True)
        return
    rows: list[list[object]] = [list(row.values()) for row in read_machine_rows()]
    done = {tuple(map(str, row[:3])) for row in rows}
    cells = [cell for cell in itertools.product(JUDGES, TARGETS, LABELS) if tuple(map(str, cell)) not in done]
    order = {cell: at for at, cell in enumerate(itertools.product(JUDGES, TARGETS, map(str, LABELS)))}
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(compute_machine, folder, *cell, repeats) for cell in cells]
        for number, future in enumerate(as_completed(waiting), start=1):
            rows += future.result()
            with MACHINES.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow([*MACHINE_CELL, *MACHINE_FOUND])
                for row in sorted(rows, key=lambda row: order[str(row[0]), str(row[1]), str(row[2])]):  # type: ignore[index]
                    shown = [f"{cell:.4g}" if isinstance(cell, float | np.floating) else cell for cell in row]
                    writer.writerow(shown)
            print(f"{number} of {len(waiting)} machines: {rows[-1][:3]}", flush=True)


def summarise_machines(rows: Sequence[dict[str, str]]) -> str:
    """By target, judge and labels: coverage of scores and of differences, and half-widths."""
    lines = []
    for target, title in (("these", "For these topics"), ("population", "For topics like these")):
        heads = " | ".join(f"{name}: scores, differences (half-width)" for name in MACHINE_MEASURES)
        lines += [f"{title}:", "", f"| judge | labels | {heads} | refused |", f"|---|---|{'---|' * 4}"]
        for judge, labels in itertools.product(JUDGES, map(str, LABELS)):
            here = {r["measure"]: r for r in rows if (r["judge"], r["target"], r["labels"]) == (judge, target, labels)}
            cells = [
                f"{_short(float(r['scores']))}, {_short(float(r['differences']))} ({float(r['half']):.2g})"
                for r in (here[name] for name in MACHINE_MEASURES)
            ]
            refused = float(here["nDCG@10"]["refused"]) / float(here["nDCG@10"]["draws"])
            lines.append(f"| {judge} | {labels} | {' | '.join(cells)} | {refused:.0%} |")
        lines.append("")
    return "\n".join(lines)


VERDICTS = ROOT / "docs" / "coverage" / "verdicts.csv"


def add_verdicts() -> None:
    """What five judges get in 20 draws of 500 labels."""
    folder = find_track()
    if folder is None or VERDICTS.exists():
        return
    with VERDICTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["judge", "worth", "order", "favour", "flagged", "draws"])
        for judge, lines in judge_judges(folder).items():
            for (worth, order, favour, flagged), draws in Counter(lines).most_common():
                runs = " ".join(f"{'+' if favoured else '-'}{run}" for run, favoured in flagged)
                writer.writerow([judge, worth, order, favour, runs, draws])


def summarise_verdicts(rows: Sequence[dict[str, str]]) -> str:
    """A row per judge and verdict."""
    lines = ["| judge | worth | order | favour | flagged | draws of 20 |", "|---|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row.values())} |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    """Compute what is missing, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    cells = read_cells()
    done = {cell.world for cell in cells}
    with ProcessPoolExecutor(asked.workers) as pool:
        waiting = [pool.submit(compute, world, asked.repeats) for world in worlds() if world not in done]
        for number, future in enumerate(as_completed(waiting), start=1):
            cells.append(future.result())
            write_cells(cells)
            print(f"{number} of {len(waiting)}: {cells[-1].world}", flush=True)
    add_plans(asked.repeats, asked.workers)
    add_machines(asked.repeats, asked.workers)
    add_verdicts()
    write_page(cells, read_plan_rows(), read_machine_rows())


if __name__ == "__main__":
    main()
