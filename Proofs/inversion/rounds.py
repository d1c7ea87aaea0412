"""Whole inversions: what assay_p256_invert and assay_p256_invert_public do with the functions that the other files prove.

Let x be the number, and (f_i, g_i) be f and g after i rounds. Each round must apply the matrix of its steps to the f
and g that the steps have seen, and to d and e. Then f_i = d_i · x and g_i = e_i · x modulo the prime: this is true at
first, when f is the prime, g is x and (d, e) is (0, 1), and a matrix divided by 2^62 keeps it. Steps keep the common
divisors of an odd f and g. When g is 0, |f| is the greatest common divisor of the prime and x, which is 1 for an x
within 1..<prime. Then f · d is 1/x, which normalize yields from d and the sign of f. For x = 0 all steps have an even
g: v stays 0, and d is a multiple of the prime.

hulls.c shows that enough steps are taken for g to become 0."""

import ctypes
import functools
import itertools
import pathlib

from algebra.scope import Refused, Scope
from compilation import library
from inversion.matrices import COUNTS, LIMBS, number_of
from inversion.numbers import NumberMachine, cells_of, constant_word
from inversion.steps import LIMB, MOST_DELTA, must_agree, must_be, public_steps_taken, steps_taken
from text.memory import Length, Object, Pointer
from text.program import loops
from text.recording import compiler

# Of f and g, as of the primes and the numbers.
BITS = 256
MOST_STEPS = 750
CONSTANT_TIME = "@assay_p256_invert"
VARIABLE_TIME = "@assay_p256_invert_public"


@functools.cache
def hulls():
    return library(pathlib.Path(__file__).resolve().parent / "hulls.c", compiler=compiler(), flags=["-lm"])


@functools.cache
def steps_needed(bits, starts_at_half):
    """How many division steps suffice for 0 <= g <= f <= 2^bits, delta starting at 1/2 or else at 1."""
    count = hulls().steps_needed(bits, ctypes.c_bool(starts_at_half), MOST_STEPS)
    if count == 0:
        raise Refused(f"range: {MOST_STEPS} division steps do not suffice, or there is not enough memory")
    return count


def check_bound(starts_at_half, count):
    """Checks that hulls.c finds `count` steps for 256 bits, and for small numbers no fewer steps than are needed."""
    for bits in range(1, 9):
        most = max(steps_of(f, g, starts_at_half) for f in range(1, 2**bits, 2) for g in range(f + 1))
        if steps_needed(bits, starts_at_half) < most:
            raise Refused(f"example: numbers of {bits} bits need {most} steps")
    if steps_needed(BITS, starts_at_half) != count:
        raise Refused(f"range: {steps_needed(BITS, starts_at_half)} steps suffice")


def steps_of(f, g, starts_at_half):
    """How many division steps an input needs."""
    twice_delta, count = 1 if starts_at_half else 2, 0
    while g:
        if g % 2 == 0:
            twice_delta, g = twice_delta + 2, g // 2
        elif twice_delta > 0:
            twice_delta, f, g = 2 - twice_delta, g, (g - f) // 2
        else:
            twice_delta, g = twice_delta + 2, (g + f) // 2
        count += 1
    return count


