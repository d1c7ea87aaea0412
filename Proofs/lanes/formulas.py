"""What recorded programs compute modulo p: every number in limbs stands for an element of F_p[x, y, z, …], its value
divided by R = 2^260 (Montgomery form). Coordinates of points are written as x · Z² and so on, with y² = x³ - 3x + b: so an
identity here holds on the whole curve.

The group law: the sum of (x1, y1) and (x2, y2) has x = s² - x1 - x2 and y = s · (x1 - x) - y1 for the slope s = rise / run.
With both multiplied by powers of the run, no division is needed."""

from algebra.polynomials import P, add, constant, modulo, multiply, scale, subtract, variable

B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
UNMONTGOMERY = pow(2**260, -1, P)


def product(*factors):
    """The product modulo p and modulo the equation of the curve: y1² and y2² are replaced."""
    result = constant(1)
    for factor in factors:
        result = on_curve(modulo(multiply(result, factor)))
    return result


def on_curve(polynomial):
    for index in "12":
        x, y = "x" + index, "y" + index
        while any(monomial.count(y) > 1 for monomial in polynomial):
            kept, replaced = {}, {}
            for monomial, coefficient in polynomial.items():
                if monomial.count(y) > 1:
                    names = list(monomial)
                    names.remove(y)
                    names.remove(y)
                    replaced[tuple(names)] = coefficient
                else:
                    kept[monomial] = coefficient
            polynomial = modulo(add(kept, multiply(replaced, cubic(variable(x)))))
    return polynomial


def cubic(x):
    """x³ - 3x + b."""
    return add(add(multiply(multiply(x, x), x), x, -3), constant(B))


def power(polynomial, exponent):
    return product(*[polynomial] * exponent)


def times(factor, polynomial):
    return modulo(scale(polynomial, factor))


def plus(*polynomials):
    result = {}
    for polynomial in polynomials:
        result = modulo(add(result, polynomial))
    return result


def minus(a, b):
    return modulo(subtract(a, b))


def exchanged(polynomial, distance):
    """The same polynomial of another lane, if z0, z1… are the variables of the lanes."""
    return {tuple(sorted(f"z{int(name[1:]) ^ distance}" if name[0] == "z" else name for name in monomial)): coefficient
            for monomial, coefficient in polynomial.items()}


def equal(a, b):
    return not minus(a, b)


def montgomery(number):
    """The element that a constant in Montgomery form stands for."""
    return modulo(constant(number * UNMONTGOMERY))


def residue(step, operands, constant_value):
    """The element that the result of a call stands for."""
    name = step.name
    if name in ("f_constant", "m_constant", "m_one"):
        return montgomery(constant_value)
    if name == "f_add":
        return plus(*operands)
    if name == "f_sub":
        return minus(*operands)
    if name == "f_negated":
        return times(-1, operands[0])
    if name == "f_shift":
        return times(2**step.number, operands[0])
    if name in ("f_mul", "f_mul_sum"):
        return product(*operands)
    if name in ("f_square", "f_square_sum"):
        return product(operands[0], operands[0])
    if name == "f_mul_sub":
        return minus(product(*operands[:2]), product(*operands[2:]))
    if name == "f_mul_less_square":
        return minus(product(*operands[:2]), product(operands[2], operands[2]))
    if name == "m_exchange":
        return exchanged(operands[0], step.number)
    if name == "assay_p256_invert":
        # The result is words too: the inverse of the number that the given words are.
        return times(UNMONTGOMERY, variable("inverse"))
    if name == "f_equal":
        return minus(*operands)
    return operands[0]


class Law:
    """x and y of a sum, or of twice a point: x = x_above / run², y = y_above / run³."""

    def __init__(self, x1, y1, x2, rise, run):
        self.run = run
        square, cube = power(run, 2), power(run, 3)
        self.x_above = minus(product(rise, rise), product(plus(x1, x2), square))
        self.y_above = minus(product(rise, minus(product(x1, square), self.x_above)), product(y1, cube))

    @classmethod
    def sum(cls, x1, y1, x2, y2):
        return cls(x1, y1, x2, minus(y2, y1), minus(x2, x1))

    @classmethod
    def double(cls, x1, y1):
        return cls(x1, y1, x1, minus(times(3, product(x1, x1)), constant(3)), times(2, y1))

    def has_x(self, x, factor):
        """Whether x / factor is the sum's x."""
        return equal(product(x, power(self.run, 2)), product(self.x_above, factor))

    def has_y(self, y, factor):
        return equal(product(y, power(self.run, 3)), product(self.y_above, factor))
