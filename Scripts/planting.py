"""What Scripts/planted-bugs, Scripts/mutants and Scripts/exam-histories share: a copy of the sources in which wrong code
stands beside the right code, `planted ? wrong : right`, one build of it, runs with one of them chosen, and the score."""

import json
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["Package.swift", "Sources", "Benchmarks", "Tests"]
MODULE = "CPlantedBug"
CHOOSER = "ASSAY_PLANTED_BUG"
UNKNOWN = 99
SCORES = ROOT / "Tests/Mutants/scores.json"
# A score has fallen if a sample has so many survivors no oftener than this.
UNLIKELY = 1e-3


def fail(text):
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(2)


# The instrumented tree


def sources():
    command = ["git", "--git-dir=.git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"] + COPIED
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    return {name: (ROOT / name).read_bytes() for name in listed if name and (ROOT / name).is_file()}


def header():
    return f"""#pragma once
#include <stdbool.h>
/* The number of the bug that {CHOOSER} names, 0 where it names none. */
extern int planted_bug_chosen;
static inline bool planted_bug(int number) {{ return planted_bug_chosen == number; }}
"""


def chooser(names):
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"""#include "{MODULE}.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int planted_bug_chosen = 0;
static const char *const names[] = {{{quoted}}};

__attribute__((constructor)) static void choose(void) {{
  const char *name = getenv("{CHOOSER}");
  if (!name || !*name) return;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strcmp(name, names[index]) == 0) planted_bug_chosen = (int)index + 1;
  if (planted_bug_chosen) return;
  fprintf(stderr, "{CHOOSER} names no bug: %s\\n", name);
  exit({UNKNOWN});
}}
"""


def target_of(path, manifest):
    """The target that a file belongs to: the one whose folder Package.swift names, or the folder in Sources."""
    folders = [folder for folder in re.findall(r'path: "([^"]+)"', manifest) if path.startswith(folder + "/")]
    return max(folders, key=len).rsplit("/")[-1] if folders else path.split("/")[1]


def with_module(manifest, targets):
    """The manifest with the module that answers whether a bug is chosen, for the targets that ask."""
    for target in sorted(targets):
        pattern = re.compile(r'(\.(?:executableT|t)arget\(\s*name: "%s")(\)|,\s*path:|,\s*dependencies: \[)' % re.escape(target))
        if len(pattern.findall(manifest)) != 1:
            fail(f'Package.swift has no .target(name: "{target}") of the form expected')
        manifest = pattern.sub(
            lambda match: match[1] + (match[2] + f'"{MODULE}", ' if match[2].endswith("[")
                                      else f', dependencies: ["{MODULE}"]' + match[2]),
            manifest)
    # A wrong variant may deserve a warning, a value that nobody uses for one.
    manifest = manifest.replace(".treatAllWarnings(as: .error)", ".treatAllWarnings(as: .warning)")
    manifest, count = re.subn(r"(?m)^(  targets: \[)$", rf'\1\n    .target(name: "{MODULE}"),', manifest)
    if count != 1:
        fail(f"Package.swift has {count} lines `  targets: [`, where one is expected")
    return manifest


def instrumented(tree, texts, names):
    """The tree with the texts of some files, which ask for the numbers of the names."""
    tree, manifest = dict(tree), tree["Package.swift"].decode()
    for path, text in texts.items():
        line = f"import {MODULE}\n" if path.endswith(".swift") else f'#include "{MODULE}.h"\n'
        tree[path] = (line + text).encode()
    tree["Package.swift"] = with_module(manifest, {target_of(path, manifest) for path in texts}).encode()
    tree[f"Sources/{MODULE}/include/{MODULE}.h"] = header().encode()
    tree[f"Sources/{MODULE}/{MODULE}.c"] = chooser(names).encode()
    return tree


