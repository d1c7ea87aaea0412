"""What each recorded operation does, for all inputs: its result as a polynomial in the inputs and in quotients, and the
interval that the result is within.

A shift or a mask splits x into x = 2^k · floor(x / 2^k) + low. The quotient becomes a variable, the rest stays a polynomial:
so every step is an equation between integers without a side condition, and an identity of polynomials holds for all
inputs. Two quotients that are equal for simple reasons get the same variable (`Scope.quotient`).

A word is known modulo 2^64. Where an operation reads it as a number (a shift to the right, a multiplication), the interval
must show which number it is."""

from polynomials import P, add, constant, divide, multiply, scale, subtract, trailing_zeros, variable


class Refused(Exception):
    """What could not be proved."""


class Impossible(Exception):
    """No input leads to this case."""


class Undecided(Exception):
    """A case distinction is needed: the key, and its cases."""

    def __init__(self, key, cases):
        super().__init__(key)
        self.key, self.cases = key, cases


class Word:
    def __init__(self, polynomial, low, high, leaves=None):
        self.polynomial, self.low, self.high = polynomial, low, high
        # The words of which this is the bitwise or.
        self.leaves = leaves or [self]


class Double:
    """A floating-point number that is an integer."""

    def __init__(self, polynomial, low, high):
        self.polynomial, self.low, self.high = polynomial, low, high


def intersect(a, b):
    low, high = max(a[0], b[0]), min(a[1], b[1])
    if low > high:
        raise Impossible
    return low, high


class Scope:
    """The variables and facts of one call."""

    def __init__(self):
        self.ranges = []
        # Quotients: variable to (polynomial, bits), and back.
        self.quotients, self.numbers_of_quotients = {}, {}
        # Polynomials with known intervals.
        self.facts = []
        # Of a product: what its result times 2^260 must be modulo p, as a polynomial, and the interval of that.
        self.claim, self.shift, self.prime = None, 260, P

    def variable(self, low, high):
        self.ranges.append((low, high))
        return variable(len(self.ranges) - 1)

    def plain(self, polynomial):
        """The interval of a polynomial, each variable taken by itself."""
        low = high = 0
        for monomial, coefficient in polynomial.items():
            least = most = coefficient
            for name in monomial:
                ends = [end * limit for end in (least, most) for limit in self.ranges[name]]
                least, most = min(ends), max(ends)
            low, high = low + least, high + most
        return low, high

    def bound(self, polynomial):
        """An interval of a polynomial that uses what is known of quotients (x - 2^k · floor(x / 2^k) is within
        0..<2^k) and the facts."""
        best = self._with_facts(polynomial, 0, 0)
        low = high = 0
        for name in sorted(self.quotients, reverse=True):
            coefficient = polynomial.get((name,), 0)
            number, bits = self.quotients[name]
            if coefficient == 0 or coefficient % 2**bits:
                continue
            factor = coefficient >> bits
            polynomial = add(polynomial, subtract(number, scale(variable(name), 2**bits)), factor)
            ends = (0, -factor * (2**bits - 1))
            low, high = low + min(ends), high + max(ends)
        return intersect(best, self._with_facts(polynomial, low, high))

    def _with_facts(self, polynomial, low, high):
        least, most = self.plain(polynomial)
        best = (low + least, high + most)
        for fact, fact_low, fact_high in self.facts:
            leading = max(fact)
            coefficient = polynomial.get(leading, 0)
            if coefficient == 0 or coefficient % fact[leading]:
                continue
            factor = coefficient // fact[leading]
            least, most = self.plain(subtract(polynomial, scale(fact, factor)))
            ends = (factor * fact_low, factor * fact_high)
            best = intersect(best, (low + least + min(ends), high + most + max(ends)))
        return best

    def tighten(self, word):
        """A better interval, from all that is known of the polynomial: also as a top limb, by the number it belongs to."""
        interval = intersect((word.low, word.high), self.bound(word.polynomial))
        for low, high in [self.bound(scale(word.polynomial, 2**208)), self._by_claim(word)]:
            interval = intersect(interval, (-(-low >> 208), high >> 208))
        word.low, word.high = interval

    def _by_claim(self, word):
        """2^208 times a limb, if that is the top limb of a product after four carries."""
        polynomial, carries = scale(word.polynomial, 2**208), 0
        for name in sorted(self.quotients, reverse=True):
            coefficient = polynomial.get((name,), 0)
            number, bits = self.quotients[name]
            if coefficient and carries < 4 and coefficient % 2**bits == 0:
                factor = coefficient >> bits
                polynomial = add(polynomial, subtract(number, scale(variable(name), 2**bits)), factor)
                carries += 1
        interval = self.by_claim(polynomial)
        return (interval[0] - 2**208 + 1, interval[1]) if interval else (word.low << 208, word.high << 208)

    def by_claim(self, polynomial):
        """The interval of a result from the multiple of p that its claim leaves, or None."""
        if self.claim is None:
            return None
        claimed, low, high = self.claim
        multiple = divide(subtract(scale(polynomial, 2**self.shift), claimed), self.prime)
        if multiple is None:
            return None
        least, most = self.bound(multiple)
        return -(-(low + self.prime * least) >> self.shift), (high + self.prime * most) >> self.shift

    def quotient(self, polynomial, bits):
        """floor(polynomial / 2^bits), as a polynomial."""
        pulled, rest = {}, {}
        for monomial, coefficient in polynomial.items():
            turns = coefficient >> bits
            if abs(coefficient) > 2**bits:
                # To the nearest: what is left is small.
                turns = (coefficient + 2 ** (bits - 1)) >> bits
            elif coefficient % 2**bits:
                turns = 0
            if turns:
                pulled[monomial] = turns
            if coefficient != turns << bits:
                rest[monomial] = coefficient - (turns << bits)
        if not rest:
            return pulled
        common = min(trailing_zeros(coefficient) for coefficient in rest.values())
        rest, bits = divide(rest, 2**common), bits - common
        # floor((small + 2^k · x) / 2^bits) = floor(x / 2^(bits - k)) for a small number within 0..<2^k.
        for zeros in sorted({trailing_zeros(coefficient) for coefficient in rest.values()} - {0}, reverse=True):
            small = {monomial: coefficient for monomial, coefficient in rest.items() if coefficient % 2**zeros}
            low, high = self.bound(small)
            if 0 <= low and high < 2**zeros:
                return add(pulled, self.quotient(divide(subtract(rest, small), 2**zeros), bits - zeros))
        low, high = self.bound(rest)
        if low >> bits == high >> bits:
            return add(pulled, constant(low >> bits))
        if -1 <= low and high <= 0:
            return add(pulled, rest)
        key = (frozenset(rest.items()), bits)
        if key not in self.numbers_of_quotients:
            result = self.variable(low >> bits, high >> bits)
            (name,), = result
            self.numbers_of_quotients[key] = name
            self.quotients[name] = (rest, bits)
        return add(pulled, variable(self.numbers_of_quotients[key]))


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
        """A word of 64 bits. In kernels whose words contain biases a sum may wrap around; in others it must not."""
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
