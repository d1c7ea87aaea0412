"""The parts of the proofs. Each has a function `prove(kernels, names)`, which yields a Verdict on each theorem of the
kernels' sources in a folder (Sources/Kernels), or only on those of some names; the kernels' files that it depends on;
and a file of mutants, which it must refuse."""

import dataclasses
import functools
import pathlib
import typing

import callers.theorems
import inversion.theorems
import lanes.checker
import plain.order
import plain.scalars
import scalar.theorems
import text.base64
import text.json

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Part:
    name: str
    prove: typing.Callable
    # Prefixes of paths below Sources/Kernels.
    files: tuple


def lane_part(kernel):
    files = [f"CP256/lanes/{name}.h" for name in ("base", "names", "field", "inverse", "point")]
    return Part(kernel, functools.partial(lanes.checker.prove, kernel), (f"CP256/{kernel}/", *files))


def callers_part(kernel):
    """The part of a kernel's callers. They differ in the number of lanes, and in how entries are loaded."""
    files = [f"CP256/lanes/{name}.h" for name in ("agree", "comb", "verify")] + ["CP256/signature.h", "CP256/words.h"]
    files.append(f"CP256/{kernel}/native.h")
    return Part(f"{kernel}-calls", functools.partial(callers.theorems.prove, kernel), tuple(files))


PARTS = {part.name: part for part in [
    Part("order", plain.order.prove, ("CP256/signature.c", "CP256/words.h")),
    Part("inverse", inversion.theorems.prove, ("CP256/inverse.c", "CP256/constants.h")),
    Part("scalars", plain.scalars.prove, ("CP256/signature.", "CP256/words.h")),
    Part("scalar", scalar.theorems.prove, ("CP256/scalar/", "CP256/signature.h", "CP256/words.h")),
    lane_part("ifma8"),
    lane_part("fma4"),
    callers_part("ifma8"),
    callers_part("fma4"),
    Part("base64", text.base64.prove, tuple(f"CTextKernels/{file}" for file in [
        "avx2/base64.c", "avx512/base64.c", "neon/base64.c", "portable/base64.c", "base64_values.h"])),
    Part("json", text.json.prove, tuple(f"CTextKernels/{file}" for file in [
        "avx2/json.c", "avx512/json.c", "neon/json.c", "portable/json.c", "json_", "escape.c", "include/"])),
]}

MUTANTS = sorted(FOLDER.glob("*/mutants.json"))


def parts_of(file):
    """The names of the parts that depend on a file."""
    return [part.name for part in PARTS.values() if file.startswith(part.files)]
