"""What a program works on: lengths that are not known, pointers, and objects of memory.

A length is a + b·rounds + c·left, for every number of rounds (of a loop) and of left (groups after it) from 0 on. An access
is within an object if that holds for all of them. The contents of an object are cells, one for each bit: a Boolean function,
None if the bit is undefined, or a part of a length or of a pointer."""

import dataclasses


class Refused(Exception):
    """A theorem does not hold, or it cannot be shown that it does."""


@dataclasses.dataclass(frozen=True)
class Length:
    constant: int
    rounds: int = 0
    left: int = 0

    def __add__(self, other):
        other = length(other)
        return Length(self.constant + other.constant, self.rounds + other.rounds, self.left + other.left)

    def __mul__(self, factor):
        return Length(self.constant * factor, self.rounds * factor, self.left * factor)

    def __sub__(self, other):
        return self + length(other) * -1

    def divided(self, divisor):
        parts = (self.constant, self.rounds, self.left)
        if any(part % divisor for part in parts):
            raise Refused(f"range: {self} is not always a multiple of {divisor}")
        return Length(*(part // divisor for part in parts))

    def after(self, rounds):
        """This length when some more rounds are done."""
        return Length(self.constant + self.rounds * rounds, self.rounds, self.left)

    def is_never_negative(self):
        return min(self.constant, self.rounds, self.left) >= 0

    def number(self):
        """This length as a number if it is one."""
        return self if self.rounds or self.left else self.constant

    def __str__(self):
        parts = [(self.rounds, "rounds"), (self.left, "left")]
        return " + ".join([f"{factor}·{name}" for factor, name in parts if factor] + [str(self.constant)])


def length(value):
    return value if isinstance(value, Length) else Length(value)


class Object:
    """Memory of its own: a variable, a table, the text or the output. Accesses count from its origin."""

    def __init__(self, name, size, align, is_constant=False, origin=0):
        self.name, self.size, self.align, self.is_constant = name, length(size), align, is_constant
        self.origin = length(origin)


class Text(Object):
    """The input. A byte at a place from the origin on is eight variables, the highest bit the first."""

    BEFORE, FIRST = 256, 4096

    def byte(self, logic, place):
        if not -self.BEFORE <= place:
            raise Refused(f"bounds: the text is read {-place} bytes before the loop's place")
        first = self.FIRST + 8 * (place + self.BEFORE)
        return tuple(logic.variable(first + 7 - bit) for bit in range(8))

    def example(self, values, is_ordinary):
        """The characters that variables stand for, as words: those that are not ordinary, if there are any."""
        characters = {}
        for variable, value in values.items():
            place, bit = divmod(variable - self.FIRST, 8)
            if place >= 0:
                characters[place] = characters.get(place, 0) | value << (7 - bit)
        chosen = {place: code for place, code in characters.items() if not is_ordinary(code)} or characters
        return "".join(f", text[{place - self.BEFORE}] = {code:#04x}" for place, code in sorted(chosen.items())[:4])


class Output(Object):
    """What is written: in a state's memory, a dictionary from places, from the origin on, to bytes."""


@dataclasses.dataclass(frozen=True)
class Pointer:
    object: Object
    offset: Length
    # A number that is added, times a scale: bits, the lowest first.
    index: tuple = ()
    scale: int = 0

    def moved(self, by):
        return dataclasses.replace(self, offset=self.offset + by)

    def last(self):
        """The offset if all bits of the index are set."""
        return self.offset + sum(1 << place for place, bit in enumerate(self.index) if bit) * self.scale

    def __str__(self):
        return f"{self.object.name} + {self.offset}"


def parts(value):
    """The 64 cells of a length or a pointer."""
    return tuple((value, place) for place in range(64))


def whole(cells):
    """The length or pointer that cells are all parts of, in order; None if there is none."""
    first = cells[0]
    if isinstance(first, tuple) and len(cells) == 64 and cells == parts(first[0]):
        return first[0]
    return None


def check_access(pointer, count, align, what):
    """Refuses an access to some bytes that is not within its object, or not aligned, for one of all lengths."""
    if not pointer.offset.is_never_negative():
        raise Refused(f"bounds: {what} before {pointer.object.name}, at {pointer.offset}")
    beyond = pointer.last() + count
    if not (pointer.object.size - beyond).is_never_negative():
        raise Refused(f"bounds: {what} up to {beyond} of {pointer.object.name}, which has {pointer.object.size}")
    if align > 1:
        steps = (pointer.offset.constant, pointer.offset.rounds, pointer.offset.left, pointer.scale, pointer.object.align)
        if any(step % align for step in steps):
            raise Refused(f"bounds: {what} of {pointer} is not aligned to {align}")


def check_address(pointer):
    """Refuses an address that C does not allow to be computed: one outside of its object and not at its end."""
    if not pointer.offset.is_never_negative() or not (pointer.object.size - pointer.last()).is_never_negative():
        raise Refused(f"bounds: the address {pointer} is outside of {pointer.object.name}, which has {pointer.object.size}")
