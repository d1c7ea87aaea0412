"""Polynomials with integer coefficients: a dictionary from monomials, sorted tuples of variables, to coefficients."""

P = 2**256 - 2**224 + 2**192 + 2**96 - 1


def constant(number):
    return {(): number} if number else {}


def variable(name):
    return {(name,): 1}


def add(a, b, factor=1):
    """a + factor · b."""
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + factor * coefficient
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def subtract(a, b):
    return add(a, b, -1)


def scale(a, factor):
    return {monomial: coefficient * factor for monomial, coefficient in a.items()} if factor else {}


def multiply(a, b):
    result = {}
    for left, i in a.items():
        for right, j in b.items():
            monomial = tuple(sorted(left + right)) if left and right else left + right
            result[monomial] = result.get(monomial, 0) + i * j
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def total(polynomials):
    result = {}
    for polynomial in polynomials:
        result = add(result, polynomial)
    return result


def divide(a, divisor):
    """a / divisor, or None where a coefficient is not divisible."""
    if any(coefficient % divisor for coefficient in a.values()):
        return None
    return {monomial: coefficient // divisor for monomial, coefficient in a.items()}


def modulo(a, modulus=P):
    reduced = ((monomial, coefficient % modulus) for monomial, coefficient in a.items())
    return {monomial: coefficient for monomial, coefficient in reduced if coefficient}


def trailing_zeros(number):
    return (number & -number).bit_length() - 1


def value(limbs, bits=52):
    """The number that limbs stand for, as a polynomial."""
    return total(scale(limb, 2 ** (bits * index)) for index, limb in enumerate(limbs))


def text(a):
    """The first terms for messages, with powers of two in place of coefficients."""
    terms = [f"{'-' if coefficient < 0 else ''}2^{abs(coefficient).bit_length() - 1}" +
             "".join(f"·v{name}" for name in monomial) for monomial, coefficient in list(a.items())[:3]]
    return " + ".join(terms) + (f" + {len(a) - 3} terms" if len(a) > 3 else "") if terms else "0"
