"""The reader tests with the compiled reader built to stop at any bad address and any undefined behaviour.

`make sanitize`. The package is copied beside, so the one in use stays as it is. gcc or clang is needed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/properties/test_kernel.py",
    "tests/scoring/test_mappings.py",
    "tests/formats/test_names.py",
    "tests/formats/test_trec.py",
    "tests/formats/test_trec_runs.py",
    "tests/formats/test_qrels.py",
)
FLAGS = ("-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def main() -> int:
    """Build, run the tests, and give their exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tests", nargs="*", default=TESTS)
    asked = parser.parse_args()
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("Neither gcc nor clang is at hand, so nothing could be checked.")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "gainsayer")
        shutil.copytree(ROOT / "src/gainsayer", package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        reading = package / "reading"
        include = sysconfig.get_path("include")
        build = [compiler, *FLAGS, "-shared", "-fPIC", f"-I{include}", str(reading / "_kernel.c")]
        subprocess.run([*build, "-o", str(reading / "_kernel.abi3.so")], check=True)
        found = subprocess.run(
            [compiler, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
        ).stdout.strip()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((folder, str(ROOT))),
            "GAINSAYER_COMPILED": "1",
            "LD_PRELOAD": found,
            "ASAN_OPTIONS": "detect_leaks=0",  # Python itself does not give everything back
            "PYTHONMALLOC": "malloc",  # so that every array has its own guarded edges
        }
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *asked.tests]
        return subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
