"""Judgments from tables in memory: anything that speaks Arrow is read as it is.

    python examples/from_pandas.py

Needs pandas 2.2 or later and pyarrow. A polars frame, a pyarrow table and a duckdb relation are read in the same way;
results go back to any of them, too.
"""

import pandas as pd
import pyarrow as pa

import gainsayer as gs

crowd = pd.DataFrame(
    {
        "query_id": ["q1"] * 6 + ["q2"] * 6,
        "docno": ["a", "a", "b", "b", "c", "c"] * 2,
        "worker": ["ann", "bob", "bob", "eve", "ann", "eve"] * 2,
        "rating": [2, 1, 0, 0, 2, 2, 1, 1, 0, 1, 2, None],
        "comment": ["other columns are left out"] * 12,
    }
)
judgments = gs.read_judgments(crowd, missing=[""])
print(judgments)
print([finding.message for finding in judgments.findings])

counts = gs.count_pairs(judgments)
print(counts.matrix.tolist())

again = gs.read_judgments(pa.table(crowd), missing=[""])
print("the same from pyarrow:", (gs.count_pairs(again).matrix == counts.matrix).all())

back = pa.table(judgments).to_pandas()
print(back.head(3).to_string(index=False))
