"""Numbers as tuples of Boolean functions, the lowest bit first, and the operations of a processor on them."""


class Numbers:
    def __init__(self, logic):
        self.logic = logic
        self.known, self.tables = {}, {}

    def add(self, a, b, carry=0):
        """The sum and the carry out of it."""
        logic, result = self.logic, []
        for x, y in zip(a, b):
            if carry == 0 and (x == 0 or y == 0):
                result.append(x or y)
                continue
            differ = logic.differ(x, y)
            result.append(logic.differ(differ, carry))
            carry = logic.either(logic.both(x, y), logic.both(differ, carry))
        return tuple(result), carry

    def subtract(self, a, b):
        """The difference and whether it is not negative."""
        return self.add(a, self.complement(b), 1)

    def complement(self, a):
        return tuple(map(self.logic.negation, a))

    def multiply(self, a, b):
        """The product modulo 2^len(a)."""
        if not set(a) <= {0, 1} and set(b) <= {0, 1}:
            a, b = b, a
        total = (0,) * len(a)
        for place, bit in enumerate(a):
            if bit:
                shifted = (0,) * place + b[:len(b) - place]
                total, _ = self.add(total, tuple(self.logic.both(bit, other) for other in shifted))
        return total

    def select(self, condition, a, b):
        return tuple(self.logic.choice(condition, x, y) for x, y in zip(a, b))

    def equal(self, a, b):
        return self.logic.none_of(map(self.logic.differ, a, b))

    def below(self, a, b, is_signed=False):
        if is_signed:
            a, b = a[:-1] + (self.logic.negation(a[-1]),), b[:-1] + (self.logic.negation(b[-1]),)
        return self.logic.negation(self.subtract(a, b)[1])

    def compare(self, predicate, a, b):
        if predicate in ("eq", "ne"):
            result = self.equal(a, b)
            return result if predicate == "eq" else self.logic.negation(result)
        is_signed, relation = predicate[0] == "s", predicate[1:]
        if relation in ("gt", "le"):
            a, b = b, a
        result = self.below(a, b, is_signed)
        return result if relation in ("lt", "gt") else self.logic.negation(result)

    def apply(self, operation, a, b):
        """One of the bitwise operations, `add`, `sub` or `mul`, modulo 2^len(a)."""
        key = (operation, a, b)
        result = self.known.get(key)
        if result is None:
            if operation in ("and", "or", "xor"):
                function = {"and": self.logic.both, "or": self.logic.either, "xor": self.logic.differ}[operation]
                result = tuple(map(function, a, b))
            else:
                result = {"add": lambda: self.add(a, b)[0], "sub": lambda: self.subtract(a, b)[0],
                          "mul": lambda: self.multiply(a, b)}[operation]()
            self.known[key] = result
        return result

    def entry(self, index, entries):
        """The entry that an index selects; entries are tuples of bits, as many as the index has values."""
        key = (index, id(entries))
        if key not in self.known:
            # The entries are kept with the result, so that no other object gets their id.
            self.known[key] = (self.looked_up(index, entries), entries)
        return self.known[key][0]

    def looked_up(self, index, entries):
        if id(entries) not in self.tables:
            is_constant = all(bit is not None and bit <= 1 for entry in entries for bit in entry)
            self.tables[id(entries)] = entries, list(map(bytes, zip(*entries))) if is_constant else None
        tables = self.tables[id(entries)][1]
        return self.selected(index, entries) if tables is None else self.logic.look_up(index, tables)

    def selected(self, index, entries):
        if len(entries) == 1:
            return entries[0]
        half = len(entries) // 2
        high = index[-1]
        if high == 0:
            return self.selected(index[:-1], entries[:half])
        if high == 1:
            return self.selected(index[:-1], entries[half:])
        if all(entry is entries[0] or entry == entries[0] for entry in entries):
            return entries[0]
        return self.select(high, self.selected(index[:-1], entries[half:]), self.selected(index[:-1], entries[:half]))


def bits_of(number, width):
    return tuple(number >> place & 1 for place in range(width))


def number_of(bits):
    """The number that bits form if all are constant, else None."""
    number = 0
    for place, bit in enumerate(bits):
        if bit == 1:
            number |= 1 << place
        elif bit != 0:
            return None
    return number
