"""Executes a program (program.py) on unknown values. A number is an integer, a tuple of Boolean functions (its bits),
or a length; a vector is the tuple of its bits. If a branch depends on an unknown value, both ways are followed, each
with the condition under which it is taken."""

import dataclasses

from algebra.bits import Numbers, bits_of
from algebra.decisions import Decisions
from text import vectors
from text.memory import (Length, Object, Output, Pointer, Refused, Selection, Text, check_access, check_address, length, parts,
                         whole)
from text.operations import UNDEFINED, Operations
from text.program import offset, size, width


# More than any part of a proof needs.
MOST_STEPS, MOST_OUTCOMES = 200_000, 10_000


class Frame:
    """A function that is being executed: its values by name, and the instruction that is next."""

    def __init__(self, module, function, result):
        self.module, self.function, self.result = module, function, result
        self.values, self.label, self.previous, self.next = {}, next(iter(function.blocks)), None, 0
        self.objects = []

    def copy(self):
        other = Frame(self.module, self.function, self.result)
        other.objects = list(self.objects)
        other.values, other.label, other.previous, other.next = dict(self.values), self.label, self.previous, self.next
        return other

    def enter(self, label):
        self.previous, self.label, self.next = self.label, label, 0


class State:
    """The functions that are being executed, the contents of the objects, and the condition under which this state is
    reached. Large parts of the condition are kept separately, because most checks succeed without them."""

    LARGE = 300

    def __init__(self, frames, memory, condition=1):
        self.frames, self.memory, self.condition, self.large = frames, memory, condition, ()
        # The selections that are written, and the calls that are summarized.
        self.selections, self.calls = [], []
        # The place of the lowest set bit of the last mask, the condition before the cases of that place, and for each
        # place the condition that no bit up to it is set.
        self.place, self.earlier, self.unset = None, condition, []
        # The texts that are read with zeros after them.
        self.padded = []

    def copy(self):
        memory = {object: dict(cells) if isinstance(cells, dict) else cells for object, cells in self.memory.items()}
        other = State([frame.copy() for frame in self.frames], memory, self.condition)
        other.selections, other.calls, other.padded = list(self.selections), list(self.calls), list(self.padded)
        other.place, other.earlier, other.unset, other.large = self.place, self.earlier, self.unset, self.large
        return other

    def assume(self, logic, function):
        if logic.has_more_nodes(function, self.LARGE):
            self.large += (function,)
        else:
            self.condition = logic.both(self.condition, function)

    def excludes(self, logic, function):
        """Whether a part of the condition alone excludes that a function is true."""
        return any(logic.are_disjoint(function, condition) for condition in (self.condition, *self.large))

    def variables(self):
        """The objects of the first function's variables by name."""
        return {name: value.object for name, value in self.frames[0].values.items()
                if isinstance(value, Pointer) and value.object.name == name}


@dataclasses.dataclass
class Outcome:
    state: State
    # What the first function returns, or the block before which it is stopped.
    value: object = None
    label: str | None = None


