"""The base64 decoders. For every count that is a multiple of 4 they accept exactly the characters of RFC 4648, write
all count / 4 * 3 bytes of the decoded text, and access nothing outside of the text and the output.

Each count that is too small for a round of a kernel's loop is executed separately. For all others, the state in which a
kernel first enters its loop is generalized to the state after any number of rounds, and the next round must keep that
form. Lengths and addresses change by the same amount in each round. The errors are arbitrary, but have no bit set
exactly if all characters so far are valid. From there the kernel is executed to its end, for each number of characters
that may be left. The text's bytes are variables, eight for each byte: Boolean functions that are equal are equal for
all texts."""

import dataclasses

from algebra.bits import bits_of, number_of
from text.machine import Machine
from text.memory import Length, Output, Pointer, Refused, Text, Unknown, length, multiple, parts, refusal, whole
from text.program import loops
from text.recording import recorded
from verdicts import Verdict

ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SEXTETS = tuple(bits_of(ALPHABET.find(code) % 64, 6) for code in range(256))
VALIDITIES = tuple((int(code in ALPHABET),) for code in range(256))


@dataclasses.dataclass
class Kernel:
    name: str
    target: str
    # A round of the loop decodes `step` characters. Another round follows while at least `least` are left.
    step: int
    least: int
    # The bits of the errors that are tested, of each 8 or 32.
    errors: tuple

    @property
    def sources(self):
        return ["portable/base64.c"] + [f"{self.name}/base64.c"] * (self.name != "portable")


KERNELS = [
    Kernel("portable", "x86_64", 16, 20, bits_of(1 << 31, 32)),
    Kernel("avx2", "x86_64", 32, 44, bits_of(0xFF, 8)),
    Kernel("avx512", "x86_64", 64, 64, bits_of(0x80, 8)),
    Kernel("neon", "aarch64", 64, 64, bits_of(0x80, 8)),
]


ROUNDS = multiple(Unknown("rounds"))
GROUPS = multiple(Unknown("groups"), 4)


