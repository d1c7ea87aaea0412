"""The kernels for JSON strings: they read the longest beginning of a text that RFC 8259 allows (strings.py), and write its
content.

A kernel's loops are executed for one round each, from a place at which a character or an escape begins: any number of
bytes has been read, at least as many as have been written, and some number of bytes is left. If a round is right for
all of these, all rounds are. Small numbers of bytes left, with which the end may cut off an escape, are executed one by
one; all larger ones together. In a round of 64 bytes, the rest of the text is followed by zeros. Since no escape has a
zero byte, this changes neither what is read of the text nor what is written for it."""

import dataclasses

from algebra.bits import number_of
from text import selections
from text.machine import Machine
from text.memory import Length, Output, Pointer, Prefix, Refused, Text, Unknown, length, multiple, parts, whole
from text.program import loops
from text.recording import recorded
from text.strings import COUNTS, IS_ORDINARY, IS_PLAIN, Grammar

WRITTEN = multiple(Unknown("written"))
READ = WRITTEN + multiple(Unknown("dropped"))
# The variables for whether there were escapes before, and whether the portable kernel reads some.
HAD_ESCAPES, REST_HAS_ESCAPES = 0, 1
BLOCK = 64


@dataclasses.dataclass
class Kernel:
    name: str
    target: str
    # The numbers of bytes that may be left. With an unknown number, no escape that begins in a round is cut off.
    lefts: list
    # Whether the rest of a text is read like a whole block, followed by zeros.
    pads: bool = False

    @property
    def sources(self):
        return [f"{self.name}/json.c"]


def up_to(count):
    """Every number below a count, and all from there on."""
    return [*range(count), multiple(Unknown("left")) + count]


MORE = multiple(Unknown("left")) + BLOCK
KERNELS = [
    Kernel("portable", "x86_64", up_to(20)),
    Kernel("neon", "aarch64", up_to(32)),
    Kernel("avx2", "x86_64", [multiple(Unknown("left", BLOCK - 1)), MORE]),
    Kernel("avx512", "x86_64", [0, multiple(Unknown("left", BLOCK - 2)) + 1, MORE], pads=True),
]


class Unstable(Exception):
    """A round changes variables that were assumed to be constant."""


