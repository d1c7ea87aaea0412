"""verify.c and table.c: which points are added, what is inverted, and what the answers depend on.

Points are opaque; each has a form that says which multiples of which points it is. Numbers are products of powers of
symbols: coordinates of forms, the Z of sums, and the denominators of affine additions, whose inverses must be given.
The digits and the answers of comparisons are given. The terms of all digits at every place are checked separately."""

import pathlib

from algebra.scope import Refused
from compilation import recorded

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder/sums.cpp"
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
# x to 16x in Montgomery form.
TO_SCALED = 2**516 % P
DONE, REFUSED, UNSURE = 0, 1, 2
NOTHING = frozenset()


class Element:
    """1 or -1 times a product of symbol^power; 2 is a symbol, too."""

    def __init__(self, sign, powers):
        self.sign, self.powers = sign, {symbol: power for symbol, power in powers.items() if power}

    def times(self, other, exponent=1):
        powers = dict(self.powers)
        for symbol, power in other.powers.items():
            powers[symbol] = powers.get(symbol, 0) + exponent * power
        return Element(self.sign * other.sign, powers)

    def shifted(self, bits):
        return self.times(Element(1, {2: bits}))

    def same(self, other):
        return (self.sign, self.powers) == (other.sign, other.powers)


def symbol(name, power=1, sign=1):
    return Element(sign, {name: power})


def plus(a, b):
    total = dict(a)
    for name, coefficient in b:
        total[name] = total.get(name, 0) + coefficient
    return frozenset((name, coefficient) for name, coefficient in total.items() if coefficient)


def scaled(form, factor):
    return frozenset((name, factor * coefficient) for name, coefficient in form)


def coordinates(form, root=None):
    """x and y of a form: those of an affine point, or those of a sum with the Z `root`."""
    root = root or Element(1, {})
    x, y = symbol(("x", form)), symbol(("y", form))
    return x.times(root).times(root), y.times(root).times(root).times(root)


