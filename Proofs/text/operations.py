"""The operations of a program on numbers, lengths and vectors. Behaviour that C leaves undefined is refused: a sum that
overflows, a shift by too much, a bit that was not written."""

from algebra.bits import bits_of, number_of
from text.memory import Length, Power, Prefix, Refused, Unknown, length, multiple, whole
from text.program import offset, size, width

UNDEFINED = None


class Operations:
    def bits(self, value, count):
        if isinstance(value, int):
            return bits_of(value, count)
        if not isinstance(value, tuple) or any(isinstance(bit, tuple) for bit in value):
            raise Refused("recorder: a length or an address where a number is needed")
        return value

    def known_bits(self, value, count):
        bits = self.bits(value, count)
        if UNDEFINED in bits:
            raise Refused("range: what is undefined is used")
        return bits

    def simple(self, type, bits):
        """The value of a type from its bits: an integer if they are constant."""
        if type[0] == "p" or type[0] == "i":
            value = whole(bits)
            if value is None and type[0] == "i":
                value = number_of(bits)
            return bits if value is None else value
        return bits

    def lanes(self, type, value):
        """The elements of a vector, or a single number."""
        bits = self.known_bits(value, width(type))
        step = width(type[2]) if type[0] == "v" else len(bits)
        return [bits[place:place + step] for place in range(0, len(bits), step)]

    def binary(self, operation, state, frame, type, first, second, flags):
        a, b = self.value(state, frame, type, first), self.value(state, frame, type, second)
        if isinstance(a, (Power, Prefix)) or isinstance(b, (Power, Prefix)) or operation == "shl" and isinstance(b, Length):
            return self.of_prefixes(operation, a, b)
        if isinstance(a, Length) or isinstance(b, Length):
            result = self.of_lengths(operation, a, b)
            if type != ("i", 64):
                self.is_narrow(result, width(type))
            return result
        if operation in ("sdiv", "srem"):
            return self.quotient(operation, type, a, b)
        if operation in ("shl", "lshr", "ashr", "udiv"):
            if flags:
                raise Refused(f"recorder: {operation} with {', '.join(flags)}")
            lanes = [self.shift(operation, x, number_of(y)) for x, y in zip(self.lanes(type, a), self.lanes(type, b))]
        else:
            lanes = [self.numbers.apply(operation, x, y) for x, y in zip(self.lanes(type, a), self.lanes(type, b))]
            if flags & {"nsw", "nuw"}:
                self.check_overflow(operation, state, a, b, type, flags)
        return self.simple(type, tuple(bit for lane in lanes for bit in lane))

    def quotient(self, operation, type, a, b):
        """The quotient of known numbers that are not negative."""
        if not isinstance(a, int) or not isinstance(b, int) or b == 0 or max(a, b) >= 2 ** (type[1] - 1):
            raise Refused(f"recorder: {operation} of what is not known")
        return a // b if operation == "sdiv" else a % b

    def check_overflow(self, operation, state, a, b, type, flags):
        if not isinstance(a, int) or not isinstance(b, int):
            self.check_sign(operation, state, self.lanes(type, a), self.lanes(type, b), flags)
            return
        if "nsw" in flags:
            half = 2 ** (type[1] - 1)
            a, b, low, high = (a + half) % (2 * half) - half, (b + half) % (2 * half) - half, -half, half
        else:
            low, high = 0, 2 ** type[1]
        result = {"add": a + b, "sub": a - b, "mul": a * b}[operation]
        if not low <= result < high:
            raise Refused(f"range: {operation} overflows")

    def check_sign(self, operation, state, a, b, flags):
        """Checks that a result, computed with twice as many bits, has the sign of its upper half."""
        if flags != {"nsw"} or len(a) != 1:
            raise Refused(f"range: {operation} of what is not known may overflow")
        (a,), (b,) = a, b
        count = len(a)
        result = self.numbers.apply(operation, a + (a[-1],) * count, b + (b[-1],) * count)
        for bit in result[count:]:
            if self.logic.conjunction([state.condition, *state.large, self.logic.differ(bit, result[count - 1])]):
                raise Refused(f"range: {operation} overflows")

    def of_lengths(self, operation, a, b):
        if operation in ("add", "sub"):
            a, b = self.as_lengths(a, b)
            result = a + b if operation == "add" else a - b
        elif operation == "mul" and isinstance(b, int):
            result = a * b
        elif operation == "udiv" and isinstance(b, int) and b:
            result = a.divided(b)
        else:
            raise Refused(f"recorder: {operation} of a length")
        if not result.is_never_negative() or not (self.bound - result).is_never_negative():
            raise Refused(f"range: the length {result} may be negative or overflow")
        return result.number()

    def as_lengths(self, *values):
        if not all(isinstance(value, (int, Length)) for value in values):
            raise Refused("recorder: a length and a number that is not known")
        return map(length, values)

    def of_prefixes(self, operation, a, b):
        """The mask of the lowest bits up to a length: (1 << length) - 1, and its conjunction with another mask."""
        if operation == "shl" and a == 1 and (length(63) - b).is_never_negative():
            return Power(b)
        if operation == "sub" and isinstance(a, Power) and b == 1:
            return Prefix(a.length)
        if operation == "and" and isinstance(b, Prefix):
            return Prefix(b.length, self.numbers.apply("and", self.known_bits(a, 64), b.bits))
        raise Refused(f"recorder: {operation} of a mask that is not known")

    def count(self, value, bits):
        """The number of bits of a mask that are set."""
        if isinstance(value, Prefix):
            if value == Prefix(value.length):
                return value.length
            if value not in self.counts:
                self.counts[value] = multiple(Unknown("selected", value.length))
            return self.counts[value]
        return sum((multiple(bit) for bit in self.known_bits(value, bits) if bit > 1), length(value.bit_count())
                   if isinstance(value, int) else length(value.count(1))).number()

    def shift(self, operation, bits, distance):
        """A shift, or a division by a power of two."""
        if operation == "udiv" and distance and distance & (distance - 1) == 0:
            distance = distance.bit_length() - 1
        elif operation == "udiv" or distance is None or distance >= len(bits):
            raise Refused(f"range: {operation} by {distance}")
        if operation == "shl":
            return (0,) * distance + bits[:len(bits) - distance]
        return bits[distance:] + (bits[-1] if operation == "ashr" else 0,) * distance

    def do_icmp(self, state, frame, predicate, type, first, second):
        a, b = self.value(state, frame, type, first), self.value(state, frame, type, second)
        if isinstance(a, Length) or isinstance(b, Length):
            if type != ("i", 64) or any(isinstance(value, int) and value >= 2**63 for value in (a, b)):
                raise Refused(f"recorder: a length is compared as {type}, or with a negative number")
            return self.compare_lengths(predicate, *self.as_lengths(a, b))
        if isinstance(b, int) and b and b & (b - 1) == 0 and predicate in ("slt", "ult") and not isinstance(a, int):
            # Only the bits from the power of two on and the sign decide; those below need not be defined.
            bits, place = self.bits(a, width(type)), b.bit_length() - 1
            if predicate == "ult" or bits[-1] == 0 and place < len(bits) - 1:
                return self.simple(("i", 1), (self.logic.none_of(self.known_bits(bits[place:], 0)),))
        pairs = zip(self.lanes(type, a), self.lanes(type, b))
        return self.simple(type if type[0] == "v" else ("i", 1), tuple(self.numbers.compare(predicate, *pair) for pair in pairs))

    def compare_lengths(self, predicate, a, b):
        if predicate[-2:] in ("gt", "le"):
            a, b = b, a
        if predicate in ("eq", "ne"):
            is_true = False if (a - b - 1).is_never_negative() or (b - a - 1).is_never_negative() else a == b or None
            is_true = is_true if predicate == "eq" or is_true is None else not is_true
        else:
            is_less = True if (b - a - 1).is_never_negative() else False if (a - b).is_never_negative() else None
            is_true = is_less if predicate[-2:] in ("lt", "gt") or is_less is None else not is_less
        if is_true is None:
            raise Refused(f"range: whether {a} {predicate} {b} is not the same for all lengths")
        return int(is_true)

    def do_phi(self, state, frame, type, sources):
        return self.value(state, frame, type, sources[frame.previous])

    def do_select(self, state, frame, condition, first, second):
        chosen = self.value(state, frame, *condition)
        a, b = (self.value(state, frame, *each) for each in (first, second))
        if isinstance(chosen, int):
            return a if chosen else b
        pairs = zip(self.known_bits(chosen, 1), self.lanes(first[0], a), self.lanes(first[0], b), strict=True)
        return self.simple(first[0], tuple(bit for triple in pairs for bit in self.numbers.select(*triple)))

    def is_narrow(self, value, count):
        """Whether a value is a length that has fewer than so many bits."""
        if isinstance(value, Length) and not (length(2 ** (count - 1) - 1) - value).is_never_negative():
            raise Refused(f"range: {value} may have more than {count} bits")
        return isinstance(value, Length)

    def do_zext(self, state, frame, type, operand, target):
        return self.extended(state, frame, type, operand, target, lambda lane: 0)

    def do_sext(self, state, frame, type, operand, target):
        return self.extended(state, frame, type, operand, target, lambda lane: lane[-1])

    def extended(self, state, frame, type, operand, target, fill):
        value = self.value(state, frame, type, operand)
        if self.is_narrow(value, width(type)):
            return value
        if type[0] == "i":
            # The lower bits need not be defined.
            lanes, count = [self.bits(value, width(type))], target[1]
        else:
            lanes, count = self.lanes(type, value), width(target[2])
        return self.simple(target, tuple(bit for lane in lanes for bit in lane + (fill(lane),) * (count - len(lane))))

    def do_trunc(self, state, frame, type, operand, target):
        value = self.value(state, frame, type, operand)
        if type[0] == "i":
            if self.is_narrow(value, target[1]):
                return value
            return self.simple(target, self.bits(value, width(type))[:target[1]])
        return tuple(bit for lane in self.lanes(type, value) for bit in lane[:width(target[2])])

    def do_bitcast(self, state, frame, type, operand, target):
        value = self.value(state, frame, type, operand)
        return self.simple(target, bits_of(value, width(type))) if isinstance(value, int) else self.plain(target, value)

    def plain(self, type, value):
        """The same bits as a value of another type."""
        return self.simple(type, value) if isinstance(value, tuple) else value

    def do_insertelement(self, state, frame, vector, element, index):
        bits, step = self.value(state, frame, *vector), width(element[0])
        place = step * self.value(state, frame, *index)
        return bits[:place] + self.bits(self.value(state, frame, *element), step) + bits[place + step:]

    def do_extractelement(self, state, frame, vector, index):
        step, place = width(vector[0][2]), self.value(state, frame, *index)
        return self.simple(vector[0][2], self.value(state, frame, *vector)[step * place:step * (place + 1)])

    def do_shufflevector(self, state, frame, first, second, mask):
        step = width(first[0][2])
        bits = self.value(state, frame, *first) + self.value(state, frame, *second)
        indices = self.value(state, frame, *mask)
        places = [step * number_of(indices[place:place + 32]) for place in range(0, len(indices), 32)]
        return tuple(bit for place in places for bit in bits[place:place + step])

    def do_extractvalue(self, state, frame, type, operand, index):
        element = type[1][index] if type[0] == "s" else type[2]
        place = 8 * (offset(type, index) if type[0] == "s" else index * size(element))
        return self.simple(element, self.value(state, frame, type, operand)[place:place + width(element)])


def add_binary(operation):
    setattr(Operations, "do_" + operation, lambda self, *operands: self.binary(operation, *operands))


for each in ("add", "sub", "mul", "udiv", "sdiv", "srem", "and", "or", "xor", "shl", "lshr", "ashr"):
    add_binary(each)
