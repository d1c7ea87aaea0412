"""What Scripts/planted-bugs and Scripts/mutants share: a copy of the sources in which wrong code stands beside the right
code, `planted ? wrong : right`, one build of it, and runs with one of them chosen."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["Package.swift", "Sources", "Benchmarks", "Tests"]
MODULE = "CPlantedBug"


def fail(text):
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(2)


# The instrumented tree


def sources():
    command = ["git", "--git-dir=.git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"] + COPIED
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    return {name: (ROOT / name).read_bytes() for name in listed if name and (ROOT / name).is_file()}


HEADER = """#pragma once
#include <stdbool.h>
/* The number of the bug that is chosen, 0 if none is. */
extern int planted_bug_chosen;
static inline bool planted_bug(int number) { return planted_bug_chosen == number; }
"""

SOURCE = f"""#include "{MODULE}.h"
#include <stdlib.h>

int planted_bug_chosen = 0;

__attribute__((constructor)) static void choose(void) {{
  const char *number = getenv("ASSAY_PLANTED_BUG");
  if (number) planted_bug_chosen = atoi(number);
}}
"""

# Every target may ask whether a bug is chosen.
MANIFEST = f"""
for target in package.targets where target.type != .system {{ target.dependencies.append("{MODULE}") }}
package.targets.append(.target(name: "{MODULE}"))
"""


def instrumented(tree, texts):
    """The tree with the texts of some files, which ask for the numbers of bugs."""
    tree = dict(tree)
    for path, text in texts.items():
        line = f"import {MODULE}\n" if path.endswith(".swift") else f'#include "{MODULE}.h"\n'
        tree[path] = (line + text).encode()
    # A wrong variant may deserve a warning, a value that nobody uses for one.
    manifest = tree["Package.swift"].decode().replace(".treatAllWarnings(as: .error)", ".treatAllWarnings(as: .warning)")
    tree["Package.swift"] = (manifest + MANIFEST).encode()
    tree[f"Sources/{MODULE}/include/{MODULE}.h"] = HEADER.encode()
    tree[f"Sources/{MODULE}/{MODULE}.c"] = SOURCE.encode()
    return tree


def build(tree, folder, *parts):
    """Builds a tree in a folder; files that are as they should be stay, so that only what changed is built again."""
    for name in COPIED:
        for path in (folder / name).rglob("*") if (folder / name).is_dir() else []:
            if path.is_file() and str(path.relative_to(folder)) not in tree:
                path.unlink()
    for name, contents in tree.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == contents:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    command = ["swift", "build", "-c", "release", *parts, "--package-path", str(folder)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def refuse(built):
    """Ends the program if a build failed."""
    if built.returncode:
        errors = sorted(set(re.findall(r".*error:.*", built.stdout)))
        fail("the instrumented sources do not build:\n" + "\n".join(errors[:40] or built.stdout.splitlines()[-30:]))


# Runs


def run(words, bug=0, seconds=120, folder=ROOT, **environment):
    """Runs a program with a bug chosen: None if it hangs. The limit is of processor time: on a busy machine a bug that
    waits for its turn is not one that hangs. One of memory keeps a wrong size from stopping the machine."""
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment, "ASSAY_PLANTED_BUG": str(bug)}
    command = ["sh", "-c", 'ulimit -S -v 16777216 && ulimit -S -t "$0" && exec "$@"', str(seconds), *map(str, words)]
    try:
        return subprocess.run(command, env=environment, cwd=folder, capture_output=True, timeout=20 * seconds)
    except subprocess.TimeoutExpired:
        return None


# The files of all vectors.
VECTORS = [path for name in ("vectors", "regressions") for path in sorted((ROOT / "Corpus" / name).glob("*.json"))
           if path.name != "schema.json"]
