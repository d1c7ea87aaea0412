"""Boolean functions as ordered binary decision diagrams (decisions.c). A function is a number: 0 and 1 are the constants, every
other number is a node with a variable and two functions of the variables after it. Equal functions have equal numbers."""

import ctypes
import functools
import pathlib

from compilation import library

BOTH, EITHER, DIFFER = 1, 2, 3
TOO_LARGE = 2**32 - 1


@functools.cache
def loaded():
    functions = library(pathlib.Path(__file__).resolve().parent / "decisions.c")
    number, diagrams = ctypes.c_uint32, ctypes.c_void_p
    for name, result, arguments in [
            ("make", diagrams, 0), ("drop", None, 0), ("variable_of", number, 1), ("low_of", number, 1), ("high_of", number, 1),
            ("count_of", number, 0), ("variable", number, 1), ("apply", number, 3), ("choice", number, 3),
            ("are_disjoint", ctypes.c_bool, 2), ("agree", ctypes.c_bool, 3)]:
        function = getattr(functions, name)
        function.restype, function.argtypes = result, [diagrams] * (name != "make") + [number] * arguments
    functions.look_up.restype = number
    functions.look_up.argtypes = [diagrams, ctypes.POINTER(number), number, ctypes.c_char_p]
    return functions


class TooLarge(Exception):
    """An operation needs more nodes than the limit."""


def checked(function):
    if function == TOO_LARGE:
        raise TooLarge
    return function


class Decisions:
    def __init__(self):
        self.functions = loaded()
        self.all = self.functions.make()

    def __del__(self):
        self.functions.drop(self.all)

    def variable(self, number):
        return checked(self.functions.variable(self.all, number))

    def both(self, a, b):
        if a == b or b == 1:
            return a
        if a == 1:
            return b
        if a == 0 or b == 0:
            return 0
        return checked(self.functions.apply(self.all, BOTH, a, b))

    def either(self, a, b):
        if a == b or b == 0:
            return a
        if a == 0:
            return b
        if a == 1 or b == 1:
            return 1
        return checked(self.functions.apply(self.all, EITHER, a, b))

    def differ(self, a, b):
        if a == b:
            return 0
        if a == 0:
            return b
        if b == 0:
            return a
        return checked(self.functions.apply(self.all, DIFFER, a, b))

    def negation(self, a):
        return 1 - a if a <= 1 else checked(self.functions.apply(self.all, DIFFER, a, 1))

    def choice(self, condition, a, b):
        """a where a condition holds, else b."""
        if condition == 1 or a == b:
            return a
        if condition == 0:
            return b
        return checked(self.functions.choice(self.all, condition, a, b))

    def look_up(self, index, tables):
        """The bits that an index, the lowest bit first, selects from tables of a byte, 0 or 1, for each index."""
        array = (ctypes.c_uint32 * len(index))(*index)
        return tuple(checked(self.functions.look_up(self.all, array, len(index), table)) for table in tables)

    def all_of(self, functions):
        """The conjunction. Functions with later variables come first, so that each step visits few nodes."""
        result = 1
        for function in sorted(set(functions), key=lambda each: self.functions.variable_of(self.all, each), reverse=True):
            result = self.both(function, result)
        return result

    def any_of(self, functions):
        result = 0
        for function in functions:
            result = self.either(result, function)
        return result

    def none_of(self, functions):
        return self.all_of(map(self.negation, set(functions)))

    def conjunction(self, functions):
        """The conjunction in the order of the functions; ends as soon as it is false."""
        result = 1
        for function in functions:
            result = self.both(result, function)
            if result == 0:
                break
        return result

    def are_disjoint(self, a, b):
        """Whether two functions are never true together. Makes no diagram, in contrast to `both`."""
        return self.functions.are_disjoint(self.all, a, b)

    def agree(self, condition, a, b):
        """Whether two functions are equal wherever a condition is true. Makes no diagram."""
        return a == b or self.functions.agree(self.all, condition, a, b)

    def has_more_nodes(self, function, count):
        """Whether the diagram of a function has more than `count` nodes."""
        found, waiting = set(), [function]
        while waiting and len(found) <= count:
            number = waiting.pop()
            if number > 1 and number not in found:
                found.add(number)
                waiting += [self.functions.low_of(self.all, number), self.functions.high_of(self.all, number)]
        return len(found) > count

    def example(self, function):
        """An input for which a function that is not 0 is true: variables and their values."""
        values = {}
        while function > 1:
            low = self.functions.low_of(self.all, function)
            values[self.functions.variable_of(self.all, function)] = int(low == 0)
            function = self.functions.high_of(self.all, function) if low == 0 else low
        return values
