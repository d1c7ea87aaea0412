"""Builds of the kernels as the package compiles them in release builds, and random inputs with their answers."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KERNELS = ROOT / "Sources/Kernels"
CLANG = os.environ.get("CLANG", "clang")

# Each kernel and the processor's flag that it needs.
FLAGS = {"ifma8": "avx512ifma", "fma4": "fma", "scalar": None}


def compiled(kernels, objects, sources=None, options=("-O2",)):
    """Compiles the kernels of a folder, or some of their sources, as the package does in release builds. Returns the
    library; None if they cannot be compiled."""
    includes = [f"-I{kernels / name / 'include'}" for name in ("CP256", "CSecrecy")]
    for source in sources or every_source(kernels):
        target = objects / (str(source).replace("/", "-") + ".o")
        command = [CLANG, *options, "-w", "-fPIC", *includes, "-c", kernels / source, "-o", target]
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    library = objects / "kernels.so"
    subprocess.run([CLANG, "-shared", *objects.glob("*.o"), "-o", library], check=True)
    return library


def every_source(kernels):
    return [path.relative_to(kernels) for name in ("CP256", "CSecrecy") for path in (kernels / name).rglob("*.c")]


def kernels_of(file):
    """The kernels of this processor that a file is part of. The scalar kernel shares only plain C with the others."""
    if not file.startswith("CP256/"):
        return []
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    folder = pathlib.PurePath(file).parts[1]
    made = [folder] if folder in FLAGS else ["ifma8", "fma4"] if folder == "lanes" else list(FLAGS)
    return [name for name in made if FLAGS[name] is None or f" {FLAGS[name]} " in flags]


def sources_of(file):
    """The sources to compile again if a file has changed; None for all. Emulations are not run."""
    folder = pathlib.PurePath(file).parts[1]
    of_lanes = ["ifma8", "fma4"] if folder == "lanes" else [folder]
    is_lanes = folder in ("ifma8", "fma4", "lanes")
    return [pathlib.PurePath(f"CP256/{name}/kernel.c") for name in of_lanes] if is_lanes else None


def program(source, folder, *libraries):
    target = folder / source.stem
    include = f"-I{KERNELS / 'CP256/include'}"
    subprocess.run([CLANG, "-O2", "-rdynamic", include, source, *libraries, "-o", target], check=True)
    return target


def prepare(folder, count):
    """Makes a library of the kernels, and `count` inputs with their answers. Returns the library."""
    (folder / "objects").mkdir()
    original = compiled(KERNELS, folder / "objects")
    compare = program(ROOT / "Proofs/sampling/compare.c", folder, "-lcrypto")
    subprocess.run([compare, "make", folder / "inputs", str(count), original], check=True)
    return original
