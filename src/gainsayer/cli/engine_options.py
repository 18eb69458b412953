"""Where the work is done: the options of commands that may be larger than memory."""

from __future__ import annotations

from gainsayer.cli.options import ENGINE, Function, add_options, rare

_ENGINE = (
    rare(
        "--engine auto|embedded|buckets|spark",
        ENGINE,
        "All in memory (embedded), some topics after others on this machine (buckets), or on a cluster (spark); the "
        "results are the same. By default embedded, or buckets where the files are larger than half the free memory.",
        default="auto",
    ),
    rare(
        "--work FOLDER",
        ENGINE,
        "Where buckets and spark keep what they made, and begin again; by default a temporary folder.",
    ),
    rare("--buckets", ENGINE, "Into how many parts the topics are divided; by default by size.", type=int),
    rare("--master URL", ENGINE, "Where Spark is, such as 'local[2]' or yarn."),
)


def engine_options(function: Function) -> Function:
    """Which engine does the work: `engine`, `work`, `buckets` and `master`, as the functions take them."""
    return add_options(function, _ENGINE)
