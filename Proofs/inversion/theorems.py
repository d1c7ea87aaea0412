"""The theorems on inverse.c: division steps, what their matrices are applied to, how many steps suffice, and that whole
inversions are made of them."""

from algebra.polynomials import P
from inversion.ends import check_limbs, check_residue, check_words, check_zero
from inversion.matrices import COUNTS, check_exact, check_modulo
from inversion.rounds import check_bound, check_constant_time, check_variable_time
from inversion.steps import public_steps_taken, steps_taken
from plain.order import N
from text.memory import refusal
from verdicts import Verdict

PRIMES = (("field", P), ("order", N))


def of_primes(name, says, check):
    """A theorem for each of the two primes."""
    return [(f"{name}/{prime_name}", says, lambda kernels, given=(prime_name, prime): check(kernels, *given))
            for prime_name, prime in PRIMES]


THEOREMS = [
    ("to_limbs", "the number in limbs of 62 bits", check_limbs),
    ("to_words", "the number in words", check_words),
    ("is_zero", "whether a number is 0, for 2 to 5 limbs", check_zero),
    ("steps", "each round is a division step, for all f, g and delta; the matrix is their product", steps_taken),
    ("public_steps", "each round is some division steps, 62 in all; the matrix is their product", public_steps_taken),
    *((f"apply/{count}", f"matrix · (f, g) / 2^62, exactly, for {count} limbs", lambda kernels, count=count: check_exact(
        kernels, count)) for count in COUNTS),
    *of_primes("apply_modulo", "matrix · (d, e) / 2^62 modulo the prime, within (-2 · prime, prime)", check_modulo),
    *of_primes("invert", "the inverse of every number below the prime, 0 of 0, in as many steps as suffice", check_constant_time),
    *of_primes("invert_public", "the same in variable time", check_variable_time),
    *(theorem for sign in ("plus", "minus") for theorem in of_primes(
        f"normalize/{sign}", f"{sign} the number modulo the prime, for one within (-2 · prime, prime)",
        lambda kernels, name, prime, sign=sign: check_residue(kernels, name, prime, sign == "minus"))),
    ("bound/half", "590 division steps suffice for 256 bits, delta starting at 1/2", lambda kernels: check_bound(True, 590)),
    ("bound/one", "724 division steps suffice for 256 bits, delta starting at 1", lambda kernels: check_bound(False, 724)),
]


def prove(kernels, names):
    for name, says, check in THEOREMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, kernels))
