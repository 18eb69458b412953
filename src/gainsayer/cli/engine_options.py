"""Where the work is done: on this machine or on a cluster."""

from __future__ import annotations

from gainsayer.cli.options import ENGINE, Function, add_options, rare

_ENGINE = (
    rare(
        "--engine embedded|spark",
        ENGINE,
        "On this machine (embedded) or on a cluster (spark); the results are the same.",
        default="embedded",
    ),
    rare("--master URL", ENGINE, "Where Spark is, such as 'local[2]' or yarn."),
)


def engine_options(function: Function) -> Function:
    """Which engine does the work: `engine` and `master`, as the functions take them."""
    return add_options(function, _ENGINE)
