"""The wheels: one with the compiled reader, for every Python from 3.11 on, and a pure one for machines without."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from gainsayer.datasets import twenty_documents

ROOT = Path(__file__).resolve().parents[3]
FULL = os.environ.get("GAINSAYER_SLOW") == "1"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
KINDS = {"compiled": "GAINSAYER_COMPILED", "plain Python": "GAINSAYER_PURE"}


def call(*command: object, cwd: Path, **settings: str) -> str:
    """Run a command apart from this environment's settings, and give what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GAINSAYER", "COV"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=kept | settings, capture_output=True, text=True, timeout=900
    )
    if "No matching distribution found for hatchling" in done.stderr:
        pytest.skip("pip finds no hatchling here, which builds the wheels")
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(kind: str, folder: Path) -> Path:
    """Build one wheel."""
    call(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        folder,
        ROOT,
        cwd=folder,
        **{KINDS[kind]: "1"},
    )
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_wheel_scores_the_twenty_documents(kind: str, tmp_path: Path) -> None:
    """Built, installed into a fresh environment, each wheel has its reader and gives the counts of the paper's example.

    In full, with everything it depends on from pip's index; else that is borrowed from this environment.
    """
    if kind == "compiled" and COMPILER is None:
        pytest.skip("there is no C compiler here")
    wheel = build(kind, tmp_path)
    held = [Path(name).name for name in zipfile.ZipFile(wheel).namelist() if Path(name).name.startswith("_kernel.")]
    if kind == "compiled":
        assert re.search(r"-cp311-abi3-\w+\.whl$", wheel.name)
        assert any(name.endswith((".so", ".pyd")) for name in held)
    else:
        assert wheel.name.endswith("-py3-none-any.whl")
        assert not any(name.endswith((".so", ".pyd")) for name in held)
    place = tmp_path / "fresh"
    call(sys.executable, "-m", "venv", place, cwd=tmp_path)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not FULL:
        inside = call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip()
        Path(inside, "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    call(python, "-m", "pip", "install", "--quiet", *([] if FULL else ["--no-deps"]), wheel, cwd=tmp_path)
    judgments = twenty_documents()
    rows = judgments.frame().rows()
    for name in judgments.assessors:
        lines = [f"{topic} 0 {document} {level}\n" for topic, document, who, level in rows if who == name]
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    lines = [f"{topic} Q0 {name} 1 {-place} all\n" for place, (topic, name, who, _) in enumerate(rows) if who == "U1"]
    (tmp_path / "all.run").write_text("".join(lines))
    assert f"({kind} reader)" in call(python, "-m", "gainsayer", "--version", cwd=tmp_path)
    where = call(python, "-c", "import gainsayer; print(gainsayer.__file__)", cwd=tmp_path)
    assert str(place) in where
    printed = call(
        *(python, "-m", "gainsayer", "score", "--judgments", "U1.qrels", "U2.qrels", "--runs", "all.run"),
        *("-m", "NumRel@20", "--threshold", "2", "--format", "json", "--quiet"),
        cwd=tmp_path,
    )
    [row] = json.loads(printed)["rows"]
    # p(R|i) of the paper's twenty documents, times how many of them the first assessor put on each level.
    levels = [level for _, _, who, level in rows if who == "U1"]
    expected = sum(levels.count(level) * chance for level, chance in (("0", 1 / 13), ("1", 5 / 17), ("2", 4 / 10)))
    assert row["value"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_a_missing_compiler_is_no_fault(tmp_path: Path) -> None:
    """Without a compiler a pure wheel is built, in peace; where a compiled one is asked for, that is an error."""
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, ROOT)
    printed = call(*pip, cwd=tmp_path, CC="/nowhere/cc", PATH=str(tmp_path))
    assert not re.search("(?i)error|warning|fail", printed)
    assert [path.name.endswith("-py3-none-any.whl") for path in tmp_path.glob("*.whl")] == [True]
    with pytest.raises(AssertionError, match="cc"):
        call(*pip, cwd=tmp_path, CC="/nowhere/cc", PATH=str(tmp_path), GAINSAYER_COMPILED="1")


def test_code_that_does_not_compile_is_an_error(tmp_path: Path) -> None:
    """A compiler that is there and does not take the reader is never mistaken for one that is absent."""
    broken = tmp_path / "broken"
    ignored = shutil.ignore_patterns(".git", ".venv*", "*.so", "__pycache__", "tests", "docs", "*_cache")
    shutil.copytree(ROOT, broken, ignore=ignored)
    kernel = broken / "src/gainsayer/reading/_kernel.c"
    kernel.write_text(kernel.read_text().replace("static", "statik", 1))
    with pytest.raises(AssertionError, match="statik"):
        call(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, broken, cwd=tmp_path)
