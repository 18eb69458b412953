"""Some topics of a run: the same as the run on those topics alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gainsayer.gains import Gains
from gainsayer.measures import parse_measure
from gainsayer.ranking import keep_topics, make_pool, rank_levels, read_duplicates
from gainsayer.reading import read_judgments, read_run


def test_scores_of_kept_topics_are_those_of_the_whole(tmp_path: Path) -> None:
    """With duplicates of different levels, every measure gives a topic the same score alone and among others."""
    rng = np.random.default_rng(3)
    labels = {f"q{t}": {f"d{place}": int(rng.integers(0, 3)) for place in range(12)} for t in range(5)}
    lists = {topic: {f"d{place}": float(rng.normal()) for place in range(14)} for topic in labels}
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"{topic} d1 d2\n{topic} d3 d4 d5\n" for topic in labels))
    pool = make_pool(read_judgments({"a": labels}))
    ranked = rank_levels(read_run(lists), pool, duplicates=read_duplicates(str(groups), topics=pool.topics))
    gains = Gains(pool.levels, np.array([0.1, 0.4, 0.8]))
    some = ["q1", "q3", "q4"]
    places = [ranked.topics.index(topic) for topic in some]
    part = keep_topics(ranked, some)
    for name in ("nDCG@5", "AP", "R@5", "Q", "AP(users='independent')", "nDCG(users='comonotone')@5", "RBP"):
        measure = parse_measure(name)
        np.testing.assert_allclose(measure.score(part, gains), measure.score(ranked, gains)[places], rtol=1e-12)
    assert part.choice_topic is not None
    assert part.member is not None
    assert (part.member >= -1 - len(part.choice_topic)).all()