class Program:
    """Reads a recording line by line."""

    def __init__(self):
        self.values, self.asked, self.signatures, self.answers, self.stored, self.terms = {0: None}, [], [], [], {}, []

    def read(self, first, rest):
        if first == "ask":
            self.asked.append((rest[0], rest[1] == "1", [int(number) for number in rest[2:]]))
        elif first == "signature":
            self.signatures.append(list(map(int, rest)))
        elif first == "answer":
            self.answers.append(int(rest[0]))
        elif first == "store":
            position, multiple, x, y = map(int, rest)
            self.stored[position, multiple] = self.point(x, y)
        elif first == "digit":
            self.values, self.terms = {0: None}, self.terms + [list(map(int, rest))]
        elif first == "term":
            self.terms[-1].append(self.point(*map(int, rest)))
        else:
            results = getattr(self, "do_" + rest[0].replace("-", "_"))(int(first), *map(int, rest[1:]))
            for index, result in enumerate(results if isinstance(results, list) else [results]):
                self.values[int(first) + index] = result

    def element(self, number):
        value = self.values.get(number)
        if not isinstance(value, Element):
            raise Refused("identity: an operand that is no number")
        return value

    def point(self, x, y):
        """The form of an affine point; infinity is (0, 0)."""
        if x == y == 0:
            return NOTHING
        x, y = self.element(x), self.element(y)
        forms = [name[1] for name in x.powers if isinstance(name, tuple) and name[0] == "x"]
        if len(forms) == 1 and x.same(symbol(("x", forms[0]))):
            for sign in (1, -1):
                if y.same(symbol(("y", forms[0]), sign=sign)):
                    return scaled(forms[0], sign)
        raise Refused("identity: coordinates that are those of no affine point")

    def sum_of(self, numbers):
        """The form of an extended point, and its Z."""
        if not any(numbers):
            return NOTHING, None
        x, y, zz, zzz = map(self.element, numbers)
        forms = [name[1] for name in x.powers if isinstance(name, tuple) and name[0] == "x"]
        roots = [name for name in zz.powers if isinstance(name, tuple) and name[0] == "z"]
        root = symbol(roots[0]) if roots else Element(1, {})
        if len(forms) == 1 and len(roots) < 2:
            if all(one.same(other) for one, other in zip((x, y, zz, zzz), self.extended(forms[0], root))):
                return forms[0], root
        raise Refused("identity: coordinates that are those of no sum")

    def extended(self, form, root):
        """X, Y, ZZ = Z² and ZZZ = 4 · Z³ of a form with this Z: see point.h."""
        x, y = coordinates(form, root)
        square = root.times(root)
        return [x, y.shifted(2), square, square.times(root).shifted(2)]

    # Operations.

    def do_entry(self, number, table, position, multiple):
        return list(coordinates(frozenset([(table, multiple * 256**position)])))

    def do_outside(self, number):
        raise Refused("identity: an entry outside of the table")

    def do_negated(self, number, a):
        a = self.element(a)
        return Element(-a.sign, a.powers)

    def do_shift(self, number, a, bits):
        return self.element(a).shifted(bits)

    def do_multiply(self, number, *words):
        left, right = (sum(word << 64 * index for index, word in enumerate(half)) for half in (words[:4], words[4:]))
        if right == TO_SCALED:
            return symbol(("number", left))
        if left >= 2**64 or right >= 2**64:
            raise Refused("identity: a product of what is no number")
        return self.element(left).times(self.element(right))

    def do_inverse(self, number, a):
        return Element(1, {}).times(self.element(a), -1)

    def do_convert(self, number, x, y):
        return self.extended(self.affine(x, y), Element(1, {}))

    def affine(self, x, y):
        """The form of an affine point. The point of a table is named by its coordinates."""
        x_names, y_names = list(self.element(x).powers), list(self.element(y).powers)
        if [name[0] for name in x_names + y_names] == ["number", "number"]:
            form = frozenset([("P", 1)])
            for each, name in ((self.element(x), "x"), (self.element(y), "y")):
                each.powers = {(name, form): 1}
            return form
        return self.point(x, y)

    def do_double(self, number, *numbers):
        form, _ = self.sum_of(numbers)
        return self.extended(scaled(form, 2), symbol(("z", number)))

    def do_add(self, number, *operands):
        form, _ = self.sum_of(operands[:4])
        return self.extended(plus(form, self.point(*operands[4:])), symbol(("z", number)))

    def do_denominator(self, number, *operands):
        return symbol(("denominator", self.point(*operands[:2]), self.point(*operands[2:])))

    def do_add_affine(self, number, *operands):
        left, right = self.point(*operands[:2]), self.point(*operands[2:4])
        if not self.element(operands[4]).same(symbol(("denominator", left, right), -1)):
            raise Refused("identity: the inverse of another denominator")
        total = plus(left, right)
        # Infinity has no coordinates, but no recorded digits lead to it.
        return list(coordinates(total))


def record(kernels):
    programs, program = {}, None
    for line in recorded(RECORDER, kernels / "CP256"):
        first, *rest = line.split()
        if first == "program":
            program = programs[rest[0]] = []
        else:
            program.append((first, rest))
    return programs


def executed(lines):
    program = Program()
    for first, rest in lines:
        program.read(first, rest)
    return program


