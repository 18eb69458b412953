"""Builds the compiled reader with the package where there is a C compiler; without one, the package is pure Python.

`GAINSAYER_PURE=1` builds nothing; `GAINSAYER_COMPILED=1` makes a missing compiler an error, as for wheels and in CI.
Where there is a compiler, code that it does not take is always an error.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOME = Path("src/gainsayer/reading")
NAME = "_kernel"
PROBE = "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"


class CompiledReader(BuildHookInterface):  # type: ignore[misc]
    """Adds `_kernel` to the wheel, or puts it beside its source for an editable install."""

    folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, quietly; without a compiler, say so in one line and leave the package pure."""
        beside = Path(self.root, HOME)
        if os.environ.get("GAINSAYER_PURE") == "1":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="gainsayer-"))
        try:
            (self.folder / "probe.c").write_text(PROBE)
            compile_extension("probe", self.folder / "probe.c", self.folder / "probe")
        except Exception:
            if os.environ.get("GAINSAYER_COMPILED") == "1":
                raise
            said = "so files will be read by plain Python, which takes several times as long. Results are the same."
            self.app.display_info(f"No C compiler is at hand, {said}")
            return
        built = compile_extension(NAME, beside / f"{NAME}.c", self.folder / NAME)
        if version == "editable":
            shutil.copy2(built, beside / built.name)
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"
        build_data["force_include"][str(built)] = f"gainsayer/reading/{built.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled on the way."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def compile_extension(name: str, source: Path, folder: Path) -> Path:
    """The shared library of one C file, compiled into a folder."""
    from setuptools import Distribution, Extension

    flags = ["-O3", "-g0"] if os.name == "posix" else ["/O2"]
    extension = Extension(name, [str(source)], py_limited_api=True, extra_compile_args=flags)
    command = Distribution({"ext_modules": [extension], "script_args": ["--quiet"]}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder), str(folder / "objects")
    command.ensure_finalized()
    command.run()
    return next(path for path in folder.iterdir() if path.name.startswith(name))