class Machine(Operations):
    def __init__(self, modules):
        self.modules = modules
        self.logic = Decisions()
        self.numbers = Numbers(self.logic)
        self.tables, self.entries, self.bound = {}, {}, length(2**63 - 1)
        # Functions that replace calls, by the name of the called function.
        self.summaries, self.counts = {}, {}
        # The instructions on vectors that were executed.
        self.used = set()

    # Control.

    def start(self, name, arguments, memory):
        """The state in which a function is called. The contents of an output are a dictionary."""
        module = self.module_of(name, None)
        frame = Frame(module, module.functions[name], None)
        state = State([frame], memory)
        self.pass_arguments(state, frame, arguments)
        return state

    def module_of(self, name, first):
        for module in [first, *self.modules]:
            if module is not None and name in module.functions:
                return module
        raise Refused(f"recorder: the function {name} is not known")

    def pass_arguments(self, state, frame, arguments):
        for (name, _, by_value), value in zip(frame.function.parameters, arguments, strict=True):
            if by_value is not None:
                value = self.allocate(state, frame, name, by_value, 64, self.cells(state, value, size(by_value), 1))
            frame.values[name] = value

    def run(self, state, stops=()):
        """The outcomes: the first function returns, or reaches one of the blocks `stops`."""
        outcomes, waiting = [], [state]
        while waiting:
            outcomes.append(self.advance(waiting.pop(), stops, waiting))
            if len(outcomes) > MOST_OUTCOMES:
                raise Refused("range: the program does not end")
        return outcomes

    def advance(self, state, stops, waiting):
        for _ in range(MOST_STEPS):
            frame = state.frames[-1]
            operation, name, operands = frame.function.blocks[frame.label][frame.next]
            frame.next += 1
            if operation == "br":
                label = self.branch(state, frame, *operands, waiting)
                frame.enter(label)
                if len(state.frames) == 1 and label in stops:
                    return Outcome(state, label=label)
            elif operation == "ret":
                type, operand = operands
                value = None if operand is None else self.value(state, frame, type, operand)
                state.frames.pop()
                if not state.frames:
                    return Outcome(state, value)
                for object in frame.objects:
                    del state.memory[object]
                if frame.result is not None:
                    state.frames[-1].values[frame.result] = value
            elif operation == "call":
                self.call(state, frame, name, *operands, waiting)
            elif operation == "unreachable":
                raise Refused(f"bounds: {frame.function.name} gets to where it must not")
            elif operation == "alloca":
                frame.values[name] = self.allocate(state, frame, name, *operands)
            else:
                value = getattr(self, "do_" + operation)(state, frame, *operands)
                if name is not None:
                    frame.values[name] = value
        raise Refused("range: the program does not end")

    def branch(self, state, frame, condition, labels, waiting):
        if condition is None:
            return labels[0]
        value = self.value(state, frame, ("i", 1), condition)
        if isinstance(value, int):
            return labels[1 - value]
        fails = self.logic.negation(value[0])
        for label, function in zip(labels, (fails, value[0])):
            if state.excludes(self.logic, function):
                return label
        other = state.copy()
        other.assume(self.logic, fails)
        other.frames[-1].enter(labels[1])
        waiting.append(other)
        state.assume(self.logic, value[0])
        return labels[0]

    def call(self, state, frame, name, type, callee, arguments, waiting):
        values = [None if operand is None or kind[0] not in "ipvas" else self.value(state, frame, kind, operand)
                  for kind, operand, _ in arguments]
        if callee[0] == "local":
            callee = ("global", self.value(state, frame, ("p",), callee).object.name)
        if callee[1] in self.summaries or callee[1].startswith("@llvm.") or callee[1] == "@memcpy":
            summary = self.summaries.get(callee[1])
            if summary is not None:
                value = summary(self, state, *values)
            elif callee[1].startswith("@llvm.cttz.") and not isinstance(values[0], int):
                value = self.lowest(state, name, self.known_bits(values[0], 0), waiting)
            else:
                value = vectors.intrinsic(self, state, callee[1], type, values)
            if name is not None:
                frame.values[name] = value
            return
        module = self.module_of(callee[1], frame.module)
        called = Frame(module, module.functions[callee[1]], name)
        self.pass_arguments(state, called, values)
        state.frames.append(called)

    def lowest(self, state, name, bits, waiting):
        """The place of the lowest set bit. Each possible place gets its own state."""
        unset, places, state.unset, state.earlier = 1, [], [], state.condition
        for place, bit in enumerate(bits):
            if bit:
                is_lowest, unset = self.logic.both(unset, bit), self.logic.both(unset, self.logic.negation(bit))
                condition = self.logic.both(state.condition, is_lowest)
                if condition:
                    places.append((place, condition))
            state.unset.append(unset)
        if not places or self.logic.conjunction([unset, state.condition, *state.large]):
            raise Refused("range: the lowest bit of zero")
        for place, condition in places[1:]:
            other = state.copy()
            other.condition, other.place = condition, place
            other.frames[-1].values[name] = place
            waiting.append(other)
        state.place, state.condition = places[0]
        return state.place

    # Values.

    def value(self, state, frame, type, operand):
        kind, value, *rest = operand
        if kind == "local":
            if value not in frame.values:
                raise Refused(f"recorder: {value} of {frame.function.name} is from an earlier round")
            return frame.values[value]
        if kind == "global":
            return Pointer(self.table(frame.module, value), Length(0))
        if kind == "address":
            base, indices = rest
            return self.do_getelementptr(state, frame, value, base, [(("i", 64), index) for index in indices], ())
        return value

    def table(self, module, name):
        """The object of a global constant, or of a function's address."""
        key = (id(module), name)
        if key not in self.tables:
            found = module.globals.get(name)
            if found is not None and not found.is_constant:
                raise Refused(f"recorder: {name} is not constant")
            self.tables[key] = Object(name, 0, 1) if found is None else Object(name, size(found.type), found.align, True)
            self.tables[key].cells = () if found is None else found.cells
        return self.tables[key]

    # Memory.

    def cells(self, state, pointer, count, align):
        """The cells of some bytes."""
        if not isinstance(pointer, Pointer):
            raise Refused("bounds: an access to an undefined address")
        check_access(pointer, count, align, "reads")
        object = pointer.object
        if pointer.index:
            return self.entry(state, pointer, count)
        place = self.place(pointer)
        if isinstance(object, Text):
            return tuple(bit for byte in range(place, place + count) for bit in object.byte(self.logic, byte))
        if isinstance(object, Output):
            written = state.memory[object]
            return tuple(bit for byte in range(place, place + count) for bit in written.get(byte, (UNDEFINED,) * 8))
        if not object.is_constant and object not in state.memory:
            raise Refused(f"bounds: reads {object.name}, which is gone")
        cells = object.cells if object.is_constant else state.memory[object]
        return cells[8 * place:8 * (place + count)]

    def entry(self, state, pointer, count):
        """The entry of a table that an index selects."""
        object, index = pointer.object, pointer.index
        while index[-1] == 0:
            index = index[:-1]
        key = (object, pointer.offset, pointer.scale, len(index), count)
        if not object.is_constant:
            raise Refused(f"recorder: {object.name} is read at a place that is not known")
        if key not in self.entries:
            places = [self.place(pointer) + number * pointer.scale for number in range(2 ** len(index))]
            self.entries[key] = tuple(object.cells[8 * place:8 * (place + count)] for place in places)
        return self.numbers.entry(index, self.entries[key])

    def place(self, pointer):
        place = (pointer.offset - pointer.object.origin).number()
        if not isinstance(place, int):
            raise Refused(f"range: {pointer} is at no fixed place in its round")
        return place

    def write(self, state, pointer, cells, align):
        if not isinstance(pointer, Pointer):
            raise Refused("bounds: an access to an undefined address")
        count, object = len(cells) // 8, pointer.object
        check_access(pointer, count, align, "writes")
        if pointer.index or object not in state.memory:
            raise Refused(f"bounds: writes to {object.name}")
        place = self.place(pointer)
        if isinstance(object, Output):
            value = whole(cells)
            if value is not None:
                self.write_selection(state, pointer, value, length(count))
                return
            if any(isinstance(cell, tuple) for cell in cells):
                raise Refused("recorder: a part of a length, an address or a selection is written to the output")
            for byte in range(count):
                state.memory[object][place + byte] = cells[8 * byte:8 * byte + 8]
        elif count == object.size.constant:
            state.memory[object] = cells
        else:
            before = state.memory[object]
            state.memory[object] = before[:8 * place] + cells + before[8 * (place + count):]

    def write_selection(self, state, pointer, value, count):
        """Writes the bytes that a mask selects; `count` bytes are written in all."""
        if not isinstance(value, Selection):
            raise Refused("recorder: a length or an address is written to the output")
        check_access(pointer, self.limited(state, value.mask, count), 1, "writes")
        state.selections.append((pointer.offset - pointer.object.origin, value))

    def limited(self, state, mask, count):
        """The number of bytes that a write of selected bytes has at most: the rest of a padded text limits `count`."""
        text = next((text for text in state.padded if isinstance(mask, tuple)), None)
        if text is None:
            return count
        last = max(place for place, bit in enumerate((1, *mask)) if bit != 0)
        # A byte that is not zero belongs to the text, and so do all before it.
        is_zero = self.logic.none_of(text.byte(self.logic, last))
        return text.size - text.origin if last < 64 and state.excludes(self.logic, is_zero) else count

    def allocate(self, state, frame, name, type, align, cells=None):
        object = Object(name, size(type), align)
        state.memory[object] = (UNDEFINED,) * (8 * size(type)) if cells is None else cells
        frame.objects.append(object)
        return Pointer(object, Length(0))

    def do_load(self, state, frame, type, operand, align):
        cells = self.cells(state, self.value(state, frame, ("p",), operand), size(type), align)
        return self.simple(type, cells[:width(type)])

    def do_store(self, state, frame, type, operand, address, align):
        value = self.value(state, frame, type, operand)
        cells = bits_of(value, width(type)) if isinstance(value, int) else value
        if not isinstance(cells, tuple):
            cells = parts(value, width(type))
        cells += (0,) * (8 * size(type) - len(cells))
        self.write(state, self.value(state, frame, ("p",), address), cells, align)

    def do_getelementptr(self, state, frame, type, operand, indices, flags):
        pointer = self.value(state, frame, ("p",), operand)
        if not isinstance(pointer, Pointer):
            raise Refused("bounds: an undefined address is used")
        for number, (kind, index) in enumerate(indices):
            value = self.value(state, frame, kind, index)
            if number == 0:
                scale = size(type)
            elif type[0] == "s":
                pointer, type = pointer.moved(offset(type, value)), type[1][value]
                continue
            else:
                type = type[2]
                scale = size(type)
            if isinstance(value, int):
                value = value - 2 ** kind[1] if value >> (kind[1] - 1) else value
                pointer = pointer.moved(value * scale)
            elif isinstance(value, Length):
                pointer = pointer.moved(value * scale)
            elif not pointer.index and self.known_bits(value, kind[1])[-1] == 0:
                pointer = dataclasses.replace(pointer, index=value, scale=scale)
            else:
                raise Refused(f"bounds: the address {pointer} is moved by a number that is not known")
        if "inbounds" in flags:
            check_address(pointer)
        return pointer
