"""The theorems: for each recorded program, the assumptions about its inputs and the claims about its outputs.

The assumptions are those that the heads of field.h and of the types in point.h document. `Proofs/prove` shows for each
formula that every call keeps them, and that the outputs are within the bounds that the next formula assumes."""

import fractions

from algebra.polynomials import P, constant, variable
from lanes.fields import KERNELS, LIMB
from lanes.formulas import B, UNMONTGOMERY, Law, cubic, equal, minus, plus, power, product, times

PADDED = {"ifma8": KERNELS["ifma8"].lower, "fma4": (2**53, 2**61 - 1)}


class Input:
    """An input: the interval of its limbs, of which the topmost may have its own; the limit of its value, in multiples
    of p; and the element of F_p[…] that it stands for."""

    def __init__(self, limit, element, limbs=LIMB, top=None):
        self.limit, self.element, self.limbs, self.top = fractions.Fraction(limit), element, limbs, top or limbs


class Theorem:
    def __init__(self, name, says, inputs, bounds=None, claims=None, masks=None):
        self.name, self.says, self.inputs = name, says, inputs
        # The bounds of outputs in multiples of p; conditions on the elements; (meaning, element) for each mask.
        self.bounds, self.claims, self.masks = bounds or {}, claims, masks
        # The claims for each case of input masks; a condition on the floating-point state.
        self.cases, self.state = None, None
        # A formula, whose outputs are inputs of the next: they must be carried as well.
        self.is_closed = any("." in name for name in inputs)


def sums(kernel, names, limit, bits=60, padded=False):
    lower = PADDED[kernel.name] if padded else kernel.lower
    cut = 2**bits - 1
    lower, top = ((max(low, -cut), min(high, cut)) for low, high in (lower, kernel.top))
    return {name: Input(limit, variable(name), lower, top) for name in names}


def carried(names, limit):
    return {name: Input(limit, variable(name)) for name in names}


A, B_, C, D = (variable(name) for name in "abcd")


def is_(expected):
    return lambda outputs: {"value": equal(outputs["r"], expected)}


def sum_theorems(kernel):
    for_sums = [Theorem("f_add", "a + b", sums(kernel, "ab", 8, 59), claims=is_(plus(A, B_)))]
    for multiple in range(1, 7):
        inputs = {**sums(kernel, "a", 16 - multiple, 58), **sums(kernel, "b", multiple, 58)}
        if kernel.name == "fma4":
            inputs["b"].top = inputs["b"].limbs = (0, 2**58 - 1)
            inputs["a"].top = (-(2**5), 2**58 - 1)
        for_sums.append(Theorem(f"f_sub/{multiple}", f"a - b + {multiple}p", inputs, claims=is_(minus(A, B_))))
    for multiple in range(1, 4):
        inputs = sums(kernel, "a", multiple, 58)
        inputs["a"].top = inputs["a"].limbs
        for_sums.append(Theorem(f"f_negated/{multiple}", f"{multiple}p - a", inputs, claims=is_(times(-1, A))))
    for bits in (1, 2):
        inputs = sums(kernel, "a", fractions.Fraction(16, 2**bits), 60 - bits)
        inputs["a"].top = (-(2**8) if kernel.name == "fma4" else inputs["a"].top[0], inputs["a"].top[1])
        for_sums.append(Theorem(f"f_shift/{bits}", f"a · 2^{bits}", inputs, claims=is_(times(2**bits, A))))
    return for_sums


def form_theorems(kernel):
    select = Theorem("f_select", "b where the mask is set, else a", sums(kernel, "ab", 16))
    choose = Theorem("m_select", "b where the mask is set, else a", carried("ab", 8))
    select.cases = choose.cases = lambda cases: is_(B_ if cases[0] else A)
    return [
        Theorem("f_carry", "a, in limbs of 52 bits", sums(kernel, "a", 16), claims=is_(A)),
        Theorem("f_ready", "a as a multiplicand", sums(kernel, "a", 8), claims=is_(A)),
        Theorem("f_multiplicand", "a as a multiplicand", carried("a", 8), claims=is_(A)),
        Theorem("f_integer", "a as integers", carried("a", 8), claims=is_(A)),
        Theorem("f_reduced", "a modulo p", sums(kernel, "a", 16, padded=True), {"r": "1.01"}, is_(A)),
        Theorem("f_canonical", "a modulo p, below p", carried("a", 2), {"r": 1}, is_(A)),
        select, choose,
    ]


