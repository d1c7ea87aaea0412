"""The recording of a kernel: compiled, run and read."""

import pathlib

from compilation import recorded

RECORDERS = pathlib.Path(__file__).resolve().parent / "recorder"


class Step:
    """A call of a function of the field."""

    def __init__(self, name, number):
        self.name, self.number = name, number
        self.operands, self.operations, self.comparisons = [], [], []
        # The numbers of the limbs, or the truth table of a mask.
        self.result, self.mask = None, None

    def shape(self):
        """A key that is equal for calls with the same operations on the same operands."""
        names = {}

        def named(number):
            return names.setdefault(number, len(names))

        lines = [tuple(named(number) for number in operand) for operand in self.operands]
        for number, operation, arguments in self.operations:
            kept = [argument if index in immediate(operation) else named(argument)
                    for index, argument in enumerate(arguments)]
            lines.append((named(number), operation, *kept))
        lines += [(index, operation, named(a), named(b)) for index, operation, a, b in self.comparisons]
        lines.append(tuple(named(number) for number in self.result) if self.result else (self.mask,))
        return (self.name, self.number, tuple(lines))


def immediate(operation):
    """The positions of the arguments that are no values."""
    if operation in ("constant", "select"):
        return (0,)
    return (1,) if operation in ("left", "right", "signed-right", "exchange-in-fours", "exchange-blocks") else ()


class Program:
    def __init__(self, name):
        self.name = name
        self.inputs, self.comparisons, self.steps, self.outputs, self.masks = [], [], [], {}, {}
        # The constants that are written between calls.
        self.constants = {}


def record(kernel, kernels):
    """The programs of a kernel, by name."""
    return read(recorded(RECORDERS / f"{kernel}.c", kernels / "CP256"))


def read(lines):
    programs, program, step = {}, None, None
    for line in lines:
        first, *rest = line.split()
        if first == "program":
            program = programs[rest[0]] = Program(rest[0])
        elif first == "input":
            program.inputs.append((rest[0], rest[1], tuple(map(int, rest[2:]))))
        elif first == "state":
            program.state = tuple(map(int, rest))
        elif first == "call":
            step = Step(rest[0], int(rest[1]))
            program.steps.append(step)
        elif first == "operand":
            step.operands.append(tuple(map(int, rest)))
        elif first == "comparison":
            place = program.comparisons if step is None else step.comparisons
            place.append((int(rest[0]), rest[1], int(rest[2]), int(rest[3])))
            if step is not None:
                step.operations.append((None, "comparison", (int(rest[0]),)))
        elif first == "return":
            step.result, step = tuple(map(int, rest)), None
        elif first == "return-mask":
            step.mask, step = int(rest[0]), None
        elif first == "output":
            program.outputs[rest[0]] = tuple(map(int, rest[1:]))
        elif first == "output-mask":
            program.masks[rest[0]] = int(rest[1])
        elif step is not None:
            step.operations.append((int(first), rest[0], tuple(map(int, rest[1:]))))
        elif rest[0] == "constant":
            program.constants[int(first)] = int(rest[1])
        else:
            raise SystemExit(f"prove: an operation outside of the functions of the field: {line}")
    return programs
