"""The functions that treat lanes differently. load_lane of agree.h gives each lane its peer, and the odd one of k and n
- k, for every k within 1..<n. l_load_entries of native.h gives each lane the words of its entry.

Both are translated to the compiler's intermediate language and executed on unknown bits, as in Proofs/text."""

import re
import subprocess

from algebra.bits import bits_of
from callers.recording import RECORDERS
from text.machine import Machine
from text.memory import Length, Object, Output, Pointer, Refused, Text, parts
from text.program import parse
from text.recording import FLAGS, RECORDER, compiler

N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
FUNCTIONS = ("load_lane", "w_read", "w_subtract", "w_choose")
# More than the workspace has.
ROOM = 1 << 20


def functions(kernel, kernels):
    """The program of the functions, and their names there."""
    folder = kernels / "CP256"
    includes = [f"-I{path}" for path in (RECORDERS, folder, folder / "include")]
    flags = [flag for flag in FLAGS if flag != "-ffreestanding"]
    run = subprocess.run([compiler(), *flags, *includes, str(RECORDERS / f"{kernel}.cpp"), "-o", "-"], check=True,
                         capture_output=True, text=True)
    kept, types, keeps, names = [], [], False, {}
    for line in run.stdout.splitlines():
        if line.startswith("define"):
            mangled = line[line.index("@"):line.index("(")]
            # Mangled names have the length before the name, and the types after it.
            found = [name for name in FUNCTIONS if f"{len(name)}{name}" in mangled]
            keeps = bool(found)
            names.update({name: mangled for name in found})
        elif line.startswith("@"):
            keeps = "constant" in line and "WORDS" in line
        if line.startswith("%"):
            types.append(line)
        elif keeps:
            kept.append(line)
    try:
        return parse(in_order(types) + kept), names
    except ValueError as error:
        raise Refused(f"recorder: {error}") from None


def in_order(types):
    """The definitions of types, each after those that it uses."""
    ordered, known = [], set()
    while types:
        ready = [line for line in types if set(re.findall(r"%[\w.]+", line)[1:]) <= known]
        if not ready:
            raise Refused("recorder: types that use each other")
        ordered += ready
        known |= {line.split()[0] for line in ready}
        types = [line for line in types if line not in ready]
    return ordered


def swapped(machine, state, word):
    bits = machine.known_bits(word, 64)
    return tuple(bit for byte in range(7, -1, -1) for bit in bits[8 * byte:8 * byte + 8])


class Loading:
    def __init__(self, kernel, kernels, lanes):
        module, names = functions(kernel, kernels)
        self.lanes, self.name, self.machine = lanes, names["load_lane"], Machine([module])
        self.machine.summaries["@llvm.bswap.i64"] = swapped

    def check(self, lane):
        machine = self.machine
        peer, scalar = Text("peer", Length(64), 1), Text("scalar", Length(32), 1)
        give_variables([scalar, peer])
        space, group = Output("space", Length(ROOM), 8), Output("group", Length(ROOM), 8)
        agreement = Object("agreement", Length(24), 8)
        cells = parts(Pointer(peer, Length(0)), 64) + parts(Pointer(scalar, Length(0)), 64) + (None,) * 64
        arguments = [Pointer(space, Length(0)), Pointer(group, Length(0)), lane, Pointer(agreement, Length(0))]
        state = machine.start(self.name, arguments, {space: {}, group: {}, agreement: cells})
        k = big_endian(machine.logic, scalar, 0, 32)
        numbers, logic = machine.numbers, machine.logic
        state.assume(logic, numbers.below(k, bits_of(N, 256)))
        odd = numbers.select(k[0], k, numbers.subtract(bits_of(N, 256), k)[0])
        coordinates = [big_endian(logic, peer, first, 32) for first in (0, 32)]
        return {(self.compare(outcome.state, space, coordinates[0] + coordinates[1], lane),
                 self.compare(outcome.state, group, odd + (0,) * 64, lane)) for outcome in machine.run(state)}

    def compare(self, state, output, expected, lane):
        """Checks that the words are in this lane, one row after the other. Returns where the rows begin."""
        written = state.memory[output]
        first = min(written) - 8 * lane
        places = [first + 8 * (lane + self.lanes * row) + byte for row in range(len(expected) // 64) for byte in range(8)]
        if set(written) != set(places):
            raise Refused(f"identity: lane {lane} is loaded to other places")
        found = tuple(bit for place in places for bit in written[place])
        logic = self.machine.logic
        for one, other in zip(found, expected):
            if one is None or logic.conjunction([state.condition, *state.large, logic.differ(one, other)]):
                raise Refused(f"identity: lane {lane} of {output.name} is loaded with another number")
        return first


def give_variables(texts):
    """Gives each text its own variables."""
    for index, text in enumerate(texts):
        text.FIRST = Text.FIRST + 8 * (Text.BEFORE + Text.AFTER + 1) * index


def big_endian(logic, text, first, count):
    return tuple(bit for place in range(first + count - 1, first - 1, -1) for bit in text.byte(logic, place))


def check(kernel, kernels, lanes):
    loading = Loading(kernel, kernels, lanes)
    if len(set().union(*(loading.check(lane) for lane in range(lanes)))) != 1:
        raise Refused("identity: lanes are loaded to other rows")


ENTRY_WORDS = 8
# `native.h` inlines the function.
ENTRIES = """
#define LANES {lanes}
#include "{kernel}/native.h"
LANES_BEGIN
void load_entries(const uint64_t *const entries[LANES], lanes words[8]) {{ l_load_entries(entries, words); }}
LANES_END
"""


def check_entries(kernel, kernels, lanes):
    """Word i of the result has in each lane word i of the lane's entry."""
    run = subprocess.run(
        [compiler(), "--target=x86_64-unknown-linux-gnu", *FLAGS, f"-I{RECORDER}", f"-I{kernels / 'CP256'}", "-x", "c", "-",
         "-o", "-"], input=ENTRIES.format(kernel=kernel, lanes=lanes), check=True, capture_output=True, text=True)
    machine = Machine([parse(run.stdout.splitlines())])
    entries = [Text(f"entry {lane}", Length(8 * ENTRY_WORDS), 8) for lane in range(lanes)]
    give_variables(entries)
    list_, words = Object("entries", Length(8 * lanes), 8), Output("words", Length(8 * lanes * ENTRY_WORDS), 8 * lanes)
    cells = tuple(cell for entry in entries for cell in parts(Pointer(entry, Length(0)), 64))
    state = machine.start("@load_entries", [Pointer(list_, Length(0)), Pointer(words, Length(0))], {list_: cells, words: {}})
    for outcome in machine.run(state):
        written = outcome.state.memory[words]
        for place in range(8 * lanes * ENTRY_WORDS):
            index, byte = divmod(place, 8)
            word, lane = divmod(index, lanes)
            if written.get(place) != entries[lane].byte(machine.logic, 8 * word + byte):
                raise Refused(f"identity: word {word} of lane {lane} is another")
