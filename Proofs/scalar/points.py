"""Points of the scalar kernel: every case of an addition, for every sequence of answers of its comparisons.

The numbers of a recording are polynomials in the coordinates of finite points: an affine point (x, y) is stored as
(16x, 16y), an extended one with ZZ = Z² and ZZZ = 4 · Z³ as X = 16x · ZZ and Y = 16y · ZZZ. The answer of a comparison
is a condition on such a polynomial, and selects the case. In each case the result must be that of the group law."""

import pathlib

from algebra.polynomials import P, constant, modulo, variable
from algebra.scope import Refused
from compilation import recorded
from lanes.formulas import B, Law, cubic, equal, minus, plus, power, product, times

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder/points.cpp"
INVERSE_R = pow(2**256, -1, P)
X1, Y1, X2, Y2, Z, INVERSE = (variable(name) for name in ("x1", "y1", "x2", "y2", "Z", "I"))
ZERO, ONE = {}, constant(1)
AFFINE = {"x1": times(16, X1), "y1": times(16, Y1), "x2": times(16, X2), "y2": times(16, Y2), "inverse": INVERSE}
FINITE = {"X": times(16, product(X1, Z, Z)), "Y": times(64, product(Y1, Z, Z, Z)), "ZZ": product(Z, Z),
          "ZZZ": times(4, product(Z, Z, Z))}
# Points of which nothing is assumed, not even that they are on the curve.
ANYTHING = {name: variable(name) for name in ("X", "Y", "ZZ", "ZZZ")}
ANY_AFFINE = {"x1": times(16, variable("x")), "y1": times(16, variable("y"))}


class Path:
    """A function for one sequence of answers: the conditions as (polynomial, whether it is 0), and the results."""

    def __init__(self, inputs):
        self.given, self.values, self.conditions, self.output, self.result = inputs, {0: ZERO}, [], [], None
        self.inputs = []

    def read(self, first, rest):
        if first == "input":
            self.values[int(rest[1])] = self.given[rest[0]]
            self.inputs.append(int(rest[1]))
        elif first in ("zero", "equal"):
            a, b, is_so = map(int, rest)
            self.conditions.append((minus(self.values[a], self.values[b]), bool(is_so)))
        elif first == "output":
            self.output = [int(number) for number in rest]
        elif first == "result":
            self.result = bool(int(rest[0]))
        else:
            self.values[int(first)] = self.computed(rest[0], list(map(int, rest[1:])))

    def computed(self, operation, operands):
        if operation == "constant":
            number = sum(word << 64 * index for index, word in enumerate(operands))
            return modulo(constant(number * INVERSE_R))
        if operation == "shift":
            return times(2**operands[1], self.values[operands[0]])
        a, b, *rest = (self.values[operand] for operand in operands)
        if operation == "multiply-subtract":
            return minus(product(a, b), product(*rest))
        return {"add": plus, "subtract": minus, "multiply": product}[operation](a, b)

    def results(self):
        return [self.values[number] for number in self.output]

    def is_zero(self, polynomial):
        """The answer to whether a polynomial, or a numeric multiple of it, is 0; None if it was not asked."""
        for condition, is_so in self.conditions:
            if proportional(condition, polynomial):
                return is_so
        return None

    def contradicts_itself(self):
        """Whether a question was answered in two ways, or the question whether 0 is 0 with no."""
        return any(not condition and not is_so or proportional(condition, other) and is_so != again
                   for condition, is_so in self.conditions for other, again in self.conditions)


def proportional(a, b):
    """Whether two polynomials are multiples of each other by numbers other than 0."""
    if a.keys() != b.keys() or not a:
        return False
    name = next(iter(a))
    return equal(times(b[name], a), times(a[name], b))


def paths(lines, name, inputs):
    """The paths of a function."""
    found, path = [], None
    for line in lines:
        first, *rest = line.split()
        if first == "program":
            path = Path(inputs) if rest[0] == name else None
        elif path is None:
            continue
        elif first == "end":
            if rest[0] == "1" and not path.contradicts_itself():
                found.append(path)
        else:
            path.read(first, rest)
    return found


def require(holds, what):
    if not holds:
        raise Refused(f"identity: {what}")


def is_double(results):
    law = Law.double(X1, Y1)
    return is_sum(law, results)


def is_sum(law, results):
    x, y, zz, zzz = results
    return (law.has_x(x, times(16, zz)) and law.has_y(y, times(16, zzz)) and equal(times(16, power(zz, 3)), power(zzz, 2)))


def check_on_curve(lines):
    x, y = variable("x"), variable("y")
    for path in paths(lines, "is_on_curve", ANY_AFFINE):
        (condition, is_so), = path.conditions
        require(proportional(condition, minus(product(y, y), cubic(x))), "another equation")
        require(path.result == is_so, "the answer is another")


def check_extended_on_curve(lines):
    x, y, zz, zzz = (ANYTHING[name] for name in ("X", "Y", "ZZ", "ZZZ"))
    right = plus(power(x, 3), times(-768, product(x, zz, zz)), times(4096 * B, power(zz, 3)))
    expected = [minus(product(y, y), right), minus(times(16, power(zz, 3)), product(zzz, zzz))]
    for path in paths(lines, "is_extended_on_curve", ANYTHING):
        for (condition, _), equation in zip(path.conditions, expected):
            require(proportional(condition, equation), "another equation")
        every = all(is_so for _, is_so in path.conditions)
        require(path.result == every and (not every or len(path.conditions) == 2), "the answer is another")


