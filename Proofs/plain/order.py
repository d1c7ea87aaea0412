"""The product modulo n of signature.c: a · b / 2^256 below n, for factors below n. The words are plain C; numbers of two
words are known modulo 2^128, words modulo 2^64."""

import pathlib

from algebra.polynomials import add, constant, divide, multiply, scale, subtract, text, value
from algebra.scope import Impossible, Refused, Scope, Undecided, Word, intersect
from algebra.words import Machine
from compilation import recorded
from verdicts import Verdict

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RECORDER = pathlib.Path(__file__).resolve().parent / "recorder/order.cpp"


class OrderMachine(Machine):
    def __init__(self, lines, cases):
        super().__init__(Scope(), cases, may_wrap=False)
        self.scope.prime, self.scope.shift = N, 256
        self.lines, self.inputs, self.differences, self.decided = lines, [], [], []

    def execute(self):
        for line in self.lines:
            first, *rest = line.split()
            if first == "input":
                self.take(tuple(map(int, rest[2:])))
            elif first == "difference":
                self.differences.append(self.number(map(int, rest)))
                self.scope.facts.append((self.differences[-1], 0, 2**256 - 1))
            elif first == "output":
                return self.number(map(int, rest[1:]))
            elif first != "program":
                self.run(int(first), rest[0], list(map(int, rest[1:])))
        raise Refused("identity: nothing is returned")

    def take(self, names):
        for name in names:
            self.values[name] = Word(self.scope.variable(0, 2**64 - 1), 0, 2**64 - 1)
        self.inputs.append(self.number(names))
        self.scope.facts.append((self.inputs[-1], 0, N - 1))
        if len(self.inputs) == 2:
            self.scope.claim = (multiply(*self.inputs), 0, (N - 1) ** 2)

    def number(self, names):
        return value([self.word(name).polynomial for name in names], 64)

    def small(self, name):
        """A word. If it has only two values, there is a case for each: the value in this case."""
        word = self.word(name)
        if word.low == word.high or word.high - word.low > 1:
            return word
        key = ("value", name)
        if key not in self.cases:
            raise Undecided(key, range(word.low, word.high + 1))
        number = self.cases[key]
        # A borrow is a difference of quotients: the last of them is replaced.
        polynomial = self.with_decisions(word.polynomial)
        last = max(polynomial)
        coefficient = polynomial[last]
        if abs(coefficient) != 1:
            raise Refused(f"identity: the carry {text(polynomial)} is no quotient")
        others = subtract(polynomial, {last: coefficient})
        self.decided.append((last, scale(subtract(constant(number), others), coefficient)))
        self.values[name] = Word(constant(number), number, number)
        return self.values[name]

    def with_decisions(self, polynomial):
        """The polynomial in this case."""
        for monomial, replacement in self.decided:
            coefficient = polynomial.get(monomial, 0)
            if coefficient:
                polynomial = add(subtract(polynomial, {monomial: coefficient}), replacement, coefficient)
        return polynomial

    def do_constant(self, number):
        return Word(constant(number), number, number)

    def pair(self, a, b):
        return self.word(a), self.word(b)

    def wide(self, polynomial, low, high):
        if high >= 2**128 or low < -(2**127):
            raise Refused(f"range: a number of two words may be {low}...{high}")
        return Word(polynomial, low, high)

    def do_widen(self, a):
        return self.within(self.word(a), 0, 2**64 - 1, "range: a word")

    def do_multiply_wide(self, a, b):
        a, b = self.pair(a, b)
        return self.wide(multiply(a.polynomial, b.polynomial), a.low * b.low, a.high * b.high)

    def do_add_wide(self, a, b):
        a, b = self.pair(a, b)
        return self.wide(add(a.polynomial, b.polynomial), a.low + b.low, a.high + b.high)

    def do_subtract_wide(self, a, b):
        a, b = self.pair(a, b)
        return self.wide(subtract(a.polynomial, b.polynomial), a.low - b.high, a.high - b.low)

    def do_low_word(self, a):
        a = self.word(a)
        if (0 <= a.low and a.high < 2**64) or (a.low >= -1 and a.high <= 0):
            return a
        polynomial = subtract(a.polynomial, scale(self.scope.quotient(a.polynomial, 64), 2**64))
        return Word(polynomial, 0, 2**64 - 1)

    def do_high_word(self, a):
        """The high word, which is known modulo 2^64: -1 if the number is negative."""
        a = self.word(a)
        return Word(self.scope.quotient(a.polynomial, 64), a.low >> 64, a.high >> 64)

    def do_multiply_word(self, a, b):
        a, b = self.pair(a, b)
        product = multiply(a.polynomial, b.polynomial)
        return Word(subtract(product, scale(self.scope.quotient(product, 64), 2**64)), 0, 2**64 - 1)

    def do_and(self, a, b):
        left, right = self.pair(a, b)
        if right.low == right.high == 1 and left.high - left.low == 1 and left.low in (-1, 0):
            # The sign of a borrow.
            return Word(scale(left.polynomial, -1), 0, 1) if left.low == -1 else left
        left, right = self.small(a), self.small(b)
        for mask, word in ((left, right), (right, left)):
            if mask.low == mask.high and mask.low in (0, -1):
                return word if mask.low == -1 else Word({}, 0, 0)
        if left.low == left.high and right.low == right.high:
            return self.do_constant(left.low & right.low)
        raise Refused("identity: a mask that is not known")

    def do_or(self, a, b):
        raise Refused("identity: an or that is not known")

    def do_xor(self, a, b):
        a, b = (self.small(name) for name in (a, b))
        for left, right in ((a, b), (b, a)):
            if left.low == left.high == 0:
                return right
            if left in getattr(right, "parts", ()):
                return next(part for part in right.parts if part is not left)
        if a.low == a.high and b.low == b.high:
            return self.do_constant((a.low ^ b.low) % 2**64)
        result = Word(self.scope.variable(0, 2**64 - 1), 0, 2**64 - 1)
        result.parts = (a, b)
        return result

    def do_not(self, a):
        a = self.small(a)
        return Word(subtract(constant(-1), a.polynomial), -1 - a.high, -1 - a.low)

    def do_negate(self, a):
        a = self.small(a)
        return Word(scale(a.polynomial, -1), -a.high, -a.low)