class Rounds:
    """Executes an inversion. Its functions are replaced by what they are proved to yield: unknown numbers. Each
    function must be given the numbers that the one before has written."""

    def __init__(self, kernels, name, prime_name, prime):
        self.machine = NumberMachine(kernels)
        self.name, self.prime, self.count, self.tops = name, prime, LIMBS, (None, None)
        self.steps = "@steps" if name == CONSTANT_TIME else "@public_steps"
        self.machine.summaries |= {
            "@to_limbs": self.to_limbs, self.steps: self.take_steps, "@apply": self.apply, "@apply_modulo": self.apply_modulo,
            "@is_zero": self.is_zero, "@normalize": self.normalize, "@to_words": self.to_words}
        self.words, self.inverse = (Object(each, Length(BITS // 8), 8) for each in ("words", "inverse"))
        self.address = Pointer(self.machine.table(self.machine.module, f"@assay_p256_{prime_name}_prime"), Length(0))
        # How many rounds were executed; whether g is 0; what is then made of d.
        self.rounds, self.is_last, self.result = 0, False, None
        # The numbers as they must be found: objects and limbs by name.
        self.objects, self.limbs = {}, {}
        self.delta, self.matrix, self.applied = None, None, {"f", "d"}

    def start(self):
        memory = {self.inverse: (None,) * BITS}
        return self.machine.start(self.name, [Pointer(each, Length(0)) for each in (self.inverse, self.words)] + [self.address],
                                  memory)

    def fresh(self, top=None):
        """Limbs of a number that is not known; the topmost is within -2^62...2^62 or as given."""
        limbs = [self.machine.unknown(0, 2**LIMB - 1) for _ in range(self.count - 1)]
        return limbs + [self.machine.unknown(-(2**LIMB), 2**LIMB) if top is None else top(self.machine)]

    def fresh_residue(self):
        """A number within (-2 · prime, prime)."""
        return [self.machine.unknown(0, 2**LIMB - 1) for _ in range(LIMBS - 1)] + [self.machine.unknown(-(2**9), 2**8)]

    def write(self, state, name, limbs):
        self.limbs[name] = limbs
        self.machine.write(state, Pointer(self.objects[name], Length(0)), cells_of(limbs), 8)

    def is_at(self, state, name, pointer):
        """Checks that a function is given the address of a number, and that the number is unchanged there."""
        if self.objects.setdefault(name, pointer.object) != pointer.object or self.machine.place(pointer) != 0:
            raise Refused(f"identity: another number in place of {name}")
        found = self.machine.numbers_at(state, pointer, len(self.limbs[name]))
        if [limb.polynomial for limb in found] != [self.machine.word(limb, 64).polynomial for limb in self.limbs[name]]:
            raise Refused(f"identity: {name} is not what the round before has left")

    # The replacements of the functions.

    def to_limbs(self, machine, state, limbs, words):
        if words != Pointer(self.words, Length(0)):
            raise Refused("identity: another number is inverted")
        self.objects["g"] = limbs.object
        # The number is below 2^256.
        self.write(state, "g", self.fresh(lambda machine: machine.unknown(0, 2**8 - 1)))
        self.limbs |= {"f": limbs_of(self.prime), "d": limbs_of(0), "e": limbs_of(1)}

    def take_steps(self, machine, state, delta, f, g, result):
        if self.applied != {"f", "d"}:
            raise Refused("identity: a matrix is not applied to all numbers")
        if self.delta is None or machine.word(delta, 64).polynomial != self.delta.polynomial:
            raise Refused("identity: the steps do not begin with the delta that the round before left")
        for name, word in (("f", f), ("g", g)):
            number = number_of([machine.word(limb, 64) for limb in self.limbs[name]])
            must_agree(machine.word(word, 64).polynomial, number, LIMB, f"the word of {name}")
        self.matrix = [machine.unknown(-(2**LIMB), 2**LIMB) for _ in range(4)]
        machine.write(state, result, cells_of(self.matrix), 8)
        self.delta, self.applied, self.rounds = machine.unknown(-MOST_DELTA, MOST_DELTA), set(), self.rounds + 1
        return self.delta

    def check_matrix(self, state, pointer, name):
        if self.matrix is None or name in self.applied:
            raise Refused(f"identity: {name} gets a matrix without steps, or twice")
        found = self.machine.numbers_at(state, pointer, 4)
        if [each.polynomial for each in found] != [each.polynomial for each in self.matrix]:
            raise Refused(f"identity: {name} gets another matrix than that of the steps")
        self.applied.add(name)

    def apply(self, machine, state, f, g, matrix, count):
        self.check_matrix(state, matrix, "f")
        if count != self.count:
            raise Refused(f"identity: a matrix is applied to {count} limbs of {self.count}")
        for name, pointer, top in zip("fg", (f, g), self.tops):
            self.is_at(state, name, pointer)
            self.write(state, name, self.fresh(top))

    def apply_modulo(self, machine, state, d, e, matrix, prime):
        self.check_matrix(state, matrix, "d")
        if prime != self.address:
            raise Refused("identity: another prime")
        for name, pointer in (("d", d), ("e", e)):
            self.is_at(state, name, pointer)
            self.write(state, name, self.fresh_residue())

    def is_zero(self, machine, state, g, count):
        self.is_at(state, "g", g)
        if count != self.count:
            raise Refused(f"identity: {count} limbs of {self.count} are compared with 0")
        return int(self.is_last)

    def normalize(self, machine, state, d, sign, prime):
        self.is_at(state, "d", d)
        top = machine.word(self.limbs["f"][self.count - 1], 64)
        expected = machine.scope.quotient(top.polynomial, 63)
        if machine.word(sign, 64).polynomial != expected or prime != self.address or self.applied != {"f", "d"}:
            raise Refused("identity: the residue of d has another sign than f, or another prime")
        self.result = [machine.unknown(0, 2**LIMB - 1) for _ in range(LIMBS)]
        self.write(state, "d", self.result)

    def to_words(self, machine, state, words, limbs):
        self.is_at(state, "d", limbs)
        if self.result is None or words != Pointer(self.inverse, Length(0)):
            raise Refused("identity: what is returned is not the residue of d")
        self.result = "written"

    def check_written(self):
        if self.result != "written":
            raise Refused("identity: no inverse is written")


def limbs_of(number):
    """The limbs of a number from 0 on."""
    return [number >> LIMB * place & (2**LIMB - 1) for place in range(LIMBS)]


def check_constant_time(kernels, prime_name, prime):
    """Checks all rounds of assay_p256_invert, and that there are enough."""
    rounds = Rounds(kernels, CONSTANT_TIME, prime_name, prime)
    # zeta = -(delta + 1/2) of delta = 1/2.
    rounds.delta = constant_word(-1)
    _, = rounds.machine.run(rounds.start())
    rounds.check_written()
    taken, needed = rounds.rounds * steps_taken(kernels), steps_needed(BITS, True)
    if taken < needed:
        raise Refused(f"range: {taken} division steps are taken, and {needed} are needed")


def check_variable_time(kernels, prime_name, prime):
    """Checks the beginning of assay_p256_invert_public, and each round and the end for each count of limbs."""
    rounds = Rounds(kernels, VARIABLE_TIME, prime_name, prime)
    state = rounds.start()
    header, *others = loops(state.frames[0].function)
    if others:
        raise Refused("recorder: an inversion has several loops")
    outcome, = rounds.machine.run(state, [header])
    rounds.delta = constant_word(1)
    check_head(rounds, outcome.state, LIMBS)
    for count in COUNTS:
        check_end(rounds, outcome.state, count)
        for tops in itertools.product(TOPS, repeat=2):
            check_round(rounds, outcome.state, header, count, tops)
    steps = public_steps_taken(kernels)
    # The loop ends, since g is 0 after at most this many rounds. |delta| grows by at most 1 in each step.
    if 1 + steps * -(-steps_needed(BITS, False) // steps) >= MOST_DELTA:
        raise Refused("range: delta may become too large")


# A top limb is the sign alone, or another number.
TOPS = (lambda machine: 0, lambda machine: 2**64 - 1, lambda machine: machine.unknown(1, 2**LIMB),
        lambda machine: machine.unknown(-(2**LIMB), -2))


def any_head(rounds, entry, count):
    """A state at the head of the loop after any number of rounds: unknown numbers, f and g with `count` limbs. The
    limbs above these are undefined."""
    rounds.machine.scope, rounds.count, rounds.result, rounds.applied = Scope(), count, None, {"f", "d"}
    state = entry.copy()
    for name in "fgde":
        rounds.objects[name] = rounds.machine.variable_of(state, name)
    for name in "fg":
        rounds.limbs[name] = rounds.fresh()
        cells = cells_of(rounds.limbs[name] + [None] * (LIMBS - count))
        rounds.machine.write(state, Pointer(rounds.objects[name], Length(0)), cells, 8)
    for name in "de":
        rounds.write(state, name, rounds.fresh_residue())
    rounds.delta = rounds.machine.unknown(-MOST_DELTA, MOST_DELTA)
    rounds.machine.set_variable(state, "delta", rounds.delta)
    rounds.machine.set_variable(state, "count", count)
    return state


def check_end(rounds, entry, count):
    """Checks that the inverse is written if g is 0."""
    rounds.is_last = True
    _, = rounds.machine.run(any_head(rounds, entry, count))
    rounds.check_written()


def check_round(rounds, entry, header, count, tops):
    """Checks a round in which f and g get the given top limbs. At its end they may have one limb less."""
    rounds.is_last, rounds.tops = False, tops
    before = rounds.rounds
    outcome, = rounds.machine.run(any_head(rounds, entry, count), [header])
    if outcome.label is None or rounds.rounds != before + 1 or rounds.applied != {"f", "d"}:
        raise Refused("identity: a round without its steps and their matrix")
    left = rounds.machine.variable_value(outcome.state, "count").polynomial.get((), 0)
    if left not in (count, count - 1) or left not in COUNTS:
        raise Refused(f"identity: {left} limbs are left of {count}")
    check_head(rounds, outcome.state, left)


def check_head(rounds, state, count):
    """Checks the state at the head of the loop: d and e are unchanged, and so are f and g, with `count` limbs."""
    must_be(rounds.machine.variable_value(state, "count").polynomial, constant_word(count).polynomial, "the number of limbs")
    must_be(rounds.machine.variable_value(state, "delta").polynomial, rounds.delta.polynomial, "delta")
    for name in "de":
        rounds.is_at(state, name, Pointer(rounds.machine.variable_of(state, name), Length(0)))
    for name in "fg":
        limbs = rounds.machine.numbers_at(state, Pointer(rounds.machine.variable_of(state, name), Length(0)), count)
        if any(limb.low < 0 or limb.high >= 2**LIMB for limb in limbs[:-1]) or not (
                -(2**LIMB) <= limbs[-1].low <= limbs[-1].high <= 2**LIMB):
            raise Refused(f"range: a limb of {name} is not carried")
        must_be(number_of(limbs), number_of([rounds.machine.word(limb, 64) for limb in rounds.limbs[name]]), name)