def check_from_affine(lines):
    for path in paths(lines, "e_from_affine", AFFINE):
        check_converted(path, path.results(), X1, Y1)


def check_converted(path, results, x, y):
    """Checks that the result is (16x, 64y, 1, 4), or only zeros for infinity, which is stored as y = 0."""
    finite = [times(16, x), times(64, y), ONE, constant(4)]
    expected = [ZERO] * 4 if path.is_zero(y) else finite
    require(path.is_zero(y) is not None and results == expected, "an affine point is converted to another")


def check_double(lines):
    path, = paths(lines, "e_double", FINITE)
    require(is_double(path.results()), "twice a point is another")
    require(equal(path.results()[2], times(128**2, product(Y1, Y1, power(Z, 8)))), "ZZ of twice a point is another")
    path, = paths(lines, "e_double", ANYTHING)
    require(all("ZZ" in monomial for monomial in path.results()[2]), "twice infinity is not infinity")


def check_sum(lines):
    found = paths(lines, "e_add_affine", {**FINITE, **AFFINE})
    cases = set()
    for path in found:
        infinity, empty = path.is_zero(Y2), path.is_zero(product(Z, Z))
        same_x, same_y = path.is_zero(product(minus(X2, X1), Z, Z)), path.is_zero(product(minus(Y2, Y1), Z, Z, Z))
        if infinity:
            cases.add("infinity")
            require(path.output == path.inputs[:4], "a sum with infinity is another")
        elif empty:
            cases.add("empty")
            check_converted(path, path.results(), X2, Y2)
        elif same_x and same_y:
            cases.add("double")
            require(is_double(path.results()), "the sum of a point and itself is another")
        elif same_x:
            cases.add("opposite")
            require(same_y is False and path.results() == [ZERO] * 4, "the sum of opposite points is not infinity")
        else:
            cases.add("usual")
            require((infinity, empty, same_x) == (False,) * 3, "a case is not told apart")
            require(is_sum(Law.sum(X1, Y1, X2, Y2), path.results()), "the sum is another")
    require(len(cases) == 5, "a case is missing")


def check_denominator(lines):
    cases = set()
    for path in paths(lines, "a_denominator", AFFINE):
        result, = path.results()
        left, right = path.is_zero(Y1), path.is_zero(Y2)
        same_x, same_y = path.is_zero(minus(X2, X1)), path.is_zero(minus(Y2, Y1))
        if (left, right, same_x) == (False,) * 3:
            cases.add("usual")
            require(equal(result, times(16, minus(X2, X1))), "the denominator is another")
        elif left is False and same_x and same_y:
            cases.add("double")
            require(equal(result, times(512, Y1)), "the denominator of twice a point is another")
        else:
            cases.add("none")
            require(left or right or same_x and same_y is False, "a case is not told apart")
            require(equal(result, ONE), "a denominator where none is needed")
    require(len(cases) == 3, "a case is missing")


def check_affine_sum(lines):
    """Checks sums, with 1 / (16 (x2 - x1)), or 1 / 512y1 for equal points, as the inverse."""
    cases = set()
    for path in paths(lines, "a_add", AFFINE):
        x, y = path.results()
        left, right = path.is_zero(Y1), path.is_zero(Y2)
        same_x, same_y = path.is_zero(minus(X2, X1)), path.is_zero(minus(Y2, Y1))
        if left:
            cases.add("left")
            require(path.output == path.inputs[2:4], "infinity and a point are another")
        elif right:
            cases.add("right")
            require(path.output == path.inputs[:2], "a point and infinity are another")
        elif same_x and same_y is False:
            cases.add("opposite")
            require((x, y) == (ZERO, ZERO), "the sum of opposite points is not infinity")
        else:
            cases.add("double" if same_x else "usual")
            require((left, right) == (False, False) and same_x is not None, "a case is not told apart")
            rise = times(768, minus(product(X1, X1), ONE)) if same_x else times(16, minus(Y2, Y1))
            # The slope is rise / run; for twice a point it is 3 (x² - 1) / 2y.
            slope = product(rise, INVERSE)
            sum_x = minus(product(slope, slope), plus(X1, X2))
            require(equal(x, times(16, sum_x)), "x of the sum is another")
            require(equal(y, times(16, minus(product(slope, minus(X1, sum_x)), Y1))), "y of the sum is another")
    require(len(cases) == 5, "a case is missing")


THEOREMS = [
    ("is_on_curve", "where y² = x³ - 3x + b", check_on_curve),
    ("is_extended_on_curve", "where a sum is a point of the curve", check_extended_on_curve),
    ("e_from_affine", "a point, or infinity, as a sum", check_from_affine),
    ("e_double", "2 · a; infinity stays infinity", check_double),
    ("e_add_affine", "a + b for all a and b", check_sum),
    ("a_denominator", "what must be inverted for a + b, never 0", check_denominator),
    ("a_add", "a + b for all a and b, given that inverse", check_affine_sum),
]


def record(kernels):
    return recorded(RECORDER, kernels / "CP256")
