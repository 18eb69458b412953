"""A machine judged everything, people a part of it: what a machine's label says about a person's view.

    python examples/machine_judge.py

A machine is not one more person. So condition on its labels and predict the people: the machine is the first side, the
people are the second, and the estimate is one-sided.
"""

import gainsayer as gs

# Rows are the machine's level, columns the person's: this machine is generous.
machine_and_person = [[52, 6, 1, 1], [14, 10, 5, 1], [4, 8, 12, 6], [1, 3, 8, 18]]
collection = gs.simulate(matrix=machine_and_person, topics=40, documents=60, seed=2)

alike = gs.model.check_exchangeability(gs.count_pairs(collection.judgments))
print(f"machine and people use the levels alike: p = {alike.stuart_maxwell_randomised_p:.4f}")
model = gs.fit(collection.judgments, threshold="HRel", estimator="one-sided")
print("The machine's level, and how likely a person is to call it HRel or higher:")
found = model.predict()
for level, p, (low, high) in zip(model.levels.names, found.probability, found.interval.ends, strict=True):
    print(f"{level:<5} {p:.2f} [{low:.2f}, {high:.2f}]")
