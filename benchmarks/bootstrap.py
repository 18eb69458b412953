"""Ten thousand topic-bootstrap draws of p(R|i), beside resampling rows with pandas."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

import gainsayer as gs
from benchmarks.timing import Ratio
from gainsayer.datasets.design import SecondRound
from gainsayer.datasets.label_models import JointModel
from gainsayer.datasets.paper import FEDWEB13_PAGES
from gainsayer.datasets.simulation import simulate_collection

DRAWS = 10_000
PANDAS_DRAWS = 100


def measure() -> list[Ratio]:
    """24 topics with about 7,000 double judgments, as in the paper; pandas' time is that of 100 draws, times 100."""
    collection = simulate_collection(
        JointModel(FEDWEB13_PAGES), topics=24, documents=293, second=SecondRound(topics=24)
    )
    judgments = collection.judgments
    disagreement = gs.estimate_disagreement(gs.count_pairs(judgments), estimator="symmetric")
    relevance = judgments.levels.at_or_above("Key")

    taken = []
    for _ in range(5):
        start = time.perf_counter()
        ours = gs.model.draw_probabilities(disagreement, relevance, draws=DRAWS, seed=1)
        taken.append(time.perf_counter() - start)

    table = judgments.frame().to_pandas()
    wide = table.pivot(index=["topic", "document"], columns="assessor", values="level").reset_index()
    by_topic = dict(list(wide.groupby("topic")))
    rng = np.random.default_rng(1)
    topics = np.array(list(by_topic))
    start = time.perf_counter()
    theirs = []
    for _ in range(PANDAS_DRAWS):
        rows = pd.concat([by_topic[topic] for topic in rng.choice(topics, len(topics))])
        both = pd.concat(
            [rows.rename(columns={"first": "a", "second": "b"}), rows.rename(columns={"first": "b", "second": "a"})]
        )
        theirs.append(
            both.assign(relevant=both["b"] == "Key").groupby("a")["relevant"].mean()[list(judgments.levels.names)]
        )
    peer = (time.perf_counter() - start) * DRAWS / PANDAS_DRAWS

    spread = np.array(theirs).std(axis=0)
    assert np.allclose(ours.std(axis=0), spread, rtol=0.5, atol=0.005), "both ways must tell the same story"
    note = f"ours: median of 5; pandas: {PANDAS_DRAWS} draws, times {DRAWS // PANDAS_DRAWS}"
    return [Ratio(f"{DRAWS:,} topic-bootstrap draws", float(np.median(taken)), "pandas", peer, 500, note=note)]
