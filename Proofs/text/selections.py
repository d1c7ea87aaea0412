"""How the AVX2 kernel selects bytes: `compress` writes those of 32 bytes that a mask selects, and no more than 32
bytes. It calls `compress_eight`, which is executed for each mask of eight bits. Its calls are then checked for every
mask of 32 bits: each must write behind the bytes that earlier calls have selected, over other bytes that these have
written."""

from algebra.bits import bits_of
from text.machine import Machine
from text.memory import Length, Object, Output, Pointer, Refused, Selection, length
from text.recording import recorded

HALF, EIGHT = 32, 8


def variables(machine, count, first=0):
    return tuple(map(machine.logic.variable, range(first, first + count)))


def check_eight(module):
    for index in (0, EIGHT):
        for mask in range(256):
            machine = Machine([module])
            bytes = variables(machine, 128)
            output = Output("output", EIGHT, 1)
            others = bits_of(mask, EIGHT) + variables(machine, 24, first=128)
            state = machine.start("@compress_eight", [bytes, index, others, Pointer(output, Length(0))], {output: {}})
            outcome, = machine.run(state)
            places = [place for place in range(EIGHT) if mask >> place & 1]
            for number, place in enumerate(places):
                first = 8 * (index + place)
                if outcome.state.memory[output].get(number) != bytes[first:first + 8]:
                    raise Refused(f"identity: byte {place} from {index} on, of the mask {mask:#04x}")


def check_calls(module):
    machine, calls = Machine([module]), []
    bytes, mask = variables(machine, 8 * HALF), variables(machine, HALF, first=8 * HALF)
    output, source = Output("output", HALF, 1), Object("bytes", HALF, HALF)

    def called(machine, state, bytes, index, mask, target):
        calls.append((bytes, index, mask, target))

    machine.summaries["@compress_eight"] = called
    arguments = [Pointer(source, Length(0)), mask, Pointer(output, Length(0))]
    machine.run(machine.start("@compress", arguments, {output: {}, source: bytes}))
    if len(calls) != HALF // EIGHT:
        raise Refused(f"identity: {len(calls)} times eight bytes are written")
    for number, (found, index, low, target) in enumerate(calls):
        first = EIGHT * number
        part = mask[first:first + EIGHT]
        place = length(machine.count(mask[:first], first))
        if not (length(HALF) - place - EIGHT).is_never_negative():
            raise Refused("bounds: more than 32 bytes are written")
        half, expected_index = divmod(number, 2)
        if (found != bytes[128 * half:128 * (half + 1)] or index != EIGHT * expected_index
                or machine.known_bits(low, HALF)[:EIGHT] != part or target.object != output or target.offset != place):
            raise Refused(f"identity: the bytes from {first} on are selected by other bits, or written to another place")


def check(kernels):
    module = recorded(kernels, "x86_64", "avx2/json.c")
    check_eight(module)
    check_calls(module)


def compress(machine, state, source, mask, target):
    """In place of `compress`: a selection, which may write 32 bytes."""
    bytes = machine.known_bits(machine.cells(state, source, HALF, 1), 8 * HALF)
    machine.write_selection(state, target, Selection(machine.known_bits(mask, HALF), bytes), length(HALF))
