"""Which gains? One random user, most of three, the predecessor UDM, and the usual fixed ones, side by side.

python examples/m_of_n.py
"""

import gainsayer as gs

collection = gs.datasets.simulate_collection(seed=3)
levels = collection.levels
disagreement = gs.estimate_disagreement(gs.count_pairs(collection.judgments))
relevance = levels.at_or_above("Key")
prediction = gs.predict_relevance(disagreement, relevance)

schemes = [
    gs.prm_gains(prediction),
    gs.prm_gains(prediction, at_least=1, of=3),
    gs.prm_gains(prediction, at_least=2, of=3),
    gs.prm_gains(prediction, at_least=3, of=3),
    gs.gains.udm_gains(disagreement),
    gs.gains.utility_gains(disagreement, {"Non": 0, "Rel": 1, "HRel": 2, "Key": 3}, name="linear, expected"),
    gs.gains.binary_gains(levels, relevance),
    gs.gains.linear_gains(levels),
    gs.gains.exponential_gains(levels),
]
print(f"{'':<18}" + "".join(f"{name:>8}" for name in levels.names))
for gains in schemes:
    print(f"{gains.name:<18}" + "".join(f"{gain:8.3f}" for gain in gains.as_dict().values()))
