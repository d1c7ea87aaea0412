"""Verification: verify.h and comb.h compute u1 · G + u2 · Q and compare its x with r.

Digits are public, and the code branches on them. So each lane has its own sum here: a form that says which multiples of
which tables' points it is. Two things are shown for all digits: the terms that are made of each digit at each place,
and the sums of terms, for every choice of absent terms in three steps. (A step depends only on the sum, on which lanes
have one, and on its terms.) The rest of the functions does not branch on digits, and is shown for some digits.

An exceptional addition leaves ZZ = 0, and later ones keep it: see the theorems on e_add_affine and e_add. So a form is
right if ZZ is not 0 at the end."""

from algebra.scope import Refused
from callers.agreement import DONE, N, REFUSED, UNSURE, Agreement, check_state, in_lanes, plus
from callers.values import BELOW_2_256, INPUTS, RESULTS, bounded

P_LESS_N = 2**256 - 2**224 + 2**192 + 2**96 - 1 - N
COORDINATES = ("x", "y", "zz", "zzz")


class Entries:
    """Words of the entries that the lanes load: x in the first four, y in the others."""

    def __init__(self, places, index):
        self.places, self.index = places, index


class Entry:
    """A coordinate of the lanes' entries, with the lanes in which it is negated."""

    def __init__(self, name, places, negated=0, bound=BELOW_2_256, is_carried=True):
        self.name, self.places, self.negated, self.bound, self.is_carried = name, places, negated, bound, is_carried


class Sum:
    """A coordinate of a sum: the sum's number, and the lanes' forms."""

    def __init__(self, number, name, forms):
        self.number, self.name, self.forms = number, name, forms


def forms_of(entry, negative):
    """The lanes' terms: table t, position i and multiple j stand for j · 256^i times the table's point."""
    return [frozenset([(table, (-1 if negative >> lane & 1 else 1) * multiple * 256**position)])
            for lane, (table, position, multiple) in enumerate(entry.places)]


