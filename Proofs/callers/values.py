"""What the numbers of a recording stand for: elements of F_p as products of powers of symbols, with the bounds that the
heads of field.h and point.h document.

The symbols are coordinates of points, ("x", form) and ("y", form), whose form says which multiples of which points they
belong to, and the Z of the formulas' results. The bounds are those of the theorems of Proofs/lanes: an operation takes only
operands within what is assumed there, and yields what is proved there."""

import fractions

from algebra.polynomials import P
from algebra.scope import Refused
from lanes.fields import KERNELS
from lanes.theorems import theorems

BELOW_2_256 = fractions.Fraction(2**256, P)


def limits(kernel):
    """The limits of inputs and of results by theorem."""
    inputs, results = {}, {}
    for theorem in theorems(KERNELS[kernel]):
        inputs.setdefault(theorem.name, {name: value.limit for name, value in theorem.inputs.items()})
        results.setdefault(theorem.name, {name: fractions.Fraction(limit) for name, limit in theorem.bounds.items()})
    return inputs, results


INPUTS, RESULTS = limits("ifma8")
if any(INPUTS[name] != given or RESULTS[name] != limits("fma4")[1][name]
       for name, given in limits("fma4")[0].items() if name in INPUTS):
    raise Refused("range: the kernels' theorems have other bounds")


class Element:
    """factor · product of symbol^power. The value is below bound · p; it may be carried, and in Montgomery form."""

    def __init__(self, factor, powers, bound, is_carried=True, is_montgomery=True):
        self.factor, self.bound, self.is_carried, self.is_montgomery = factor, bound, is_carried, is_montgomery
        self.powers = {symbol: power for symbol, power in powers.items() if power}

    def same(self, other):
        return (self.factor, self.powers, self.is_montgomery) == (other.factor, other.powers, other.is_montgomery)

    def times(self, other, exponent=1):
        powers = dict(self.powers)
        for symbol, power in other.powers.items():
            powers[symbol] = powers.get(symbol, 0) + exponent * power
        return Element(self.factor * other.factor**exponent, powers, None)


class Choice:
    """b where the mask is set, else a."""

    def __init__(self, mask, a, b):
        self.mask, self.a, self.b = mask, a, b


def symbol(name, bound, is_montgomery=True):
    return Element(1, {name: 1}, bound, is_montgomery=is_montgomery)


def mapped(value, function):
    """Applies a function to a value, or to both values of a choice."""
    if isinstance(value, Choice):
        return Choice(value.mask, mapped(value.a, function), mapped(value.b, function))
    return function(value)


def bounded(value, limit, what, carried=True):
    """The value, which must be an element in Montgomery form, below limit · p."""
    mapped(value, lambda one: check_bound(one, limit, what, carried))
    return value


def check_bound(value, limit, what, carried):
    if not isinstance(value, Element):
        raise Refused(f"identity: an operand of {what} is no number")
    if not value.is_montgomery:
        raise Refused(f"identity: an operand of {what} is not in Montgomery form")
    if value.bound > limit:
        raise Refused(f"range: an operand of {what} is below {float(value.bound):.3f}p, not {float(limit):.3f}p")
    if carried and not value.is_carried:
        raise Refused(f"range: an operand of {what} is not carried")


class Values:
    """Gives the results of an operation their meaning. Subclasses add the operations on points."""

    def __init__(self):
        self.known = {}

    def __getitem__(self, number):
        if number not in self.known:
            raise Refused("identity: an operand that is no result")
        return self.known[number]

    def run(self, operation):
        method = getattr(self, f"do_{operation.name}", None)
        if method is None:
            raise Refused(f"identity: {operation.name} has no meaning here")
        # The operands of a constant are the words themselves.
        operands = [] if operation.name == "f_from_constant_words" else map(self.__getitem__, operation.operands)
        results = method(operation, *operands)
        for index, result in enumerate(results if isinstance(results, list) else [results]):
            self.known[operation.number + index] = result

    def do_set_float_state(self, operation):
        return None

    def do_restore_float_state(self, operation, state):
        return None

    def do_assay_wipe_stack(self, operation):
        return None

    def do_f_carry(self, operation, a):
        bounded(a, 16, "f_carry", carried=False)
        return mapped(a, lambda one: Element(one.factor, one.powers, one.bound))

    def do_f_multiplicand(self, operation, a):
        return bounded(a, 8, "f_multiplicand")

    def do_f_integer(self, operation, a):
        return bounded(a, 8, "f_integer")

    def do_f_shift(self, operation, a):
        power = 2**operation.immediate
        bounded(a, fractions.Fraction(16, power), "f_shift", carried=False)
        return mapped(a, lambda one: Element(one.factor * power, one.powers, one.bound * power, is_carried=False))

    def do_f_negated(self, operation, a):
        multiple = fractions.Fraction(operation.immediate)
        bounded(a, multiple, "f_negated")
        return mapped(a, lambda one: Element(-one.factor, one.powers, multiple, is_carried=False))

    def product(self, a, b, what):
        bounded(a, 8, what), bounded(b, 8, what)
        if isinstance(a, Choice) or isinstance(b, Choice):
            raise Refused(f"identity: an operand of {what} depends on a mask")
        result = a.times(b)
        # The head of field.h; the theorem on products has it for the largest operands.
        result.bound = a.bound * b.bound / 16 + 1
        return result

    def do_f_mul(self, operation, a, b):
        return self.product(a, b, "f_mul")

    def do_f_mul_sum(self, operation, a, b):
        result = self.product(a, b, "f_mul_sum")
        result.is_carried = False
        return result

    def do_m_one(self, operation):
        return Element(1, {}, fractions.Fraction(1))

    def do_inverses(self, operation, z):
        """The inverses, for z that are not 0."""
        bounded(z, INPUTS["inverses"]["z"], "inverses")
        result = Element(1, {}, None).times(z, -1)
        result.bound = RESULTS["inverses"]["r"]
        return result

    def do_m_to_montgomery(self, operation, a):
        if not isinstance(a, Element) or a.is_montgomery or not a.is_carried:
            raise Refused("identity: what is converted to Montgomery form is no number")
        if a.bound > BELOW_2_256:
            raise Refused("range: a number that is converted is not below 2^256")
        return Element(a.factor, a.powers, RESULTS["m_to_montgomery"]["r"])

    def do_f_from_montgomery(self, operation, a):
        bounded(a, 8, "f_from_montgomery")
        return Element(a.factor, a.powers, fractions.Fraction(1), is_montgomery=False)

    def do_select(self, operation, mask, a, b):
        return Choice(mask, a, b)

    def do_both(self, operation, a, b):
        return ("both", frozenset(part for mask in (a, b) for part in (mask[1] if mask[0] == "both" else [mask])))

    def do_not(self, operation, a):
        return ("not", a)

    def do_f_is_below_p(self, operation, a):
        if not isinstance(a, Element) or not a.is_carried or a.bound > BELOW_2_256:
            raise Refused("range: what is compared with p is not below 2^256")
        return ("below p", key(a))

    def do_m_is_zero(self, operation, a):
        return ("zero", key(bounded(a, 8, "m_is_zero")))

    def do_l_bits(self, operation, mask):
        return None


def key(element):
    return (element.factor, frozenset(element.powers.items()), element.is_montgomery)
