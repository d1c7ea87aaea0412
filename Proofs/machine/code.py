"""Finds the instructions of a library that move whole vectors between memory and registers, by disassembling it."""

import re
import subprocess

# The registers in the order of observe.c; the last stands for the address at which the library is loaded.
REGISTERS = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", *(f"r{i}" for i in range(8, 16)), "rip"]
FUNCTION = re.compile(r"^([0-9a-f]+) <(\w+)> \(File Offset: (0x[0-9a-f]+)\):$")
MEMORY = r"(-?0x[0-9a-f]+)?\(([^)]*)\)"


class Code:
    """`stores` has the offsets of what stores a vector, `moves` a line for `observe` on each instruction that loads or
    stores one, `sums` the position in the file of the opcode of each addition of vectors, by function."""

    def __init__(self, library, letter):
        vector = rf"%{letter}mm\d+"
        self._store = re.compile(rf"^v?mov\w+\s+{vector},{MEMORY}$")
        self._load = re.compile(rf"^v?p?(mov|broadcast)\w+\s+{MEMORY},{vector}$")
        self._sum = re.compile(rf"^vpaddq\s+{vector},{vector},{vector}$")
        self.stores, self.moves, self.sums = set(), [], {}
        command = ["objdump", "-d", "-F", "--insn-width=16", library]
        name, shift = None, 0
        for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
            function, parts = FUNCTION.match(line), line.split("\t")
            if function:
                name, shift = function[2], int(function[3], 16) - int(function[1], 16)
            elif len(parts) > 2:
                offset, code, words = int(parts[0].strip(" :"), 16), bytes.fromhex(parts[1]), parts[2]
                self._read_move(offset, words)
                # The opcode stands before the byte that names the registers.
                if self._sum.match(words.strip()):
                    self.sums.setdefault(name, []).append(offset + shift + len(code) - 2)

    def _read_move(self, offset, words):
        words, _, target = (part.strip() for part in words.partition("#"))
        store, load = self._store.match(words), self._load.match(words)
        if store:
            self.stores.add(offset)
            self._move(offset, store[1], store[2], target, 1)
        elif load:
            self._move(offset, load[2], load[3], target, {"mov": 1, "broadcast": 8}[load[1]])

    def _move(self, offset, displacement, operand, target, repeated):
        """`repeated` is 8 if the instruction repeats a word in all lanes, else 1."""
        base, index, scale = (*operand.split(","), "", "")[:3]
        number = {"": -1, **{f"%{name}": i for i, name in enumerate(REGISTERS)}}
        displacement = int(target.split()[0], 16) if base == "%rip" else int(displacement or "0", 16)
        self.moves.append(f"{offset} {displacement} {number[base]} {number[index]} {scale or 1} {repeated}")
