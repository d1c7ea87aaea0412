"""The scalar kernel: one number at a time, in plain C."""

import functools

from scalar import points, products, structure, sums
from text.memory import refusal
from verdicts import Verdict

SUMS = [
    ("f_add", "a + b modulo p", sums.check_sum),
    ("f_subtract", "a - b modulo p", sums.check_difference),
    ("f_negated", "p - a", sums.check_negated),
    *((f"f_shift/{bits}", f"a · 2^{bits} modulo p", functools.partial(sums.check_shift, bits=bits)) for bits in range(1, 6)),
    ("f_is_zero", "where a is 0", sums.check_zero),
    ("f_equal", "where a is b", sums.check_equal),
    ("f_inverse", "1 / a in Montgomery form, by an inverse modulo p", sums.check_inverse),
    ("f_wide_subtract", "a - b modulo p · 2^256", sums.check_wide_difference),
]
PRODUCTS = [
    ("f_product", "a · b", "product", products.check_product),
    ("f_product_square", "a²", "square", products.check_square),
    ("f_reduce", "t / 2^256 modulo p, for t below p · 2^256", "reduce", products.check_reduction),
]


def prove(kernels, names):
    recorded = products.record(kernels)
    for name, says, program, check in PRODUCTS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, recorded[program]))
    execution = sums.Execution(kernels)
    for name, says, check in SUMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, execution))
    lines = points.record(kernels)
    for name, says, check in points.THEOREMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, lines))
    programs = structure.record(kernels)
    for name, says, check in structure.THEOREMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, programs))
