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
        # Pairs that are disjoint, and triples that agree.
        self.disjoint = set()

    def forget(self):
        """Drops what only saves time, if it takes much memory."""
        for results in (self.conjunctions, self.disjunctions, self.differences, self.choices, self.disjoint):
            if len(results) > 1_000_000:
                results.clear()

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

    def any(self, functions):
        result = 0
        for function in functions:
            result = self.either(result, function)
        return result

    def none(self, functions):
        return self.all(map(self.negation, set(functions)))

    def are_disjoint(self, a, b):
        """Whether two functions are never true together. Makes no diagram, in contrast to `both`."""
        if a == 0 or b == 0:
            return True
        if a == b or a == 1 or b == 1:
            return False
        key = (a, b) if a < b else (b, a)
        if key in self.disjoint:
            return True
        variable, low, high = self.nodes[a]
        other, other_low, other_high = self.nodes[b]
        if variable < other:
            other_low = other_high = b
        elif other < variable:
            low = high = a
        if self.are_disjoint(low, other_low) and self.are_disjoint(high, other_high):
            self.disjoint.add(key)
            return True
        return False

    def agree(self, condition, a, b):
        """Whether two functions are equal wherever a condition is true. Makes no diagram."""
        if a == b or condition == 0:
            return True
        if condition == 1:
            return False
        if a <= 1 and b <= 1:
            return False
        key = (condition, a, b)
        if key in self.disjoint:
            return True
        nodes = self.nodes
        variable, low, high = nodes[condition]
        first, first_low, first_high = nodes[a]
        second, second_low, second_high = nodes[b]
        least = min(variable, first, second)
        if variable != least:
            low = high = condition
        if first != least:
            first_low = first_high = a
        if second != least:
            second_low = second_high = b
        if self.agree(low, first_low, second_low) and self.agree(high, first_high, second_high):
            self.disjoint.add(key)
            return True
        return False

    def has_more_nodes(self, function, count):
        """Whether the diagram of a function is greater than that."""
        found, waiting = set(), [function]
        while waiting and len(found) <= count:
            number = waiting.pop()
            if number > 1 and number not in found:
                found.add(number)
                waiting += self.nodes[number][1:]
        return len(found) > count

    def conjunction(self, functions):
        """The conjunction in the order of the functions, as long as it is possible."""
        result = 1
        for function in functions:
            result = self.both(result, function)
            if result == 0:
                break
        return result

    def example(self, function):
        """The variables of an input for which a function that is not 0 is true, and their values."""
        values = {}
        while function > 1:
            variable, low, high = self.nodes[function]
            values[variable] = int(low == 0)
            function = high if low == 0 else low
        return values
