"""What people would have scored, with all pairs of runs, beside plain scores with the same measures."""

from __future__ import annotations

import os
from pathlib import Path

import gainsayer as gs
from benchmarks.timing import Ratio, time_in_turns

RUNS, TOPICS, LABELS = 63, 53, 1_083
MEASURES = ["DCG@10", "nDCG@10"]


def measure(folder: Path) -> list[Ratio]:
    """`machine score` with all pairs against `score`, both as JSON: on TREC DL 2021, or on a collection of its size."""
    machine, people, runs, where = _files(folder)
    drawn = gs.machine.sample(machine, runs, measures=MEASURES, labels=LABELS, seed=1)
    rows = drawn.to_polars().rows()
    levels = {(topic, name): level for topic, _, name, level in map(str.split, people.read_text().splitlines())}
    judged = folder / "judged.csv"
    judged.write_text("topic,document,label\n" + "".join(f"{t},{name},{levels[t, name]}\n" for t, name in rows))
    (folder / "judged.design.json").write_text(drawn.design.to_json())
    rectified, plain = time_in_turns(
        lambda: gs.machine.score(machine, runs, people=judged, threshold=2, measures=MEASURES, pairwise=True).to_json(),
        lambda: gs.score(machine, runs, MEASURES, threshold=2).to_json(),
        rounds=5,
    )
    job = f"machine score, all pairs of {RUNS} runs x {TOPICS} topics"
    note = f"median of 5, in turns; {', '.join(MEASURES)}; {len(rows):,} labels; {where}"
    return [Ratio(job, rectified, "score", plain, 3, higher_is_better=False, note=note)]


def _files(folder: Path) -> tuple[Path, Path, str, str]:
    """The machine's grades, people's, the runs, and what they are."""
    real = Path(os.environ.get("GAINSAYER_DATA", "../shared/data")) / "dl21"
    if real.exists():
        assessors = real / "assessors"
        return assessors / "umbrela-gpt4o.qrels", assessors / "nist.qrels", str(real / "runs"), "TREC DL 2021"
    made = folder / "collection"
    gs.simulate(made, topics=TOPICS, documents=200, runs=RUNS, machine="gpt", shares=(0.4, 0.28, 0.22, 0.1), seed=1)
    return made / "gpt.qrels", made / "first.qrels", str(made / "runs"), "simulated"


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        for result in measure(Path(place)):
            print(result.line())
