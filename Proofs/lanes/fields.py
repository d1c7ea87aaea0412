"""The contracts of the functions of field.h and product.h, and the proof that a recorded call keeps them.

For a call with operands of known intervals, three things are shown:
  range     no word exceeds 64 bits, every instruction gets operands within its limits, and the result has the form and
            the bounds that the head of field.h promises;
  identity  2^s · result = contract + multiple · p, an identity of polynomials, for all inputs: s is 260 for products, 0
            otherwise;
  value     the interval of the result, from that identity and the interval of the multiple."""

from algebra.polynomials import P, add, constant, divide, multiply, scale, subtract, text, value
from algebra.scope import Impossible, Refused, Scope, Undecided, Word, intersect
from algebra.words import Machine

R = 2**260
LIMB = (0, 2**52 - 1)

MULTIPLICANDS = {"f_ready", "f_multiplicand", "f_mul", "f_square", "f_mul_sub", "f_mul_less_square", "m_select",
                 "m_constant", "m_one", "m_exchange"}
CARRIED = {"f_carry", "f_reduced", "f_canonical", "f_integer", "f_constant", "f_from_words"}
PRODUCTS = {"f_mul", "f_mul_sum", "f_square", "f_square_sum", "f_mul_sub", "f_mul_less_square"}
CONSTANTS = {"f_constant", "m_constant", "m_one"}
TESTS = {"f_is_below_p", "f_is_zero", "m_is_zero", "f_equal"}
PROJECTIONS = [sum(1 << i for i in range(64) if i >> k & 1) for k in range(6)]


class Kernel:
    """The limbs that a kernel allows in a sum, by the head of field.h."""

    def __init__(self, name, lanes, lower, top, may_wrap):
        self.name, self.lanes, self.lower, self.top, self.may_wrap = name, lanes, lower, top, may_wrap


KERNELS = {
    # Signed limbs; no word wraps around.
    "ifma8": Kernel("ifma8", 8, (1 - 2**60, 2**60 - 1), (1 - 2**60, 2**60 - 1), may_wrap=False),
    # Only the topmost limb may be negative; the biases of floating-point halves wrap around.
    "fma4": Kernel("fma4", 4, (0, 2**61 - 1), (-(2**10), 2**61 - 1), may_wrap=True),
}


class Number:
    """What is known of a number in limbs: its interval, and the element that it stands for (see formulas.py)."""

    def __init__(self, low, high, limbs, residue=None):
        self.low, self.high, self.limbs, self.residue = low, high, limbs, residue


def interval_product(a, b):
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def contract(step, values, intervals):
    """(s, polynomial, its interval): 2^s · the result is that modulo p."""
    name = step.name
    if name == "f_add":
        return 0, add(*values), [sum(ends) for ends in zip(*intervals)]
    if name == "f_sub":
        (a_low, a_high), (b_low, b_high) = intervals
        return 0, subtract(*values), (a_low - b_high, a_high - b_low)
    if name == "f_negated":
        return 0, scale(values[0], -1), (-intervals[0][1], -intervals[0][0])
    if name == "f_shift":
        return 0, scale(values[0], 2**step.number), [end << step.number for end in intervals[0]]
    if name in PRODUCTS:
        first = (0, 0) if "square" in name and name != "f_mul_less_square" else (0, 1)
        second = {"f_mul_sub": (2, 3), "f_mul_less_square": (2, 2)}.get(name)
        polynomial = multiply(values[first[0]], values[first[1]])
        low, high = interval_product(intervals[first[0]], intervals[first[1]])
        if second:
            polynomial = subtract(polynomial, multiply(values[second[0]], values[second[1]]))
            least, most = interval_product(intervals[second[0]], intervals[second[1]])
            low, high = low - most, high - least
        return 260, polynomial, (low, high)
    return 0, values[0], intervals[0]