class Verification(Agreement):
    def __init__(self, lanes):
        super().__init__()
        self.lanes, self.masks = lanes, []

    def do_read_signature(self, operation):
        return None

    def do_invert_signatures(self, operation):
        return None

    def do_l_load_entries(self, operation):
        if None in operation.words or len(operation.words) != self.lanes:
            raise Refused("identity: an entry outside of the tables")
        places = tuple(operation.words)
        return [Entries(places, index) for index in range(8)]

    def do_f_from_words(self, operation, *words):
        if not isinstance(words[0], Entries):
            return super().do_f_from_words(operation, *words)
        first = words[0].index
        if first not in (0, 4) or any(word.places is not words[0].places for word in words) or [
                word.index for word in words] != list(range(first, first + 4)):
            raise Refused("identity: the words of an entry in another order")
        return Entry("x" if first == 0 else "y", words[0].places)

    def do_l_mask(self, operation):
        return ("lanes", operation.immediate)

    def do_f_negated(self, operation, a):
        # A coordinate in a table is below p.
        if not isinstance(a, Entry):
            return super().do_f_negated(operation, a)
        if a.negated or operation.immediate < 1:
            raise Refused("range: a negated coordinate may be below zero")
        return Entry(a.name, a.places, 2**self.lanes - 1, operation.immediate, is_carried=False)

    def do_f_carry(self, operation, a):
        if not isinstance(a, Entry):
            return super().do_f_carry(operation, a)
        return Entry(a.name, a.places, a.negated, a.bound)

    def do_select(self, operation, mask, a, b):
        if not isinstance(a, Entry) or not isinstance(b, Entry) or mask[0] != "lanes" or a.places is not b.places:
            return super().do_select(operation, mask, a, b)
        negated = sum(((b if mask[1] >> lane & 1 else a).negated >> lane & 1) << lane for lane in range(self.lanes))
        if a.name != b.name or not a.is_carried or not b.is_carried:
            raise Refused("range: what is selected is not carried")
        return Entry(a.name, a.places, negated, max(a.bound, b.bound))

    def affine(self, what, x, y):
        """The entry whose coordinates are given."""
        if not isinstance(x, Entry) or not isinstance(y, Entry) or x.places is not y.places or (
                x.name, y.name, x.negated) != ("x", "y", 0):
            raise Refused("identity: coordinates that are not those of an entry")
        for value, name in ((x, "x"), (y, "y")):
            limit = INPUTS[what].get(f"a.{name}" if what == "e_from_affine" else f"b.{name}")
            if not value.is_carried or value.bound > limit:
                raise Refused(f"range: an operand of {what} is not below {float(limit)}p, or not carried")
        return y

    def results(self, operation, forms):
        """The coordinates of a sum. All operations on sums keep the bounds of their type: see the theorems."""
        return [Sum(operation.number, name, forms) for name in COORDINATES]

    def total(self, values):
        """The forms of a sum whose coordinates are given."""
        if not all(isinstance(value, Sum) for value in values) or [value.name for value in values] != list(
                COORDINATES) or len({value.number for value in values}) != 1:
            raise Refused("identity: coordinates that are not those of one sum")
        return values[0].forms

    def do_e_from_affine(self, operation, x, y):
        return self.results(operation, forms_of(y, self.affine("e_from_affine", x, y).negated))

    def do_e_add_affine(self, operation, *operands):
        *left, x, y, mask = operands
        if self.affine("e_add_affine", x, y).negated or mask[0] != "lanes":
            raise Refused("identity: a term is negated twice")
        return self.results(operation, [plus(a, b) for a, b in zip(self.total(left), forms_of(y, mask[1]))])

    def do_e_add(self, operation, *operands):
        left, right = self.total(operands[:4]), self.total(operands[4:])
        return self.results(operation, [plus(a, b) for a, b in zip(left, right)])

    def do_e_select(self, operation, mask, *operands):
        a, b = self.total(operands[:4]), self.total(operands[4:])
        if mask[0] != "lanes":
            raise Refused("identity: sums are chosen by another mask")
        return self.results(operation, [(b if mask[1] >> lane & 1 else a)[lane] for lane in range(self.lanes)])

    def do_e_exchange(self, operation, *operands):
        forms = self.total(operands)
        return self.results(operation, [forms[lane ^ operation.immediate] for lane in range(self.lanes)])

    def do_is_extended_on_curve(self, operation, *operands):
        self.total(operands)
        return ("on curve", operands[0].number)

    def do_m_is_zero(self, operation, a):
        return ("zero", a.name, a.number) if isinstance(a, Sum) else super().do_m_is_zero(operation, a)

    def do_f_mul_sum(self, operation, a, b):
        if not isinstance(b, Sum):
            return super().do_f_mul_sum(operation, a, b)
        bounded(a, 8, "f_mul_sum")
        if b.name != "zz" or len(a.powers) != 1 or a.factor != 1:
            raise Refused("identity: another product")
        return ("product", next(iter(a.powers)), b.number, a.bound * RESULTS["e_add_affine"]["a.zz"] / 16 + 1)

    def do_f_equal(self, operation, a, b):
        """X = r · ZZ. A sum's X is below 1.3p."""
        if a[0] != "product" or not isinstance(b, Sum) or (b.name, b.number) != ("x", a[2]):
            raise Refused("identity: another comparison")
        if a[3] > INPUTS["f_equal"]["a"] or RESULTS["e_add_affine"]["a.x"] > INPUTS["f_equal"]["b"]:
            raise Refused("range: what is compared is too large")
        return ("x is", a[1], b.number, b.forms)

    def do_l_bits(self, operation, mask):
        self.masks.append((mask, operation.immediate))


