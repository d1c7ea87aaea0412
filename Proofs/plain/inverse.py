"""The ends of an inversion (inverse.c): words to limbs of 62 bits, and the residue of what the division steps leave, for all
numbers; executed on bits that are not known, as Proofs/text does. The division steps between are not proved."""

import subprocess

from algebra.bits import bits_of
from algebra.polynomials import P
from algebra.scope import Refused
from plain.order import N
from text.machine import Machine
from text.memory import Length, Output, Pointer, Text, refusal
from text.program import parse
from text.recording import FLAGS, RECORDER, compiler
from verdicts import Verdict

LIMB, LIMBS = 62, 5
# The functions are inlined: each is recorded by one of its own.
SOURCE = """
#include "inverse.c"
void recorded_to_limbs(int64_t *limbs, const uint64_t *words) { to_limbs(limbs, words); }
void recorded_to_words(uint64_t *words, const int64_t *limbs) { to_words(words, limbs); }
void recorded_normalize(int64_t *d, const int64_t *from, int64_t sign, const prime62 *prime) {
  for (int i = 0; i < 5; i++) d[i] = from[i];
  normalize(d, sign, prime);
}
"""


def machine_of(kernels):
    run = subprocess.run(
        [compiler(), "--target=x86_64-unknown-linux-gnu", *FLAGS, f"-I{RECORDER}", f"-I{kernels / 'CP256'}", "-x", "c", "-",
         "-o", "-"], input=SOURCE, check=True, capture_output=True, text=True)
    return Machine([parse([line for line in run.stdout.splitlines() if "llvm.experimental.noalias" not in line])])


def words_of(text, logic, count):
    """A number's words, each the bits from the lowest."""
    return [tuple(bit for place in range(8 * index, 8 * index + 8) for bit in text.byte(logic, place)) for index in range(count)]


def number_of_limbs(limbs):
    """The number of five limbs, of which the topmost has a sign, in two's complement."""
    return tuple(bit for limb in limbs[:-1] for bit in limb[:LIMB]) + limbs[-1]


def written(state, output, count):
    cells = state.memory[output]
    found = tuple(bit for place in range(8 * count) for bit in cells.get(place, (None,) * 8))
    if None in found:
        raise Refused("identity: a word is not written")
    return [found[64 * index:64 * index + 64] for index in range(count)]


def call(machine, name, given, count, results, *others, assumed=1):
    """Calls a function with words that are not known; the states at its end with the words it wrote."""
    output = Output("results", Length(8 * results), 8)
    state = machine.start(f"@recorded_{name}", [Pointer(output, Length(0)), Pointer(given, Length(0)), *others], {output: {}})
    state.assume(machine.logic, assumed)
    return [(outcome.state, written(outcome.state, output, results)) for outcome in machine.run(state)]


def compare(machine, state, found, expected, what):
    for one, other in zip(found, expected, strict=True):
        if machine.logic.conjunction([state.condition, *state.large, machine.logic.differ(one, other)]):
            raise Refused(f"identity: {what} is another")


def check_limbs(kernels):
    machine = machine_of(kernels)
    given = Text("words", Length(32), 8)
    number = sum(words_of(given, machine.logic, 4), ())
    for state, limbs in call(machine, "to_limbs", given, 4, LIMBS):
        for limb in limbs[:-1]:
            compare(machine, state, limb[LIMB:], (0, 0), "the top of a limb")
        compare(machine, state, number_of_limbs(limbs), number + (0,) * (4 * LIMB + 64 - 256), "the number")


def check_words(kernels):
    machine = machine_of(kernels)
    given = Text("limbs", Length(8 * LIMBS), 8)
    limbs = words_of(given, machine.logic, LIMBS)
    carried = machine.logic.none_of(bit for limb in limbs[:-1] for bit in limb[LIMB:])
    small = machine.logic.both(carried, machine.logic.none_of(limbs[-1][8:]))
    for state, words in call(machine, "to_words", given, LIMBS, 4, assumed=small):
        compare(machine, state, sum(words, ()), number_of_limbs(limbs)[:256], "the number")


def check_residue(kernels, prime, name, sign):
    """The number is within (-2p, p), its lower limbs are carried."""
    machine = machine_of(kernels)
    logic, numbers = machine.logic, machine.numbers
    given = Text("d", Length(8 * LIMBS), 8)
    limbs = words_of(given, logic, LIMBS)
    number = number_of_limbs(limbs)
    width = len(number)
    carried = logic.none_of(bit for limb in limbs[:-1] for bit in limb[LIMB:])
    within = logic.both(numbers.below(number, bits_of(prime, width), True),
                        numbers.below(bits_of(-2 * prime % 2**width, width), number, True))
    expected = number
    for _ in range(2):
        raised = numbers.add(expected, bits_of(prime, width))[0]
        expected = numbers.select(expected[-1], raised, expected)
    if sign:
        is_zero = logic.none_of(expected)
        expected = numbers.select(is_zero, expected, numbers.subtract(bits_of(prime, width), expected)[0])
    address = Pointer(machine.table(machine.modules[0], f"@assay_p256_{name}_prime"), Length(0))
    for state, results in call(machine, "normalize", given, LIMBS, LIMBS, 2**64 - 1 if sign else 0, address,
                               assumed=logic.both(carried, within)):
        for limb in results[:-1]:
            compare(machine, state, limb[LIMB:], (0, 0), "the top of a limb")
        compare(machine, state, number_of_limbs(results), expected, "the residue")


THEOREMS = [
    ("to_limbs", "the number in limbs of 62 bits", check_limbs),
    ("to_words", "the number in words", check_words),
    *((f"normalize/{name}/{sign}", f"{sign} the number modulo the prime, for one within (-2 · prime, prime)",
       lambda kernels, prime=prime, name=name, sign=sign: check_residue(kernels, prime, name, sign == "minus"))
      for prime, name in ((P, "field"), (N, "order")) for sign in ("plus", "minus")),
]


def prove(kernels, names):
    """A verdict on each theorem."""
    for name, says, check in THEOREMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, kernels))
