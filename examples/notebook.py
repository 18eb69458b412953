"""A comparison in a notebook: results and figures show themselves.

python examples/notebook.py                    as a script
jupytext --to ipynb examples/notebook.py       as a Jupyter notebook
marimo convert examples/notebook.py            as a marimo notebook
"""
# %% [markdown]
# # Which run serves users better?
# Twenty topics of a simulated collection, judged by two people. The first one's labels score three runs; the second
# one's say what those labels are worth to somebody else.

# %%
import gainsayer as gs

twin = gs.simulate(topics=20, documents=40, levels="0,1,2,3", runs=3, depth=40, seed=1)
model = gs.fit(twin.judgments, threshold=2)
model

# %%
model.plot()

# %%
table = gs.compare(twin.judgments, dict(twin.runs), "nDCG@10", threshold=2)
table

# %%
table.plot()

# %%
print("best:", table.comparison.runs[int(table.comparison.parts[0].standings.rank.argmin())])
