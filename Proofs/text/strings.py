"""What a JSON string means (RFC 8259 section 7), as Boolean functions of the text's bytes from a place on at which a character
or an escape begins. Texts that are not cut off are assumed to go on; an escape that is cut off is none.

The content of an escape has no more bytes than the escape. Each byte of the content is assigned a place in the escape,
in their order: the last places, or for a pair of surrogates the last two of each. Places without a byte are dropped. A
kernel may select bytes at these places, or write them one by one."""

from algebra.bits import bits_of

CONTENTS = dict(zip(b'"\\/bfnrt', b'"\\/\b\f\n\r\t'))
DIGITS = {code: int(chr(code), 16) for code in b"0123456789ABCDEFabcdef"}

COUNTS = (1, 2, 6, 12)
_, SIMPLE, SINGLE, PAIR = COUNTS
PAIR_PLACES = (4, 5, 10, 11)


def table(function, width):
    return tuple(bits_of(function(code), width) for code in range(256))


MEANINGS = table(lambda code: CONTENTS.get(code, 0), 8)
IS_SIMPLE = table(lambda code: code in CONTENTS, 1)
VALUES = table(lambda code: DIGITS.get(code, 0), 4)
IS_DIGIT = table(lambda code: code in DIGITS, 1)
IS_BACKSLASH = table(lambda code: code == 0x5C, 1)
IS_U = table(lambda code: code == ord("u"), 1)
# The bytes that stand for themselves: in a string that is scanned, and in a scanned one that is unescaped.
IS_PLAIN = table(lambda code: 0x20 <= code < 0x80 and code not in b'"\\', 1)
IS_ORDINARY = table(lambda code: code != 0x5C, 1)