def check_terms(lines):
    """The term of each digit at each place."""
    terms = executed(lines).terms
    for digit, place, found in terms:
        expected = frozenset([(place // 32, digit * 256**(place % 32))]) if digit else NOTHING
        if found != expected:
            raise Refused(f"identity: the digit {digit} at place {place} is another term")
    if len(terms) != 257 * 64:
        raise Refused("identity: some digits have no terms")


class Signature:
    def __init__(self, index, numbers):
        self.is_read, self.is_inverse = numbers[:2]
        self.r, digits = int.from_bytes(bytes(numbers[2:34])), numbers[34:]
        self.total = NOTHING
        for place, digit in enumerate(digits):
            table = 0 if place < 32 else index + 1
            self.total = plus(self.total, frozenset([(table, digit * 256**(place % 32))] if digit else []))


def check_signatures(lines):
    program = executed(lines)
    asked = iter(program.asked)
    for index, (numbers, answer) in enumerate(zip(program.signatures, program.answers)):
        signature = Signature(index, numbers)
        expected = REFUSED if not signature.is_read else UNSURE
        if signature.is_read and signature.is_inverse:
            expected = decided(program, signature, asked)
        if answer != expected:
            raise Refused(f"identity: for signature {index}, {answer} is answered, not {expected}")
    if next(asked, None) is not None or len(program.answers) != len(program.signatures):
        raise Refused("identity: more is compared")


def decided(program, signature, asked):
    """The decision by a signature's comparisons: is the sum 0, or not on the curve; then x = r and x = r + n."""
    zero, _, (zz,) = expect(asked, "zero")
    if zero:
        check_zz(program, zz)
        return REFUSED
    is_point, _, numbers = expect(asked, "on-curve")
    form, root = program.sum_of(numbers)
    if form != signature.total or numbers[2] != zz:
        raise Refused("identity: the sum is another than u1 · G + u2 · Q")
    if not is_point:
        return UNSURE
    for number in [signature.r] + ([signature.r + N] if signature.r + N < P else []):
        is_same, _, (left, right) = expect(asked, "equal")
        expected = symbol(("number", number)).times(root).times(root)
        if right != numbers[0] or not program.element(left).same(expected):
            raise Refused("identity: x is compared with another number")
        if is_same:
            return DONE
    return REFUSED


def check_zz(program, zz):
    """Checks that ZZ of a sum is a square."""
    powers = program.element(zz).powers
    if len(powers) != 1 or next(iter(powers.values())) != 2:
        raise Refused("identity: what is compared with 0 is no ZZ")


def expect(asked, question):
    found, is_so, numbers = next(asked, (None, None, None))
    if found != question:
        raise Refused(f"identity: {found} is asked, not {question}")
    return is_so, found, numbers


def check_table(lines):
    """Checks that entry j of position i is j · 256^i times the point, and that every comparison counts."""
    program = executed(lines)
    if program.answers != [int(all(is_so for _, is_so, _ in program.asked))]:
        raise Refused("identity: a table is valid for other reasons")
    for question, _, numbers in program.asked:
        if question == "equal" and not program.element(numbers[0]).same(program.element(numbers[1])):
            raise Refused("identity: what is compared is never equal")
    on_curve = {program.point(*numbers) for question, _, numbers in program.asked if question == "on-curve" and not any(
        name[0] == "number" for name in program.element(numbers[0]).powers)}
    for position in range(32):
        for multiple in range(1, 129):
            form = frozenset([("P", multiple * 256**position)])
            if program.stored.get((position, multiple)) != form:
                raise Refused(f"identity: entry {multiple} of position {position} is another")
            if form not in on_curve:
                raise Refused(f"identity: entry {multiple} of position {position} is not checked")
    # A no ends the two comparisons of a power.
    doubled = sum(question == "equal" for question, _, _ in program.asked)
    if program.answers == [1] and doubled != 64:
        raise Refused("identity: not all powers are compared with twice the last multiple")


def of_all(check, prefix):
    """A check of all programs whose names begin with a prefix."""
    def check_all(programs):
        chosen = [lines for name, lines in programs.items() if name.startswith(prefix)]
        if not chosen:
            raise Refused("recorder: nothing is recorded")
        for lines in chosen:
            check(lines)
    return check_all


THEOREMS = [
    ("load_term", "the term of each digit within -128...128, at each of 64 places", of_all(check_terms, "load_term")),
    ("verify_one", "x of u1 · G + u2 · Q is compared with r: one", of_all(check_signatures, "verify/1/")),
    ("verify", "the same for 2, 3, 17, 33 and 64 signatures, with shared inversions", of_all(check_signatures, "verify/")),
    ("make_table", "entry j of position i is j · 256^i times the point; each is checked", of_all(check_table, "table")),
]
