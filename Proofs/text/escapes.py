"""What JSON's readers use besides the kernels: `assay_json_read_escape`, and the marks of 16 bytes, which are inline."""

from algebra.bits import number_of
from text.machine import Machine
from text.memory import Length, Pointer, Refused, Text, Unknown, multiple
from text.recording import RECORDER, recorded
from text.strings import COUNTS, PAIR, Grammar

MARKED = 16


def check_escape(kernels):
    """The escape at the beginning of a text, for each number of bytes that it has, and for all from those of a pair on."""
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


def check_marks(kernels, architecture, width):
    """That the bits of each byte are zero exactly if it is plain."""
    machine, text = Machine([recorded(kernels, architecture, RECORDER / "marks.c")]), Text("text", MARKED, 1)
    grammar = Grammar(machine.logic, machine.numbers, text)
    outcome, = machine.run(machine.start("@marks", [Pointer(text, Length(0))], {}))
    bits = machine.known_bits(outcome.value, 64)
    for place in range(MARKED):
        if machine.logic.none_of(bits[width * place:width * (place + 1)]) != grammar.is_plain(place):
            raise Refused(f"identity: the mark of byte {place}")
    if any(bits[width * MARKED:]):
        raise Refused("identity: there are marks after the last byte")


CHECKS = {
    "read_escape": (check_escape, "the length and the scalar value of an escape, 0 if it is invalid or cut off"),
    "marks_sse2": (lambda kernels: check_marks(kernels, "x86_64", 1), "marks the bytes that are not plain, for all bytes"),
    "marks_neon": (lambda kernels: check_marks(kernels, "aarch64", 4), "marks the bytes that are not plain, for all bytes"),
}
