"""The ends of an inversion (inverse.c): words to limbs of 62 bits and back, whether a number is 0, and the residue of what the
rounds leave. Executed on bits that are not known, as Proofs/text does, for all numbers."""

from algebra.bits import bits_of
from algebra.scope import Refused
from inversion.matrices import COUNTS, LIMBS
from inversion.numbers import module_of
from inversion.steps import LIMB
from text.machine import Machine
from text.memory import Length, Object, Pointer, Text


def words_of(text, logic, count):
    """A number's words, each the bits from the lowest."""
    return [tuple(bit for place in range(8 * index, 8 * index + 8) for bit in text.byte(logic, place)) for index in range(count)]


def number_of_limbs(limbs):
    """The number of five limbs, of which the topmost has a sign, in two's complement."""
    return tuple(bit for limb in limbs[:-1] for bit in limb[:LIMB]) + limbs[-1]


def call(kernels, name, assumption, given, results, *others):
    """Calls a function that writes `results` words, with the address of `given` unknown words. Yields for each outcome:
    the machine, the state, the words that are written, and the given ones."""
    machine = Machine([module_of(kernels)])
    source = Text("given", Length(8 * given), 8)
    words = words_of(source, machine.logic, given)
    in_place = given == results
    output = Object("results", Length(8 * results), 8)
    memory = {output: sum(words, ()) if in_place else (None,) * 64 * results}
    addresses = [Pointer(each, Length(0)) for each in ([output] if in_place else [output, source])]
    state = machine.start(f"@{name}", [*addresses, *others], memory)
    state.assume(machine.logic, assumption(machine, words))
    for outcome in machine.run(state):
        cells = outcome.state.memory[output]
        if None in cells:
            raise Refused("identity: a word is not written")
        yield machine, outcome.state, [cells[64 * index:64 * index + 64] for index in range(results)], words


def are_carried(machine, limbs):
    return machine.logic.none_of(bit for limb in limbs[:-1] for bit in limb[LIMB:])


def compare(machine, state, found, expected, what):
    for one, other in zip(found, expected, strict=True):
        if machine.logic.conjunction([state.condition, *state.large, machine.logic.differ(one, other)]):
            raise Refused(f"identity: {what} is another")


def check_limbs(kernels):
    for machine, state, limbs, words in call(kernels, "to_limbs", lambda *_: 1, 4, LIMBS):
        for limb in limbs[:-1]:
            compare(machine, state, limb[LIMB:], (0, 0), "the top of a limb")
        compare(machine, state, number_of_limbs(limbs), sum(words, ()) + (0,) * (4 * LIMB + 64 - 256), "the number")


def check_words(kernels):
    """For a number below 2^256 whose lower limbs are carried."""
    def is_small(machine, limbs):
        return machine.logic.both(are_carried(machine, limbs), machine.logic.none_of(limbs[-1][256 - 4 * LIMB:]))

    for machine, state, words, limbs in call(kernels, "to_words", is_small, LIMBS, 4):
        compare(machine, state, sum(words, ()), number_of_limbs(limbs)[:256], "the number")


def check_zero(kernels):
    """For each count of limbs: the number is 0 exactly if all limbs are, since the lower ones are carried."""
    for count in COUNTS:
        machine = Machine([module_of(kernels)])
        given = Text("limbs", Length(8 * count), 8)
        is_zero = machine.logic.none_of(bit for limb in words_of(given, machine.logic, count) for bit in limb)
        for outcome in machine.run(machine.start("@is_zero", [Pointer(given, Length(0)), count], {})):
            value = outcome.value if isinstance(outcome.value, tuple) else bits_of(outcome.value, 1)
            compare(machine, outcome.state, value[:1], (is_zero,), "the answer")


def check_residue(kernels, name, prime, sign):
    """For a number within (-2p, p) whose lower limbs are carried."""
    def is_within(machine, limbs):
        number, numbers = number_of_limbs(limbs), machine.numbers
        return machine.logic.all_of([
            are_carried(machine, limbs), numbers.below(number, bits_of(prime, len(number)), True),
            numbers.below(bits_of(-2 * prime % 2 ** len(number), len(number)), number, True)])

    module = module_of(kernels)
    address = Pointer(Machine([module]).table(module, f"@assay_p256_{name}_prime"), Length(0))
    for machine, state, results, limbs in call(kernels, "normalize", is_within, LIMBS, LIMBS, 2**64 - 1 if sign else 0, address):
        for limb in results[:-1]:
            compare(machine, state, limb[LIMB:], (0, 0), "the top of a limb")
        compare(machine, state, number_of_limbs(results), residue(machine, number_of_limbs(limbs), prime, sign), "the residue")


def residue(machine, number, prime, sign):
    """The residue of a number, or of its negative, as bits."""
    numbers, width = machine.numbers, len(number)
    for _ in range(2):
        number = numbers.select(number[-1], numbers.add(number, bits_of(prime, width))[0], number)
    if not sign:
        return number
    return numbers.select(machine.logic.none_of(number), number, numbers.subtract(bits_of(prime, width), number)[0])
