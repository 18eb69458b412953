"""A report beside the comparison in it: what the page, the studies and their drawing cost."""

from __future__ import annotations

from pathlib import Path

import gainsayer as gs
from benchmarks.timing import Ratio, time_in_turns
from gainsayer.datasets.design import RunDesign
from gainsayer.datasets.label_models import LatentModel
from gainsayer.datasets.simulation import simulate_collection
from gainsayer.datasets.write import write_collection

RUNS, TOPICS = 83, 54


def measure(folder: Path) -> list[Ratio]:
    """`report`, its page and JSON written, against `compare` with the same options as JSON, on the same files."""
    qualities = {f"run{place:02}": 0.95 - 0.7 * place / RUNS for place in range(RUNS)}
    collection = simulate_collection(
        LatentModel(), topics=TOPICS, documents=100, runs=RunDesign(qualities=qualities), seed=1
    )
    write_collection(collection, folder / "collection")
    judged = [str(folder / "collection" / f"{side}.qrels") for side in ("first", "second")]
    runs = [str(folder / "collection" / "runs")]
    report, compare = time_in_turns(
        lambda: gs.report(judged, runs, "nDCG@10").save(folder / "report.html"),
        lambda: gs.compare(judged, runs, "nDCG@10").to_json(),
        rounds=3,
    )
    job = f"a report on {RUNS} runs x {TOPICS} topics"
    return [Ratio(job, report, "compare", compare, 1.5, higher_is_better=False, note="page and JSON written")]
