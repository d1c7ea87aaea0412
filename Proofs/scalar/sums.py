"""Sums, differences, shifts and comparisons of scalar/field.h, executed on unknown bits as in Proofs/text. The result
must be the same Boolean functions of the operands' bits as the specification, for all operands below p. The inverse of
scalar/scalar.h is executed too, with other functions in place of those that it calls."""

import subprocess

from algebra.bits import bits_of
from algebra.polynomials import P
from algebra.scope import Refused
from plain.scalars import ONE, Power, cells_of
from text.machine import Machine
from text.memory import Length, Object, Output, Pointer, Text, whole
from text.program import parse
from text.recording import FLAGS, RECORDER, compiler

# The functions are inlined, so each is recorded through a function that calls it.
SOURCE = """
#include "scalar/field.h"
void add(field *r, const field *a, const field *b) { *r = f_add(a, b); }
void subtract(field *r, const field *a, const field *b) { *r = f_subtract(a, b); }
void negated(field *r, const field *a) { *r = f_negated(a); }
void shift1(field *r, const field *a) { *r = f_shift(a, 1); }
void shift2(field *r, const field *a) { *r = f_shift(a, 2); }
void shift3(field *r, const field *a) { *r = f_shift(a, 3); }
void shift4(field *r, const field *a) { *r = f_shift(a, 4); }
void shift5(field *r, const field *a) { *r = f_shift(a, 5); }
void wide_subtract(wide *r, const wide *a, const wide *b) { *r = f_wide_subtract(*a, b); }
bool is_zero(const field *a) { return f_is_zero(a); }
bool equal(const field *a, const field *b) { return f_equal(a, b); }
"""


# Without its attributes, an inlined function stays a function that is called. No executed function has assembly.
INVERSE_SOURCE = """
#define __attribute__(attribute)
#define __asm__(statement)
#include "scalar/scalar.h"
void inverse(field *r, const field *a) { *r = f_inverse(a); }
"""


def recorded(kernels, source):
    includes = [f"-I{path}" for path in (RECORDER, kernels / "CP256", kernels / "CP256/include")]
    run = subprocess.run(
        [compiler(), "--target=x86_64-unknown-linux-gnu", *FLAGS, *includes, "-x", "c", "-", "-o", "-"], input=source,
        check=True, capture_output=True, text=True)
    return parse([line for line in run.stdout.splitlines() if "llvm.experimental.noalias" not in line])


class Operand(Text):
    """One of several operands. The variables of their bits at the same place are neighbours."""

    def __init__(self, name, words, index, count):
        super().__init__(name, Length(8 * words), 8)
        self.index, self.operands, self.words = index, count, words

    def byte(self, logic, place):
        first = 8 * (self.AFTER - place)
        return tuple(logic.variable(self.FIRST + (first + 7 - bit) * self.operands + self.index) for bit in range(8))

    def bits(self, logic):
        return tuple(bit for place in range(8 * self.words) for bit in self.byte(logic, place))


def sum_with_carry(machine, state, a, b):
    total, carry = machine.numbers.add(machine.known_bits(a, 64), machine.known_bits(b, 64))
    return total + (carry,) + (0,) * 63


def difference_with_borrow(machine, state, a, b):
    rest, is_not_below = machine.numbers.subtract(machine.known_bits(a, 64), machine.known_bits(b, 64))
    return rest + (machine.logic.negation(is_not_below),) + (0,) * 63


class Execution:
    def __init__(self, kernels):
        self.kernels, self.module = kernels, recorded(kernels, SOURCE)

    def call(self, name, count, words, limit, has_result=True):
        """Calls a function with operands below a limit: the machine, their bits, and the outcomes with the bits returned."""
        machine = Machine([self.module])
        machine.summaries = {"@llvm.uadd.with.overflow.i64": sum_with_carry, "@llvm.usub.with.overflow.i64": difference_with_borrow}
        operands = [Operand("ab"[index], words, index, count) for index in range(count)]
        bits = [operand.bits(machine.logic) for operand in operands]
        result = Output("r", Length(8 * words), 8)
        arguments = [Pointer(each, Length(0)) for each in ([result] if has_result else []) + operands]
        state = machine.start(f"@{name}", arguments, {result: {}})
        for each in bits:
            state.assume(machine.logic, machine.numbers.below(each, bits_of(limit, 64 * words)))
        outcomes = machine.run(state)
        for outcome in outcomes:
            cells = outcome.state.memory[result]
            outcome.bits = tuple(bit for place in range(8 * words) for bit in cells.get(place, (None,) * 8)) if has_result else (
                outcome.value if isinstance(outcome.value, tuple) else bits_of(outcome.value, 1))[:1]
        return machine, bits, outcomes


