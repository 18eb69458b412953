"""A simulated collection shaped like the paper's FedWeb13, as files.

    python examples/fedweb_like.py FOLDER

157 resources, 50 topics of two kinds, four levels; results judged as pages and as snippets, 24 topics of them twice;
runs that rank results, runs that rank resources, and judgments per intent. Sizes are smaller than FedWeb's: each
resource returns two results for a topic.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import gainsayer as gs

RESOURCES, EACH = 157, 2
QUALITIES = {f"run{place:02}": 0.80 - 0.02 * place for place in range(1, 16)}
KINDS = {"navigational": 0.4, "informational": 0.6}
Rows = list[tuple[str, str, str, str]]


def read(path: Path) -> Rows:
    """The lines of a qrels file."""
    return [tuple(line.split()) for line in path.read_text().splitlines()]  # type: ignore[misc]


def write(path: Path, rows: Rows | list[tuple[str, ...]]) -> None:
    """Rows as lines, blanks between the columns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(" ".join(row) + "\n" for row in rows))


def main(folder: Path) -> None:
    """Write the collection."""
    sizes = {"topics": 50, "second_topics": 24, "documents": RESOURCES * EACH, "leniency": 0.0, "strata": KINDS}
    shares = (0.78, 0.11, 0.07, 0.04)
    for name, noise, seed in (("pages", 0.55, 1), ("snippets", 0.75, 2)):
        runs = QUALITIES if name == "pages" else {}
        made = gs.simulate(folder / name, shares=shares, noise=noise, runs=runs, depth=60, seed=seed, **sizes)
        print(f"{name}: {made!r}")

    # Better results come from better resources: results are dealt out in the order of their labels, blurred.
    draw = np.random.default_rng(3)
    first = read(folder / "pages" / "first.qrels")
    strength = draw.normal(size=RESOURCES)
    order = np.argsort(-strength, kind="stable")
    returned: list[tuple[str, ...]] = []
    worth: dict[str, np.ndarray] = {}
    for topic in sorted({row[0] for row in first}):
        rows = [row for row in first if row[0] == topic]
        blurred = np.array([float(row[3]) for row in rows]) + draw.normal(scale=2.0, size=len(rows))
        dealt = np.argsort(-blurred, kind="stable").reshape(RESOURCES, EACH)
        mixed = np.argsort(-strength + draw.normal(scale=1.0, size=RESOURCES), kind="stable")
        worth[topic] = np.zeros(RESOURCES)
        for place, resource in enumerate(mixed):
            returned += [(topic, f"e{resource + 1:03}", rows[at][2]) for at in dealt[place]]
            worth[topic][resource] = -place / RESOURCES
    write(folder / "resources.tsv", [("topic", "resource", "document"), *returned])
    for name, quality in QUALITIES.items():
        lines = []
        for topic, values in worth.items():
            score = quality * (values - values.mean()) / values.std() + np.sqrt(1 - quality**2) * draw.normal(
                size=RESOURCES
            )
            lines += [(topic, "Q0", f"e{at + 1:03}", "0", f"{score[at]:.6f}", name) for at in order]
        write(folder / "selection" / f"{name}.run", lines)

    # Two neighbouring topics are two intents of one query; the first is the more probable one.
    for side in ("first", "second"):
        rows = read(folder / "pages" / f"{side}.qrels")
        asked = [
            (f"t{(int(topic[1:]) + 1) // 2:02}", str((int(topic[1:]) + 1) % 2 + 1), document, level)
            for topic, _, document, level in rows
        ]
        write(folder / "intents" / f"{side}.qrels", asked)
    likely = [(f"t{query:02}", intent, p) for query in range(1, 26) for intent, p in (("1", "0.7"), ("2", "0.3"))]
    write(folder / "intents" / "probabilities.tsv", [("topic", "intent", "probability"), *likely])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "fedweb"))
