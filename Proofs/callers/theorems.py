"""The callers of the formulas: agree.h, comb.h and verify.h, up to the public functions. Their recording has opaque
lanes in place of field.h and point.h, whose theorems say what the operations take and yield."""

import functools

from algebra.scope import Refused
from callers import agreement, loading, verification
from callers.recording import record
from verdicts import Verdict


def call(name, says, check):
    return name, says, lambda programs: check(programs[name])


AGREEMENT = "x of k · P, for every k within 1..<n and every P: {} at once"
SIGNATURES = "x of u1 · G + u2 · Q is compared with r: {}"
alone = functools.partial(verification.check_verification, all_lanes=True)
together = functools.partial(verification.check_verification, all_lanes=False)

THEOREMS = [
    ("ladder", "no step adds equal or opposite points, for every odd k within 1..<n",
     lambda programs: agreement.check_exceptions()),
    *(call(f"agree/{count}", AGREEMENT.format(count), agreement.check) for count in (1, 7, 35, 64)),
    call("make_terms", "the terms of each digit within -128...128, at each of 64 places", verification.check_terms),
    call("comb_sum", "the sum of the terms, whichever are absent", verification.check_sums),
    *(call(f"verify/{count}", SIGNATURES.format(f"{count} at once"), together) for count in (1, 6, 64)),
    *(call(f"verify_one/{case}", SIGNATURES.format(says), alone) for case, says in (
        ("genuine", "one"), ("varied", "one, if not all lanes are sure"), ("empty", "one, if a lane has no terms"),
        ("range", "one, if it is out of range"), ("inverse", "one, if 1/s is wrong"))),
]


def prove(kernel, kernels, names):
    """A verdict on each theorem, with as many lanes as a kernel has."""
    programs = record(kernel, kernels)
    lanes = next(iter(programs.values())).lanes
    checks = [("load_lane", "each lane gets its peer, and the odd one of k and n - k, for every k below n",
               lambda _: loading.check(kernel, kernels, lanes)),
              ("l_load_entries", "each lane gets the words of its entry, in their order",
               lambda _: loading.check_entries(kernel, kernels, lanes)), *THEOREMS]
    for name, says, check in checks:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, programs))


def refusal(check, programs):
    """None if the theorem is proved, else why not."""
    try:
        check(programs)
    except Refused as refused:
        return str(refused)
    return None
