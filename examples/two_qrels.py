"""From two qrels files to gains: the whole flow of the library on a simulated collection.

    python examples/two_qrels.py [FOLDER]

Writes the collection into FOLDER (by default a temporary one) and reads it back as files of two assessors, as you
would read your own.
"""

import sys
import tempfile
from pathlib import Path

import gainsayer as gs
from gainsayer.datasets.label_models import LatentModel
from gainsayer.datasets.write import write_collection

place = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(), "collection")
# Intervals are over topics, not over assessors; without leniency these two assessors stand for all users.
collection = gs.datasets.simulate_collection(LatentModel(leniency=0.0), topics=50, documents=100, seed=0)
write_collection(collection, place, overwrite=True)

levels = gs.levels.parse_levels("Non,Rel,HRel,Key")
judgments = gs.read_judgments(place / "first.qrels", place / "second.qrels", levels=levels)
print(judgments)

disagreement = gs.estimate_disagreement(gs.count_pairs(judgments))
prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("HRel"))
truth = collection.truth.symmetric @ prediction.relevance.indicator

print(f"p(R|level), R = HRel or higher; {prediction.estimator}, {prediction.pairs:,} pairs, {prediction.topics} topics")
for level, name in enumerate(judgments.levels.names):
    low, high = prediction.interval.ends[level]
    print(f"  {name:<5} {prediction.probability[level]:.3f} [{low:.3f}, {high:.3f}]  truth {truth[level]:.3f}")
for finding in prediction.findings:
    print(f"{finding.code}: {finding.message}")

print("gains:", {name: round(gain, 3) for name, gain in gs.prm_gains(prediction).as_dict().items()})
