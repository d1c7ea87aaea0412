"""The division steps of inverse.c: each round of the loops of `steps` and `public_steps`, from an unknown state.

(f_n, g_n) is (f, g) after n steps, and delta_n its delta. The invariants of a loop:

- The words f and g agree with f_n and g_n in the bits that are still needed: each step needs one bit fewer.
- u · f + v · g = 2^k · f_n and q · f + r · g = 2^k · g_n, k growing by 1 in each step, and |u| + |v|, |q| + |r| are at most
  2^k. So no entry exceeds 2^62, and as numbers with a sign the words are the entries.

In the rounds of `public_steps` g may be ahead: a multiple of f is added to it that clears several of its lowest bits,
for steps that the next round counts as halvings. This is done only where no swap can be due: see check_clearing."""

import functools
import itertools
import math

from algebra.polynomials import add, constant, divide, multiply, scale, subtract, text, variable
from algebra.scope import Refused, Scope, Word
from inversion.numbers import NumberMachine, constant_word, substituted
from text.memory import Length, Object, Pointer
from text.program import loops

LIMB, WORD = 62, 64
ENTRIES = ("u", "v", "q", "r")
# |2 · delta| is at most 1 + 2n after n steps, far less than this.
MOST_DELTA = 2**20
# public_steps clears up to so many bits at once.
CLEARED = 6


def division_step(delta, is_positive, f, g):
    """2 · delta, f and g after a step, for an odd f; is_positive says whether delta is."""
    if is_even(f):
        raise Refused("identity: f is even")
    if is_even(g):
        return add(delta, constant(2)), f, divide(g, 2)
    if is_positive:
        return subtract(constant(2), delta), g, divide(subtract(g, f), 2)
    return add(delta, constant(2)), f, divide(add(g, f), 2)


def is_even(polynomial):
    if any(coefficient % 2 for monomial, coefficient in polynomial.items() if monomial):
        raise Refused("identity: whether a number is even is not known")
    return polynomial.get((), 0) % 2 == 0


def must_be(found, expected, what):
    if found != expected:
        raise Refused(f"identity: {what} differs" + (f" by {text(subtract(found, expected))}" if isinstance(found, dict) else ""))


def must_agree(found, expected, bits, what):
    if divide(subtract(found, expected), 2**bits) is None:
        raise Refused(f"identity: {what} is another in the lowest {bits} bits: {text(subtract(found, expected))}")


class Loop:
    """A function of steps, and the state in which its loop is entered."""

    def __init__(self, kernels, name):
        self.machine = NumberMachine(kernels)
        self.result = Object("result", Length(32), 8)
        arguments = [self.machine.unknown(-(2**63), 2**63 - 1) for _ in range(3)]
        state = self.machine.start(f"@{name}", [*arguments, Pointer(self.result, Length(0))], {self.result: (None,) * 256})
        self.header, *others = loops(state.frames[0].function)
        if others:
            raise Refused(f"recorder: {name} has several loops")
        self.blocks = state.frames[0].function.blocks
        self.entry = self.one(state, [self.header])

    def one(self, state, stops):
        outcomes = self.machine.run(state, stops)
        if len(outcomes) != 1:
            raise Refused(f"recorder: {len(outcomes)} ways through a round")
        self.outcome, = outcomes
        return outcomes[0].state

    def value(self, state, name):
        return self.machine.variable_value(state, name).polynomial

    def first_scale(self):
        """The s with (u, v, q, r) = 2^s · (1, 0, 0, 1) at first."""
        u, v, q, r = (self.value(self.entry, name) for name in ENTRIES)
        if v or q or u != r or u.keys() != {()} or u[()] & (u[()] - 1) or u[()] < 1:
            raise Refused("identity: the matrix is no power of two at first")
        return u[()].bit_length() - 1

    def begin(self):
        """A state at the head of the loop, with entries that are not known; the next numbers have a scope of their own."""
        self.machine.scope = Scope()
        state = self.entry.copy()
        entries = {name: self.machine.unknown(-(2**LIMB), 2**LIMB) for name in ENTRIES}
        for name, value in entries.items():
            self.machine.set_variable(state, name, value)
        return state, {name: min(value.polynomial)[0] for name, value in entries.items()}

    def number(self, factor, offset):
        """factor · x + offset for every integer x."""
        return add(scale(self.machine.unknown(-(2**256), 2**256).polynomial, factor), constant(offset))

    def word(self, number, agreeing):
        """Every word of 64 bits that agrees with a number in the lowest bits."""
        return Word(add(number, self.number(2**agreeing, 0)), 0, 2**WORD - 1)

    def entries_in(self, state):
        """The matrix: from the variables, or where it is returned."""
        if self.outcome.label is not None:
            return [self.value(state, name) for name in ENTRIES]
        return [word.polynomial for word in self.machine.numbers_at(state, Pointer(self.result, Length(0)), 4)]

    def check_entries(self, state, names, before, after, factor):
        """Checks the matrix. With (f, g) as (u, q), or as (v, r), its rows must become `factor` times `after`."""
        f, g = before
        for place, (found, expected) in enumerate(zip(self.entries_in(state), (after[0], after[0], after[1], after[1]))):
            own = {names[ENTRIES[place % 2]]: f, names[ENTRIES[place % 2 + 2]]: g}
            must_be(substituted(found, own), scale(expected, factor), f"the entry {ENTRIES[place]}")
        return self.entries_in(state)


