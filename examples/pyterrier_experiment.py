"""PRM gains in a PyTerrier experiment, beside ir_measures' own measures.

    pip install 'gainsayer[ir-measures]' pyterrier
    python examples/pyterrier_experiment.py

The pipelines are data frames here, so that no Java is needed; `pt.terrier.Retriever(...)` stands in the same place.
"""

import pandas as pd
import pyterrier as pt
from ir_measures import nDCG

import gainsayer as gs
from gainsayer.exports.ir_measures import PRM_nDCG, use_model

twin = gs.simulate(topics=30, documents=30, levels="0,1,2,3", runs={"bm25": 0.4, "dense": 0.85}, depth=30, seed=2)
use_model("users", gs.fit(twin.judgments, threshold=2))

judged = twin.judgments.to_pandas()
first = judged[judged.assessor == twin.judgments.assessors[0]]
qrels = pd.DataFrame({"qid": first.topic, "docno": first.document, "label": first.level.astype(int)})
topics = pd.DataFrame({"qid": sorted(set(qrels.qid))}).assign(query="words of the query")
names = {"topic": "qid", "document": "docno"}
results = {name: run.to_pandas().rename(columns=names).assign(query="words") for name, run in twin.runs.items()}

asked = [nDCG @ 10, PRM_nDCG(model="users") @ 10]
print(pt.Experiment(list(results.values()), topics, qrels, asked, names=list(results)).round(4).to_string())

# The same results, straight into a comparison whose intervals hold what is not known about the gains.
table = gs.compare(twin.judgments, results, "nDCG@10", threshold=2, gains="prm", baseline="bm25")
print(table.comparison.parts[0].differences.verdicts.words())
