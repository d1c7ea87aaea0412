"""Boolean functions as ordered binary decision diagrams. A function is a number: 0 and 1 are the constants, every other
number is a node with a variable and two functions of the variables after it. Equal functions have equal numbers."""

import sys

LAST = 1 << 60  # The variable of the constants: after all others.


class Decisions:
    def __init__(self):
        sys.setrecursionlimit(100_000)
        self.nodes = [(LAST, 0, 0), (LAST, 1, 1)]
        self.numbers = {}
        self.conjunctions, self.disjunctions, self.differences, self.choices = {}, {}, {}, {}

    def node(self, variable, low, high):
        if low == high:
            return low
        key = (variable, low, high)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.nodes)
            self.nodes.append(key)
        return number

    def variable(self, number):
        return self.node(number, 0, 1)

    def both(self, a, b):
        if a == b or b == 1:
            return a
        if a == 1:
            return b
        if a == 0 or b == 0:
            return 0
        key = (a, b) if a < b else (b, a)
        result = self.conjunctions.get(key)
        if result is None:
            result = self.conjunctions[key] = self.split(self.both, a, b)
        return result

    def either(self, a, b):
        if a == b or b == 0:
            return a
        if a == 0:
            return b
        if a == 1 or b == 1:
            return 1
        key = (a, b) if a < b else (b, a)
        result = self.disjunctions.get(key)
        if result is None:
            result = self.disjunctions[key] = self.split(self.either, a, b)
        return result

    def differ(self, a, b):
        if a == b:
            return 0
        if a == 0:
            return b
        if b == 0:
            return a
        key = (a, b) if a < b else (b, a)
        result = self.differences.get(key)
        if result is None:
            result = self.differences[key] = self.split(self.differ, a, b)
        return result

    def split(self, operation, a, b):
        variable, low, high = self.nodes[a]
        other, other_low, other_high = self.nodes[b]
        if variable < other:
            other_low = other_high = b
        elif other < variable:
            variable, low, high = other, a, a
        return self.node(variable, operation(low, other_low), operation(high, other_high))

    def negation(self, a):
        return self.differ(a, 1)

    def choice(self, condition, a, b):
        """a where a condition holds, else b."""
        if condition == 1 or a == b:
            return a
        if condition == 0:
            return b
        if a == 1 and b == 0:
            return condition
        key = (condition, a, b)
        result = self.choices.get(key)
        if result is None:
            nodes = [self.nodes[number] for number in key]
            variable = min(node[0] for node in nodes)
            lows, highs = ([node[side] if node[0] == variable else number for number, node in zip(key, nodes)]
                           for side in (1, 2))
            result = self.choices[key] = self.node(variable, self.choice(*lows), self.choice(*highs))
        return result

    def all(self, functions):
        """The conjunction; from the last variable on, so that each step meets the new function only."""
        result = 1
        for function in sorted(set(functions), key=lambda number: self.nodes[number][0], reverse=True):
            result = self.both(function, result)
        return result

    def none(self, functions):
        return self.all(map(self.negation, set(functions)))

    def implied(self, condition, function):
        """Whether a function is true wherever a condition is."""
        return self.both(condition, self.negation(function)) == 0

    def example(self, function):
        """The variables of an input for which a function that is not 0 is true, and their values."""
        values = {}
        while function > 1:
            variable, low, high = self.nodes[function]
            values[variable] = int(low == 0)
            function = high if low == 0 else low
        return values
