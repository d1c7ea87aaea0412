"""The instructions on vectors that the kernels use, as the manuals of the processors and the reference of LLVM define them:
functions from tuples of bits to tuples of bits."""

import re

from algebra.bits import bits_of, number_of
from text.memory import Prefix, Refused, Selection, Text, check_access, length, parts, whole
from text.program import width

PURE = {}


def pure(pattern):
    """Defines the instructions whose name, without `llvm.`, matches a pattern."""
    def define(function):
        PURE[re.compile(pattern)] = function
        return function
    return define


def split(bits, step):
    return [bits[place:place + step] for place in range(0, len(bits), step)]


def joined(lanes):
    return tuple(bit for lane in lanes for bit in lane)


def intrinsic(machine, state, name, type, values):
    name = name.removeprefix("@").removeprefix("llvm.")
    for pattern, function in MEMORY.items():
        if pattern.fullmatch(name):
            return function(machine, state, *values)
    for pattern, function in PURE.items():
        if pattern.fullmatch(name):
            machine.used.add(pattern)
            arguments = [value if isinstance(value, int) else machine.known_bits(value, 0) for value in values]
            key = (name, *arguments)
            if key not in machine.numbers.known:
                machine.numbers.known[key] = function(machine.numbers, *arguments)
            bits = machine.numbers.known[key]
            assert len(bits) == width(type), name
            return machine.simple(type, bits)
    raise Refused(f"recorder: the instruction {name} is not known")


# Lookups.

@pure(r"x86\.avx2\.pshuf\.b|x86\.ssse3\.pshuf\.b\.128")
def shuffle_bytes(numbers, table, indices):
    result = []
    for part, places in zip(split(table, 128), split(indices, 128)):
        entries = tuple(split(part, 8))
        for index in split(places, 8):
            result.append(numbers.select(index[7], (0,) * 8, numbers.entry(index[:4], entries)))
    return joined(result)


@pure(r"cttz\.i64")
def lowest_bit(numbers, a, zero_is_poison):
    """The place of the lowest set bit of a constant. For other values the machine has a state for each place."""
    if a == 0:
        raise Refused("range: the lowest bit of zero")
    return bits_of((a & -a).bit_length() - 1, 64)


@pure(r"x86\.avx2\.permd")
def permute_words(numbers, table, indices):
    entries = tuple(split(table, 32))
    return joined(numbers.entry(index[:3], entries) for index in split(indices, 32))


@pure(r"x86\.avx512\.permvar\.qi\.512")
def permute_bytes(numbers, table, indices):
    entries = tuple(split(table, 8))
    return joined(numbers.entry(index[:6], entries) for index in split(indices, 8))


@pure(r"x86\.avx512\.vpermi2var\.qi\.512")
def permute_two(numbers, low, indices, high):
    entries = tuple(split(low + high, 8))
    return joined(numbers.entry(index[:7], entries) for index in split(indices, 8))


@pure(r"aarch64\.neon\.tbl4\.v16i8")
def look_up(numbers, *operands):
    return look_up_or_keep(numbers, (0,) * 128, *operands)


@pure(r"aarch64\.neon\.tbx4\.v16i8")
def look_up_or_keep(numbers, others, *operands):
    *tables, indices = operands
    entries, logic = tuple(split(joined(tables), 8)), numbers.logic
    return joined(numbers.select(logic.either(index[6], index[7]), other, numbers.entry(index[:6], entries))
                  for index, other in zip(split(indices, 8), split(others, 8)))


# Products.

def extended(bits, count, is_signed):
    return bits + (bits[-1] if is_signed else 0,) * (count - len(bits))


@pure(r"x86\.avx2\.pmadd\.ub\.sw|x86\.avx512\.pmaddubs\.w\.512")
def multiply_bytes(numbers, a, b):
    """Sums of two products of unsigned by signed bytes, saturated to 16 bits."""
    products = [numbers.apply("mul", extended(x, 18, False), extended(y, 18, True)) for x, y in zip(split(a, 8), split(b, 8))]
    return joined(saturated(numbers, numbers.apply("add", x, y)) for x, y in zip(products[::2], products[1::2]))


def saturated(numbers, total):
    logic, sign = numbers.logic, total[-1]
    exceeds = logic.negation(logic.all_of(logic.negation(logic.differ(bit, sign)) for bit in total[15:]))
    return numbers.select(exceeds, (logic.negation(sign),) * 15 + (sign,), total[:16])


@pure(r"x86\.avx2\.pmadd\.wd|x86\.avx512\.pmaddw\.d\.512")
def multiply_words(numbers, a, b):
    """Sums of two products of signed words."""
    products = [numbers.apply("mul", extended(x, 32, True), extended(y, 32, True)) for x, y in zip(split(a, 16), split(b, 16))]
    return joined(numbers.apply("add", x, y) for x, y in zip(products[::2], products[1::2]))


# Shifts by a constant.

@pure(r"x86\.avx2\.psrli\.d")
def shift_right_32(numbers, a, by):
    return joined(lane[by:] + (0,) * min(by, 32) for lane in split(a, 32))


@pure(r"x86\.avx2\.psrli\.w|x86\.avx512\.psrli\.w\.512")
def shift_right_16(numbers, a, by):
    return joined(lane[by:] + (0,) * min(by, 16) for lane in split(a, 16))


