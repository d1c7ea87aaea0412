"""The theorems on JSON strings."""

import functools

from text import base64, escapes, examples, scanning, selections
from text.memory import refusal
from verdicts import Verdict

READS = "reads what RFC 8259 allows, no more and no less, for every text, within bounds"
WRITES = "writes the content of what RFC 8259 allows, for every text, within bounds"
EXAMPLES = "base64 and JSON on numbers: as this processor does; a misread instruction is found"
SELECTS = "writes the bytes that a mask selects, for every mask, and no more than 32"


def scan(kernel, does_write, kernels):
    scanning.Scan(kernels, kernel, does_write).prove()


def check_examples(kernels):
    """Checks the examples of all text kernels."""
    examples.check(kernels, base64.KERNELS, ["base64_decode"])
    examples.check(kernels, scanning.KERNELS, ["json_run", "json_unescape"])


CHECKS = {
    **escapes.CHECKS,
    **{f"{kernel.name}_run": (functools.partial(scan, kernel, False), READS) for kernel in scanning.KERNELS},
    **{f"{kernel.name}_unescape": (functools.partial(scan, kernel, True), WRITES) for kernel in scanning.KERNELS},
    "avx2_compress": (selections.check, SELECTS),
    "examples": (check_examples, EXAMPLES),
}


def prove(kernels, names):
    for name, (check, says) in CHECKS.items():
        if not names or name in names:
            yield Verdict(name, says, refusal(check, kernels))
