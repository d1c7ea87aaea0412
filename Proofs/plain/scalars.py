"""The scalars of signatures: signature.c reads them, splits them into digits and inverts them, for all signatures.

The compiler's intermediate language is executed on unknown bits, as in Proofs/text: the stored bits must be the same
Boolean functions of the signature's bytes as the specification. The product modulo n is proved in order.py. Here it is
a call that yields a product of powers of its operands' symbols."""

from algebra.bits import bits_of
from plain.order import N
from text.machine import Machine
from text.memory import Length, Object, Output, Pointer, Refused, Text, refusal, whole
from text.recording import recorded
from verdicts import Verdict

WORD, NUMBER = 8, 32
DIGITS, HIGHEST = 32, 128
# assay_p256_signature: the table's address, the digest, r and s. signature_numbers: r, s, the digest and 1/s.
SIGNATURE, NUMBERS = WORD + 3 * NUMBER, 4 * NUMBER


def swapped(machine, state, word):
    """The bytes of a word in the other order."""
    bits = machine.known_bits(word, 64)
    return tuple(bit for byte in range(7, -1, -1) for bit in bits[8 * byte:8 * byte + 8])


class Execution:
    def __init__(self, kernels, summaries=()):
        self.machine = Machine([recorded(kernels, "x86_64", "signature.c", module="CP256")])
        self.machine.summaries = {"@llvm.bswap.i64": swapped, **dict(summaries)}
        self.logic, self.numbers = self.machine.logic, self.machine.numbers

    def run(self, name, arguments, memory, assumed=1):
        state = self.machine.start(name, arguments, memory)
        state.assume(self.logic, assumed)
        return self.machine.run(state)

    def check(self, what, state, found, expected):
        for one, other in zip(found, expected, strict=True):
            if one is None or isinstance(one, tuple):
                raise Refused(f"identity: {what} is not written")
            if self.logic.conjunction([state.condition, *state.large, self.logic.differ(one, other)]):
                raise Refused(f"identity: {what} is another")

    def constant(self, number, count=256):
        return bits_of(number, count)


def written(outcome, output, first, count):
    cells = outcome.state.memory[output]
    return tuple(bit for byte in range(first, first + count) for bit in cells.get(byte, (None,) * 8))


def number_in(text, logic, first, big_endian):
    places = range(first + NUMBER - 1, first - 1, -1) if big_endian else range(first, first + NUMBER)
    return tuple(bit for place in places for bit in text.byte(logic, place))


def check_reading(kernels):
    """Checks that r, s and the digest are read as numbers below n, and s as 1 if r or s is out of range."""
    execution = Execution(kernels)
    logic, numbers = execution.logic, execution.numbers
    text, result = Text("signature", Length(SIGNATURE), 8), Output("result", Length(NUMBERS), 8)
    outcomes = execution.run("@assay_p256_read_signature", [Pointer(result, Length(0)), Pointer(text, Length(0))], {result: {}})
    order, zero = execution.constant(N), execution.constant(0)
    digest, r, s = (number_in(text, logic, WORD + place * NUMBER, True) for place in range(3))
    in_range = logic.all_of(condition for each in (r, s) for condition in (
        numbers.below(each, order), logic.negation(numbers.equal(each, zero))))
    less, is_less = numbers.subtract(digest, order)
    expected = [r, numbers.select(in_range, s, execution.constant(1)), numbers.select(is_less, less, digest)]
    for outcome in outcomes:
        value = outcome.value if isinstance(outcome.value, tuple) else bits_of(outcome.value, 1)
        execution.check("whether r and s are in range", outcome.state, value[:1], [in_range])
        for place, name in enumerate(("r", "s", "the digest")):
            execution.check(name, outcome.state, written(outcome, result, place * NUMBER, NUMBER), expected[place])