class Scan:
    """The rounds of a kernel's function."""

    def __init__(self, kernels, kernel, does_write):
        self.kernel, self.does_write = kernel, does_write
        self.machine = Machine([recorded(kernels, kernel.target, source) for source in kernel.sources])
        self.logic, self.numbers = self.machine.logic, self.machine.numbers
        self.name = f"@assay_json_{'unescape' if does_write else 'run'}_{kernel.name}"
        self.function = self.machine.module_of(self.name, None).functions[self.name]
        self.loops = loops(self.function)
        self.unstable, self.grammars, self.suspects, self.impossible = set(), {}, {}, {}
        if kernel.name == "avx2" and does_write:
            self.machine.summaries["@compress"] = selections.compress
        if kernel.name != "portable":
            self.machine.summaries[f"@assay_json_{'unescape' if does_write else 'run'}_portable"] = self.summary

    def prove(self):
        if self.kernel.pads:
            self.check_zeros()
        while True:
            try:
                for left in self.kernel.lefts:
                    for label in self.loops:
                        self.prove_round(label, left)
                return
            except Unstable:
                continue

    def check_zeros(self):
        """Checks that no escape has a zero byte."""
        grammar = self.grammar(MORE)
        for count in COUNTS[1:]:
            for place in range(count):
                is_zero = self.logic.none_of(grammar.text.byte(self.logic, place))
                if not self.logic.are_disjoint(grammar.escape(0, count), is_zero):
                    raise Refused(f"identity: an escape of {count} bytes may have a zero at {place}")

    def prove_round(self, label, left):
        grammar = self.grammar(left)
        is_within_escape = begins_with_backslash(label)
        condition = grammar.is_backslash(0) if is_within_escape else 1
        if is_within_escape and left == 0:
            return
        state, stable = self.begin(label, left)
        state.condition = condition
        for outcome in self.machine.run(state, self.loops):
            if outcome.label is not None:
                self.check_stable(outcome, stable)
            Round(self, grammar, left, label, outcome).check()

    def is_padded(self, left):
        """Whether a round gets the whole rest of the text, followed by zeros."""
        return self.kernel.pads and isinstance(left, Length) and left != MORE

    def grammar(self, left):
        key = left if isinstance(left, int) else None
        if key not in self.grammars:
            plain = IS_ORDINARY if self.does_write else IS_PLAIN
            self.grammars[key] = Grammar(self.logic, self.numbers, Text("text", 0, 1), key, plain)
        return self.grammars[key]

    # The beginning of a round.

    def begin(self, label, left):
        """The state in which a loop is entered, and the contents of the variables that must be the same then."""
        count = READ + left
        # The text is shorter than half of the numbers of 64 bits, so that a sum of a block more does not overflow.
        self.machine.bound = count + BLOCK
        self.text, self.output = Text("text", count, 1, origin=READ), Output("output", count, 1, origin=WRITTEN)
        arguments = [Pointer(self.text, Length(0)), count, Pointer(self.output, Length(0))]
        state = self.machine.start(self.name, arguments[:3 if self.does_write else 2], {self.output: {}})
        outcome, = self.machine.run(state, self.loops)
        if outcome.label != self.loops[0]:
            raise Refused("recorder: the loop is not entered first")
        state, frame = outcome.state, outcome.state.frames[0]
        if number_of(state.memory[self.position(state, outcome.label)][:128 if self.does_write else 72]) != 0:
            raise Refused("identity: something is read before the first round")
        variables = state.variables()
        parameters = {name for name, _, _ in self.function.parameters}
        frame.values = {name: value for name, value in frame.values.items() if name in variables or name in parameters}
        frame.enter(label)
        for name in self.unstable & set(variables):
            state.memory[variables[name]] = (None,) * len(state.memory[variables[name]])
        stable = {name: state.memory[object] for name, object in variables.items()
                  if any(cell is not None for cell in state.memory[object])}
        second = parts(WRITTEN) if self.does_write else (self.logic.variable(HAD_ESCAPES),) + (0,) * 7 + (None,) * 56
        state.memory[self.position(state, label)] = parts(READ) + second
        return state, stable

    def position(self, state, label):
        """The variable with the numbers of bytes that were read and written: the first one of its size in the loop."""
        variables = state.variables()
        for name in locals_of(self.function.blocks[label]):
            if name in variables and variables[name].size == Length(16):
                return variables[name]
        raise Refused(f"recorder: the place at {label} is not known")

    def check_stable(self, outcome, stable):
        """Checks that the variables at the head of a loop are as when it was first entered, except the position."""
        state, variables = outcome.state, outcome.state.variables()
        position = self.position(state, outcome.label)
        changed = {name for name, cells in stable.items()
                   if variables[name] != position and state.memory[variables[name]] != cells}
        if changed:
            self.unstable |= changed
            raise Unstable

    def summary(self, machine, state, text, count, output=None):
        """Replaces the portable kernel: it reads a part of what is left, and writes no more bytes than it reads."""
        read, written = multiple(Unknown("rest", count)), multiple(Unknown("content", count))
        state.calls.append((text, count, output, read, written))
        second = parts(written) if self.does_write else (self.logic.variable(REST_HAS_ESCAPES),) + (0,) * 63
        return parts(read) + second