def test_theorems(kernel):
    padded = sums(kernel, "a", 16, 59, padded=True)
    first = {**sums(kernel, "a", 14, 58), **sums(kernel, "b", 2, 58)}
    if kernel.name == "fma4":
        first["a"].top, first["b"].limbs, first["b"].top = (-(2**5), 2**58 - 1), (0, 2**58 - 1), (0, 2**58 - 1)
    return [
        Theorem("f_is_below_p", "where a is below p", carried("a", fractions.Fraction(2**256, P)), masks=[("below p", A)]),
        Theorem("f_is_zero", "where a is 0 modulo p", padded, masks=[("zero", A)]),
        Theorem("m_is_zero", "where a is 0 modulo p", carried("a", 8), masks=[("zero", A)]),
        Theorem("f_equal", "where a is b modulo p", first, masks=[("zero", minus(A, B_))]),
    ]


def product_theorems(kernel):
    both, four = carried("ab", 8), {**carried("ab", 8), "c": Input(4, C), "d": Input(8, D)}
    three = {**carried("ab", 8), "c": Input(4, C)}
    return [
        Theorem("f_mul", "a · b / 2^260", both, {"r": 5}, is_(product(A, B_))),
        Theorem("f_square", "a² / 2^260", carried("a", 8), {"r": 5}, is_(product(A, A))),
        Theorem("f_mul_sum", "a · b / 2^260", both, {"r": 5}, is_(product(A, B_))),
        Theorem("f_square_sum", "a² / 2^260", carried("a", 8), {"r": 5}, is_(product(A, A))),
        Theorem("f_mul_sub", "(a · b - c · d) / 2^260 + 2p", four, {"r": 7}, is_(minus(product(A, B_), product(C, D)))),
        Theorem("f_mul_less_square", "(a · b - c²) / 2^260 + p", three, {"r": 6},
                is_(minus(product(A, B_), product(C, C)))),
    ]


def inverse_claims(lanes):
    """The product of all lanes is inverted, and the result times z0 must be 1."""
    every = [variable(f"z{lane}") for lane in range(lanes)]
    return lambda outputs: {
        "the product of all lanes is inverted": equal(outputs["inverted"], times(UNMONTGOMERY, product(*every))),
        "the other lanes are divided out": equal(outputs["r"], product(variable("inverse"), *every[1:]))}


def conversion_theorems(kernel):
    from_montgomery = is_(times(UNMONTGOMERY, A))
    below = Input(fractions.Fraction(2**256, P), times(UNMONTGOMERY, A))
    words = Input(fractions.Fraction(2**256, P), A, (0, 2**64 - 1))
    return [
        Theorem("f_from_words", "the number in limbs", {"w": words}, claims=is_(A)),
        Theorem("f_to_words", "the number in words", {"a": Input(fractions.Fraction(2**256, P), A)},
                claims=lambda outputs: {"value": equal(outputs["w"], A)}),
        Theorem("m_to_montgomery", "a · 2^260", {"a": below}, {"r": "1.1"}, is_(A)),
        Theorem("f_from_montgomery", "a / 2^260, below p", carried("a", 8), {"r": 1}, from_montgomery),
        Theorem("inverses", "1 / z in each lane, if z is not 0 in any", {"z": Input(8, variable("z0"))}, {"r": 5},
                inverse_claims(kernel.lanes)),
        Theorem("m_one", "2^260", {}, {"r": 1}, is_(constant(1))),
    ]


X1, Y1, X2, Y2, Z, Z1, Z2 = (variable(name) for name in ("x1", "y1", "x2", "y2", "z", "z1", "z2"))
BX, BY, BZ, BZZ, BZZZ = (variable(name) for name in ("X", "Y", "Z", "ZZ", "ZZZ"))
AFFINE = "1.3"


def jacobian(name, x, two_y, z):
    return {f"{name}.x": Input("1.3", x), f"{name}.two_y": Input(4, two_y), f"{name}.z": Input(4, z)}


def extended(name, x, y, zz, zzz):
    return {f"{name}.x": Input("1.3", x), f"{name}.y": Input(5, y), f"{name}.zz": Input(2, zz),
            f"{name}.zzz": Input(2, zzz)}


def affine(name, x, y):
    return {f"{name}.x": Input(AFFINE, x), f"{name}.y": Input(AFFINE, y)}


def bounds_of(inputs):
    return {name: value.limit for name, value in inputs.items()}


