"""The application of a round's matrix: to f and g exactly, to d and e modulo the prime.

A matrix is what steps.py shows: |u| + |v| and |q| + |r| are at most 2^62, and u · f + v · g and q · f + r · g are multiples of
2^62, for which the lowest limbs of f and g decide. Numbers are limbs of 62 bits, the top one with a sign."""

from algebra.polynomials import add, constant, divide, multiply, scale, subtract, text, value
from algebra.scope import Refused, Word
from inversion.numbers import NumberMachine, cells_of
from inversion.steps import LIMB, must_be
from text.memory import Length, Object, Pointer

LIMBS = 5
# f and g in fewer limbs: the top limb is within -2^62...2^62.
COUNTS = (2, 3, 4, 5)


class Application:
    """A call of one of the functions with an unknown matrix and unknown numbers."""

    def __init__(self, kernels, count):
        self.machine, self.count = NumberMachine(kernels), count
        entries = [self.machine.unknown(-(2**LIMB), 2**LIMB) for _ in range(4)]
        self.u, self.v, self.q, self.r = (entry.polynomial for entry in entries)
        for one, other in ((self.u, self.v), (self.q, self.r)):
            for factor in (1, -1):
                self.machine.scope.facts.append((add(one, other, factor), -(2**LIMB), 2**LIMB))
        self.memory = {}
        self.matrix = self.object("m", entries)

    def object(self, name, values):
        object = Object(name, Length(8 * len(values)), 8)
        self.memory[object] = cells_of(values)
        return object

    def number(self, name, low, high):
        """The object of a number with a top limb within an interval, and the number."""
        limbs = [self.machine.unknown(0, 2**LIMB - 1) for _ in range(self.count - 1)] + [self.machine.unknown(low, high)]
        return self.object(name, limbs), limbs

    def call(self, name, *arguments):
        """The state at the end."""
        passed = [Pointer(each, Length(0)) if isinstance(each, Object) else each for each in arguments]
        outcome, = self.machine.run(self.machine.start(f"@{name}", passed, self.memory))
        return outcome.state

    def result(self, state, object):
        """The number in an object: its lower limbs must be carried, its top limb may be greater than a word."""
        limbs = self.machine.numbers_at(state, Pointer(object, Length(0)), self.count)
        for limb in limbs[:-1]:
            if limb.low < 0 or limb.high >= 2**LIMB:
                raise Refused(f"range: a limb is within {limb.low}...{limb.high}")
        return number_of(limbs)

    def check_top(self, low, high, what):
        """Checks that the top limb of a number within an interval is held by its word."""
        top = Word({}, low >> LIMB * (self.count - 1), high >> LIMB * (self.count - 1))
        if not -(2**63) <= top.low <= top.high < 2**63:
            raise Refused(f"range: the top limb of {what} may be {top.low}...{top.high}")


def number_of(limbs):
    return value([limb.polynomial for limb in limbs], LIMB)


def check_exact(kernels, count):
    """2^62 · f' = u · f + v · g, and so for g'. As |u| + |v| is at most 2^62, |f'| is at most the larger of |f| and |g|."""
    call = Application(kernels, count)
    (f_object, f), (g_object, g) = (call.number(name, -(2**LIMB), 2**LIMB) for name in "fg")
    state = call.call("apply", f_object, g_object, call.matrix, count)
    most = 2 ** (LIMB * count)
    for object, one, other in ((f_object, call.u, call.v), (g_object, call.q, call.r)):
        lowest = add(multiply(one, f[0].polynomial), multiply(other, g[0].polynomial))
        # The lowest bits, of which steps.py shows that they are 0.
        lost = subtract(lowest, scale(call.machine.scope.quotient(lowest, LIMB), 2**LIMB))
        total = add(multiply(one, number_of(f)), multiply(other, number_of(g)))
        must_be(scale(call.result(state, object), 2**LIMB), subtract(total, lost), f"2^62 · {object.name}")
        call.check_top(-most, most, object.name)


def check_modulo(kernels, name, prime):
    """2^62 · d' = u · d + v · e modulo the prime, and d' is within (-2 · prime, prime) if d and e are."""
    for d_is_negative in (False, True):
        for e_is_negative in (False, True):
            check_signs(kernels, name, prime, d_is_negative, e_is_negative)


def check_signs(kernels, name, prime, *are_negative):
    """With d* = d + prime if d is negative, else d, which is within (-prime, prime): 2^62 · d' = u · d* + v · e* - k · prime
    with a k within 0..<2^62."""
    call = Application(kernels, LIMBS)
    top = prime >> LIMB * (LIMBS - 1)
    numbers = [call.number(each, *(-2 * top - 2, -1) if is_negative else (0, top)) for each, is_negative in zip("de", are_negative)]
    address = Pointer(call.machine.table(call.machine.module, f"@assay_p256_{name}_prime"), Length(0))
    state = call.call("apply_modulo", *(object for object, _ in numbers), call.matrix, address)
    raised = [add(number_of(limbs), constant(prime * is_negative)) for (_, limbs), is_negative in zip(numbers, are_negative)]
    for (object, _), one, other in zip(numbers, (call.u, call.q), (call.v, call.r)):
        total = add(multiply(one, raised[0]), multiply(other, raised[1]))
        subtracted = divide(subtract(total, scale(call.result(state, object), 2**LIMB)), prime)
        if subtracted is None:
            wrong = subtract(total, scale(call.result(state, object), 2**LIMB))
            raise Refused(f"identity: 2^62 · {object.name} differs by {text(wrong)}, no multiple of the prime")
        low, high = call.machine.scope.bound(subtracted)
        # |u · d* + v · e*| is at most 2^62 · (prime - 1).
        least = -(-(-(2**LIMB) * (prime - 1) - high * prime) // 2**LIMB)
        most = (2**LIMB * (prime - 1) - low * prime) // 2**LIMB
        if not -2 * prime < least <= most < prime:
            raise Refused(f"range: {object.name} may be {least / prime:.3f}...{most / prime:.3f} times the prime")
        call.check_top(least, most, object.name)
