"""Which of two systems is better? From data frames, as a notebook has them.

python examples/two_runs.py
"""

import pandas as pd

import gainsayer as gs

collection = gs.simulate(topics=30, documents=60, runs={"bm25": 0.5, "dense": 0.9}, seed=4)
labels = collection.judgments.frame().to_pandas()  # topic, document, assessor, level
runs = {name: pd.DataFrame(table.to_dict()) for name, table in collection.runs.items()}  # topic, document, score

judgments = gs.read_judgments(labels, levels=collection.levels)
table = gs.compare(judgments, runs, "nDCG@10", first="first", second="second", threshold="Key", margin=0.02)
print(table.to_pandas()[["run", "gains", "value", "lower", "upper"]].round(3).to_string(index=False))
print(table.comparison.parts[0].differences.verdicts.words())
