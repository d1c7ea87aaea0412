"""Executes the kernels on known texts, both in the machine of the proofs and on the processor. This tests how the
proofs read instructions, not the kernels: different results contradict a proof. Each instruction on vectors is also
misread on purpose, which must be found. Kernels that this processor does not have are left out."""

import ctypes
import dataclasses
import functools
import random

from algebra.bits import bits_of, number_of
from compilation import library
from text import vectors
from text.machine import Machine
from text.memory import Length, Output, Pointer, Refused, Text
from text.recording import compiler, recorded

PIECES = [b"plain text, and more of it: ", b'\\"', b"\\\\", b"\\/\\b\\f\\n\\r\\t", b"\\u0041", b"\\u00e9\\u07FF", b"\\u20AC", b"\xc3\xa9",
          b"\\uD834\\uDD1E", b"\\\\\\\\\\n", b"\\uDBFF\\uDFFF\\uFFFF", b'"', b"\x1f", b"\\ud834x", b"\\u12G4", b"\\x"]
# All but the last of these can be read.
READABLE = 11
ROOM = 256
ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Run(ctypes.Structure):
    _fields_ = [("count", ctypes.c_size_t), ("has_escapes", ctypes.c_bool)]


class Copy(ctypes.Structure):
    _fields_ = [("read", ctypes.c_size_t), ("written", ctypes.c_size_t)]


class Table(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("is_supported", ctypes.CFUNCTYPE(ctypes.c_bool)),
                ("base64_decode", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p)),
                ("json_run", ctypes.CFUNCTYPE(Run, ctypes.c_char_p, ctypes.c_size_t)),
                ("json_unescape", ctypes.CFUNCTYPE(Copy, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p))]


class Known(Text):
    """A text that is known."""

    def __init__(self, bytes):
        super().__init__("text", len(bytes), 1)
        self.bytes = bytes

    def byte(self, logic, place):
        return bits_of(self.bytes[place], 8)


def of_processor(table, function, text):
    """The result and the output of a function on the processor. The buffers have room for a wrong kernel."""
    count, output = len(text), ctypes.create_string_buffer(len(text) + ROOM)
    text += bytes(ROOM)
    if function == "json_run":
        result = table.json_run(text, count)
        return (result.count, result.has_escapes), b""
    if function == "json_unescape":
        result = table.json_unescape(text, count, output)
        return (result.read, result.written), output.raw[:result.written]
    accepted = table.base64_decode(text, count, output)
    return accepted, output.raw[:count // 4 * 3] if accepted else b""


def of_machine(machine, example):
    """The result and the output of a function in the machine of the proofs."""
    text, function = example.text, example.function
    output = Output("output", len(text) // 4 * 3 if function == "base64_decode" else len(text), 1)
    arguments = [Pointer(Known(text), Length(0)), len(text), Pointer(output, Length(0))]
    state = machine.start(f"@assay_{function}_{example.kernel.name}", arguments[:2 if function == "json_run" else 3], {output: {}})
    outcome, = machine.run(state)
    written = outcome.state.memory[output]
    if function == "base64_decode":
        count = len(text) // 4 * 3 if outcome.value else 0
        return outcome.value, bytes(number_of(written[place]) for place in range(count))
    first, second = number_of(outcome.value[:64]), outcome.value[64:]
    if function == "json_run":
        return (first, number_of(second[:8])), b""
    return (first, number_of(second[:64])), bytes(number_of(written[place]) for place in range(number_of(second[:64])))


def texts(function):
    source = random.Random(24)
    if function == "base64_decode":
        for wrong in (None, 70):
            text = bytearray(source.choices(ALPHABET, k=112))
            if wrong is not None:
                text[wrong] = source.choice(b"=-_@[`{\x80\xc1")
            yield bytes(text)
    else:
        for _ in range(2):
            yield b"".join(source.choices(PIECES[:READABLE], k=12) + source.choices(PIECES, k=4))


@dataclasses.dataclass
class Example:
    modules: list
    kernel: object
    function: str
    text: bytes
    expected: tuple

    def holds(self, used=None):
        """Whether the machine has the processor's result; adds the instructions that it needs."""
        machine = Machine(self.modules)
        try:
            return of_machine(machine, self) == self.expected
        finally:
            if used is not None:
                for pattern in machine.used:
                    used.setdefault(pattern, []).append(self)


@functools.cache
def supported(kernels, names):
    """The tables of the kernels that this processor has, by name."""
    folder = kernels / "CTextKernels"
    sources = sorted(path for path in folder.rglob("*.c"))
    functions = library(*sources, compiler=compiler(), flags=[f"-I{folder / 'include'}", f"-I{folder}"])
    functions.assay_text_kernel_named.restype = ctypes.POINTER(Table)
    tables = {name: functions.assay_text_kernel_named(name.encode()).contents for name in names}
    return {name: table for name, table in tables.items() if table.is_supported()}


def examples(kernels, known, functions):
    for name, table in supported(kernels, tuple(sorted(kernel.name for kernel in known))).items():
        kernel = next(kernel for kernel in known if kernel.name == name)
        for function in functions:
            file = function.split("_")[0] + ".c"
            modules = [recorded(kernels, kernel.target, f"{each}/{file}") for each in dict.fromkeys([name, "portable"])]
            for text in texts(function):
                yield Example(modules, kernel, function, text, of_processor(table, function, text))


def check(kernels, known, functions):
    used = {}
    for example in examples(kernels, known, functions):
        if not example.holds(used):
            raise Refused(f"example: {example.function} of {example.kernel.name} differs for {example.text}")
    for pattern, those in used.items():
        if all(holds_if_misread(pattern, example) for example in those):
            raise Refused(f"example: {pattern.pattern} is misread, and not found")


def holds_if_misread(pattern, example):
    right = vectors.PURE[pattern]

    def wrong(*arguments):
        return tuple(bit if bit is None else 1 - bit for bit in right(*arguments))

    vectors.PURE[pattern] = wrong
    try:
        return example.holds()
    except Refused:
        return False
    finally:
        vectors.PURE[pattern] = right