class Round:
    """Checks the outcome of a round."""

    def __init__(self, scan, grammar, left, start, outcome):
        self.scan, self.grammar, self.left, self.start, self.outcome = scan, grammar, left, start, outcome
        self.logic, self.state, self.calls = scan.logic, outcome.state, outcome.state.calls
        self.conditions = [self.state.condition, *self.state.large]

    def refuse(self, what, wrong=None):
        example = ""
        if wrong is not None:
            example = self.scan.text.example(self.logic.example(wrong))
        raise Refused(f"identity: {what}, with {self.left} left from {self.start}{example}")

    def require(self, what, holds):
        if not self.excludes(self.logic.negation(holds)):
            self.refuse(what, self.logic.conjunction([self.logic.negation(holds), *self.conditions]))

    def excludes(self, *functions):
        """Whether functions are never true together in this round."""
        logic = self.logic
        return any(logic.are_disjoint(function, condition) for function in functions for condition in self.conditions) or (
            logic.conjunction([*functions, *self.conditions]) == 0)

    def check(self):
        cells = self.cells()
        read, second = whole(cells[:64]), whole(cells[64:128]) if self.scan.does_write else cells[64]
        if self.calls:
            read, second = self.check_call(read, second)
        if not isinstance(read, Length):
            self.refuse("what is read is not known")
        count = (read - READ).number()
        end = count if isinstance(count, int) else self.block_end(count)
        self.require(f"{count} bytes are read, which do not end there", self.grammar.remembered(self.grammar.begins, end))
        self.check_next(count)
        if self.scan.does_write:
            self.check_written(count, end, second)
        else:
            expected = self.logic.either(self.logic.variable(HAD_ESCAPES), self.grammar.remembered(self.grammar.escapes, end))
            if second is None or any(cells[65:72]):
                self.refuse("whether there are escapes is not set")
            self.require("whether there are escapes is wrong", self.logic.negation(self.logic.differ(second, expected)))

    def cells(self):
        """The cells of the result, or of the position if the loop is entered again."""
        if self.outcome.label is None:
            return self.outcome.value
        return self.state.memory[self.scan.position(self.state, self.outcome.label)]

    def block_end(self, count):
        """The end of a block that is read as a whole: the end of the text if this is its rest, followed by zeros."""
        if count != self.left:
            self.refuse(f"{count} bytes are read")
        return BLOCK

    def check_call(self, read, second):
        """Checks that the portable kernel is called for the rest. Returns what is read and written before."""
        (text, count, output, rest, content), *others = self.calls
        scan = self.scan
        if others or self.outcome.label is not None or text.object != scan.text or length(count) != scan.text.size - text.offset:
            self.refuse("the rest is not what is left")
        if read != text.offset + rest:
            self.refuse("what is read of the rest is not added")
        if scan.does_write:
            if output.object != scan.output or second != output.offset + content:
                self.refuse("what is written for the rest is not added")
            return text.offset, output.offset
        # The bit has two cases: without escapes in the rest it must be what it was before.
        rest_has = self.logic.variable(REST_HAS_ESCAPES)
        self.require("escapes of the rest are lost", self.logic.either(self.logic.negation(rest_has), second))
        self.conditions.append(self.logic.negation(rest_has))
        return text.offset, second

    def check_next(self, count):
        """Checks that the text is read to its end or to an invalid byte, or else that there is progress."""
        label, scan = self.outcome.label, self.scan
        if label is None:
            if not self.calls:
                self.require("the text goes on", self.stops(count))
            return
        if scan.loops.index(label) <= scan.loops.index(self.start) and not (length(count) - 1).is_never_negative():
            self.refuse("there is no progress")
        if begins_with_backslash(label):
            if not (length(self.left) - count - 1).is_never_negative():
                self.refuse("the end is passed")
            self.require("there is no escape", self.grammar.is_backslash(count))

    def stops(self, count):
        if isinstance(self.left, int) or (self.left - count - 12).is_never_negative() or self.scan.is_padded(self.left):
            return self.grammar.remembered(self.grammar.stops, count)
        # An escape may be cut off, so none may begin here.
        return self.logic.none_of([self.grammar.is_plain(count), self.grammar.is_backslash(count)])

    # Content.

    def check_written(self, count, end, written):
        if not isinstance(written, Length):
            self.refuse("what is written is not known")
        kept = (written - WRITTEN).number()
        if self.state.selections:
            self.check_selections(count, end, kept)
        else:
            self.check_bytes(count, kept)

    def check_bytes(self, count, kept):
        """Checks that the content is written byte by byte."""
        bytes = self.state.memory[self.scan.output]
        if min(bytes, default=0) < 0:
            self.refuse("what was written before is changed")
        if not isinstance(count, int):
            self.refuse(f"{count} bytes are read, and none are selected")
        place = 0
        for index in range(count):
            has_content = self.grammar.remembered(self.grammar.kept, index)
            if self.excludes(has_content):
                continue
            self.require(f"whether byte {index} has content depends on the text", has_content)
            if place not in bytes:
                self.refuse(f"byte {place} is not written")
            for applies, expected in self.grammar.remembered(self.grammar.contents, index):
                if expected is not None:
                    self.check_bits(index, bytes[place], expected, applies)
            place += 1
        if place != kept:
            self.refuse(f"{kept} bytes are written in place of {place}")

    def check_selections(self, count, end, kept):
        """Checks that exactly the places with content are selected, with the right bytes."""
        if self.state.memory[self.scan.output]:
            self.refuse("single bytes are written, and selected ones")
        place, lanes = Length(0), []
        for start, selection in self.state.selections:
            mask = selection.mask
            if start != place:
                self.refuse(f"a selection is written at {start} in place of {place}")
            place += self.scan.machine.count(mask, BLOCK)
            bytes = [selection.bytes[index:index + 8] for index in range(0, len(selection.bytes), 8)]
            if isinstance(mask, Prefix):
                if mask.length != count:
                    self.refuse(f"{mask.length} of {count} bytes are selected")
                mask = mask.bits
            lanes += zip(self.scan.machine.bits(mask, len(bytes)), bytes, strict=True)
        if len(lanes) < end:
            self.refuse(f"{len(lanes)} bytes are selected from, not {end}")
        if place != length(kept):
            self.refuse(f"{kept} bytes are counted, {place} are written")
        if not all(self.grammar.remembered(self.grammar.check_may_begin, index) for index in range(end)):
            self.refuse("the conditions on few bytes are wrong")
        for index, (is_selected, bits) in enumerate(lanes):
            if index >= end:
                if is_selected:
                    self.refuse(f"byte {index} is selected")
                continue
            key = (index, is_selected, bits)
            if key not in self.scan.suspects:
                self.scan.suspects[key] = [each for each in self.grammar.remembered(self.grammar.contents, index, BLOCK)
                                           if self.is_wrong(is_selected, bits, *each)]
            for applies, expected in self.scan.suspects[key]:
                if not self.is_impossible(applies):
                    wrong = self.difference(is_selected, bits, applies, expected)
                    self.refuse(f"what is selected at byte {index} is wrong", self.logic.conjunction([wrong, *self.conditions]))

    def is_impossible(self, function):
        """Whether the large parts of the condition, which many rounds share, exclude a function."""
        key = (function, self.state.large)
        if key not in self.scan.impossible:
            self.scan.impossible[key] = any(self.logic.are_disjoint(function, condition) for condition in self.state.large)
        return self.scan.impossible[key]

    def is_wrong(self, is_selected, bits, applies, expected):
        """Whether a place is selected without content, is not selected although it has some, or has other content. Each
        place is read up to the end of the round, so one of its conditions is true."""
        logic = self.logic
        if not logic.agree(applies, is_selected, int(expected is not None)):
            return True
        return expected is not None and (None in bits or not all(map(logic.agree, (applies,) * 8, bits, expected)))

    def difference(self, is_selected, bits, applies, expected):
        """The function that is true for the texts for which a place is wrong."""
        logic = self.logic
        wrong = is_selected if expected is None else logic.negation(is_selected)
        if expected is not None and None not in bits:
            wrong = logic.any_of([wrong, *map(logic.differ, bits, expected)])
        return logic.both(applies, wrong)

    def check_bits(self, index, found, expected, applies):
        for bit, other in zip(found, expected):
            differs = applies if bit is None else self.logic.both(applies, self.logic.differ(bit, other))
            if not self.excludes(differs):
                self.refuse(f"the content of byte {index} is wrong", self.logic.conjunction([differs, *self.conditions]))


def begins_with_backslash(label):
    """Whether a loop is entered at a backslash: the one over escapes that follow each other."""
    return label.startswith("do.")


def locals_of(item):
    """The names of values in an instruction or several, in order."""
    if isinstance(item, tuple) and len(item) == 2 and item[0] == "local":
        yield item[1]
    elif isinstance(item, (tuple, list)):
        for each in item:
            yield from locals_of(each)