def check_growth(row, factor, what):
    """Checks a row that is a sum of multiples of rows: the absolute values of their numbers sum to at most a factor."""
    if any(len(monomial) != 1 for monomial in row) or sum(map(abs, row.values())) > factor:
        raise Refused(f"range: {what} may grow to more than {factor} times the greatest")


# In constant time.


@functools.cache
def steps_taken(kernels):
    """The number of steps that `steps` takes; 62 of the bits of f and g are given."""
    loop = Loop(kernels, "steps")
    first, count = loop.first_scale(), 0
    check_start(loop, ("zeta", "f", "g"))
    must_be(loop.value(loop.entry, "i"), {}, "the number of steps at first")
    while check_round(loop, count):
        count += 1
        if count > LIMB:
            raise Refused("range: more steps than there are bits of f and g")
    if first + count != LIMB:
        raise Refused(f"identity: the matrix of {count} steps is times 2^{first + count}, not 2^{LIMB}")
    return count


def check_start(loop, names):
    for place, name in enumerate(names):
        if loop.value(loop.entry, name) != {(place,): 1}:
            raise Refused(f"identity: {name} does not begin as it was given")


def check_round(loop, count):
    """Whether another round follows after `count` rounds. Checks the round, or the end, in each case."""
    rounds = {check_case(loop, count, is_odd, is_positive) for is_odd in (0, 1) for is_positive in (False, True)}
    if len(rounds) != 1:
        raise Refused("identity: how many steps are taken depends on f, g or delta")
    return rounds.pop()


def check_case(loop, count, is_odd, is_positive):
    state, names = loop.begin()
    agreeing = LIMB - count
    zeta = loop.machine.unknown(-MOST_DELTA, -1) if is_positive else loop.machine.unknown(0, MOST_DELTA)
    f, g = loop.number(2, 1), loop.number(2, is_odd)
    for name, value in (("zeta", zeta), ("f", loop.word(f, agreeing)), ("g", loop.word(g, agreeing)), ("i", count)):
        loop.machine.set_variable(state, name, value)
    state = loop.one(state, [loop.header])
    if loop.outcome.label is None:
        loop.check_entries(state, names, (f, g), (f, g), 1)
        must_be(loop.machine.word(loop.outcome.value, WORD).polynomial, zeta.polynomial, "the zeta that is returned")
        return False
    must_be(loop.value(state, "i"), constant(count + 1), "the number of steps")
    delta, *after = division_step(twice_delta(zeta.polynomial), is_positive, f, g)
    must_be(twice_delta(loop.value(state, "zeta")), delta, "delta")
    for name, expected in zip("fg", after):
        must_agree(loop.value(state, name), expected, agreeing - 1, name)
    u, v, q, r = loop.check_entries(state, names, (f, g), after, 2)
    for row, what in ((u, "u"), (v, "v"), (q, "q"), (r, "r")):
        check_growth(row, 2, what)
    return True


def twice_delta(zeta):
    return subtract(scale(zeta, -2), constant(1))


# In variable time.


