"""The functions besides the kernels that JSON's readers use: `assay_json_read_escape`, and marks of 16 bytes."""

from algebra.bits import number_of
from text.machine import Machine
from text.memory import Length, Pointer, Refused, Text, Unknown, multiple
from text.program import loops
from text.recording import RECORDER, recorded
from text.strings import COUNTS, PAIR, Grammar

MARKED = 16


def check_escape(kernels):
    """Checks the escape at the beginning of a text: for each length below a surrogate pair's, and all others."""
    module = recorded(kernels, "x86_64", "escape.c")
    for left in [*range(PAIR), multiple(Unknown("left")) + PAIR]:
        machine, text = Machine([module]), Text("text", left, 1)
        machine.bound = text.size
        grammar = Grammar(machine.logic, machine.numbers, text, left if isinstance(left, int) else None)
        state = machine.start("@assay_json_read_escape", [Pointer(text, Length(0)), left], {})
        state.condition = grammar.is_backslash(0) if left != 0 else 1
        for outcome in machine.run(state):
            check_outcome(machine.logic, grammar, outcome.state.condition, outcome.value, left)


def check_outcome(logic, grammar, condition, value, left):
    count = number_of(value[:64])
    found = {each: grammar.escape(0, each) for each in COUNTS[1:]}
    holds = logic.none_of(found.values()) if count == 0 else found.get(count, 0)
    if not logic.are_disjoint(condition, logic.negation(holds)):
        raise Refused(f"identity: an escape of {count} bytes, with {left} left")
    scalar = grammar.scalar(0, count) if count else (0,) * 32
    if not all(map(logic.agree, (condition,) * 32, value[64:96], scalar)):
        raise Refused(f"identity: the scalar value of an escape of {count} bytes")


def recorded_marks(kernels, architecture):
    """The machine, the grammar of 16 bytes, and the state in which they are marked."""
    machine, text = Machine([recorded(kernels, architecture, RECORDER / "marks.c")]), Text("text", MARKED, 1)
    grammar = Grammar(machine.logic, machine.numbers, text)
    return machine, grammar, machine.start("@assay_json_marks", [Pointer(text, Length(0))], {})


def check_marks(kernels, architecture, width):
    """Checks that the bits of each byte are zero exactly if it is plain."""
    machine, grammar, state = recorded_marks(kernels, architecture)
    outcome, = machine.run(state)
    check_bits(machine.logic, grammar, 1, machine.known_bits(outcome.value, 64), width, MARKED)


def check_bits(logic, grammar, condition, bits, width, count):
    for place in range(count):
        if not logic.agree(condition, logic.none_of(bits[width * place:width * (place + 1)]), grammar.is_plain(place)):
            raise Refused(f"identity: the mark of byte {place}")
    if any(bits[width * count:]):
        raise Refused("identity: there are marks after the last byte")


def check_generic_marks(kernels, width):
    """Checks the marks of a loop over the bytes. A round has several paths. After each of them the next round begins in
    the same state, with the marks so far."""
    machine, grammar, state = recorded_marks(kernels, "generic")
    label, = loops(state.frames[0].function)
    outcomes = machine.run(state, [label])
    for count in range(MARKED + 1):
        marks = ()
        for place in range(count):
            marks += (machine.logic.negation(grammar.is_plain(place)),) + (0,) * (width - 1)
        marks += (0,) * (64 - len(marks))
        for outcome in outcomes:
            if outcome.label is None:
                raise Refused(f"identity: only {count - 1} bytes are marked")
            memory, variables = outcome.state.memory, outcome.state.variables()
            if number_of(memory[variables["%index"]]) != count:
                raise Refused("identity: a byte is left out")
            if not all(map(machine.logic.agree, (outcome.state.condition,) * 64, memory[variables["%marks"]], marks)):
                raise Refused(f"identity: the marks of {count} bytes")
        state, kept = outcome.state, ("%index", "%text.addr")
        for name, object in variables.items():
            if name not in kept:
                memory[object] = marks if name == "%marks" else (None,) * len(memory[object])
        state.condition = 1
        state.frames[0].values = {name: value for name, value in state.frames[0].values.items() if name in variables}
        outcomes = machine.run(state, [label])
    outcome, = outcomes
    if outcome.label is not None or machine.known_bits(outcome.value, 64) != marks:
        raise Refused("identity: other marks are returned")


CHECKS = {
    "read_escape": (check_escape, "the length and the scalar value of an escape, 0 if it is invalid or cut off"),
    "marks_sse2": (lambda kernels: check_marks(kernels, "x86_64", 1), "marks the bytes that are not plain, for all bytes"),
    "marks_generic": (lambda kernels: check_generic_marks(kernels, 4), "marks the bytes that are not plain, for all bytes"),
    "marks_neon": (lambda kernels: check_marks(kernels, "aarch64", 4), "marks the bytes that are not plain, for all bytes"),
}
