"""The theorems on JSON strings."""

import functools

from text import escapes, scanning, selections
from text.memory import Refused
from verdicts import Verdict

READS = "reads what RFC 8259 allows, no more and no less, for every text, within bounds"
WRITES = "writes the content of what RFC 8259 allows, for every text, within bounds"
SELECTS = "writes the bytes that a mask selects, for every mask, and no more than 32"


def scan(kernel, does_write, kernels):
    scanning.Scan(kernels, kernel, does_write).prove()


CHECKS = {
    **escapes.CHECKS,
    **{f"{kernel.name}_run": (functools.partial(scan, kernel, False), READS) for kernel in scanning.KERNELS},
    **{f"{kernel.name}_unescape": (functools.partial(scan, kernel, True), WRITES) for kernel in scanning.KERNELS},
    "avx2_compress": (selections.check, SELECTS),
}


def prove(kernels, names):
    """Yields a verdict on each theorem."""
    for name, (check, says) in CHECKS.items():
        if not names or name in names:
            yield Verdict(name, says, refusal(check, kernels))


def refusal(check, kernels):
    """Why a theorem is refused; None if it is proved."""
    try:
        check(kernels)
    except Refused as reason:
        return str(reason)
