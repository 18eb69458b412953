"""Compare systems where the data is: judgments and runs of millions of queries, on a cluster.

python examples/on_spark.py judgments.parquet runs.parquet       (on this machine, all cores)

On a cluster see docs/how-to/work-on-a-cluster.md. Judgments have the columns topic, document, assessor, level; runs
have topic, document, score, run.
"""

import argparse

import gainsayer as gs

parser = argparse.ArgumentParser(description="Compare systems on Spark.")
parser.add_argument("judgments", help="a file or folder: Parquet, CSV or TREC text, on any file system of Spark")
parser.add_argument("runs", help="likewise; a column `run` names the system, or each file is one")
parser.add_argument("--first", default="machine", help="the assessor whose labels score")
parser.add_argument("--second", default="person", help="the assessor who stands for the users")
parser.add_argument("--threshold", default="2", help="users are satisfied with this level or a higher one")
asked = parser.parse_args()

table = gs.compare(
    asked.judgments,
    asked.runs,
    "nDCG@10",
    first=asked.first,
    second=asked.second,
    threshold=asked.threshold,
    engine="spark",
)
print(table)
