"""The paper's example: twenty documents, two assessors, the levels 0, 1, 2, and what each level is worth.

python examples/twenty_documents.py
"""

import gainsayer as gs

model = gs.fit(gs.twenty_documents(), threshold=2)
for level, p in gs.prm_gains(model.predict()).as_dict().items():
    print(f"level {level}: {p:.4f}")

run = {"q1": {f"d{place:02}": -float(place) for place in range(1, 21)}}
table = gs.score(gs.twenty_documents(), run, ["NumRel@10", "nDCG@10"], labels="U1", model=model)
print(table.to_markdown())
