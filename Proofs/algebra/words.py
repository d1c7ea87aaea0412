"""What each recorded operation does, for all inputs: its result as a polynomial in the inputs and in quotients (scope.py),
and the interval that the result is within.

A word is known modulo 2^64. Where an operation reads it as a number (a shift to the right, a multiplication), the interval
must show which number it is."""

from algebra.polynomials import add, constant, divide, multiply, scale, subtract, trailing_zeros
from algebra.scope import Double, Refused, Undecided, Word, intersect


class Machine:
    """Executes recorded operations on words in a scope."""

    def __init__(self, scope, cases, may_wrap):
        self.scope, self.cases, self.may_wrap = scope, cases, may_wrap
        self.values = {}

    def run(self, number, operation, arguments):
        method = getattr(self, "do_" + operation.replace("-", "_"), None)
        if method is None:
            raise Refused(f"operation {operation} has no meaning here")
        self.now = number
        self.values[number] = method(*arguments)

    # Readings of a value.

    def word(self, number):
        value = self.values[number]
        return self.bits(value) if isinstance(value, Double) else value

    def settled(self, polynomial, low, high, what="a word"):
        """A word of 64 bits. A sum may wrap around in kernels whose words contain biases; in others it must not."""
        result = Word(polynomial, low, high)
        if -(2**63) <= low and high < 2**63:
            return result
        if not (0 <= low and high < 2**64):
            self.scope.tighten(result)
        if (-(2**63) <= result.low and result.high < 2**63) or (0 <= result.low and result.high < 2**64):
            return result
        if not self.may_wrap:
            raise Refused(f"{what} may exceed 64 bits: {low}...{high}")
        for base in (-(2**63), 0):
            turns = (low - base) >> 64
            if (high - base) >> 64 == turns:
                return Word(subtract(polynomial, constant(turns << 64)), low - (turns << 64), high - (turns << 64))
        raise Refused(f"{what} may be any number: {low}...{high}")

    def within(self, word, low, high, what):
        """The word as a number within low...high, else the proof is refused."""
        if not (low <= word.low and word.high <= high):
            self.scope.tighten(word)
        if not (low <= word.low and word.high <= high):
            raise Refused(f"{what}: {word.low}...{word.high} is not within {low}...{high}")
        return word

    # Integers.

    def do_constant(self, number):
        number = number - 2**64 if number >= 2**63 else number
        return Word(constant(number), number, number)

    def do_add(self, a, b):
        a, b = self.word(a), self.word(b)
        return self.settled(add(a.polynomial, b.polynomial), a.low + b.low, a.high + b.high, "a sum")

    def do_subtract(self, a, b):
        a, b = self.word(a), self.word(b)
        return self.settled(subtract(a.polynomial, b.polynomial), a.low - b.high, a.high - b.low, "a difference")

    def do_and(self, a, b):
        a, b = self.word(a), self.word(b)
        if a.low == a.high:
            a, b = b, a
        mask = b.low % 2**64
        if b.low != b.high or mask & (mask + 1):
            raise Refused("a mask that is not known")
        bits = mask.bit_length()
        if 0 <= a.low and a.high <= mask:
            return a
        polynomial = subtract(a.polynomial, scale(self.scope.quotient(a.polynomial, bits), 2**bits))
        return Word(polynomial, 0, mask)

    def do_or(self, a, b):
        a, b = self.word(a), self.word(b)
        for word in (a, b):
            self.within(word, 0, 2**64 - 1, "an operand of or")
        for small, large in ((a, b), (b, a)):
            zeros = min((trailing_zeros(c) for c in large.polynomial.values()), default=64)
            if small.high < 2**zeros:
                polynomial = add(small.polynomial, large.polynomial)
                return Word(polynomial, small.low + large.low, small.high + large.high, a.leaves + b.leaves)
        high = 2 ** max(a.high.bit_length(), b.high.bit_length()) - 1
        low = max(a.low, b.low)
        return Word(self.scope.variable(low, high), low, high, a.leaves + b.leaves)

    def do_xor(self, a, b):
        a, b = self.word(a), self.word(b)
        if b.low == b.high and b.low > 0 and b.low <= a.low and a.high < b.low + 2 ** trailing_zeros(b.low):
            return Word(subtract(a.polynomial, b.polynomial), a.low - b.low, a.high - b.low)
        raise Refused("an exclusive or that is not known")

    def do_left(self, a, bits):
        word = self.word(a)
        for base in (-(2**63), 0):
            if base <= word.low << bits and word.high << bits < base + 2**64:
                return Word(scale(word.polynomial, 2**bits), word.low << bits, word.high << bits)
        # What is shifted out is lost.
        polynomial = subtract(
            scale(word.polynomial, 2**bits), scale(self.scope.quotient(word.polynomial, 64 - bits), 2**64))
        return Word(polynomial, 0, 2**64 - 2**bits)

    def do_right(self, a, bits):
        return self.shifted(self.within(self.word(a), 0, 2**64 - 1, "a number shifted to the right"), bits)

    def do_signed_right(self, a, bits):
        return self.shifted(self.within(self.word(a), -(2**63), 2**63 - 1, "a number shifted with its sign"), bits)

    def shifted(self, word, bits):
        low, high = word.low >> bits, word.high >> bits
        if bits == 48 and self.reduced is not None and low != high:
            return constant_word(self.quotient_case(word, low, high))
        return Word(self.scope.quotient(word.polynomial, bits), low, high)

    def factors(self, a, b):
        limit = 2**52 - 1
        return [self.within(self.word(number), 0, limit, "a factor of 52 bits") for number in (a, b)]

    def do_multiply_high_52(self, total, a, b):
        total, (a, b) = self.word(total), self.factors(a, b)
        upper = self.scope.quotient(multiply(a.polynomial, b.polynomial), 52)
        low, high = a.low * b.low >> 52, a.high * b.high >> 52
        return self.settled(add(total.polynomial, upper), total.low + low, total.high + high, "a column")

    def do_multiply_low_52(self, total, a, b):
        total, (a, b) = self.word(total), self.factors(a, b)
        product = multiply(a.polynomial, b.polynomial)
        lower = subtract(product, scale(self.scope.quotient(product, 52), 2**52))
        high = min(2**52 - 1, a.high * b.high)
        return self.settled(add(total.polynomial, lower), total.low, total.high + high, "a column")

    # Floating-point numbers, rounded toward zero.

    def double(self, number):
        value = self.values[number]
        if isinstance(value, Double):
            return value
        if value.low == value.high == 0:
            return Double({}, 0, 0)
        exponent = value.low >> 52
        if value.low < 0 or value.high >> 52 != exponent or not 1075 <= exponent < 2047:
            raise Refused(f"the bits of a floating-point number are not known: {value.low}...{value.high}")
        factor, offset = 2 ** (exponent - 1075), 2**52 - (exponent << 52)
        polynomial = scale(add(value.polynomial, constant(offset)), factor)
        return Double(polynomial, (value.low + offset) * factor, (value.high + offset) * factor)

    def bits(self, value):
        exponent = value.low.bit_length() - 1
        if value.low <= 0 or value.high.bit_length() - 1 != exponent or exponent < 52:
            raise Refused(f"a floating-point number whose bits are not known: {value.low}...{value.high}")
        unit = 2 ** (exponent - 52)
        polynomial = divide(value.polynomial, unit)
        if polynomial is None:
            raise Refused("a floating-point number with more than 53 bits")
        offset = (exponent + 1022) << 52
        return Word(add(polynomial, constant(offset)), -(-value.low // unit) + offset, value.high // unit + offset)

    def rounded(self, polynomial, low, high):
        """The number, rounded toward zero to 53 bits."""
        zeros = min((trailing_zeros(coefficient) for coefficient in polynomial.values()), default=0)
        for attempt in range(2):
            if max(-low, high) <= 2 ** (53 + zeros):
                return Double(polynomial, low, high)
            if low > 0 and low.bit_length() == high.bit_length():
                bits = low.bit_length() - 53
                upper = scale(self.scope.quotient(polynomial, bits), 2**bits)
                return Double(upper, low >> bits << bits, high >> bits << bits)
            low, high = intersect((low, high), self.scope.bound(polynomial))
        raise Refused(f"a rounding that is not known: {low}...{high}")

    def do_float_add(self, a, b):
        a, b = self.double(a), self.double(b)
        return self.rounded(add(a.polynomial, b.polynomial), a.low + b.low, a.high + b.high)

    def do_float_subtract(self, a, b):
        a, b = self.double(a), self.double(b)
        return self.rounded(subtract(a.polynomial, b.polynomial), a.low - b.high, a.high - b.low)

    def do_float_multiply_add(self, a, b, c):
        a, b, c = self.double(a), self.double(b), self.double(c)
        if a.low < 0 or b.low < 0 or max(a.high, b.high) >= 2**53:
            raise Refused("a factor that is negative or has more than 53 bits")
        polynomial = add(multiply(a.polynomial, b.polynomial), c.polynomial)
        return self.rounded(polynomial, a.low * b.low + c.low, a.high * b.high + c.high)

    # Masks and cases.

    def do_select(self, table, a, b):
        return self.values[b if self.is_set(table) else a]

    def is_set(self, table):
        """Whether a mask is set in this case."""
        index = 0
        for comparison in range(6):
            if depends_on(table, comparison):
                key = ("comparison", comparison)
                if key not in self.cases:
                    raise Undecided(key, (False, True))
                index |= self.cases[key] << comparison
        return bool(table >> index & 1)

    reduced = None

    def quotient_case(self, top, low, high):
        """The quotient of the partial reduction of `reduced`, which is 2^208 · top + what is below it."""
        key = ("quotient", self.now)
        if key not in self.cases:
            raise Undecided(key, range(low, high + 1))
        quotient = self.cases[key]
        # `top` may have been increased by a constant before it was shifted.
        window = intersect((top.low, top.high), (quotient << 48, (quotient + 1 << 48) - 1))
        below = subtract(self.reduced, scale(top.polynomial, 2**208))
        least, most = self.scope.bound(below)
        interval = intersect(
            self.scope.bound(self.reduced), (least + (window[0] << 208), most + (window[1] << 208)))
        self.scope.facts.append((self.reduced, *interval))
        self.scope.facts.append((top.polynomial, *window))
        self.quotient_found = quotient
        return quotient


def constant_word(number):
    return Word(constant(number), number, number)


def depends_on(table, comparison):
    distance = 1 << comparison
    return any((table >> i ^ table >> (i + distance)) & 1 for i in range(64) if not i & distance)