@pure(r"x86\.avx2\.pslli\.w|x86\.avx512\.pslli\.w\.512")
def shift_left_16(numbers, a, by):
    return joined((0,) * min(by, 16) + lane[:max(16 - by, 0)] for lane in split(a, 16))


# Masks.

@pure(r"x86\.avx2\.pmovmskb|x86\.sse2\.pmovmskb\.128")
def highest_bits(numbers, a):
    return a[7::8] + (0,) * (32 - len(a) // 8)


@pure(r"x86\.avx2\.pblendvb")
def blend(numbers, a, b, mask):
    return joined(numbers.select(high, y, x) for x, y, high in zip(split(a, 8), split(b, 8), mask[7::8]))


# Reductions.

@pure(r"x86\.avx\.ptestz\.256")
def test_zero(numbers, a, b):
    return (numbers.logic.none_of(numbers.apply("and", a, b)),) + (0,) * 31


@pure(r"aarch64\.neon\.umaxv\.i32\.v16i8")
def maximum(numbers, a):
    """The highest bit of the greatest byte. Its other bits are not computed and count as undefined."""
    logic = numbers.logic
    return (None,) * 7 + (logic.negation(logic.none_of(lane[7] for lane in split(a, 8))),) + (0,) * 24


# Accesses to memory.

def copy(machine, state, target, source, count, *_):
    machine.write(state, target, machine.cells(state, source, count, 1), 1)
    return target


def load_1x4(machine, state, source):
    return machine.cells(state, source, 64, 1)


def load_4(machine, state, source):
    """Loads 64 bytes into four vectors: every fourth byte into the same one."""
    loaded = split(machine.cells(state, source, 64, 1), 8)
    return joined(joined(loaded[first::4]) for first in range(4))


def store_3(machine, state, *operands):
    *vectors, target = operands
    machine.write(state, target, joined(joined(lanes) for lanes in zip(*(split(each, 8) for each in vectors))), 1)


def fill(machine, state, target, byte, count, *_):
    machine.write(state, target, bits_of(byte, 8) * count, 1)


def count_bits(machine, state, value):
    return machine.count(value, 64)


def compress(machine, state, value, others, mask):
    if any(others):
        raise Refused("recorder: a selection that is not followed by zeros")
    if isinstance(mask, tuple) and number_of(mask) is not None:
        kept = [byte for byte, is_kept in zip(split(value, 8), mask) if is_kept]
        return joined(kept) + (0,) * (512 - 8 * len(kept))
    return parts(Selection(mask, machine.known_bits(value, 512)), 512)


def masked_load(machine, state, source, align, mask, others):
    if isinstance(mask, Prefix):
        return padded_load(machine, state, source, mask, others)
    result = split(others, 8)
    for place in chosen(mask):
        result[place] = machine.cells(state, source.moved(place), 1, 1)
    return joined(result)


def padded_load(machine, state, source, mask, others):
    """Loads 64 bytes of a text of unknown length, with zeros in place of bytes after its end."""
    if not isinstance(source.object, Text) or any(others) or mask.bits != Prefix(mask.length).bits:
        raise Refused("recorder: a load of a mask that is not known")
    check_access(source, mask.length, 1, "reads")
    if source.offset + mask.length != source.object.size:
        raise Refused("recorder: a load of less than the rest of the text")
    place = machine.place(source)
    loaded = [source.object.byte(machine.logic, byte) for byte in range(place, place + 64)]
    if (length(63) - mask.length).is_never_negative():
        state.assume(machine.logic, machine.logic.none_of(loaded[63]))
    state.padded.append(source.object)
    return joined(loaded)


def masked_store(machine, state, value, target, align, mask):
    if isinstance(mask, Prefix):
        selection = whole(value) or Selection(Prefix(mask.length), machine.known_bits(value, 512))
        if machine.count(selection.mask, 64) != mask.length and mask != selection.mask:
            raise Refused("recorder: a store of more or less than what is selected")
        machine.write_selection(state, target, selection, mask.length)
        return
    for place in chosen(mask):
        machine.write(state, target.moved(place), value[8 * place:8 * place + 8], 1)


def chosen(mask):
    """The places that a constant mask selects."""
    number = number_of(mask)
    if number is None:
        raise Refused("recorder: a mask that is not known")
    return [place for place, bit in enumerate(bits_of(number, len(mask))) if bit]


MEMORY = {re.compile(pattern): function for pattern, function in {
    r"memcpy(\.p0\.p0\.i64)?": copy,
    r"memset\.p0\.i64": fill,
    r"experimental\.noalias\.scope\.decl": lambda *_: None,
    r"ctpop\.i(32|64)": count_bits,
    r"x86\.avx512\.mask\.compress\.v64i8": compress,
    r"aarch64\.neon\.ld1x4\.v16i8\.p0": load_1x4,
    r"aarch64\.neon\.ld4\.v16i8\.p0": load_4,
    r"aarch64\.neon\.st3\.v16i8\.p0": store_3,
    r"masked\.load\.v64i8\.p0": masked_load,
    r"masked\.store\.v64i8\.p0": masked_store,
}.items()}
