"""Executes inverse.c on unknown numbers: a value is a polynomial in unknown integers (algebra/scope.py) or, as in
Proofs/text, an integer or an address.

A word of n bits is its polynomial modulo 2^n. If an operation reads it as a number (a shift to the right, a comparison,
a longer type), the interval must show which number it is, or else the lost multiple of 2^n becomes a variable. Signed
operations must not overflow."""

import functools
import subprocess

from algebra.bits import bits_of
from algebra.polynomials import add, constant, multiply, scale, subtract, trailing_zeros, variable
from algebra.scope import Refused, Scope, Word
from text.machine import Machine
from text.memory import Length, Object, parts
from text.program import parse, width
from text.recording import FLAGS, RECORDER, compiler

# Without its attributes, an inlined function stays one that is called.
SOURCE = """
#define __attribute__(attribute)
#include "inverse.c"
"""


@functools.cache
def module_of(kernels):
    run = subprocess.run(
        [compiler(), "--target=x86_64-unknown-linux-gnu", *FLAGS, f"-I{RECORDER}", f"-I{kernels / 'CP256'}", "-x", "c", "-",
         "-o", "-"], input=SOURCE, check=True, capture_output=True, text=True)
    return parse(run.stdout.splitlines())


class NumberMachine(Machine):
    def __init__(self, kernels):
        super().__init__([module_of(kernels)])
        self.module, self.scope = self.modules[0], Scope()
        self.summaries = {"@llvm.cttz.i64": self.trailing_zeros}

    def unknown(self, low, high):
        """An integer that is not known, within an interval."""
        return Word(self.scope.variable(low, high), low, high)

    def object_of(self, name, values):
        """An object of words of 64 bits, and its cells."""
        return Object(name, Length(8 * len(values)), 8), cells_of(values)

    # Readings of a value.

    def word(self, value, count):
        """A value of `count` bits; constants are signed numbers."""
        if isinstance(value, Word):
            return value
        if not isinstance(value, int):
            raise Refused("recorder: an address or single bits in place of a number")
        return constant_word(value - 2**count if value >> (count - 1) else value)

    def interval(self, word):
        """A word's interval, narrowed by what is known of its unknowns."""
        low, high = self.scope.bound(word.polynomial)
        return max(low, word.low), min(high, word.high)

    def signed(self, word, count, what):
        """The word as a signed number, whose interval must fit into `count` bits."""
        if not -(2 ** (count - 1)) <= word.low <= word.high < 2 ** (count - 1):
            word = Word(word.polynomial, *self.interval(word))
        if not -(2 ** (count - 1)) <= word.low <= word.high < 2 ** (count - 1):
            raise Refused(f"range: {what} may be {word.low}...{word.high}, which {count} bits do not hold")
        return word

    def unsigned(self, word, count):
        """The word as an unsigned number."""
        if 0 <= word.low and word.high < 2**count:
            return word
        lost = self.scope.quotient(word.polynomial, count)
        return Word(subtract(word.polynomial, scale(lost, 2**count)), 0, 2**count - 1)

    def settled(self, word, count):
        """A result: an integer if it is constant."""
        if not word.polynomial.keys() - {()}:
            return word.polynomial.get((), 0) % 2**count
        return word

    # Operations.

    def binary(self, operation, state, frame, type, first, second, flags):
        values = [self.value(state, frame, type, operand) for operand in (first, second)]
        if not any(isinstance(value, Word) for value in values):
            return super().binary(operation, state, frame, type, first, second, flags)
        count = width(type)
        a, b = (self.word(value, count) for value in values)
        if flags - {"nsw"}:
            raise Refused(f"recorder: {operation} with {', '.join(flags)}")
        if "nsw" in flags:
            a, b = (self.signed(each, count, f"an operand of {operation}") for each in (a, b))
        result = getattr(self, f"number_{operation}", self.unknown_operation)(a, b, count)
        return self.settled(self.signed(result, count, f"the result of {operation}") if flags else result, count)

    def unknown_operation(self, a, b, count):
        raise Refused("recorder: an operation that is not known for numbers")

    def number_add(self, a, b, count):
        return Word(add(a.polynomial, b.polynomial), a.low + b.low, a.high + b.high)

    def number_sub(self, a, b, count):
        return Word(subtract(a.polynomial, b.polynomial), a.low - b.high, a.high - b.low)

    def number_mul(self, a, b, count):
        ends = [left * right for left in (a.low, a.high) for right in (b.low, b.high)]
        return Word(multiply(a.polynomial, b.polynomial), min(ends), max(ends))

    def number_and(self, a, b, count):
        """The conjunction with a mask of the lowest bits, of all bits or of none."""
        if known(b) is None:
            a, b = b, a
        if known(b) is None:
            raise Refused("identity: a mask that is not known")
        mask = known(b) % 2**count
        if mask in (0, 2**count - 1):
            return a if mask else constant_word(0)
        if mask & (mask + 1):
            raise Refused(f"identity: the mask {mask:#x} is not one of the lowest bits")
        if 0 <= a.low and a.high <= mask:
            return a
        bits = mask.bit_length()
        return Word(subtract(a.polynomial, scale(self.scope.quotient(a.polynomial, bits), 2**bits)), 0, mask)

    def number_or(self, a, b, count):
        """The disjunction: exact with a mask of all but the lowest bits, or if no bit is set in both numbers. Otherwise
        only those lowest bits are known that are zero in one of the numbers."""
        for one, other in ((a, b), (b, a)):
            mask = known(other)
            if mask is not None and mask < 0 and -mask & (-mask - 1) == 0:
                return self.number_add(self.number_and(one, constant_word(-mask - 1), count), other, count)
            if 0 <= one.low and one.high < 2 ** common_zeros(other):
                return self.number_add(one, other, count)
        one, zeros = (a, common_zeros(b)) if common_zeros(b) else (b, common_zeros(a))
        low = self.number_and(one, constant_word(2**zeros - 1), count)
        upper = self.scope.variable(0, 2 ** (count - zeros) - 1)
        return Word(add(low.polynomial, scale(upper, 2**zeros)), 0, 2**count - 1)

    def number_xor(self, a, b, count):
        """The exclusive or with a mask of all bits, or of none."""
        a, mask = (a, known(b)) if known(b) is not None else (b, known(a))
        if mask not in (0, -1):
            raise Refused("identity: a mask that is not known")
        return a if mask == 0 else Word(subtract(constant(-1), a.polynomial), -1 - a.high, -1 - a.low)

    def distance(self, b, count):
        distance = known(b)
        if distance is None or not 0 <= distance < count:
            raise Refused(f"range: a shift of {count} bits by {b.low}...{b.high}")
        return distance

    def number_shl(self, a, b, count):
        """A shift to the left. By an unknown distance it yields a multiple of the least possible power of two."""
        if known(b) is None and 0 <= b.low <= b.high < count:
            power = self.unknown(1, 2 ** (b.high - b.low))
            return self.number_mul(a, Word(scale(power.polynomial, 2**b.low), 2**b.low, 2**b.high), count)
        return self.number_mul(a, constant_word(2 ** self.distance(b, count)), count)

    def number_lshr(self, a, b, count):
        return self.shifted(self.unsigned(a, count), self.distance(b, count))

    def number_ashr(self, a, b, count):
        return self.shifted(self.signed(a, count, "a number that is shifted"), self.distance(b, count))

    def shifted(self, a, distance):
        return a if distance == 0 else Word(self.scope.quotient(a.polynomial, distance), a.low >> distance, a.high >> distance)

    def trailing_zeros(self, machine, state, value, is_undefined_for_zero):
        """The number of trailing zeros, if all other terms have more of them than the constant."""
        polynomial = self.word(value, 64).polynomial
        zeros = trailing_zeros(polynomial.get((), 0) or 2**64)
        if zeros > 63 or any(coefficient % 2 ** (zeros + 1) for monomial, coefficient in polynomial.items() if monomial):
            raise Refused("identity: how many of the lowest bits are zero is not known")
        return zeros

    def do_icmp(self, state, frame, predicate, type, first, second):
        values = [self.value(state, frame, type, operand) for operand in (first, second)]
        if not any(isinstance(value, Word) for value in values):
            return super().do_icmp(state, frame, predicate, type, first, second)
        count = width(type)
        a, b = (self.word(value, count) for value in values)
        if predicate[0] == "u":
            a, b = self.unsigned(a, count), self.unsigned(b, count)
        else:
            a, b = (self.signed(each, count, "a number that is compared") for each in (a, b))
        low, high = self.interval(self.number_sub(a, b, count))
        answers = {"eq": (low == high == 0, low > 0 or high < 0), "lt": (high < 0, low >= 0), "le": (high <= 0, low > 0),
                   "gt": (low > 0, high <= 0), "ge": (low >= 0, high < 0), "ne": (low > 0 or high < 0, low == high == 0)}
        is_true, is_false = answers[predicate[-2:]]
        if not is_true and not is_false:
            raise Refused(f"identity: whether a difference of {low}...{high} is {predicate} 0 is not known")
        return int(is_true)

    def extended(self, state, frame, type, operand, target, fill):
        value = self.value(state, frame, type, operand)
        if not isinstance(value, Word):
            return super().extended(state, frame, type, operand, target, fill)
        has_sign = fill((0, 1)) == 1
        return self.signed(value, width(type), "a number") if has_sign else self.unsigned(value, width(type))

    def do_trunc(self, state, frame, type, operand, target):
        value = self.value(state, frame, type, operand)
        return value if isinstance(value, Word) else super().do_trunc(state, frame, type, operand, target)

    # Memory.

    def numbers_at(self, state, pointer, count):
        """Words of 64 bits, as polynomials with their intervals."""
        cells = self.cells(state, pointer, 8 * count, 8)
        return [self.number_of(cells[64 * index:64 * index + 64]) for index in range(count)]

    def number_of(self, cells):
        return self.word(self.simple(("i", 64), cells), 64)

    def variable_of(self, state, name):
        """The object of a variable of the function that is executed."""
        variables = state.variables()
        for spelled in (f"%{name}", f"%{name}.addr"):
            if spelled in variables:
                return variables[spelled]
        raise Refused(f"recorder: {state.frames[0].function.name} has no variable {name}")

    def variable_value(self, state, name):
        object = self.variable_of(state, name)
        return self.word(self.simple(("i", width_of(object)), state.memory[object]), width_of(object))

    def set_variable(self, state, name, value):
        object = self.variable_of(state, name)
        count = width_of(object)
        value = self.settled(value, count) if isinstance(value, Word) else value
        state.memory[object] = parts(value, count) if isinstance(value, Word) else bits_of(value, count)


def width_of(object):
    return 8 * object.size.constant


def common_zeros(word):
    """The number of lowest bits that are 0 for all values of the unknowns."""
    return min(map(trailing_zeros, word.polynomial.values()), default=64)


def known(word):
    return word.low if word.low == word.high and not word.polynomial.keys() - {()} else None


def constant_word(number):
    return Word(constant(number), number, number)


def cells_of(values):
    """The cells of words of 64 bits: numbers, integers, or None for what is not defined."""
    cells = ()
    for value in values:
        cells += (None,) * 64 if value is None else parts(value, 64) if isinstance(value, Word) else bits_of(value, 64)
    return cells


def substituted(polynomial, values):
    """A polynomial with other polynomials in place of some variables."""
    result = {}
    for monomial, coefficient in polynomial.items():
        product = constant(coefficient)
        for name in monomial:
            product = multiply(product, values.get(name, variable(name)))
        result = add(result, product)
    return result
