"""The spark engine where Spark is not installed; what it does where it is stands in tests/slow/spark."""

from __future__ import annotations

import sys

import pytest

import gainsayer as gs
from gainsayer.engines import spark_session, spark_tables
from gainsayer.errors import CallError


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyspark, whoever asks for Spark reads how to install it."""
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.errors", None)
    with pytest.raises(CallError, match=r"needs pyspark, which is not installed: pip install 'gainsayer\[spark\]'"):
        spark_session.open_session("local[1]")
    with pytest.raises(CallError, match=r"gainsayer\[spark\]"):
        gs.fit("first.qrels", "second.qrels", engine="spark")


def test_java_is_looked_for_where_it_should_be(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """JAVA_HOME says where Java is; where it is not, there is none."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert spark_session.find_java() is None


def test_paths_are_no_patterns() -> None:
    """Spark takes every path as a pattern, so marks of patterns in the names of files are escaped."""
    assert spark_tables._escape("runs/bm25[1].run") == r"runs/bm25\[1\].run"
    assert spark_tables._key("file:///runs/a%20b.run") == "file:/runs/a%20b.run"
    assert spark_tables._key("s3a://log/runs/a.run") == "s3a://log/runs/a.run"


@pytest.mark.parametrize(
    ("names", "kind"),
    [(["_delta_log", "part-0.parquet"], "Delta"), ([".hoodie"], "Hudi"), (["metadata", "data"], "Iceberg")],
)
def test_tables_with_a_log_are_no_folders(names: list[str], kind: str) -> None:
    """Files of a Delta, Hudi or Iceberg table may not count any more: only its own reader knows."""
    with pytest.raises(CallError, match=rf"'lake/runs' is a {kind} table, .* spark\.table\('NAME'\)"):
        spark_tables._refuse_log("lake/runs", names)
    spark_tables._refuse_log("lake/runs", ["part-0.parquet", "_SUCCESS"])
