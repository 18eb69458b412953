"""Spark itself: a session, and what goes wrong there in our words. Only `spark*.py` knows pyspark."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gainsayer.errors import CallError, DataError
from gainsayer.text import option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INSTALL: Final = "pip install 'gainsayer[spark]'"
_ATTEMPTS: Final = 3
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
_LOGGING: Final = Path(__file__).resolve().with_name("log4j2.properties")


def open_session(master: str | None = None) -> SparkSession:
    """The session that is there, as notebooks have one; else that of spark-submit, or a new one for this master.

    A local session listens to this machine alone, and repeats tasks whose worker died, which Spark itself does only on
    a cluster.

    Args:
        master: such as `local[4]`, `yarn` or `spark://host:7077`; by default all cores of this machine.

    Raises:
        CallError: pyspark or Java is not installed, or Spark does not start.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise CallError(f"{option('engine', 'spark')} needs pyspark, which is not installed: {INSTALL}") from None
    there = SparkSession.getActiveSession()
    if there is not None:
        return there
    if master is None and _SUBMITTED in os.environ:
        return SparkSession.builder.getOrCreate()  # whoever submits has said where and how
    master = master or "local[*]"
    local = re.fullmatch(r"local(?:\[(\*|\d+)(?:,\d+)?\])?", master)
    if find_java() is None:
        raise CallError(
            f"{option('engine', 'spark')} needs Java 17 or later, which was not found: apt-get install "
            "openjdk-17-jre-headless, or set JAVA_HOME to where it is."
        )
    builder = SparkSession.builder.appName("gainsayer")
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.maxResultSize": "0",
    }
    if local:
        master = f"local[{local[1] or 1},{_ATTEMPTS}]"
        options |= {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": f"{_share_of_memory()}m",
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}",
            "spark.executorEnv.POLARS_MAX_THREADS": "1",
            "spark.executorEnv.OMP_NUM_THREADS": "1",
        }
    for name, value in options.items():
        builder = builder.config(name, value)
    with _environment({"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"} if local else {}):
        try:
            return builder.master(master).getOrCreate()
        except (PySparkException, OSError) as error:
            raise CallError(f"Spark did not start with the master {master!r}: {first_words(error)}") from error


def find_java() -> str | None:
    """Where Java is: below JAVA_HOME, where that is set, else on the path; None where it is not."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=str(Path(home, "bin"))) if home else shutil.which("java")


def _share_of_memory() -> int:
    """A quarter of the machine's memory in MB, for Spark's own part; workers need the rest."""
    return max(1024, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 22)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """What Spark reads from the environment when it starts; what somebody set already stays."""
    added = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def spark_errors() -> Iterator[None]:
    """What goes wrong in Spark itself, in one sentence; its own words are the cause."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise DataError(f"Spark could not finish the work: {first_words(error)}") from error


def first_words(error: BaseException) -> str:
    r"""What somebody else's error says, in one line: of Java's the first cause, of a worker's the traceback's end.

    >>> first_words(ValueError("An exception was thrown:\nTraceback (...):\n  File a.py\nKeyError: 'x'\n"))
    "KeyError: 'x'"
    """
    cause: Any = getattr(error, "java_exception", None)
    while cause is not None and cause.getCause() is not None:
        cause = cause.getCause()
    text = (str(error) if cause is None else str(cause.toString())).strip() or type(error).__name__
    named = [line for line in text.splitlines() if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (named[-1] if named else text.splitlines()[0])[:300]
