"""One question to one peer, asked in a process of its own: peers may print, warn, or take the whole process down.

Run as a script, `peer_process.py QUESTION ANSWER`: two JSON files, the first read, the second written. It imports
nothing of Gainsayer, so that it starts fast and shows the peer alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

Table = Mapping[str, Mapping[str, float]]


def ask_pytrec_eval(qrels: Table, gains: Mapping[str, float] | None, run: Table) -> float:
    """Mean `ndcg` over the topics, with trec_eval's gain parameter where there is one."""
    pytrec_eval: Any = import_module("pytrec_eval")

    measure = "ndcg" if gains is None else "ndcg." + ",".join(f"{level}={gain}" for level, gain in gains.items())
    scores = pytrec_eval.RelevanceEvaluator(qrels, {measure}).evaluate(run)
    return float(sum(next(iter(values.values())) for values in scores.values()) / len(run))


def ask_ir_measures(qrels: Table, gains: Mapping[str, float] | None, run: Table) -> float:
    """Aggregated `nDCG`, with its `gains` parameter where there is one."""
    ir_measures: Any = import_module("ir_measures")

    measure = ir_measures.nDCG
    if gains is not None:
        measure = measure(gains={int(level): gain for level, gain in gains.items()})
    return float(ir_measures.calc_aggregate([measure], qrels, run)[measure])


def ask_ranx(qrels: Table, gains: Mapping[str, float] | None, run: Table) -> float:
    """`ndcg` as ranx evaluates it; it has no gain maps."""
    ranx: Any = import_module("ranx")

    assert gains is None
    return float(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "ndcg"))


PEERS: Final[Mapping[str, Callable[[Table, Mapping[str, float] | None, Table], float]]] = {
    "pytrec_eval": ask_pytrec_eval,
    "ir_measures": ask_ir_measures,
    "ranx": ask_ranx,
}


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """The peer's value for each ranking, or its refusal in its own words."""
    ask = PEERS[question["peer"]]
    try:
        values = {name: ask(question["qrels"], question["gains"], run) for name, run in question["runs"].items()}
    except Exception as fault:  # whatever a peer raises is its answer
        return {"refusal": f"{type(fault).__name__}: {fault}"}
    return {"values": values}


if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    Path(sys.argv[2]).write_text(json.dumps(answer(asked)), encoding="utf-8")