def check_theorems(kernel):
    z4, z6 = power(BZ, 4), power(BZ, 6)
    right = plus(power(BX, 3), times(-3, product(BX, z4)), times(B, z6))
    extended_right = plus(power(BX, 3), times(-3, product(BX, power(BZZ, 2))), times(B, power(BZZ, 3)))
    return [
        Theorem("is_on_curve", "where y² = x³ - 3x + b", {"x": Input(AFFINE, BX), "y": Input(AFFINE, BY)},
                masks=[("zero", minus(power(BY, 2), cubic(BX)))]),
        Theorem("is_jacobian_on_curve", "where (2Y)² = 4(X³ - 3XZ⁴ + bZ⁶)", jacobian("a", BX, BY, BZ),
                masks=[("zero", minus(power(BY, 2), times(4, right)))]),
        Theorem("is_extended_on_curve", "where Y² = X³ - 3X·ZZ² + b·ZZ³ and ZZ³ = ZZZ²", extended("a", BX, BY, BZZ, BZZZ),
                masks=[("zero", minus(power(BZZZ, 2), power(BZZ, 3))), ("zero", minus(extended_right, power(BY, 2)))]),
    ]


def jacobian_theorems(kernel):
    point = jacobian("a", product(X1, power(Z1, 2)), times(2, product(Y1, power(Z1, 3))), Z1)
    multiple = {"b.x": Input("1.3", X2), "b.two_y": Input(4, times(2, Y2))}

    def twice(outputs):
        law, z = Law.double(X1, Y1), outputs["a.z"]
        return {"x": law.has_x(outputs["a.x"], power(z, 2)), "y": law.has_y(outputs["a.two_y"], times(2, power(z, 3))),
                "Z = 2y · Z⁴": equal(z, product(law.run, power(Z1, 4)))}

    def total(outputs):
        law, z = Law.sum(X1, Y1, X2, Y2), outputs["a.z"]
        return {"x": law.has_x(outputs["a.x"], power(z, 2)), "y": law.has_y(outputs["a.two_y"], times(2, power(z, 3))),
                "Z = 2 · (x2 - x1) · Z³": equal(z, times(2, product(law.run, power(Z1, 3))))}

    def zero(outputs):
        return {"Z remains 0": all("Z" in monomial for monomial in outputs["a.z"])}

    anything = jacobian("a", BX, BY, BZ)
    return [
        Theorem("j_double", "2 · a, for every finite point", point, bounds_of(point), twice),
        Theorem("j_add", "a + b, for points with different x; Z is 0 where x is the same", {**point, **multiple},
                bounds_of(point), total),
        Theorem("j_double", "Z = 0 stays 0, whatever X and Y are", anything, bounds_of(anything), zero),
        Theorem("j_add", "Z = 0 stays 0, whatever X and Y are", {**anything, **multiple}, bounds_of(anything), zero),
    ]


def shared_theorems(kernel):
    point = affine("a", X1, Y1)
    left = affine("a", product(X1, power(Z, 2)), product(Y1, power(Z, 3)))
    right = affine("b", product(X2, power(Z, 2)), product(Y2, power(Z, 3)))

    def twice(outputs):
        law, z = Law.double(X1, Y1), outputs["z"]
        return {"x": law.has_x(outputs["twice.x"], power(z, 2)), "y": law.has_y(outputs["twice.y"], power(z, 3)),
                "Z = 2y": equal(z, law.run), "x of a": equal(outputs["once.x"], product(X1, power(z, 2))),
                "y of a": equal(outputs["once.y"], product(Y1, power(z, 3)))}

    def total(outputs):
        law, z = Law.sum(X1, Y1, X2, Y2), product(outputs["factor"], Z)
        return {"x": law.has_x(outputs["sum.x"], power(z, 2)), "y": law.has_y(outputs["sum.y"], power(z, 3)),
                "Z = (x1 - x2) · Z³": equal(z, times(-1, product(law.run, power(Z, 3)))),
                "x of a": equal(outputs["a.x"], product(X1, power(z, 2))),
                "y of a": equal(outputs["a.y"], product(Y1, power(z, 3)))}

    results = {f"{name}.{part}": "1.3" for name in ("twice", "once") for part in "xy"}
    return [
        Theorem("z_double", "2 · a, and a with the same Z", point, {**results, "z": 4}, twice),
        Theorem("z_add", "a + b, and a with the same Z; the factor of Z is 0 where x is the same", {**left, **right},
                {"sum.x": "1.3", "sum.y": "1.3", "a.x": "1.3", "a.y": "1.3", "factor": 4}, total),
    ]


