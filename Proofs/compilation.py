"""Builds and runs the recorders: a kernel's own files, compiled with other meanings of its types and instructions."""

import os
import shutil
import subprocess
import tempfile


def recorded(recorder, sources):
    """The lines that a recorder writes, built from the kernels' sources in a folder. The compiler is CC or CXX."""
    variable, usual = ("CXX", ("c++", "clang++")) if recorder.suffix == ".cpp" else ("CC", ("cc", "clang"))
    compiler = os.environ.get(variable) or next((name for name in usual if shutil.which(name)), usual[0])
    includes = [f"-I{path}" for path in (recorder.parent, sources, sources / "include")]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/recorder"
        subprocess.run([compiler, "-O0", "-w", *includes, str(recorder), "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