class Execution:
    """A kernel on a text of some length after some rounds of its loop, and what must hold of it."""

    def __init__(self, kernel, modules, count, rounds=Length(0)):
        self.kernel, self.rounds, self.machine = kernel, rounds, Machine(modules)
        self.logic, self.numbers = self.machine.logic, self.machine.numbers
        count, done = length(count), rounds * kernel.step
        self.text = Text("text", count, 1, origin=done)
        self.output = Output("output", (count * 3).divided(4), 1, origin=(done * 3).divided(4))
        self.machine.bound = count
        arguments = [Pointer(self.text, Length(0)), count.number(), Pointer(self.output, Length(0))]
        self.state = self.machine.start(f"@assay_base64_decode_{kernel.name}", arguments, {self.output: {}})
        self.before = 1

    # The loop.

    def enter(self):
        """Executes the kernel up to the point at which the loop is entered."""
        self.label = loops(self.state.frames[0].function)[0]
        self.finish(is_round=True)

    def generalize(self, changes):
        """Changes the state to the one in which the loop is entered after some rounds."""
        frame, memory, variables = self.state.frames[0], self.state.memory, self.state.variables()
        frame.values = {name: value for name, value in frame.values.items() if name in variables}
        for name, step in changes.items():
            object = variables[name]
            cells = memory[object]
            if name == "%errors":
                memory[object] = tuple(map(self.logic.variable, range(len(cells))))
            elif step is None:
                memory[object] = (None,) * len(cells)
            else:
                memory[object] = moved(cells, self.rounds * step)
        self.before = self.is_without_errors()

    def is_without_errors(self):
        bits, mask = self.state.memory[self.state.variables()["%errors"]], self.kernel.errors
        return self.logic.none_of(bit for place, bit in enumerate(bits) if mask[place % len(mask)])

    def finish(self, is_round=False):
        """Executes the kernel to its end, or until the loop is entered again. Returns its result."""
        outcome, = self.machine.run(self.state, stops=[self.label] if is_round else [])
        if (outcome.label is not None) != is_round:
            raise Refused("recorder: the loop is not entered when it should be")
        self.state = outcome.state
        return outcome.value

    # The specification.

    def are_valid(self, places):
        return self.logic.all_of(self.numbers.entry(self.text.byte(self.logic, place), VALIDITIES)[0] for place in places)

    def byte(self, place):
        """A byte of the output: of the four sextets of its group, the first the highest."""
        group, which = divmod(place, 3)
        sextets = [self.numbers.entry(self.text.byte(self.logic, 4 * group + index), SEXTETS) for index in range(4)]
        bits = sextets[3] + sextets[2] + sextets[1] + sextets[0]
        return bits[16 - 8 * which:24 - 8 * which]

    def check_output(self, count):
        """Checks that the bytes for `count` characters from the origin on are written, and no earlier one is wrong."""
        written = self.state.memory[self.output]
        for place in range(min([0, *written]), count // 4 * 3):
            if place < 0 and place not in written:
                continue
            if place not in written or None in written[place]:
                raise Refused(f"identity: byte {place} after {self.output.origin} is not written")
            first = place // 3 * 4
            valid = self.are_valid(range(first, first + 4))
            for found, expected in zip(written[place], self.byte(place)):
                self.check(f"byte {place} after {self.output.origin}", valid, self.logic.differ(found, expected))

    def check_accepted(self, found, count):
        """Checks that no error is found exactly if none was before and the next `count` characters are valid."""
        expected = self.logic.both(self.before, self.are_valid(range(count)))
        # Without earlier errors the characters so far are valid; the last of them may be read again.
        earlier = self.are_valid(range(-self.kernel.step, 0)) if self.rounds != Length(0) else 1
        possible = self.logic.either(self.logic.negation(self.before), earlier)
        self.check("which texts are accepted", possible, self.logic.differ(found, expected))

    def check(self, what, condition, difference):
        wrong = self.logic.both(condition, difference)
        if wrong:
            raise Refused(f"identity: {what} is wrong{self.text.example(self.logic.example(wrong))}")


def quantity(cells):
    """The length, address or number in a variable of 64 bits; None if it has none of these."""
    if len(cells) != 64:
        return None
    value = whole(cells)
    return number_of(cells) if value is None else value


def moved(cells, by):
    value = quantity(cells)
    value = value.moved(by) if isinstance(value, Pointer) else (length(value) + by).number()
    return bits_of(value, 64) if isinstance(value, int) else parts(value)


def step_between(old, new):
    """By how much a length or an address grows; None if it is neither."""
    old, new = quantity(old), quantity(new)
    if old is None or new is None or isinstance(old, Pointer) != isinstance(new, Pointer):
        return None
    if isinstance(old, Pointer):
        if old.object != new.object or old.index or new.index:
            return None
        old, new = old.offset, new.offset
    step = (length(new) - old).number()
    return step if isinstance(step, int) else None


def begin(kernel, modules):
    """Checks all counts that are too small for a round, and that there is no error when the loop is entered."""
    for count in range(0, kernel.least, 4):
        execution = Execution(kernel, modules, count)
        accepted = execution.finish()
        execution.check_accepted(execution.machine.bits(accepted, 1)[0], count)
        execution.check_output(count)
    execution = Execution(kernel, modules, GROUPS + kernel.least)
    execution.enter()
    if any(execution.state.memory[execution.state.variables()["%errors"]]):
        raise Refused("identity: there are errors before the first round")


def changes_of(kernel, modules):
    """The variables that a round changes, each with the amount if it is a length or an address."""
    execution = Execution(kernel, modules, GROUPS + kernel.least)
    execution.enter()
    before, variables = dict(execution.state.memory), execution.state.variables()
    execution.finish(is_round=True)
    after = execution.state.memory
    return {name: step_between(before[object], after[object]) for name, object in variables.items()
            if before[object] != after[object]}


def round(kernel, modules):
    """Checks a round after any number of others, with at least as many characters left as it needs."""
    changes = changes_of(kernel, modules)
    execution = Execution(kernel, modules, ROUNDS * kernel.step + GROUPS + kernel.least, rounds=ROUNDS)
    execution.enter()
    execution.generalize(changes)
    before = dict(execution.state.memory)
    execution.finish(is_round=True)
    after = execution.state.memory
    for name, object in execution.state.variables().items():
        step = changes.get(name, 0)
        if before[object] != after[object] and step is not None and name != "%errors":
            if step == 0 or moved(before[object], length(step)) != after[object]:
                raise Refused(f"identity: a round does not change {name} as the first one does")
    execution.check_accepted(execution.is_without_errors(), kernel.step)
    execution.check_output(kernel.step)


def end(kernel, modules):
    """Checks the end after at least one round, for each number of characters that may be left."""
    changes = changes_of(kernel, modules)
    for count in range(kernel.least - kernel.step, kernel.least, 4):
        execution = Execution(kernel, modules, (ROUNDS + 1) * kernel.step + count, rounds=ROUNDS + 1)
        execution.enter()
        execution.generalize(changes)
        accepted = execution.finish()
        execution.check_accepted(execution.machine.bits(accepted, 1)[0], count)
        execution.check_output(count)


THEOREMS = {
    "begin": (begin, "fewer characters than a round: accepted as RFC 4648 says, decoded, within bounds"),
    "round": (round, "a round after any others: decodes, keeps what its errors mean, within bounds"),
    "end": (end, "the rest after any rounds: accepted as RFC 4648 says, decoded, within bounds"),
}


def check(theorem, kernel, kernels):
    theorem(kernel, [recorded(kernels, kernel.target, source) for source in kernel.sources])


def prove(kernels, names):
    """Yields a verdict on each theorem of each decoder."""
    for kernel in KERNELS:
        chosen = {f"{kernel.name}_{name}": theorem for name, theorem in THEOREMS.items()
                  if not names or f"{kernel.name}_{name}" in names}
        for name, (theorem, says) in chosen.items():
            yield Verdict(name, says, refusal(check, theorem, kernel, kernels))
