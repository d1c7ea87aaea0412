"""Checks a theorem on the recorded program."""

import fractions
import itertools
import math
import platform
import random

from algebra.polynomials import P
from algebra.scope import Double, Refused, Word
from lanes import examples
from lanes.fields import CONSTANTS, KERNELS, TESTS, Number, Prover, with_top_limb
from lanes.formulas import montgomery, residue
from lanes.recording import record
from lanes.theorems import theorems
from verdicts import Verdict

# The number of inputs on which each theorem's program is executed.
EXAMPLES = 5


def prove(kernel, kernels, names):
    """A verdict on each theorem of a kernel. Lanes are recorded on x86-64 only: elsewhere there is none."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    prover = ProgramProver(KERNELS[kernel], record(kernel, kernels))
    for theorem in theorems(prover.kernel):
        if not names or theorem.name in names:
            yield Verdict(theorem.name, theorem.says, prover.refusal(theorem))
    yield Verdict("examples", f"{prover.compared} results of examples are as proved; a misread instruction is found",
                  prover.blindness())


class ProgramProver:
    def __init__(self, kernel, programs):
        self.kernel, self.programs, self.prover = kernel, programs, Prover(kernel)
        # The number of results of examples that were compared with what was proved of them.
        self.random, self.compared = random.Random(24), 0

    def refusal(self, theorem):
        """None if the theorem is proved, else why not."""
        program = self.programs[theorem.name]
        masks = [index for index, *_ in program.comparisons]
        if theorem.state is not None:
            return None if theorem.state(*program.state) else f"state: MXCSR is {program.state}"
        try:
            for values in itertools.product((False, True), repeat=len(masks)):
                self.check(theorem, program, dict(zip(masks, values)))
        except Refused as refusal:
            return str(refusal)
        return None

    def blindness(self):
        """Checks that examples contradict a proof if an instruction is misread. None, or that they do not."""
        operation = {"ifma8": "multiply-high-52", "fma4": "float-multiply-add"}[self.kernel.name]
        right = examples.OPERATIONS[operation]
        examples.OPERATIONS[operation] = lambda *operands: right(*operands) + 1
        product = next(theorem for theorem in theorems(self.kernel) if theorem.name == "f_mul")
        found = self.refusal(product)
        examples.OPERATIONS[operation] = right
        if found is None or not found.startswith("example:"):
            return "example: a misread instruction is not found: nothing was checked"
        return None

    def check(self, theorem, program, cases):
        numbers, meanings = self.inputs(theorem, program), []
        decided = {("comparison", index): value for index, value in cases.items()}
        for place, step in enumerate(program.steps):
            operands = [self.number(operand, numbers, program) for operand in step.operands]
            try:
                result = self.prover.call(step, operands, decided)
            except Refused as refusal:
                raise Refused(f"{refusal} (call {place + 1} of {len(program.steps)}, {step.name})") from None
            elements = [operand.residue for operand in operands]
            if step.name in ("f_select", "m_select"):
                chosen = step.number >> sum(value << index for index, value in cases.items()) & 1
                result.residue = elements[chosen]
            elif step.name in TESTS:
                meanings.append((step.mask, result, residue(step, elements, None)))
            else:
                if step.name in CONSTANTS and result.low != result.high:
                    raise Refused(f"identity: {step.name} is no constant")
                result.residue = residue(step, elements, result.low)
            if step.name not in TESTS:
                numbers[step.result] = result
        self.check_outputs(theorem, program, numbers, cases)
        check_masks(theorem, program, meanings)
        self.try_examples(program, numbers, cases)

    def try_examples(self, program, numbers, cases):
        if any(step.name == "m_exchange" for step in program.steps):
            # An execution has one lane only.
            return
        inputs = [limbs for kind, _, limbs in program.inputs if kind != "mask"]
        compared = sum(examples.try_example(program, inputs, numbers, cases, self.random) for _ in range(EXAMPLES))
        if compared == 0 and any(step.result for step in program.steps):
            raise Refused("example: no input was found")
        self.compared += compared

    @staticmethod
    def number(operand, numbers, program):
        """What is known of an operand: an input, a result, or a constant of the program."""
        if operand not in numbers:
            limbs = [program.constants.get(limb) for limb in operand]
            if None in limbs:
                raise Refused("identity: an operand that is no call's result")
            value = sum(limb << 52 * index for index, limb in enumerate(limbs))
            numbers[operand] = Number(value, value, [(Word, limb, limb) for limb in limbs], montgomery(value))
        return numbers[operand]

    def inputs(self, theorem, program):
        numbers = {}
        for kind, name, limbs in program.inputs:
            if kind == "mask":
                continue
            given = theorem.inputs[name]
            is_double = kind == "multiplicand" and self.kernel.name == "fma4"
            form = Double if is_double else Word
            intervals = [(form, *given.limbs)] * (len(limbs) - 1) + [(form, *given.top)]
            high = math.ceil(given.limit * P) - 1
            bits = 64 if kind == "words" else 52
            numbers[limbs] = Number(0, high, with_top_limb(intervals, 0, high, bits), given.element)
        return numbers

    def check_outputs(self, theorem, program, numbers, cases):
        outputs = {name: numbers[limbs] for name, limbs in program.outputs.items()}
        for step in program.steps:
            if step.name == "assay_p256_invert":
                outputs["inverted"] = numbers[step.operands[0]]
        for name, limit in theorem.bounds.items():
            limit = fractions.Fraction(limit)
            if theorem.is_closed and any(low < 0 or high >= 2**52 for _, low, high in outputs[name].limbs):
                raise Refused(f"range: {name} is not carried")
            if outputs[name].high >= limit * P:
                raise Refused(f"range: {name} is up to {outputs[name].high / P:.4f}p, not below {float(limit)}p")
        claims = theorem.cases(cases) if theorem.cases else theorem.claims
        if claims is None:
            return
        for name, is_true in claims({name: number.residue for name, number in outputs.items()}).items():
            if not is_true:
                raise Refused(f"identity: {name}")


def check_masks(theorem, program, meanings):
    """The mask that is returned is set where all the claimed conditions hold."""
    if theorem.masks is None:
        return
    found = [(meaning, tuple(sorted(element.items()))) for _, meaning, element in meanings]
    claimed = [(meaning, tuple(sorted(element.items()))) for meaning, element in theorem.masks]
    if found != claimed:
        raise Refused("identity: the conditions that are tested are not those claimed")
    table = 2**64 - 1
    for mask, _, _ in meanings:
        table &= mask
    if program.masks["r"] != table:
        raise Refused("identity: the mask is not the conjunction of its conditions")
