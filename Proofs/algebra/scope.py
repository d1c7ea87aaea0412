"""What is known in the proof of one call: the intervals of variables and of polynomials.

A shift or a mask splits x into x = 2^k · floor(x / 2^k) + low. The quotient becomes a variable, and the rest stays a
polynomial. So every step is an equation between integers without a side condition, and an identity of polynomials holds
for all inputs. Two quotients that are equal for simple reasons get the same variable (`Scope.quotient`)."""

from algebra.polynomials import P, add, constant, divide, scale, subtract, trailing_zeros, variable


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
        # For a product: the polynomial that its result times 2^260 must equal modulo p, and the polynomial's interval.
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
        """Narrows a word's interval by all that is known of its polynomial, and of its number if it is a top limb."""
        interval = intersect((word.low, word.high), self.bound(word.polynomial))
        for low, high in [self.bound(scale(word.polynomial, 2**208)), self._by_claim(word)]:
            interval = intersect(interval, (-(-low >> 208), high >> 208))
        word.low, word.high = interval

    def _by_claim(self, word):
        """The interval of 2^208 times a limb; a narrower one if it is the top limb of a product after four carries."""
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
        """The interval of a result, from the multiple of p by which it differs from its claim; None without a claim."""
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
                # Rounds to the nearest, so that the rest is small.
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