class FieldMachine(Machine):
    """A call in one of its cases."""

    def __init__(self, step, numbers, kernel, cases):
        scope = Scope()
        super().__init__(scope, cases, kernel.may_wrap)
        self.step, self.meaning, self.quotient_found = step, None, None
        # For exchanges between lanes: how many there are, and where each value comes from.
        self.lanes, self.exchanged = kernel.lanes, {}
        self.polynomials = []
        for operand, number in zip(step.operands, numbers):
            for name, limb in zip(operand, number.limbs):
                if name not in self.values:
                    kind, low, high = limb
                    self.values[name] = kind(scope.variable(low, high), low, high)
            bits = 64 if len(operand) == 4 else 52
            self.polynomials.append(value([self.values[name].polynomial for name in operand], bits))
            if len(self.polynomials[-1]) > 1:
                scope.facts.append((self.polynomials[-1], number.low, number.high))
        self.intervals = [(number.low, number.high) for number in numbers]
        self.prepare()

    def prepare(self):
        """Notes which number is reduced, and what is claimed of a product."""
        name = self.step.name
        if name in ("f_reduced", "f_is_zero", "m_is_zero"):
            self.reduced = self.polynomials[0]
        elif name == "f_equal":
            a, b = self.polynomials
            self.reduced = add(subtract(a, b), constant(2 * P))
            (a_low, a_high), (b_low, b_high) = self.intervals
            self.scope.facts.append((self.reduced, a_low - b_high + 2 * P, a_high - b_low + 2 * P))
        elif name in PRODUCTS:
            _, polynomial, (low, high) = contract(self.step, self.polynomials, self.intervals)
            self.scope.claim = (polynomial, low, high)

    def do_exchange_in_fours(self, a, order):
        return self.exchange(a, [lane // 4 * 4 + (order >> 2 * (lane % 4) & 3) for lane in range(self.lanes)])

    def do_exchange_blocks(self, a, order):
        """Exchanges blocks of two lanes."""
        return self.exchange(a, [2 * (order >> 2 * (lane // 2) & 3) + lane % 2 for lane in range(8)])

    def exchange(self, a, sources):
        if self.step.name != "m_exchange" or sources != [lane ^ self.step.number for lane in range(self.lanes)]:
            raise Refused(f"identity: lanes are exchanged as {sources}")
        self.exchanged[self.now] = a
        value = self.values[a]
        return type(value)(self.scope.variable(value.low, value.high), value.low, value.high)

    def execute(self):
        for number, operation, arguments in self.step.operations:
            self.run(number, operation, arguments)

    def compared(self):
        """The number that full reduction compares with p."""
        if self.reduced is None:
            return self.polynomials[0]
        return subtract(self.reduced, constant((self.quotient_found or 0) * P))

    def do_comparison(self, index):
        operation, a, b = next(rest for number, *rest in self.step.comparisons if number == index)
        if operation == "negative" or (operation == "greater" and self.is_zero_constant(a)):
            self.sign(index, self.word(b if operation == "greater" else a))
        elif (operation == "disjoint" and a == b) or (operation == "equal" and self.is_zero_constant(b)):
            self.zero(self.word(a))
        else:
            raise Refused(f"identity: the comparison {operation} has no meaning here")

    def is_zero_constant(self, number):
        word = self.values.get(number)
        return word is not None and not word.polynomial

    def sign(self, index, word):
        """The sign of the top limb of a number less p: negative if the number is below p."""
        self.within(word, -(2**63), 2**63 - 1, "a number with a sign")
        number = self.compared()
        low, high = self.scope.bound(subtract(subtract(number, constant(P)), scale(word.polynomial, 2**208)))
        if low < 0 or high >= 2**208:
            raise Refused("identity: the sign is not that of the number less p")
        if self.step.mask == PROJECTIONS[index]:
            self.meaning = "below p"
            return
        key = ("comparison", index)
        if key not in self.cases:
            raise Undecided(key, (False, True))
        low, high = self.scope.bound(number)
        self.scope.facts.append(
            (number, *intersect((low, high), (0, P - 1) if self.cases[key] else (P, max(high, P)))))

    def zero(self, word):
        """Whether all limbs are zero. If they are those of a number within 0..<p, the number is then zero."""
        limbs = [leaf.polynomial for leaf in word.leaves]
        number = value(limbs)
        if len(limbs) != 5 or divide(subtract(number, self.compared()), P) is None:
            raise Refused("identity: what is compared with zero is not the number modulo p")
        low, high = self.scope.bound(number)
        if low < 0 or high >= P:
            raise Refused(f"range: a number compared with zero is within {low}...{high}, not below p")
        self.meaning = "zero"


def explore(step, numbers, kernel, decided):
    """The machines that have executed a call, one for each case."""
    pending, finished = [dict(decided)], []
    while pending:
        cases = pending.pop()
        try:
            machine = FieldMachine(step, numbers, kernel, cases)
            machine.execute()
            finished.append(machine)
        except Undecided as question:
            pending += [{**cases, question.key: case} for case in question.cases]
        except Impossible:
            continue
        except Refused as refusal:
            raise Refused(prefixed(refusal)) from None
    if not finished:
        raise Refused("range: no input is possible")
    return finished


def prefixed(refusal):
    message = str(refusal)
    return message if message.startswith(("identity:", "range:")) else f"range: {message}"


def hull(intervals):
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def check_form(name, kernel, number):
    """Checks that a result has the form that the head of field.h promises."""
    limit = 8 * P if name in MULTIPLICANDS else 16 * P
    if number.low < 0 or number.high >= limit:
        raise Refused(f"range: {name} gives {number.low / P:.3f}p...{number.high / P:.3f}p, not 0..<{limit // P}p")
    if len(number.limbs) == 4:
        bounds = [(0, 2**64 - 1)] * 4
    elif name in MULTIPLICANDS or name in CARRIED:
        bounds = [LIMB] * 5
    else:
        bounds = [kernel.lower] * 4 + [kernel.top]
    for index, ((_, low, high), (least, most)) in enumerate(zip(number.limbs, bounds)):
        if low < least or high > most:
            raise Refused(f"range: limb {index} of {name} is within {low}...{high}, not {least}...{most}")
    if name == "f_canonical" and number.high >= P:
        raise Refused("range: f_canonical gives a number not below p")


def with_top_limb(limbs, low, high, bits=52):
    """The limbs, with an interval of the topmost that follows from the number's interval."""
    place = bits * (len(limbs) - 1)
    least = sum(limb[1] << bits * index for index, limb in enumerate(limbs[:-1]))
    most = sum(limb[2] << bits * index for index, limb in enumerate(limbs[:-1]))
    kind, top_low, top_high = limbs[-1]
    top = intersect((top_low, top_high), (-((most - low) >> place), (high - least) >> place))
    return [*limbs[:-1], (kind, *top)]


def result_of(machine, kernel):
    """The number that a case of a call results in."""
    step = machine.step
    results = [machine.values[name] for name in step.result]
    bits = 64 if len(results) == 4 else 52
    polynomial = value([result.polynomial for result in results], bits)
    if step.name == "m_exchange":
        # The same number of another lane, of which the same is known.
        if [machine.exchanged.get(name) for name in step.result] != list(step.operands[0]):
            raise Refused("identity: m_exchange does not exchange all limbs")
        return Number(*machine.intervals[0], [(type(result), result.low, result.high) for result in results])
    if step.name in CONSTANTS:
        shift, expected, interval = 0, polynomial, machine.scope.plain(polynomial)
    elif step.name in ("f_select", "m_select"):
        chosen = int(machine.is_set(step.number))
        shift, expected, interval = 0, machine.polynomials[chosen], machine.intervals[chosen]
    else:
        shift, expected, interval = contract(step, machine.polynomials, machine.intervals)
    difference = subtract(scale(polynomial, 2**shift), expected)
    multiple = divide(difference, P)
    if multiple is None:
        raise Refused(f"identity: {step.name}: {text(difference)} is not a multiple of p")
    least, most = machine.scope.bound(multiple)
    low, high = -(-(interval[0] + P * least) >> shift), (interval[1] + P * most) >> shift
    if shift == 0:
        low, high = intersect((low, high), machine.scope.bound(polynomial))
    limbs = [(type(result), result.low, result.high) for result in results]
    return Number(low, high, with_top_limb(limbs, low, high, bits))


class Prover:
    """Proves calls, and reuses the results of calls that are proved already for the same operands."""

    def __init__(self, kernel):
        self.kernel, self.proved = kernel, {}

    def call(self, step, numbers, decided):
        """The result of a call: a Number, or what its mask means."""
        if step.name == "assay_p256_invert":
            # The theorems of the part `inverse`.
            if numbers[0].low < 0 or numbers[0].high >= P:
                raise Refused("range: a number that is inverted may not be below p")
            return Number(0, P - 1, with_top_limb([(Word, 0, 2**64 - 1)] * 4, 0, P - 1, 64))
        key = (step.shape(), tuple((number.low, number.high, tuple(number.limbs)) for number in numbers),
               tuple(sorted(decided.items())) if step.name.endswith("select") else ())
        if key not in self.proved:
            self.proved[key] = self.prove(step, numbers, decided)
        result = self.proved[key]
        return result if isinstance(result, str) else Number(result.low, result.high, result.limbs)

    def prove(self, step, numbers, decided):
        machines = explore(step, numbers, self.kernel, decided)
        if step.name in TESTS:
            meanings = {machine.meaning for machine in machines}
            expected = "below p" if step.name == "f_is_below_p" else "zero"
            indices = [index for index, *_ in step.comparisons]
            if meanings != {expected} or step.mask != PROJECTIONS[max(indices)]:
                raise Refused(f"identity: {step.name} does not return where the number is {expected}")
            return expected
        results = []
        for machine in machines:
            try:
                results.append(result_of(machine, self.kernel))
            except Impossible:
                continue
        if not results:
            raise Refused("range: no input is possible")
        low, high = hull([(result.low, result.high) for result in results])
        limbs = [(limb[0][0], *hull([interval[1:] for interval in limb])) for limb in zip(*(r.limbs for r in results))]
        number = Number(low, high, with_top_limb(limbs, low, high, 64 if len(limbs) == 4 else 52))
        check_form(step.name, self.kernel, number)
        return number
