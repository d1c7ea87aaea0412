"""Products and reduction of scalar/field.h: a · b, a² and t / 2^256 modulo p.

The recorded operations are turned into polynomials with integer coefficients: a carry is a variable, and the word
beside it is the sum less 2^64 times the carry. So everything is exact. A chain of carries can only lose a multiple of
the power of two at which it ends. If its result is known to be below that power, it loses nothing."""

import pathlib

from algebra.polynomials import P, add, constant, divide, multiply, scale, subtract, text, variable
from algebra.scope import Refused
from compilation import recorded

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder/field.cpp"


class Program:
    """A recorded function: its operations' values in order."""

    def __init__(self):
        # Words that are zero from the start have no number.
        self.inputs, self.output, self.values, self.sums, self.differences = {}, [], {0: {}}, [], []
        self.masks = []

    def number(self, names):
        total = {}
        for place, name in enumerate(names):
            total = add(total, self.values[name], 2**(64 * place))
        return total

    def take(self, name, numbers):
        self.inputs[name] = numbers
        for number in numbers:
            self.values[number] = variable(f"v{number}")

    def run(self, number, operation, a, b, c):
        getattr(self, "do_" + operation.replace("-", "_"))(number, a, b, c)

    def do_constant(self, number, a, b, c):
        self.values[number] = constant(a)

    def do_widen(self, number, a, b, c):
        self.values[number] = self.values[a]

    def do_multiply(self, number, a, b, c):
        self.values[number] = multiply(self.values[a], self.values[b])

    def do_high(self, number, a, b, c):
        self.values[number] = variable(f"high{a}")

    def do_low(self, number, a, b, c):
        self.values[number] = add(self.values[a], variable(f"high{a}"), -2**64)

    def do_right(self, number, a, b, c):
        self.values[number] = variable(f"right{a}/{b}")

    def do_left(self, number, a, b, c):
        self.values[number] = add(scale(self.values[a], 2**b), variable(f"right{a}/{64 - b}"), -2**64)

    def do_add_carry(self, number, a, b, c):
        total = add(add(self.values[a], self.values[b]), self.values[c])
        self.values[number + 1] = variable(f"carry{number + 1}")
        self.values[number] = add(total, self.values[number + 1], -2**64)
        self.sums.append(number)

    def do_subtract_borrow(self, number, a, b, c):
        rest = subtract(subtract(self.values[a], self.values[b]), self.values[c])
        self.values[number + 1] = variable(f"borrow{number + 1}")
        self.values[number] = add(rest, self.values[number + 1], 2**64)
        self.differences.append(number)

    def do_subtract(self, number, a, b, c):
        """A subtraction, which must yield a mask: a carry less a borrow."""
        self.values[number] = subtract(self.values[a], self.values[b])
        self.masks.append(self.values[number])

    def do_and(self, number, a, b, c):
        """A conjunction with a mask that is 0 or -1."""
        if self.values[b] not in self.masks or len(self.values[a]) > 1:
            raise Refused("identity: a mask that is no difference of carries")
        self.values[number] = scale(multiply(self.values[a], self.values[b]), -1)


def record(kernels):
    programs, program = {}, None
    for line in recorded(RECORDER, kernels / "CP256"):
        first, *rest = line.split()
        if first == "program":
            program = programs[rest[0]] = Program()
        elif first == "input":
            program.take(rest[0], [int(word) for word in rest[1:]])
        elif first == "output":
            program.output = [int(word) for word in rest]
        else:
            program.run(int(first), rest[0], *map(int, rest[1:]))
    return programs


def check_lost(difference, power, most, what):
    """Checks that two numbers below a power of two are equal: they must differ by a multiple of it."""
    if divide(difference, power) is None:
        raise Refused(f"identity: {what}: {text(difference)} is no multiple of 2^{power.bit_length() - 1}")
    if most >= power:
        raise Refused(f"range: {what} may be as large as {most:#x}")


def taken(numbers, places):
    """The numbers at some places."""
    if max(places, default=-1) >= len(numbers):
        raise Refused("identity: another number of carries")
    return [numbers[place] for place in places]


def check_product(program):
    """Checks a product row by row: for t below 2^(64 (i + 4)), t + a · b[i] · 2^(64 i) is below 2^(64 (i + 5))."""
    words, a = {}, program.number(program.inputs["a"])
    for row, factor in enumerate(program.inputs["b"]):
        before = sum_of(program, words)
        order = [row + 1, row + 2, row + 3, row + 4, row, row + 1, row + 2, row + 3, row + 4]
        for place, number in zip(order, taken(program.sums, range(9 * row, 9 * row + 9))):
            words[place] = number
        product = scale(multiply(a, program.values[factor]), 2**(64 * row))
        difference = subtract(subtract(sum_of(program, words), before), product)
        most = 2**(64 * (row + 4)) - 1 + (2**256 - 1) * (2**64 - 1) * 2**(64 * row)
        check_lost(difference, 2**(64 * (row + 5)), most, f"row {row}")
    if [words[place] for place in range(8)] != program.output:
        raise Refused("identity: other words are returned")


def sum_of(program, words):
    total = {}
    for place, number in words.items():
        total = add(total, program.values[number], 2**(64 * place))
    return total


def check_square(program):
    a = program.number(program.inputs["a"])
    difference = subtract(program.number(program.output), multiply(a, a))
    check_lost(difference, 2**512, (2**256 - 1)**2, "a²")


def check_reduction(program):
    """Checks the reduction of a t below p · 2^256. Four rounds make x = (t mod 2^256 + m · p) / 2^256, which is at most
    p since m is below 2^256. Then d = x - p + high is within -p..<p. With the borrow b of x - p and the carry c of the
    sum, the words are d + 2^256 · (b - c), within 0..<2^256. So b and c are equal if d is not negative; otherwise b is
    1 and c is 0. The mask is c - b, which is never 1."""
    low = program.inputs["t"][:4]
    for index in range(4):
        before, lowest = program.number(low), program.values[low[0]]
        low = taken(program.sums, range(4 * index, 4 * index + 4))
        difference = subtract(scale(program.number(low), 2**64), add(before, lowest, P))
        check_lost(difference, 2**320, 2**256 - 1 + (2**64 - 1) * P, f"round {index}")
    x, high = program.number(low), program.number(program.inputs["t"][4:])
    rest, total, result = (taken(numbers, places) for numbers, places in (
        (program.differences, range(8, 12)), (program.sums, range(16, 20)), (program.sums, range(20, 24))))
    borrow, carry, lost = (program.values[numbers[3] + 1] for numbers in (rest, total, result))
    must_be(program.number(rest), add(subtract(x, constant(P)), borrow, 2**256), "x - p")
    must_be(program.number(total), add(add(program.number(rest), high), carry, -2**256), "x - p + high")
    mask = subtract(carry, borrow)
    if program.masks != [mask]:
        raise Refused("identity: another mask")
    must_be(program.number(result), add(add(program.number(total), mask, -P), lost, -2**256), "the result")
    if result != program.output:
        raise Refused("identity: other words are returned")


def must_be(number, expected, what):
    if number != expected:
        raise Refused(f"identity: {what} differs by {text(subtract(number, expected))}")
