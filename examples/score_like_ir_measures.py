"""Scores from qrels and a run in one call: the numbers that ir_measures gives.

python examples/score_like_ir_measures.py
"""

import gainsayer as gs

qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 0, "d4": 1}}
run = {"q1": {"d3": 3.0, "d1": 2.0, "d9": 1.0}, "q2": {"d1": 2.0, "d4": 1.0}}

table = gs.score(qrels, run, ["nDCG@10", "AP", "P@1"])  # or gs.score("nist.qrels", "runs/", [...])
print(table.to_pandas()[["measure", "value"]].to_string(index=False))
