"""The values of a program: unknown lengths, pointers, and objects of memory.

A length is a number plus multiples of unknowns, each from 0 on. A comparison or an access is decided for all their values, or
it is refused. The contents of an object are cells, one for each bit: a Boolean function, None if the bit is undefined, or a
part of a value that is not made of bits, such as a length or a pointer."""

import dataclasses
import functools
import itertools

from algebra.decisions import TooLarge
from algebra.scope import Refused


def refusal(check, *arguments):
    """Why a theorem is refused; None if it is proved."""
    try:
        check(*arguments)
    except Refused as reason:
        return str(reason)
    except TooLarge:
        return "range: the Boolean functions become too large"


class Unknown:
    """A number from 0 on, at most a length if it has one."""

    serials = itertools.count()

    def __init__(self, name, most=None):
        self.name, self.most, self.serial = name, most, next(self.serials)


def order(term):
    return (1, term[0].serial) if isinstance(term[0], Unknown) else (0, term[0])


@dataclasses.dataclass(frozen=True)
class Length:
    constant: int = 0
    # Pairs of an unknown and its factor. A Boolean function is an unknown too: 0 or 1.
    terms: tuple = ()

    def __add__(self, other):
        if isinstance(other, int):
            return Length(self.constant + other, self.terms)
        factors = dict(self.terms)
        for unknown, factor in other.terms:
            factors[unknown] = factors.get(unknown, 0) + factor
        terms = sorted(((unknown, factor) for unknown, factor in factors.items() if factor), key=order)
        return Length(self.constant + other.constant, tuple(terms))

    def __mul__(self, factor):
        return Length(self.constant * factor, tuple((unknown, each * factor) for unknown, each in self.terms if factor))

    def __sub__(self, other):
        return self + length(other) * -1

    def divided(self, divisor):
        if any(part % divisor for part in (self.constant, *(factor for _, factor in self.terms))):
            raise Refused(f"range: {self} is not always a multiple of {divisor}")
        return Length(self.constant // divisor, tuple((unknown, factor // divisor) for unknown, factor in self.terms))

    def is_never_negative(self):
        for unknown, factor in self.terms:
            most = 1 if isinstance(unknown, int) else unknown.most
            if factor < 0 and most is not None:
                # The limit of an unknown is a length of earlier unknowns.
                return (self + (length(most) - multiple(unknown)) * factor).is_never_negative()
        return self.constant >= 0 and all(factor > 0 for _, factor in self.terms)

    def number(self):
        """This length, as an integer if it has no unknowns."""
        return self if self.terms else self.constant

    def __str__(self):
        names = [(factor, unknown.name if isinstance(unknown, Unknown) else "bit") for unknown, factor in self.terms]
        return " + ".join([name if factor == 1 else f"{factor}·{name}" for factor, name in names] + [str(self.constant)])


def length(value):
    return Length(value) if isinstance(value, int) else value


def multiple(unknown, factor=1):
    return Length(0, ((unknown, factor),))


@dataclasses.dataclass(frozen=True)
class Power:
    """2 to the power of a length."""

    length: Length


@dataclasses.dataclass(frozen=True)
class Prefix:
    """The lowest bits of another mask, as many as a length says."""

    length: Length
    bits: tuple = (1,) * 64


@dataclasses.dataclass(frozen=True)
class Selection:
    """The bytes of a vector that a mask selects, one after the other, followed by arbitrary bytes."""

    mask: object
    bytes: tuple


class Object:
    """Memory of its own: a variable, a table, the text or the output. Accesses count from its origin."""

    def __init__(self, name, size, align, is_constant=False, origin=0):
        self.name, self.size, self.align, self.is_constant = name, length(size), align, is_constant
        self.origin = length(origin)


class Text(Object):
    """The input. A byte at a place from the origin on is eight variables, the highest bit the first. Later bytes come before
    earlier ones, which keeps the functions of escapes small."""

    BEFORE, AFTER, FIRST = 128, 256, 4096

    def byte(self, logic, place):
        if not -self.BEFORE <= place <= self.AFTER:
            raise Refused(f"bounds: the text is read {place} bytes after the loop's place")
        first = self.FIRST + 8 * (self.AFTER - place)
        return tuple(logic.variable(first + 7 - bit) for bit in range(8))

    def example(self, values):
        """The characters that variables stand for, as text. Any character is possible at places without variables."""
        codes = {}
        for variable, value in values.items():
            place, bit = divmod(variable - self.FIRST, 8)
            if place >= 0:
                codes[self.AFTER - place] = codes.get(self.AFTER - place, 0) | value << (7 - bit)
        first = min(codes, default=0)
        text = bytes(codes.get(place, ord("A")) for place in range(first, max(codes, default=-1) + 1))
        return f", for {text!r}" + (f" from {first} on" if first else "")


class Output(Object):
    """The output. In a state's memory it is a dictionary from places, counted from the origin, to bytes."""


@dataclasses.dataclass(frozen=True)
class Pointer:
    object: Object
    offset: Length
    # A number that is added to the offset, times a scale: bits, the lowest first.
    index: tuple = ()
    scale: int = 0

    def moved(self, by):
        return dataclasses.replace(self, offset=self.offset + by)

    def last(self):
        """The offset if all bits of the index are set."""
        return self.offset + sum(1 << place for place, bit in enumerate(self.index) if bit) * self.scale

    def __str__(self):
        return f"{self.object.name} + {self.offset}"


@functools.lru_cache(1 << 12)
def parts(value, count=64):
    """The cells of a value that is not made of bits: each has the value, its place and the number of cells."""
    return tuple((value, place, count) for place in range(count))


def whole(cells):
    """The value of which cells are all parts, in order; None if there is none."""
    first = cells[0]
    if isinstance(first, tuple) and cells == parts(first[0], len(cells)):
        return first[0]
    return None


def check_access(pointer, count, align, what):
    """Refuses an access to some bytes unless it is within its object and aligned for all lengths."""
    if not pointer.offset.is_never_negative():
        raise Refused(f"bounds: {what} before {pointer.object.name}, at {pointer.offset}")
    beyond = pointer.last() + count
    if not (pointer.object.size - beyond).is_never_negative():
        raise Refused(f"bounds: {what} up to {beyond} of {pointer.object.name}, which has {pointer.object.size}")
    if align > 1:
        steps = (pointer.offset.constant, *(factor for _, factor in pointer.offset.terms), pointer.scale, pointer.object.align)
        if any(step % align for step in steps):
            raise Refused(f"bounds: {what} of {pointer} is not aligned to {align}")


def check_address(pointer):
    """Refuses an address that C does not allow to be computed: one outside of its object and not at its end."""
    if not pointer.offset.is_never_negative() or not (pointer.object.size - pointer.last()).is_never_negative():
        raise Refused(f"bounds: the address {pointer} is outside of {pointer.object.name}, which has {pointer.object.size}")