def extended_theorems(kernel):
    def point(name, x, y, z):
        return extended(name, product(x, power(z, 2)), product(y, power(z, 3)), power(z, 2), power(z, 3))

    def total(law, z, outputs):
        zz, zzz = outputs["a.zz"], outputs["a.zzz"]
        return {"x": law.has_x(outputs["a.x"], zz), "y": law.has_y(outputs["a.y"], zzz),
                "ZZ = ((x2 - x1) · Z³)²": equal(zz, power(product(law.run, power(z, 3)), 2)),
                "ZZZ = ((x2 - x1) · Z³)³": equal(zzz, power(product(law.run, power(z, 3)), 3))}

    def zero(outputs):
        return {"ZZ remains 0": all("ZZ" in monomial for monomial in outputs["a.zz"]),
                "ZZZ remains 0": all("ZZZ" in monomial for monomial in outputs["a.zzz"])}

    left, right = point("a", X1, Y1, Z1), point("b", X2, Y2, Z2)
    added = affine("b", X2, Y2)
    mixed = Theorem("e_add_affine", "a ± b, for points with different x; ZZ is 0 where x is the same", {**left, **added},
                    bounds_of(left))
    four = (variable(name) for name in ("U", "V", "WW", "WWW"))
    mixed.cases = lambda cases: lambda outputs: total(
        Law.sum(X1, Y1, X2, times(-1, Y2) if cases[0] else Y2), Z1, outputs)
    anything = extended("a", BX, BY, BZZ, BZZZ)
    stays = Theorem("e_add_affine", "ZZ = 0 stays 0, whatever X and Y are", {**anything, **added}, bounds_of(anything), zero)
    both = Theorem("e_add", "ZZ = 0 of either stays 0, whatever X and Y are", {**anything, **extended("b", *four)},
                   bounds_of(anything), lambda outputs: {**zero(outputs), "ZZ of b remains 0": all(
                       "WW" in monomial for monomial in outputs["a.zz"]), "ZZZ of b remains 0": all(
                           "WWW" in monomial for monomial in outputs["a.zzz"])})
    return [
        mixed, stays, both, *moved_theorems(),
        Theorem("e_add", "a + b, for points with different x; ZZ is 0 where x is the same", {**left, **right},
                bounds_of(left), lambda outputs: total(Law.sum(X1, Y1, X2, Y2), product(Z1, Z2), outputs)),
        Theorem("e_from_affine", "a with ZZ = ZZZ = 1", affine("a", X1, Y1), bounds_of(extended("r", X1, Y1, X1, X1)),
                lambda outputs: {"x": equal(outputs["r.x"], X1), "y": equal(outputs["r.y"], Y1),
                                 "ZZ": equal(outputs["r.zz"], constant(1)), "ZZZ": equal(outputs["r.zzz"], constant(1))}),
    ]


def moved_theorems():
    """The theorems on functions that choose or move sums: all coordinates come from one sum, or one lane (0 has z0)."""
    left, right = (extended(name, *(variable(name + part) for part in ("x", "y", "zz", "zzz"))) for name in "ab")
    select = Theorem("e_select", "b where the mask is set, else a", {**left, **right}, bounds_of(extended("r", *[X1] * 4)))
    select.cases = lambda cases: lambda outputs: {
        part: equal(outputs[f"r.{part}"], variable(("b" if cases[0] else "a") + part)) for part in ("x", "y", "zz", "zzz")}
    of_lane = [times(factor, variable("z0")) for factor in (1, 2, 3, 5)]
    exchange = Theorem("e_exchange", "a of another lane", extended("a", *of_lane), bounds_of(extended("r", *of_lane)),
                       lambda outputs: {part: equal(outputs[f"r.{part}"], times(factor, variable("z1")))
                                        for factor, part in zip((1, 2, 3, 5), ("x", "y", "zz", "zzz"))})
    return [select, exchange]


def state_theorems(kernel):
    if kernel.name != "fma4":
        return []
    rounds = Theorem("set_float_state", "rounding toward zero, subnormal numbers as they are; restored", {})
    # MXCSR: rounding control is bits 13 and 14, flush-to-zero 15, the masks 7 to 12, denormals-are-zeros 6.
    rounds.state = lambda before, between, after: between & 0xFFC0 == 0x7F80 and after == before
    return [rounds]


def theorems(kernel):
    makers = (
        state_theorems, sum_theorems, form_theorems, test_theorems, product_theorems, conversion_theorems, check_theorems,
        jacobian_theorems, shared_theorems, extended_theorems)
    return [theorem for make in makers for theorem in make(kernel)]