def compare(machine, outcomes, expected):
    for outcome in outcomes:
        for place, (one, other) in enumerate(zip(outcome.bits, expected, strict=True)):
            if one is None or machine.logic.conjunction(
                    [outcome.state.condition, *outcome.state.large, machine.logic.differ(one, other)]):
                raise Refused(f"identity: bit {place} of the result is another")


def reduced(numbers, bits, limit):
    """A number below twice the limit, less the limit unless it is below that; the bits of the limit are fewer by one."""
    rest, is_not_below = numbers.subtract(bits, bits_of(limit, len(bits)))
    return numbers.select(is_not_below, rest, bits)[:-1]


def sum_of(numbers, a, b, limit):
    return reduced(numbers, numbers.add(a + (0,), b + (0,))[0], limit)


def difference_of(numbers, a, b, limit):
    rest, is_not_below = numbers.subtract(a, b)
    return numbers.select(is_not_below, rest, numbers.add(rest, bits_of(limit, len(a)))[0])


def check_sum(execution):
    machine, (a, b), outcomes = execution.call("add", 2, 4, P)
    compare(machine, outcomes, sum_of(machine.numbers, a, b, P))


def check_difference(execution):
    machine, (a, b), outcomes = execution.call("subtract", 2, 4, P)
    compare(machine, outcomes, difference_of(machine.numbers, a, b, P))


def check_wide_difference(execution):
    machine, (a, b), outcomes = execution.call("wide_subtract", 2, 8, P << 256)
    compare(machine, outcomes, difference_of(machine.numbers, a, b, P << 256))


def check_negated(execution):
    machine, (a,), outcomes = execution.call("negated", 1, 4, P)
    compare(machine, outcomes, machine.numbers.subtract(bits_of(P, 256), a)[0])


def check_shift(execution, bits):
    machine, (a,), outcomes = execution.call(f"shift{bits}", 1, 4, P)
    expected = a
    for _ in range(bits):
        expected = sum_of(machine.numbers, expected, expected, P)
    compare(machine, outcomes, expected)


def check_zero(execution):
    machine, (a,), outcomes = execution.call("is_zero", 1, 4, 2**256 - 1, has_result=False)
    compare(machine, outcomes, (machine.logic.none_of(a),))


def check_equal(execution):
    machine, (a, b), outcomes = execution.call("equal", 2, 4, 2**256 - 1, has_result=False)
    compare(machine, outcomes, (machine.numbers.equal(a, b),))


def check_inverse(execution):
    """Checks that the inverse of a · R is R / a: the inverse of its words, 1 / (a · R), times R²."""
    machine = Machine([recorded(execution.kernels, INVERSE_SOURCE)])
    given, result = Object("a", Length(32), 8), Object("r", Length(32), 8)
    number = Power({"a": 1, "R": 1})

    def read(state, pointer):
        cells = machine.cells(state, pointer, 32, 8)
        value = Power({"R": 3}) if cells == bits_of(2**768 % P, 256) else whole(cells)
        if not isinstance(value, Power):
            raise Refused("identity: a factor that is no number")
        return value

    def invert(machine, state, inverse, words, prime):
        if prime.object.name != "@assay_p256_field_prime":
            raise Refused("identity: an inverse modulo another prime")
        machine.write(state, inverse, cells_of(ONE.times(read(state, words), -1)), 8)

    def multiply(machine, state, product, a, b):
        machine.write(state, product, cells_of(read(state, a).times(read(state, b)).times(Power({"R": 1}), -1)), 8)

    machine.summaries = {"@assay_p256_invert_public": invert, "@f_multiply": multiply}
    outcome, = machine.run(machine.start("@inverse", [Pointer(each, Length(0)) for each in (result, given)],
                                         {given: cells_of(number), result: (None,) * 256}))
    value = whole(outcome.state.memory[result])
    if not isinstance(value, Power) or value.powers != {"a": -1, "R": 1}:
        raise Refused("identity: it is another number")