def prove(kernels, names):
    if not names or "multiply" in names:
        yield Verdict("multiply", "a · b / 2^256 modulo n, below n, for a and b below n",
                      refusal(recorded(RECORDER, kernels / "CP256")))


def refusal(lines):
    """None if the theorem is proved, else why not."""
    pending, finished = [{}], 0
    while pending:
        cases = pending.pop()
        machine = OrderMachine(lines, cases)
        try:
            check(machine, machine.execute())
            finished += 1
        except Undecided as question:
            pending += [{**cases, question.key: case} for case in question.cases]
        except Impossible:
            continue
        except Refused as reason:
            return f"{reason} (case {cases})"
    return None if finished else "range: no input is possible"


def check(machine, result):
    """Checks that the product is below n and, times 2^256, congruent to a · b."""
    # Every difference fits into four words: a case in which one does not has no inputs.
    machine.scope.facts = [(machine.with_decisions(fact), *interval) for fact, *interval in machine.scope.facts]
    for difference in machine.differences:
        for above in (0, 2**256):
            interval = machine.scope.by_claim(add(machine.with_decisions(difference), constant(above)))
            if interval:
                intersect(interval, (above, above + 2**256 - 1))
    result = machine.with_decisions(result)
    wrong = subtract(scale(result, 2**256), machine.scope.claim[0])
    if divide(wrong, N) is None:
        raise Refused(f"identity: {text(wrong)} is not a multiple of n")
    low, high = intersect(machine.scope.by_claim(result), machine.scope.bound(result))
    if low < 0 or high >= N:
        raise Refused(f"range: the product is within {low / N:.3f}n...{high / N:.3f}n")