class Grammar:
    def __init__(self, logic, numbers, text, left=None, plain=IS_PLAIN):
        self.logic, self.numbers, self.text, self.left, self.plain = logic, numbers, text, left, plain
        self.known = {}

    def look_up(self, entries, place):
        return self.numbers.entry(self.text.byte(self.logic, place), entries)

    def remembered(self, function, *arguments):
        key = (function.__name__, *arguments)
        if key not in self.known:
            self.known[key] = function(*arguments)
        return self.known[key]

    # Escapes.

    def fits(self, place, count):
        return self.left is None or place + count <= self.left

    def is_plain(self, place):
        return self.look_up(self.plain, place)[0] if self.fits(place, 1) else 0

    def is_backslash(self, place):
        return self.look_up(IS_BACKSLASH, place)[0] if self.fits(place, 1) else 0

    def unit(self, place):
        """Whether a code unit is written at a place, and its 16 bits."""
        if not self.fits(place, 6):
            return 0, (0,) * 16
        digits = [self.look_up(VALUES, place + index) for index in (5, 4, 3, 2)]
        valid = [self.look_up(IS_BACKSLASH, place)[0], self.look_up(IS_U, place + 1)[0],
                 *(self.look_up(IS_DIGIT, place + index)[0] for index in range(2, 6))]
        return self.logic.all_of(valid), sum(digits, ())

    def surrogate(self, place, is_low):
        """Whether one half of a pair is written at a place: 110110 or 110111 and ten bits."""
        valid, bits = self.remembered(self.unit, place)
        return self.logic.both(valid, self.numbers.equal(bits[10:], bits_of(0b110111 if is_low else 0b110110, 6)))

    def escape(self, place, count):
        """Whether an escape of so many bytes begins at a place."""
        logic = self.logic
        if count == SIMPLE:
            if not self.fits(place, 2):
                return 0
            return logic.both(self.is_backslash(place), self.look_up(IS_SIMPLE, place + 1)[0])
        if count == PAIR:
            return logic.both(self.surrogate(place, False), self.surrogate(place + 6, True))
        valid, bits = self.remembered(self.unit, place)
        return logic.both(valid, logic.negation(self.numbers.equal(bits[11:], bits_of(0b11011, 5))))

    # The places that are read from the first one on.

    def begins(self, place):
        """Whether a character or an escape begins at a place, or the text may be read up to there."""
        if place <= 0:
            return int(place == 0)
        return self.logic.any_of(self.unit_from(place - count, count) for count in COUNTS)

    def unit_from(self, place, count, begins=None):
        """Whether a character or an escape of `count` bytes begins at a place and is read."""
        if place < 0:
            return 0
        begins = self.remembered(begins or self.begins, place)
        return self.logic.both(begins, self.is_plain(place) if count == 1 else self.remembered(self.escape, place, count))

    def escapes(self, place):
        """Whether the text may be read up to a place and there is an escape before it."""
        if place <= 0:
            return 0
        before = self.logic.both(self.is_plain(place - 1), self.remembered(self.escapes, place - 1))
        return self.logic.any_of([before, *(self.unit_from(place - count, count) for count in COUNTS[1:])])

    def stops(self, place):
        """Whether nothing can be read at a place."""
        if self.left is not None and place >= self.left:
            return 1
        return self.logic.none_of([self.is_plain(place), *(self.remembered(self.escape, place, count) for count in COUNTS[1:])])

    # Necessary conditions that depend on few bytes.

    def is_even(self, place):
        """Whether the number of backslashes just before a place is even."""
        if place <= 0:
            return 1
        return self.logic.negation(self.logic.both(self.is_backslash(place - 1), self.remembered(self.is_even, place - 1)))

    def may_begin(self, place):
        """Whether no escape before a place, after an even number of backslashes, includes the place. This is necessary
        for something to begin there (`check_may_begin`)."""
        if place < 0:
            return 0
        covers = [self.logic.both(self.remembered(self.is_even, place - index), self.remembered(self.escape, place - index, count))
                  for count in COUNTS[1:] for index in range(1, count) if index <= place]
        return self.logic.both(self.remembered(self.is_even, place), self.logic.none_of(covers))

    def check_may_begin(self, place):
        return self.logic.both(self.remembered(self.begins, place), self.logic.negation(self.remembered(self.may_begin, place))) == 0

    # Content.

    def contents(self, place, end=None):
        """The possible contents of a place: pairs of a condition and the bits of its byte, None if it is dropped. If
        `end` is given, the conditions are necessary, but not sufficient."""
        def reads(index, count):
            if end is None:
                return self.unit_from(place - index, count)
            begins = self.may_begin if count == 1 else self.is_even
            return self.unit_from(place - index, count, begins) if place - index + count <= end else 0

        found = [(reads(0, 1), self.text.byte(self.logic, place)), (reads(0, SIMPLE), None),
                 (reads(1, SIMPLE), self.look_up(MEANINGS, place))]
        for index in range(SINGLE):
            if condition := reads(index, SINGLE):
                found += [(self.logic.both(condition, applies), utf8[index - SINGLE] if index >= SINGLE - len(utf8) else None)
                          for applies, utf8 in self.remembered(self.of_single, place - index)]
        for index in range(PAIR):
            if condition := reads(index, PAIR):
                utf8 = self.remembered(self.of_pair, place - index)
                found.append((condition, utf8[PAIR_PLACES.index(index)] if index in PAIR_PLACES else None))
        return [(condition, bits) for condition, bits in found if condition]

    def of_single(self, place):
        """The UTF-8 of an escape: the conditions for one, two and three bytes, and these bytes."""
        logic, bits = self.logic, self.remembered(self.unit, place)[1]
        is_one = logic.none_of(bits[7:])
        is_three = logic.negation(logic.none_of(bits[11:]))
        return [(is_one, [bits[:7] + (0,)]),
                (logic.none_of([is_one, is_three]), [bits[6:11] + (0, 1, 1), bits[:6] + (0, 1)]),
                (is_three, [bits[12:] + (0, 1, 1, 1), bits[6:12] + (0, 1), bits[:6] + (0, 1)])]

    def scalar(self, place, count):
        """The 32 bits of the scalar value of an escape."""
        if count == SIMPLE:
            bits = self.look_up(MEANINGS, place + 1)
        elif count == SINGLE:
            bits = self.remembered(self.unit, place)[1]
        else:
            high, low = (self.remembered(self.unit, place + index)[1][:10] for index in (0, 6))
            # 0x10000 plus ten bits and ten bits.
            bits = low + self.numbers.add(high + (0,), bits_of(0x10000 >> 10, 11))[0]
        return bits + (0,) * (32 - len(bits))

    def of_pair(self, place):
        """The four bytes of UTF-8 of a pair of surrogates."""
        bits = self.scalar(place, PAIR)
        return [bits[18:21] + (0, 1, 1, 1, 1), bits[12:18] + (0, 1), bits[6:12] + (0, 1), bits[:6] + (0, 1)]

    def kept(self, place):
        """Whether a place has a byte of the content."""
        return self.logic.any_of(condition for condition, bits in self.remembered(self.contents, place) if bits is not None)
