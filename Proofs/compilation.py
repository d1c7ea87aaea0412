"""Builds and runs the recorders: a kernel's own files, compiled with other meanings of its types and instructions. Also
builds the C files of the proofs themselves."""

import ctypes
import os
import shutil
import subprocess
import tempfile


def compiler_of(source):
    """The compiler of a file: CC or CXX names it."""
    variable, usual = ("CXX", ("clang++", "c++")) if source.suffix == ".cpp" else ("CC", ("cc", "clang"))
    return os.environ.get(variable) or next((name for name in usual if shutil.which(name)), usual[0])


def recorded(recorder, sources):
    """The lines that a recorder writes, built from the kernels' sources in a folder."""
    includes = [f"-I{path}" for path in (recorder.parent, sources, sources / "include")]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/recorder"
        subprocess.run([compiler_of(recorder), "-O0", "-w", *includes, str(recorder), "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def library(*sources, compiler=None, flags=()):
    """The functions of files in C."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/library.so"
        compiler = compiler or compiler_of(sources[0])
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, *map(str, sources), "-o", file], check=True)
        return ctypes.CDLL(file)
