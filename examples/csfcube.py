"""Two experts per query: counts and p(R|i) of CSFCube, a collection of scientific papers judged by facet.

    python examples/csfcube.py FOLDER

FOLDER holds the files test-pid2anns-csfcube-{background,method,result}.json. Each maps a query to its candidates and to
one list of levels per expert: two of `relevance_ann1` to `relevance_ann4`; -1 means not judged. A query seen through
one facet is one topic. Four experts shared the queries in changing pairs, so the sides are the lower-numbered and the
higher-numbered expert of each query.
"""

import json
import sys
from pathlib import Path

import polars as pl

import gainsayer as gs

rows = [
    (f"{query} {facet}", document, side, level)
    for facet in ("background", "method", "result")
    for query, entry in json.loads(Path(sys.argv[1], f"test-pid2anns-csfcube-{facet}.json").read_text()).items()
    for side, expert in zip(("first", "second"), sorted(key for key in entry if "_ann" in key), strict=True)
    for document, level in zip(entry["cands"], entry[expert], strict=True)
]
frame = pl.DataFrame(rows, schema=["topic", "document", "assessor", "level"], orient="row")
judgments = gs.read_judgments(frame, missing=["-1"])
counts = gs.count_pairs(judgments, first=["first"], second=["second"])
print(counts.matrix.astype(int).tolist())

disagreement = gs.estimate_disagreement(counts)
for threshold in judgments.levels.names[1:]:
    prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above(threshold))
    print(f"Users satisfied with level {threshold} or higher:")
    for level, gain, (low, high) in zip(
        judgments.levels.names, gs.prm_gains(prediction).values, prediction.interval.ends, strict=True
    ):
        print(f"  level {level}: {gain:.3f} [{low:.3f}, {high:.3f}]")
for finding in disagreement.findings:
    print(f"{finding.code}: {finding.message}")
