"""Has the compiler translate a kernel's file to its intermediate language, without optimization. The compiler is clang;
CC names another clang. System headers are not needed: recorder/ replaces them, so that the kernels of each architecture
can be recorded on every machine."""

import functools
import os
import pathlib
import subprocess

from text.memory import Refused
from text.program import parse

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder"
# The compiler's target for each architecture. `generic` stands for any other one, without instructions on vectors.
TARGETS = {"x86_64": ["x86_64"], "aarch64": ["aarch64"], "generic": ["x86_64", "-mno-sse2"]}
FLAGS = ["-S", "-emit-llvm", "-O0", "-fno-discard-value-names", "-Xclang", "-disable-O0-optnone", "-ffreestanding", "-w"]


def compiler():
    named = os.environ.get("CC", "")
    return named if "clang" in pathlib.Path(named).name else "clang"


@functools.cache
def recorded(kernels, architecture, source, module="CTextKernels"):
    """The program of a file of a module."""
    folder = kernels / module
    includes = [f"-I{path}" for path in (RECORDER, folder / "include", folder)]
    target, *options = TARGETS[architecture]
    run = subprocess.run([compiler(), f"--target={target}-unknown-linux-gnu", *options, *FLAGS, *includes, str(folder / source),
                          "-o", "-"], check=True, capture_output=True, text=True)
    try:
        return parse(run.stdout.splitlines())
    except ValueError as error:
        raise Refused(f"recorder: {source}: {error}") from None
