"""A machine judged everything, people a part of it: what a machine's label says about a person's view.

    python examples/machine_judge.py

A machine is not one more person. So condition on its labels, predict the people, and leave the symmetric estimate
alone: the machine is the first side, the people are the second, the estimate is one-sided.
"""

import numpy as np

import gainsayer as gs
from gainsayer.datasets.joint import JointModel

# Rows are the machine's level, columns the person's: this machine is generous.
machine_and_person = np.array([[52, 6, 1, 1], [14, 10, 5, 1], [4, 8, 12, 6], [1, 3, 8, 18]])
collection = gs.simulate_collection(JointModel(machine_and_person), topics=40, documents=60, seed=2)
labels = collection.judgments.frame()
machine = labels.filter(labels["assessor"] == "first").drop("assessor")
people = labels.filter(labels["assessor"] == "second").drop("assessor")

judgments = gs.read_judgments(("machine", machine), ("people", people), levels=gs.parse_levels("Non,Rel,HRel,Key"))
counts = gs.count_pairs(judgments, first=["machine"], second=["people"])

test = gs.check_exchangeability(counts)
print(f"machine and people use the levels alike: p = {test.stuart_maxwell_randomised_p:.4f}")

disagreement = gs.estimate_disagreement(counts, estimator="one-sided")
prediction = gs.predict_relevance(disagreement, judgments.levels.at_or_above("HRel"))
print("p(a person says HRel or higher | the machine said ...)")
for level, name in enumerate(judgments.levels.names):
    low, high = prediction.interval.ends[level]
    print(f"  {name:<5} {prediction.probability[level]:.3f} [{low:.3f}, {high:.3f}]")
