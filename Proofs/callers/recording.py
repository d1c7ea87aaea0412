"""The recording of what calls the formulas: compiled, run and read."""

import pathlib

from compilation import recorded

RECORDERS = pathlib.Path(__file__).resolve().parent / "recorder"


class Operation:
    """An operation: the number of its first result, its immediate number and the numbers of its operands. `words` has
    what it loads in each lane: words, or entries of tables."""

    def __init__(self, number, name, immediate, operands):
        self.number, self.name, self.immediate, self.operands, self.words = number, name, immediate, operands, []


class Program:
    """The operations of a call in their order, and the lines about what it was given and what it answered."""

    def __init__(self, lanes):
        self.lanes, self.operations, self.notes = lanes, [], []

    def notes_of(self, word):
        return [rest for first, rest in self.notes if first == word]


def record(kernel, kernels):
    """The programs by name, with as many lanes as a kernel has."""
    programs, program, lanes = {}, None, None
    for line in recorded(RECORDERS / f"{kernel}.cpp", kernels / "CP256"):
        first, *rest = line.split(" ")
        if first == "lanes":
            lanes = int(rest[0])
        elif first == "program":
            program = programs[rest[0]] = Program(lanes)
        elif first.isdigit():
            operation = Operation(int(first), rest[0], int(rest[1]), tuple(map(int, rest[2:])))
            program.operations.append(operation)
            program.notes.append(("operation", operation))
        elif first == "words":
            program.operations[-1].words = list(map(int, rest))
        elif first == "entry" and program.operations and program.operations[-1].name == "l_load_entries" and len(
                program.operations[-1].words) < lanes:
            program.operations[-1].words.append(None if rest == ["none"] else tuple(map(int, rest)))
        else:
            program.notes.append((first, rest))
    return programs
