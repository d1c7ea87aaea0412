"""Executes recorded programs on numbers, each operation as the processor's manual defines it, and compares every result
of a call with what was proved of it: the intervals of its limbs and of its value, and its residue. This tests the
proofs' own reading of the operations (words.py), not the kernel."""

import fractions
import math

from algebra.polynomials import P
from algebra.scope import Refused

WORD, LIMB_MASK = 2**64 - 1, 2**52 - 1
R = 2**260 % P
CURVE_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def signed(word):
    return word - 2**64 if word >> 63 else word


def decoded(bits):
    """The number that a double of these bits is; there are neither infinities nor subnormal numbers but zero."""
    exponent = bits >> 52 & 0x7FF
    if bits & (2**63 - 1) == 0:
        return fractions.Fraction(0)
    fraction = fractions.Fraction(bits & LIMB_MASK | 2**52) * fractions.Fraction(2) ** (exponent - 1075)
    return -fraction if bits >> 63 else fraction


def encoded(number):
    """The bits of a number rounded toward zero to 53 bits."""
    if number == 0:
        return 0
    size = abs(number)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < fractions.Fraction(2) ** exponent
    digits = math.floor(size / fractions.Fraction(2) ** (exponent - 52))
    return (number < 0) << 63 | (exponent + 1023) << 52 | digits - 2**52


OPERATIONS = {
    "add": lambda a, b: a + b & WORD,
    "subtract": lambda a, b: a - b & WORD,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "multiply-low-52": lambda c, a, b: c + ((a & LIMB_MASK) * (b & LIMB_MASK) & LIMB_MASK) & WORD,
    "multiply-high-52": lambda c, a, b: c + ((a & LIMB_MASK) * (b & LIMB_MASK) >> 52) & WORD,
    "float-add": lambda a, b: encoded(decoded(a) + decoded(b)),
    "float-subtract": lambda a, b: encoded(decoded(a) - decoded(b)),
    "float-multiply-add": lambda a, b, c: encoded(decoded(a) * decoded(b) + decoded(c)),
}
SHIFTS = {
    "left": lambda a, bits: a << bits & WORD,
    "right": lambda a, bits: a >> bits,
    "signed-right": lambda a, bits: signed(a) >> bits & WORD,
}
COMPARISONS = {
    "negative": lambda a, b: a >> 63 == 1,
    "greater": lambda a, b: signed(a) > signed(b),
    "equal": lambda a, b: a == b,
    "disjoint": lambda a, b: a & b == 0,
}


class Execution:
    """The words of a program for one input."""

    def __init__(self, words, truths):
        self.words, self.truths = words, truths

    def is_set(self, table):
        return bool(table >> sum(truth << index for index, truth in self.truths.items()) & 1)

    def run(self, step):
        comparisons = {index: rest for index, *rest in step.comparisons}
        for number, operation, arguments in step.operations:
            if operation == "comparison":
                name, a, b = comparisons[arguments[0]]
                self.truths[arguments[0]] = COMPARISONS[name](self.words[a], self.words[b])
            elif operation == "constant":
                self.words[number] = arguments[0]
            elif operation == "select":
                self.words[number] = self.words[arguments[2 if self.is_set(arguments[0]) else 1]]
            elif operation in SHIFTS:
                self.words[number] = SHIFTS[operation](self.words[arguments[0]], arguments[1])
            else:
                self.words[number] = OPERATIONS[operation](*(self.words[argument] for argument in arguments))


def coordinates(random):
    """An element of F_p for each variable, with (x1, y1) and (x2, y2) on the curve."""
    found = {}
    for index in "12":
        while True:
            x = random.randrange(P)
            square = (x**3 - 3 * x + CURVE_B) % P
            y = pow(square, (P + 1) // 4, P)
            if y * y % P == square:
                break
        found["x" + index], found["y" + index] = x, y
    return found


def evaluated(polynomial, values, random):
    total = 0
    for monomial, coefficient in polynomial.items():
        for name in monomial:
            if name not in values:
                values[name] = random.choice((0, 1, P - 1, random.randrange(P)))
            coefficient = coefficient * values[name] % P
        total += coefficient
    return total % P


def spread(value, intervals, bits, random):
    """Limbs of a value within their intervals, not necessarily carried; None if none are found."""
    limbs = [value >> bits * index & 2**bits - 1 for index in range(len(intervals) - 1)]
    limbs.append(value >> bits * (len(intervals) - 1))
    for index, (low, high) in enumerate(intervals[:-1]):
        least, most = -((limbs[index] - low) >> bits), (high - limbs[index]) >> bits
        if least > most:
            return None
        turns = random.choice((least, most, random.randint(least, most)))
        limbs[index] += turns << bits
        limbs[index + 1] -= turns
    return limbs if intervals[-1][0] <= limbs[-1] <= intervals[-1][1] else None


def given(number, values, random, bits):
    """Limbs for an input that fit what is known of it, a Number."""
    residue = evaluated(number.residue, values, random) * R % P
    intervals = [(low, high) for _, low, high in number.limbs]
    for _ in range(100):
        most = (number.high - residue) // P
        value = residue + P * random.choice((0, most, random.randint(0, max(most, 0))))
        limbs = spread(value, intervals, bits, random) if value <= number.high else None
        if limbs is not None:
            return limbs
    return None


def numeric(word, kind):
    number = decoded(word) if kind.__name__ == "Double" else signed(word)
    return int(number)


def try_example(program, inputs, numbers, cases, random):
    """Runs a program on one input; returns how many results were compared."""
    values, words = coordinates(random), {}
    for limbs in inputs:
        bits = 64 if len(limbs) == 4 else 52
        chosen = given(numbers[limbs], values, random, bits)
        if chosen is None:
            return 0
        for name, limb, (kind, _, _) in zip(limbs, chosen, numbers[limbs].limbs):
            words[name] = encoded(fractions.Fraction(limb)) if kind.__name__ == "Double" else limb & WORD
    words.update({name: word for name, word in program.constants.items()})
    execution, compared = Execution(words, dict(cases)), 0
    for step in program.steps:
        execution.run(step)
        if step.result is not None:
            compare(step, execution, numbers[step.result], values, random)
            compared += 1
    return compared


def compare(step, execution, number, values, random):
    bits = 64 if len(step.result) == 4 else 52
    limbs = [numeric(execution.words[name], kind) for name, (kind, _, _) in zip(step.result, number.limbs)]
    if bits == 64:
        limbs = [limb % 2**64 for limb in limbs]
    value = sum(limb << bits * index for index, limb in enumerate(limbs))
    inside = all(low <= limb <= high for limb, (_, low, high) in zip(limbs, number.limbs))
    expected = evaluated(number.residue, values, random) * R % P
    if not inside or not number.low <= value <= number.high or value % P != expected:
        raise Refused(f"example: {step.name} gives {limbs}, which contradicts what was proved of it")