@functools.cache
def public_steps_taken(kernels):
    """The number of steps that `public_steps` takes; 62 of the bits of f and g are given."""
    loop = Loop(kernels, "public_steps")
    check_start(loop, ("delta", "f", "g"))
    if loop.first_scale() != 0:
        raise Refused("identity: the matrix is not 1 at first")
    left = loop.value(loop.entry, "left")
    if left != constant(LIMB):
        raise Refused(f"identity: the matrix is times 2^{left.get((), 0)}, not 2^{LIMB}")
    check_clearing()
    middle = middle_of(loop)
    for zeros in range(LIMB + 1):
        for is_last in (False, True):
            check_halvings(loop, middle, zeros, is_last)
    for bits in range(1, LIMB + 1):
        for is_limited in (False, True):
            for swaps in (False, True):
                check_clearing_round(loop, middle, bits, is_limited, swaps)
    return LIMB


def middle_of(loop):
    """The block after the first test of a round, which tests whether steps are left."""
    label = loop.header
    while True:
        *_, (operation, _, operands) = loop.blocks[label]
        if operation != "br":
            raise Refused("recorder: a round of public_steps has no test")
        condition, labels = operands
        if condition is not None:
            return labels[1]
        label, = labels


def check_halvings(loop, middle, zeros, is_last):
    """Checks the halvings of a round: each lowest zero bit of g is a step, until no steps are left or g is odd."""
    if zeros == (0 if is_last else LIMB):
        return
    state, names = loop.begin()
    delta = loop.machine.unknown(-MOST_DELTA, MOST_DELTA)
    left = constant_word(zeros) if is_last else loop.machine.unknown(zeros + 1, LIMB)
    f, after = loop.number(2, 1), loop.number(1, 0) if is_last else loop.number(2, 1)
    g, agreeing = scale(after, 2**zeros), left.low
    words = [loop.word(each, agreeing) for each in (f, g)]
    for name, value in (("delta", delta), ("f", words[0]), ("g", words[1]), ("left", left)):
        loop.machine.set_variable(state, name, value)
    state = loop.one(state, [middle])
    if is_last != (loop.outcome.label is None):
        raise Refused("identity: whether a round follows is not whether steps are left")
    if is_last:
        found = loop.machine.word(loop.outcome.value, WORD).polynomial
    else:
        found = loop.value(state, "delta")
        must_be(loop.value(state, "left"), subtract(left.polynomial, constant(zeros)), "the number of steps left")
        for name, number in (("f", f), ("g", after)):
            must_agree_as_before(loop.value(state, name), number, words, (f, g), agreeing - zeros, name)
    must_be(found, add(delta.polynomial, constant(zeros)), "delta")
    u, v, q, r = loop.check_entries(state, names, (f, g), (f, after), 2**zeros)
    for row, factor in ((u, 2**zeros), (v, 2**zeros), (q, 1), (r, 1)):
        check_growth(row, factor, "a row")


def must_agree_as_before(found, expected, words, numbers, bits, what):
    """Checks that a word differs from a number only by multiples of 2^bits times what words differ from theirs by."""
    beyond = {name for word, number in zip(words, numbers) for name, in subtract(word.polynomial, number)}
    rest = subtract(found, expected)
    if divide(rest, 2**bits) is None or not all(beyond & set(monomial) for monomial in rest):
        raise Refused(f"identity: {what} differs by {text(rest)}")


def check_clearing_round(loop, middle, bits, is_limited, swaps):
    """From an odd g to the next round, for a number of bits: as many as steps are left (is_limited), or else as many as
    follow without another swap."""
    # After a swap, delta is 1 - bits; where it is limited, at most that.
    least, most = -MOST_DELTA if is_limited else 1 - bits, 1 - bits
    low, high = (max(1, -most), -least) if swaps else (least, min(0, most))
    if low > high or bits == LIMB and not is_limited:
        return
    state, names = loop.begin()
    delta = loop.machine.unknown(low, high) if low < high else constant_word(low)
    left = constant_word(bits) if is_limited else loop.machine.unknown(bits + 1, LIMB)
    f, g = loop.number(2, 1), loop.number(2, 1)
    # They agree in as many bits as steps are left. Where more are left than `bits`, the unknown rest is a multiple of a
    # higher power of two: so is each of its multiples.
    words = [loop.word(each, bits) for each in (f, g)]
    for name, value in (("delta", delta), ("f", words[0]), ("g", words[1]), ("left", left)):
        loop.machine.set_variable(state, name, value)
    state.frames[-1].enter(middle)
    state = loop.one(state, [loop.header])
    if loop.outcome.label is None:
        raise Refused("identity: no round follows, though steps are left")
    sign = -1 if swaps else 1
    must_be(loop.value(state, "delta"), scale(delta.polynomial, sign), "delta")
    must_be(loop.value(state, "left"), left.polynomial, "the number of steps left")
    check_cleared(loop, state, names, (f, g), words, bits, sign)