def check_splitting(kernels):
    """Checks the digits of u or n - u, whichever is at most (n - 1) / 2: within -128...128, times powers of 256.

    With the carry c, byte + c is a digit plus 256 times the next carry, which is 1 above 128. So the digit is within
    -127...128, and the sum of the digits is the number less 2^256 times the last carry, which must be 0."""
    execution = Execution(kernels)
    logic, numbers = execution.logic, execution.numbers
    text, digits = Text("scalar", Length(NUMBER), 8), Output("digits", Length(2 * DIGITS), 2)
    u, order = number_in(text, logic, 0, False), execution.constant(N)
    outcomes = execution.run("@split_scalar", [Pointer(text, Length(0)), Pointer(digits, Length(0))], {digits: {}},
                             assumed=numbers.below(u, order))
    is_negative = numbers.below(execution.constant((N - 1) // 2), u)
    small, carry = numbers.select(is_negative, numbers.subtract(order, u)[0], u), 0
    expected = []
    for place in range(DIGITS):
        total, _ = numbers.add(small[8 * place:8 * place + 8] + (0,) * 8, (carry,) + (0,) * 15)
        carry = numbers.below(execution.constant(HIGHEST, 16), total)
        digit = numbers.subtract(total, (0,) * 8 + (carry,) + (0,) * 7)[0]
        expected.append(numbers.select(is_negative, numbers.subtract(execution.constant(0, 16), digit)[0], digit))
    for outcome in outcomes:
        for place, digit in enumerate(expected):
            execution.check(f"digit {place}", outcome.state, written(outcome, digits, 2 * place, 2), digit)
        execution.check("the last carry", outcome.state, [carry], [0])


class Power:
    """A number modulo n: a product of symbols, each to its power."""

    def __init__(self, powers):
        self.powers = {name: power for name, power in powers.items() if power}

    def times(self, other, exponent=1):
        result = dict(self.powers)
        for name, power in other.powers.items():
            result[name] = result.get(name, 0) + exponent * power
        return Power(result)


ONE, R = Power({}), Power({"R": 1})


class Products:
    """Replaces the functions of products. A number in memory is cells that are parts of a Power."""

    def __init__(self, kernels):
        self.split, self.compared = [], []
        self.execution = Execution(kernels, {
            "@multiply": self.multiply, "@assay_p256_invert_public": self.invert, "@split_scalar": self.note,
            "@memcmp": self.compare})

    def read(self, machine, state, pointer):
        cells = machine.cells(state, pointer, NUMBER, 8)
        if all(bit in (0, 1) for bit in cells):
            # 2^512 modulo n is R².
            constants = {tuple(bits_of(2**512 % N, 256)): R.times(R), tuple(bits_of(1, 256)): ONE}
            value = constants.get(tuple(cells))
        else:
            value = whole(cells)
        if not isinstance(value, Power):
            raise Refused("identity: a factor that is no number")
        return value

    def multiply(self, machine, state, product, a, b):
        result = self.read(machine, state, a).times(self.read(machine, state, b)).times(R, -1)
        machine.write(state, product, cells_of(result), 8)

    def invert(self, machine, state, inverse, number, prime):
        if prime.object.name != "@assay_p256_order_prime":
            raise Refused("identity: an inverse modulo another prime")
        machine.write(state, inverse, cells_of(ONE.times(self.read(machine, state, number), -1)), 8)

    def note(self, machine, state, scalar, digits):
        self.split.append((self.read(machine, state, scalar).powers, digits.object.name, machine.place(digits)))

    def compare(self, machine, state, a, b, count):
        if count != NUMBER:
            raise Refused("identity: not all of a number is compared")
        self.compared.append([self.read(machine, state, each).powers for each in (a, b)])
        return (machine.logic.variable(0),) + (0,) * 31


def cells_of(value):
    return tuple((value, place, 256) for place in range(256))


def signatures(count):
    """An object with the numbers of `count` signatures, and its cells."""
    cells = ()
    for index in range(count):
        for name in ("r", "s", "digest"):
            cells += cells_of(Power({f"{name}{index}": 1}))
        cells += (None,) * 256
    return Object("signatures", Length(NUMBERS * count), 8), cells


def check_inversion(kernels, count):
    """Checks that 1/s times R is computed for each of the signatures, by one inversion."""
    products = Products(kernels)
    object, cells = signatures(count)
    outcome, = products.execution.run("@assay_p256_invert_signatures", [Pointer(object, Length(0)), count], {object: cells})
    found = outcome.state.memory[object]
    for index in range(count):
        value = whole(found[8 * (NUMBERS * index + 3 * NUMBER):8 * NUMBERS * (index + 1)])
        if not isinstance(value, Power) or value.powers != {f"s{index}": -1, "R": 1}:
            raise Refused(f"identity: signature {index} of {count} is not inverted")
        first, last = 8 * NUMBERS * index, 8 * (NUMBERS * index + 3 * NUMBER)
        if found[first:last] != cells[first:last]:
            raise Refused(f"identity: a number of signature {index} of {count} has changed")


def check_scalars(kernels):
    """Checks that the digits are those of e / s and r / s, and that the result says whether s · 1/s is 1."""
    products = Products(kernels)
    object, cells = signatures(1)
    cells = cells[:8 * 3 * NUMBER] + cells_of(Power({"s0": -1, "R": 1}))
    digits = Output("digits", Length(4 * DIGITS), 2)
    outcomes = products.execution.run(
        "@assay_p256_split_signature", [Pointer(object, Length(0)), Pointer(digits, Length(0))], {object: cells, digits: {}})
    expected = [({"digest0": 1, "s0": -1}, "digits", 0), ({"r0": 1, "s0": -1}, "digits", 2 * DIGITS)]
    if products.split != expected or products.compared != [[{}, {}]]:
        raise Refused("identity: the digits of other scalars")
    for outcome in outcomes:
        is_same = products.execution.logic.negation(products.execution.logic.variable(0))
        value = outcome.value if isinstance(outcome.value, tuple) else bits_of(outcome.value, 1)
        products.execution.check("whether 1/s is right", outcome.state, value[:1], [is_same])


THEOREMS = [
    ("read_signature", "r, s and the digest, modulo n; s is 1 if r or s is out of range", check_reading),
    ("split_scalar", "digits within -128...128 that sum to u or u - n, for every u below n", check_splitting),
    *((f"invert/{count}", f"1/s of {count} signatures by one inversion", lambda kernels, count=count: check_inversion(
        kernels, count)) for count in (1, 2, 3, 64)),
    ("split_signature", "the digits of e/s and r/s, and whether 1/s is right", check_scalars),
]


def prove(kernels, names):
    for name, says, check in THEOREMS:
        if not names or name in names:
            yield Verdict(name, says, refusal(check, kernels))
