"""Key agreement: agree.h computes x of k · P.

The recording of a call has the same operations for all keys: its lanes are opaque, so that nothing can branch on them.
Each operation on points gets its meaning: the multiple of the peer's point B that a triple of coordinates stands for.
The ladder's terms are chosen by windows. The chosen term is computed for all 64 values of a window, and is the digit
times B. So the sum is c·B plus a sum of coefficients times digits times B, and an identity in the bits of k shows that
it is k·B.

An addition is exceptional if its points have the same x. The multiples of B that occur are compared modulo n."""

from algebra.scope import Refused
from callers.values import BELOW_2_256, INPUTS, RESULTS, Choice, Element, Values, bounded, key, mapped, symbol

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
GENERATOR = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
             0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
DONE, REFUSED, UNSURE = 0, 1, 2
WINDOWS = 51


def plus(a, b):
    total = dict(a)
    for name, coefficient in b:
        total[name] = total.get(name, 0) + coefficient
    return frozenset((name, coefficient) for name, coefficient in total.items() if coefficient)


def scaled(a, factor):
    return frozenset((name, factor * coefficient) for name, coefficient in a)


def point(coordinate_x, coordinate_y, y_factor):
    """(form, Z) of x = X(form) · Z² and y = y_factor · Y(form) · Z³."""
    if not isinstance(coordinate_x, Element) or not isinstance(coordinate_y, Element):
        raise Refused("identity: coordinates that are no point's")
    forms = [name[1] for name in coordinate_x.powers if name[0] == "x"]
    if len(forms) != 1 or coordinate_x.powers[("x", forms[0])] != 1:
        raise Refused("identity: coordinates that are no point's")
    rest = {name: power for name, power in coordinate_x.powers.items() if name[0] != "x"}
    if any(power % 2 for power in rest.values()):
        raise Refused("identity: x is not divided by a square")
    z = Element(1, {name: power // 2 for name, power in rest.items()}, None)
    expected = Element(y_factor, {("y", forms[0]): 1}, None).times(z, 3)
    if coordinate_x.factor != 1 or not coordinate_y.same(expected):
        raise Refused("identity: x and y are not those of one point with the same Z")
    return forms[0], z


def coordinates(form_, z, bounds, y_factor):
    x = Element(1, {("x", form_): 1}, None).times(z, 2)
    y = Element(y_factor, {("y", form_): 1}, None).times(z, 3)
    x.bound, y.bound = bounds
    return x, y


def must_differ(a, b):
    """Checks that two multiples of a peer, which has the prime order n, are neither equal nor opposite."""
    for difference in (plus(a, scaled(b, -1)), plus(a, b)):
        if len(difference) != 1 or any(coefficient % N == 0 for _, coefficient in difference):
            raise Refused("identity: an addition may be exceptional")


OPERATIONS = {
    "l_add": lambda a, b: a + b, "l_sub": lambda a, b: a - b, "l_and": lambda a, b: a & b, "l_or": lambda a, b: a | b,
    "l_xor": lambda a, b: a ^ b,
}
IMMEDIATE = {"l_shr": lambda a, bits: a >> bits, "l_shl": lambda a, bits: a << bits, "l_is_zero": lambda a, _: a == 0,
             "l_is_negative": lambda a, _: a >> 63}


class Word:
    """A word of lanes, or a mask. `window` is the six bits of scalars that it depends on, if any, and `values` what it
    is for each of their values."""

    def __init__(self, name, immediate, parts):
        self.name, self.immediate, self.parts, self.window, self.values = name, immediate, parts, None, None
        if name == "constant":
            self.values = [immediate] * 64
        elif name == "l_and" and parts[1].name == "constant" and parts[1].immediate == 63 and parts[0].values is None:
            self.window, self.values = self, list(range(64))
        elif parts and all(part.values for part in parts):
            windows = {part.window for part in parts} - {None}
            self.window = windows.pop() if len(windows) == 1 else None
            self.values = self.computed([part.values for part in parts])

    def computed(self, operands):
        if len(operands) == 1:
            return [IMMEDIATE[self.name](a, self.immediate) % 2**64 for a in operands[0]]
        return [OPERATIONS[self.name](a, b) % 2**64 for a, b in zip(*operands)]


class Group:
    """Lanes that are computed together. `base` stands for each lane's peer."""

    def __init__(self, index, valid, words, coordinates_):
        self.valid, self.words, self.coordinates = valid, words, coordinates_
        self.name = ("B", index)
        self.base, self.sums, self.sure, self.total = frozenset([(self.name, 1)]), [], None, None


class Agreement(Values):
    """The meaning of a call's operations. Words of lanes are named by what is loaded."""

    def __init__(self):
        super().__init__()
        # For each group of lanes: the mask of its valid peers, the peers' words, the coordinates that are chosen by the
        # mask, the sums after each window, and the mask of the sums that are sure.
        self.groups, self.bits = [], {}

    def do_l_load(self, operation):
        return Word("loaded", tuple(operation.words), ())

    def do_f_from_words(self, operation, *words):
        if any(word.name != "loaded" for word in words):
            raise Refused("identity: a number of words that are not loaded")
        return symbol(("number", tuple(word.immediate for word in words)), BELOW_2_256, is_montgomery=False)

    def do_f_from_constant_words(self, operation):
        value = sum(word << 64 * index for index, word in enumerate(operation.operands))
        return symbol(("constant", value), BELOW_2_256, is_montgomery=False)

    def do_is_on_curve(self, operation, x, y):
        bounded(x, INPUTS["is_on_curve"]["x"], "is_on_curve"), bounded(y, INPUTS["is_on_curve"]["y"], "is_on_curve")
        return ("on curve", key(x), key(y))

    def do_l_bits(self, operation, mask):
        self.bits[mask] = operation.immediate

    def peer(self, x, y):
        """The mask of the valid peers, by which the given coordinates are chosen."""
        if not isinstance(x, Choice) or not isinstance(y, Choice) or x.mask != y.mask:
            raise Refused("identity: the peer's coordinates are not chosen alike")
        if [dict(one.a.powers) for one in (x, y)] != [{("constant", value): 1} for value in GENERATOR]:
            raise Refused("identity: what takes a peer's place is not the generator")
        plain = [symbol(name, BELOW_2_256, is_montgomery=False) for one in (x.b, y.b) for name in one.powers]
        expected = ("both", frozenset([("below p", key(plain[0])), ("below p", key(plain[1])),
                                       ("on curve", key(x.b), key(y.b))]))
        if x.mask != expected:
            raise Refused("identity: a peer is valid for other reasons")
        return expected, [name[1] for one in (x.b, y.b) for name in one.powers]

    def do_z_double(self, operation, x, y):
        limits = INPUTS["z_double"]
        bounded(x, limits["a.x"], "z_double"), bounded(y, limits["a.y"], "z_double")
        self.groups.append(Group(len(self.groups), *self.peer(x, y), (x, y)))
        base, bounds = self.groups[-1].base, RESULTS["z_double"]
        z = symbol(("z", operation.number), bounds["z"])
        twice = coordinates(scaled(base, 2), z, (bounds["twice.x"], bounds["twice.y"]), 1)
        once = coordinates(base, z, (bounds["once.x"], bounds["once.y"]), 1)
        return [*twice, *once, z]

    def do_z_add(self, operation, x1, y1, x2, y2):
        for value, name in zip((x1, y1, x2, y2), ("a.x", "a.y", "b.x", "b.y")):
            bounded(value, INPUTS["z_add"][name], "z_add")
        (left, z), (right, other) = point(x1, y1, 1), point(x2, y2, 1)
        if not z.same(other):
            raise Refused("identity: z_add of points with different Z")
        must_differ(left, right)
        bounds, factor = RESULTS["z_add"], symbol(("z", operation.number), RESULTS["z_add"]["factor"])
        both = z.times(factor)
        total = coordinates(plus(left, right), both, (bounds["sum.x"], bounds["sum.y"]), 1)
        again = coordinates(left, both, (bounds["a.x"], bounds["a.y"]), 1)
        return [*total, *again, factor]

    def resolved(self, value):
        """The coordinate of B, if the value is a coordinate of the peer that was chosen by the mask of valid peers."""
        for group in self.groups:
            for name, coordinate in zip("xy", group.coordinates):
                if value is coordinate:
                    return symbol((name, group.base), coordinate.a.bound)
        return value

    def do_f_multiplicand(self, operation, a):
        return super().do_f_multiplicand(operation, self.resolved(a))

    def do_f_shift(self, operation, a):
        return super().do_f_shift(operation, self.resolved(a))

    def do_l_all(self, operation):
        return Word("constant", operation.immediate, ())

    def word(self, operation, *operands):
        return Word(operation.name, operation.immediate, operands)

    do_l_add = do_l_sub = do_l_and = do_l_or = do_l_xor = do_l_shl = do_l_shr = word
    do_l_is_zero = do_l_is_negative = word

    def jacobian(self, operation, x, two_y, z):
        limits = INPUTS[operation.name]
        for value, name in ((x, "a.x"), (two_y, "a.two_y"), (z, "a.z")):
            bounded(value, limits[name], operation.name)
        found, root = point(x, two_y, 2)
        if not z.same(root):
            raise Refused("identity: Z is another than that of x and y")
        return found

    def jacobian_results(self, operation, result):
        bounds = RESULTS[operation.name]
        z = symbol(("z", operation.number), bounds["a.z"])
        return [*coordinates(result, z, (bounds["a.x"], bounds["a.two_y"]), 2), z]

    def do_j_double(self, operation, x, two_y, z):
        return self.jacobian_results(operation, scaled(self.jacobian(operation, x, two_y, z), 2))

    def do_j_add(self, operation, x, two_y, z, x2, two_y2):
        windows = windows_of(x2) | windows_of(two_y2)
        if len(windows) != 1 or None in windows:
            raise Refused("identity: a term is not chosen by one window")
        left = self.jacobian(operation, x, two_y, z)
        group = next((group for group in self.groups if group.name in dict(left)), None)
        mapped(x2, lambda one: bounded(one, INPUTS["j_add"]["b.x"], "j_add"))
        mapped(two_y2, lambda one: bounded(one, INPUTS["j_add"]["b.two_y"], "j_add"))
        for value in range(64):
            if term(chosen(x2, value), chosen(two_y2, value)) != scaled(group.base, (value | 1) - 32):
                raise Refused(f"identity: for the window {value}, another multiple is added")
        group.sums.append(plus(left, frozenset([(windows.pop(), 1)])))
        return self.jacobian_results(operation, group.sums[-1])

    def do_is_jacobian_on_curve(self, operation, x, two_y, z):
        found = self.jacobian(operation, x, two_y, z)
        return ("on curve", found, key(z))

    def do_select(self, operation, mask, a, b):
        """Z of a sum, or 1 where the sum is not sure."""
        if isinstance(b, Element) and isinstance(a, Element) and not a.powers and mask[0] == "both":
            on_curve = [part for part in mask[1] if part[0] == "on curve" and len(part) == 3 and part[2] == key(b)]
            zero = [part for part in mask[1] if part == ("not", ("zero", key(b)))]
            if a.factor == 1 and len(mask[1]) == 2 and len(on_curve) == len(zero) == 1:
                total = on_curve[0][1]
                group = next((group for group in self.groups if group.name in dict(total)), None)
                if group is None or group.sure is not None:
                    raise Refused("identity: a sum that belongs to no group")
                group.total, group.sure = total, mask
                return Element(1, b.powers, b.bound)
        return Choice(mask, a, b)

    def do_f_to_words(self, operation, a):
        if not isinstance(a, Element) or a.is_montgomery or a.bound > BELOW_2_256 or not a.is_carried:
            raise Refused("identity: what is written is not a number below 2^256")
        return [("word", key(a), index) for index in range(4)]


def windows_of(value):
    """The windows by which a value is chosen."""
    found = set()
    while isinstance(value, Choice):
        if not isinstance(value.mask, Word) or isinstance(value.b, Choice) and isinstance(value.a, Choice):
            found |= windows_of(value.b)
        found.add(getattr(value.mask, "window", None))
        value = value.a
    return found


def chosen(value, number):
    """The value that is chosen for a number in the window."""
    while isinstance(value, Choice):
        value = value.b if value.mask.values[number] else value.a
    return value


def term(x, two_y):
    """The multiple of a peer that affine coordinates belong to."""
    for sign in (1, -1):
        try:
            found, z = point(x, two_y, 2 * sign)
        except Refused:
            continue
        if not z.powers:
            return scaled(found, sign)
    raise Refused("identity: a window chooses what is no affine multiple of a peer")


def bits(word):
    """The bits of a window, lowest first: None for 0, else (what is loaded, bit)."""
    if word.name == "loaded":
        return [(word.immediate, bit) for bit in range(64)] if any(word.immediate) else [None] * 64
    if word.name == "constant":
        return [word.immediate >> bit & 1 for bit in range(64)]
    a, *rest = (bits(part) for part in word.parts)
    if word.name == "l_shr":
        return a[word.immediate:] + [None] * word.immediate
    if word.name == "l_shl":
        return ([None] * word.immediate + a)[:64]
    if word.name == "l_and" and word.parts[1].name == "constant":
        return [bit if kept else None for bit, kept in zip(a, rest[0])]
    if word.name == "l_or" and not any(one and other for one, other in zip(a, rest[0])):
        return [one or other for one, other in zip(a, rest[0])]
    raise Refused("identity: a window is not made of the bits of words")


def check_digits(total, group, scalar_words, shift):
    """Checks that a sum of digits is (k >> shift | 1) times the peer, for the odd k whose words are loaded."""
    constant, found = 0, {}
    for name, coefficient in total:
        if name == group.name:
            constant += coefficient
            continue
        # The digit is 1 + the sum of 2^i · bit i, for i in 1...5, less 32: see do_j_add.
        constant += coefficient * (1 - 32)
        window = bits(name)
        if any(window[6:]):
            raise Refused("identity: a window has more than six bits")
        for index in range(1, 6):
            if window[index] is not None:
                found[window[index]] = found.get(window[index], 0) + coefficient * 2**index
    expected = {(scalar_words[bit // 64], bit % 64): 2**(bit - shift) for bit in range(shift + 1, 256)}
    # Bit 0 of k is 1.
    if constant != 1 or found != expected:
        raise Refused("identity: the digits do not sum to the scalar")


def check_exceptions():
    """Checks that no step of the ladder adds equal or opposite points, for any odd k within 1..<n.

    Before the digit d of window w is added, the sum is 32 · k', for k' = floor(k / 32^(w+1)) | 1. It must not be ±d
    modulo n. 32 · k' is above 31, and for the windows above the lowest it is below n - 31. For the lowest, k is
    32 · k' + d, which would be 2d or 0 modulo n."""
    if not 32 * ((N - 1) // 32**2 + 1) < N - 31:
        raise Refused("identity: a term may be equal to a sum before the last window")
    for digit in range(-31, 32, 2):
        for k in (2 * digit % N, 0):
            if k % 2 == 1 and (k % 64 | 1) - 32 == digit:
                raise Refused(f"identity: for k = {k:#x}, the last addition is exceptional")


def words_of(number):
    return [number >> 64 * index & 2**64 - 1 for index in range(4)]


def in_lanes(numbers, first, lanes):
    """The words of a group's numbers, each in all lanes. Unused lanes repeat the group's first."""
    each = [words_of(numbers[first + lane if first + lane < len(numbers) else first]) for lane in range(lanes)]
    return [tuple(words[index] for words in each) for index in range(4)]


def check(program):
    """Checks that a call answers as it must."""
    values = Agreement()
    for operation in program.operations:
        values.run(operation)
    check_state(program)
    given = [(bytes.fromhex(rest[1]), bytes.fromhex(rest[3])) for rest in program.notes_of("agreement")]
    answers = [(int(rest[0]), bytes.fromhex(rest[2])) for rest in program.notes_of("answer")]
    scalars = [int.from_bytes(scalar) for _, scalar in given]
    odd = [scalar if scalar % 2 else N - scalar for scalar in scalars]
    lanes = program.lanes
    if len(values.groups) != -(-len(given) // lanes):
        raise Refused("identity: another number of groups")
    for index, group in enumerate(values.groups):
        first = index * lanes
        for part, name in enumerate(group.words):
            expected = in_lanes([int.from_bytes(peer[32 * part:32 * part + 32]) for peer, _ in given], first, lanes)
            if name != tuple(expected):
                raise Refused("identity: a lane has another peer")
        if len(group.sums) != WINDOWS or group.total != group.sums[-1]:
            raise Refused("identity: another number of windows")
        for number, total in enumerate(group.sums):
            check_digits(total, group, in_lanes(odd, first, lanes), 5 * (WINDOWS - 1 - number))
    for index, (status, secret) in enumerate(answers):
        check_answer(values, *divmod(index, lanes), status, secret)


def check_answer(values, index, lane, status, secret):
    group = values.groups[index]
    is_valid, is_sure = (values.bits[mask] >> lane & 1 for mask in (group.valid, group.sure))
    if status != (REFUSED if not is_valid else DONE if is_sure else UNSURE):
        raise Refused("identity: another status")
    if status != DONE:
        if any(secret):
            raise Refused("identity: a secret without success")
        return
    x = key(Element(1, {("x", group.total): 1}, None, is_montgomery=False))
    for place, word in enumerate(words_of(int.from_bytes(secret))):
        if values[word >> 8] != ("word", x, place) or word & 0xFF != lane:
            raise Refused("identity: what is written is not the sum's x")


def check_state(program):
    """The floating-point state is set before all operations and restored after them."""
    first, last = program.operations[0], program.operations[-1]
    states = [operation for operation in program.operations if operation.name.endswith("float_state")]
    if states != [first, last] or first.name != "set_float_state" or last.operands != (first.number,):
        raise Refused("state: operations outside of set_float_state and restore_float_state")