def check_cleared(loop, state, names, before, words, bits, sign):
    """(f, g + m · f) without a swap, with it (g, m · g - f), and so for rows: |q| + |r| is then at most m + 1 times what it
    may be, that is 2^cleared times, and g is a multiple of 2^cleared, which the next round shifts out."""
    cleared = min(bits, CLEARED)
    multiple = loop.machine.variable_value(state, "multiple")
    if not 0 <= multiple.low <= multiple.high < 2**cleared:
        raise Refused(f"range: the multiple may be {multiple.high} where {cleared} bits are cleared")
    check_multiple(multiple.polynomial, cleared, before, sign)

    def expected(one, other):
        """What becomes of f and g, or of a column."""
        one, other = (one, other) if sign == 1 else (other, scale(one, -1))
        return one, add(other, multiply(multiple.polynomial, one))

    for name, number in zip("fg", expected(*before)):
        must_agree_as_before(loop.value(state, name), number, words, before, bits, name)
    for column in (("u", "q"), ("v", "r")):
        for name, number in zip(column, expected(*(variable(names[each]) for each in column))):
            must_be(loop.value(state, name), number, f"the entry {name}")


def check_multiple(polynomial, cleared, before, sign):
    """Checks that modulo 2^cleared a multiple depends only on the lowest bits of f and g, and clears those of g."""
    places = {name: place for place, number in enumerate(before) for name, in number.keys() - {()}}
    rest = tuple(sorted((tuple(places.get(name) for name in monomial), coefficient % 2**cleared)
                        for monomial, coefficient in polynomial.items() if coefficient % 2**cleared))
    if any(None in monomial for monomial, _ in rest):
        raise Refused("identity: the multiple depends on more than the lowest bits of f and g")
    check_all_residues(rest, cleared, sign)


@functools.cache
def check_all_residues(terms, cleared, sign):
    """Checks f = 2 · x + 1 and g = 2 · y + 1 for all x and y modulo 2^cleared."""
    for x, y in itertools.product(range(2**cleared), repeat=2):
        values = (x, y)
        multiple = sum(coefficient * math.prod(values[place] for place in monomial) for monomial, coefficient in terms)
        f, g = 2 * x + 1, 2 * y + 1
        if (g + multiple * f if sign == 1 else multiple * g - f) % 2**cleared:
            raise Refused(f"identity: g is not cleared in {cleared} bits for f = {f} and g = {g} modulo {2**cleared}")


def check_clearing():
    """Checks two facts about division steps that the rounds of public_steps use. With an odd g and a delta above 0, a
    step takes (-delta, g, -f) to the same as (delta, f, g). With a delta of at most 1 - count, `count` steps take
    (delta, f, g) to (delta + count, f, (g + m · f) / 2^count), where m is the number below 2^count that makes this an
    integer. It exists, since f is odd."""
    f, g, delta = ({(name,): 2, (): 1} for name in ("f", "g", "delta"))
    must_be(division_step(delta, True, f, g), division_step(scale(delta, -1), False, g, scale(f, -1)), "a step after a swap")
    for count in range(1, CLEARED + 1):
        for low_f, low_g in itertools.product(range(1, 2**count, 2), repeat=2):
            f, g = ({(name,): 2**count, (): low} for name, low in (("f", low_f), ("g", low_g)))
            state, multiple = (delta, f, g), 0
            for place in range(count):
                multiple += 0 if is_even(state[2]) else 2**place
                state = division_step(state[0], False, *state[1:])
            must_be(state, (add(delta, constant(2 * count)), f, divide(add(g, f, multiple), 2**count)), "steps without a swap")