def check_terms(program):
    """The terms of every digit at every place."""
    found = set()
    notes = iter(program.notes)
    for first, rest in notes:
        digit, place, is_negative, is_absent = map(int, rest)
        _, entry = next(notes)
        table, position, multiple = map(int, entry)
        found.add((digit, place))
        if is_absent != (digit == 0) or (table, position) != (place // 32, place % 32):
            raise Refused(f"identity: the digit {digit} at place {place} is read at {table}, {position}")
        if digit and (is_negative != (digit < 0) or multiple != abs(digit)):
            raise Refused(f"identity: the digit {digit} is taken {multiple} times")
    if len(found) != 257 * 64:
        raise Refused("identity: some digits have no terms")


def check_sums(program):
    """The sums of three steps, for each choice of absent terms."""
    values, choices = None, 0
    for first, rest in program.notes:
        if first == "sum":
            values, choice = Verification(program.lanes), int(rest[0])
        elif first == "operation":
            values.run(rest)
        elif first == "sum-is":
            *numbers, empty = map(int, rest)
            forms = values.total([values[number] for number in numbers])
            for lane in range(program.lanes):
                present = [step for step in range(3) if not choice >> (step * 4 + lane * 4 // program.lanes) & 1]
                sign = -1 if (choice + lane) % 3 == 0 else 1
                expected = frozenset([(0, sign * (1 + lane) * sum(256**step for step in present))])
                if bool(empty >> lane & 1) != (not present) or present and forms[lane] != expected:
                    raise Refused("identity: the sum of three steps is another")
            choices += 1
    if choices != 2**12:
        raise Refused("identity: some choices are missing")


class Signature:
    def __init__(self, index, rest):
        self.is_read, self.is_inverse = int(rest[0]), int(rest[1])
        self.r, self.digits = int(rest[3], 16), list(map(int, rest[5:]))
        tables = (0, index + 1)
        terms = [sum(digit * 256**place for place, digit in enumerate(self.digits[32 * part:32 * part + 32]))
                 for part in range(2)]
        self.total = frozenset((table, term) for table, term in zip(tables, terms) if term)
        self.is_empty = not any(self.digits)


def check_verification(program, all_lanes):
    """Checks that a call decides by the right sums. With `all_lanes`, for one signature, each lane adds a part of its
    terms, and all lanes have the sum in the end."""
    values = Verification(program.lanes)
    for operation in program.operations:
        values.run(operation)
    check_state(program)
    signatures = [Signature(index, rest) for index, rest in enumerate(program.notes_of("signature"))]
    answers = [int(rest[0]) for rest in program.notes_of("answer")]
    masks, lanes = Masks(values.masks), program.lanes
    if all_lanes:
        expected = [decided_alone(signatures[0], masks, lanes)]
    else:
        expected = [status for first in range(0, len(signatures), lanes)
                    for status in decided(signatures, first, masks, lanes)]
    if masks.left:
        raise Refused("identity: another number of masks is read")
    for index, (answer, right) in enumerate(zip(answers, expected)):
        if answer != right:
            raise Refused(f"identity: for signature {index}, {answer} is answered, not {right}")


class Masks:
    """The masks whose bits are read, in their order."""

    def __init__(self, masks):
        self.left = list(masks)

    def next(self):
        if not self.left:
            raise Refused("identity: another number of masks is read")
        return self.left.pop(0)


def sums_of(mask):
    """The number of the sum that a mask says to be a finite point of the curve."""
    number = next((part[1] for part in mask[1] if part[0] == "on curve"), None) if mask[0] == "both" else None
    expected = {("on curve", number), ("not", ("zero", "zz", number)), ("not", ("zero", "zzz", number))}
    if number is None or mask[1] != expected:
        raise Refused("identity: a sum is sure for other reasons")
    return number


def genuine_lanes(masks, sure, numbers, totals):
    """The lanes whose x is r or r + n; the masks are those of r and, if any r is below p - n, of r + n."""
    above = [r + N if r < P_LESS_N else r for r in numbers]
    bits = 0
    for expected in [numbers] + ([above] if above != numbers else []):
        mask, found = masks.next()
        name = ("number", tuple(in_lanes(expected, 0, len(expected))))
        if mask[:3] != ("x is", name, sure):
            raise Refused("identity: x is compared with another number")
        for lane, total in enumerate(totals):
            if total is not None and mask[3][lane] != total:
                raise Refused("identity: the sum is another than u1 · G + u2 · Q")
        bits |= found
    return bits


def decided(signatures, first, masks, lanes):
    group = [signatures[first + lane if first + lane < len(signatures) else first] for lane in range(lanes)]
    mask, sure = masks.next()
    # Without digits, or with an inverse that is wrong, the sum does not count.
    totals = [None if one.is_empty else one.total for one in group]
    genuine = genuine_lanes(masks, sums_of(mask), [one.r for one in group], totals)
    for lane, one in enumerate(group[:len(signatures) - first]):
        if not one.is_read:
            yield REFUSED
        elif not sure >> lane & 1 or not one.is_inverse or one.is_empty:
            yield UNSURE
        else:
            yield DONE if genuine >> lane & 1 else REFUSED


def decided_alone(signature, masks, lanes):
    every = 2**lanes - 1
    if not signature.is_read:
        return REFUSED
    parts = [[signature.digits[place] for place in range(lane, 64, lanes)] for lane in range(lanes)]
    if not signature.is_inverse or not all(any(digits) for digits in parts):
        return UNSURE
    mask, sure = masks.next()
    number = sums_of(mask)
    if sure != every:
        return UNSURE
    genuine = genuine_lanes(masks, number, [signature.r] * lanes, [signature.total] * lanes)
    return DONE if genuine == every else REFUSED if genuine == 0 else UNSURE