def ends_at_first_finding(tree):
    """Makes `assay diff` of a tree end at its first finding."""
    path, hook = "Sources/assay/Commands/DiffCommand.swift", "    } found: { finding, run in\n"
    text = tree[path].decode()
    if text.count(hook) != 1:
        fail(f"{path} has changed")
    tree[path] = text.replace(hook, hook + "      if true { exit(77) }\n").replace("import", "import Glibc\nimport", 1).encode()


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


def run(words, bug="", seconds=120, folder=ROOT, **environment):
    """Runs a program with a bug chosen: None if it hangs. The limit is of processor time: on a busy machine a bug that
    waits for its turn is not one that hangs. One of memory keeps a wrong size from stopping the machine."""
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment, CHOOSER: bug}
    command = ["sh", "-c", 'ulimit -S -v 16777216 && ulimit -S -t "$0" && exec "$@"', str(seconds), *map(str, words)]
    try:
        ended = subprocess.run(command, env=environment, cwd=folder, capture_output=True, timeout=20 * seconds)
    except subprocess.TimeoutExpired:
        return None
    if ended.returncode == UNKNOWN:
        fail(ended.stderr.decode().strip())
    return ended


def vectors(corpus):
    """The files of a corpus's vectors."""
    files = [path for name in ("vectors", "regressions") for path in sorted((corpus / name).glob("*.json"))
             if path.name != "schema.json"]
    return files or fail(f"no vectors in {corpus}: assay corpus generate makes them")


def is_fuzzed(assay, bug, options, folder):
    """Whether the fuzzing loop finds a bug, from the seeds, knowing nothing of it."""
    words = [assay, "fuzz", "run", "--stop-at-finding", "--quiet", "--duration", f"{options.seconds}s", "--jobs", "1",
             "--seed", options.seed, "--corpus", options.corpus, "--dir", folder]
    ended = run(words, bug, seconds=options.seconds + 600)
    return ended is None or ended.returncode != 0


# Scores


def rate(part, whole):
    """A rate with Wilson's 95% interval, as text."""
    if not whole:
        return "0 of 0"
    z, p = 1.959964, part / whole
    middle, spread = p + z * z / (2 * whole), z * ((p * (1 - p) + z * z / (4 * whole)) / whole) ** 0.5
    low, high = ((middle + side * spread) / (1 + z * z / whole) for side in (-1, 1))
    return f"{part} of {whole}, {100 * p:.0f}% (95% interval {100 * low:.0f} to {100 * high:.0f}%)"


def read_scores(part):
    """The recorded scores of a part: name to mutants and survivors."""
    return {name: (score["mutants"], score["survivors"]) for name, score in json.loads(SCORES.read_text())[part].items()}


def write_scores(part, scores):
    document = json.loads(SCORES.read_text())
    document[part] = {name: dict(mutants=mutants, survivors=survivors) for name, (mutants, survivors) in sorted(scores.items())}
    parts = (f' "{key}": {{\n' + ",\n".join(f"  {json.dumps(name)}: {json.dumps(score)}" for name, score in entries.items()) + "\n }"
             for key, entries in document.items())
    SCORES.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def fallen(tried, scores):
    """What has more survivors than its score explains; `tried` holds by name how many mutants there are, how many of them
    were tried, and how many survived.

    The score is a rate: if the code has other mutants than when it was written, it stands for as large a share of them.
    A whole run falls below it by one survivor; a sample, if one drawn from so many mutants with so many survivors has
    that many with a probability below UNLIKELY (the hypergeometric distribution).
    """
    for name, (mutants, count, survived) in tried.items():
        if name not in scores:
            continue
        recorded, survivors = scores[name]
        known = min(mutants, -(-survivors * mutants // recorded))
        chance = sum(math.comb(known, each) * math.comb(mutants - known, count - each) for each in range(survived, min(known, count) + 1))
        if chance < UNLIKELY * math.comb(mutants, count):
            yield f"{name}: {survived} of {count} survive, where {survivors} of {recorded} did"
