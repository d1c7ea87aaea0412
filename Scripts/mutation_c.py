"""One-step mutants of the kernels' C, from clang's syntax tree.

What is mutated: comparisons and boundaries, arithmetic and bit operators, constants by one (a constant that an instruction
has in its code stands in a macro of the compiler's headers: there the choice is around the whole invocation), dropped
statements, conditions, operands and carries, negated conditions, swapped operands and arguments, the results of predicates.
All are expressions, `(planted_bug(N) ? (wrong) : (right))`, so that they fit every place that a statement has.

What is not: code for other processors (neon, big-endian), which no build here compiles; bodies of macros, except lists of
values; tables of more than 12 words, which scripts generate and tests compare; of smaller ones each word plus one; enumerators,
the sizes of arrays and other constant expressions; where functions that commute have their arguments; prefetches.
A header that several kernels include is mutated in all of them at once.

In the instrumented text what was inlined by force is not inlined at all, and no loop is unrolled by force: else thousands
of choices would multiply into each other, and a kernel take minutes to compile.
"""
import collections
import json
import os
import pathlib
import re
import subprocess

import mutation
from mutation import Mutant, Point

TARGETS = {"CP256": "Sources/Kernels/CP256", "CTextKernels": "Sources/Kernels/CTextKernels"}
# Targets that compile a mutated target's files once more.
ALSO = {"CP256": ["CP256Faults"], "CTextKernels": []}

COMPARISONS = mutation.COMPARISONS
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"}
# The first of two neighbouring arguments that may be swapped without a change.
COMMUTATIVE = {
    re.compile(r"(f_mul|f_mul_sum|w_add_product|l_mul_low|l_mul_high|_mm512_madd52(lo|hi)_epu64|add_products)$"): 1,
    re.compile(r"(f_multiply|f_add|f_equal|add_carry|l_add|l_and|l_or|l_xor|f_product|f_multiply_subtract|product52"
               r"|_mm(256|512)_(add|and|or|xor|cmpeq|fmadd|test|testn)_\w+|f_mul_sub|__builtin_addcll)$"): 0,
    re.compile(r"(f_mul_sub)$"): 3,
    re.compile(r"(f_mul_sub|f_mul_less_square|multiply)$"): 1,
    re.compile(r"(f_multiply_subtract)$"): 2,
}
WIDEST_TABLE = 12

# The tests that see a file's mutants, the cheapest first: environment, options of the test program, seconds of processor time
# after which a mutant hangs. They compare each kernel with libcrypto or with a specification in Swift. The emulations run only
# in the second set of tests.
QUICK = ({}, ("--filter", "CP256Tests", "--skip", "random|chosen u1|one limb|constants are"), 60)
FAULTS = ({}, ("--filter", "one limb"), 30)
SLOW = ({}, ("--filter", "CP256Tests.*(random|chosen u1)"), 200)
EMULATIONS = ({"ASSAY_TESTS": "deep"}, QUICK[1], 60)
TEXTS = ({}, ("--filter", "TextKernelTests|RunTests|EscapeTests", "--skip", "planted"), 30)
RINGS = [
    (re.compile(r".*/CTextKernels/"), (TEXTS,)),
    (re.compile(r".*/emulated\.[ch]$"), (EMULATIONS,)),
    (re.compile(r".*/CP256/"), (QUICK, FAULTS, SLOW)),
]


def ring(path):
    """The steps of the ring for a file."""
    return next(steps for pattern, steps in RINGS if pattern.match(path))


# Macros whose bodies are lists of values, or one value that is no constant expression anywhere.
LISTS = re.compile(rb"^#define (N_NEGATED_INVERSE_64|OFFSETS|PACKING)\b(.*(?:\\\n.*)*)", re.M)
NUMBER = re.compile(rb"(?<![\w.'])(0x[0-9A-Fa-f]+|\d+)(?:[uUlL]*)(?![\w.'])")


# The syntax tree


def compiler_arguments(root, target):
    """The compiler and its options for each file of a target that the release build compiles."""
    commands = {}
    for line in (root / ".build/release.yaml").read_text().splitlines():
        if "/clang" not in line or f"/{TARGETS[target]}/" not in line or '"-c"' not in line:
            continue
        words = json.loads(line.strip().removeprefix("args: "))
        file = pathlib.Path(words[words.index("-c") + 1])
        kept, rest = [], iter(words[:words.index("-c")])
        for word in rest:
            if word in ("-MT", "-MF"):
                next(rest)
            elif word not in ("-MD", "-Werror", "-g") and not word.startswith("-fmodule-map-file"):
                kept.append(word)
        commands[str(file.relative_to(root))] = kept
    return commands


def declarations(root, arguments, path):
    """The declarations of a file's syntax tree that stand in the project's files.

    The compiler's headers are most of a tree of 200 MB: it is read by pieces, and theirs are skipped. A location names its
    file only where that differs from the location before.
    """
    command = [*arguments, "-fsyntax-only", "-Xclang", "-ast-dump=json", str(root / path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as compiler:
        text, errors = compiler.communicate()
    if compiler.returncode:
        raise ValueError(f"no syntax tree of {path}: {errors.decode()[-800:]}")
    state = {"file": None}

    def located(found):
        if "offset" in found:
            state["file"] = found["file"] = found.get("file", state["file"])
        return found

    here = (str(root) + "/Sources/").encode()
    named = re.compile(rb'"offset": \d+,\s*$')
    start = text.index(b'\n  "inner": [\n') + len(b'\n  "inner": [\n')
    for piece in text[start:text.rindex(b"\n  ]")].split(b"\n    },\n"):
        if here in piece or (state["file"] or "").startswith(here.decode()):
            yield json.loads(piece if piece.endswith(b"\n    }") else piece + b"}", object_hook=located)
        else:
            # The last file that a location names; where one was included from has no offset before it.
            at = piece.rfind(b'"file": "')
            while at >= 0 and not named.search(piece[max(0, at - 120):at]):
                at = piece.rfind(b'"file": "', 0, at)
            if at >= 0:
                state["file"] = piece[at + 9:piece.index(b'"', at + 9)].decode()


def kind_of(node):
    return node.get("kind", "")


def children(node):
    return [each for each in node.get("inner", []) if isinstance(each, dict) and each.get("kind")]


def bare(node):
    while kind_of(node) in ("ImplicitCastExpr", "ParenExpr", "ConstantExpr", "ExprWithCleanups") and children(node):
        node = children(node)[0]
    return node


class Finder:
    """Collects the places of all files, from the trees of all files that include them."""

    def __init__(self, root, folder):
        self.root, self.folder, self.sources, self.points, self.tables = root, folder, {}, {}, {}

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = (self.root / path).read_bytes()
        return self.sources[path]

    # Ranges

    def place(self, location):
        """File, offset, length of a token, and how it stands there: as it is, in a macro's argument, or by a macro's body."""
        if "offset" in location:
            found, how = location, "itself"
        elif "expansionLoc" in location:
            spelled, expanded = location["spellingLoc"], location["expansionLoc"]
            is_argument = expanded.get("isMacroArgExpansion") and self.ours(spelled)
            found, how = (spelled, "argument") if is_argument else (expanded, "body")
        else:
            return None
        return (self.ours(found), found["offset"], found["tokLen"], how) if self.ours(found) else None

    def ours(self, location):
        file = location.get("file") or ""
        file = os.path.normpath(file)
        base = str(self.root) + "/"
        path = file.removeprefix(base)
        return path if file.startswith(base) and path.startswith(self.folder + "/") else None

    def span(self, node):
        """File, start, end, and whether a macro's argument or body is in it; None where no text of the project's is the node."""
        limits = node.get("range", {})
        begin, end = (self.place(limits.get(key, {})) for key in ("begin", "end"))
        if not begin or not end or begin[0] != end[0]:
            return None
        path, start, stop = begin[0], begin[1], end[1] + end[2]
        if start >= stop:
            return None
        if begin[3] == end[3] == "body" and begin[1] == end[1]:
            return path, start, self.invocation_end(path, start, stop), "body"
        if end[3] == "body":
            stop = self.invocation_end(path, end[1], stop)
        return path, start, stop, "argument" if "argument" in (begin[3], end[3]) else "itself"

    def invocation_end(self, path, start, stop):
        source, position = self.source(path), stop
        while source[position:position + 1] in (b" ", b"\n"):
            position += 1
        return self.closing(path, position) if source[position:position + 1] == b"(" else stop

    def closing(self, path, position):
        source, depth = self.source(path), 0
        while True:
            depth += {b"(": 1, b")": -1}.get(source[position:position + 1], 0)
            position += 1
            if depth == 0:
                return position

    def text(self, span):
        return self.source(span[0])[span[1]:span[2]].decode()

    def add(self, span, operator, new, statement=False):
        if not span:
            return
        path, start, end, how = span
        if how == "argument":
            start, end, new = self.around_invocation(path, start, end, new)
        old = self.source(path)[start:end].decode()
        if not old or new == old:
            return
        point = self.points.setdefault(path, {}).setdefault((start, end, statement), Point(start, end, statement))
        if all(mutant.new != new for mutant in point.mutants):
            point.mutants.append(Mutant(operator, old, new))

    def around_invocation(self, path, start, end, new):
        """A choice inside a macro's argument, made around the outermost invocation that holds it."""
        source, best = self.source(path), None
        line = max(source.rfind(b";", 0, start), source.rfind(b"{", 0, start), source.rfind(b"}", 0, start)) + 1
        for match in re.compile(rb"\b(_mm\w+|TIMES|BOUND|LATER)\(").finditer(source, line, start):
            close = self.closing(path, match.end() - 1)
            if close >= end and not best:
                best = match.start(), close
        # The innermost invocation of an intrinsic keeps the text short.
        for match in re.compile(rb"\b(_mm\w+|TIMES|LATER)\(").finditer(source, line, start):
            close = self.closing(path, match.end() - 1)
            if close >= end:
                best = match.start(), close
        if not best:
            return start, end, new
        return best[0], best[1], source[best[0]:start].decode() + new + source[end:best[1]].decode()

    # Expressions

    def binary(self, node):
        span, parts = self.span(node), children(node)
        if not span or span[3] == "body" or len(parts) != 2:
            return
        left, right = self.span(parts[0]), self.span(parts[1])
        if not left or not right or not span[1] <= left[1] < left[2] <= right[1] < right[2] <= span[2]:
            return
        word, a, b = node.get("opcode", ""), self.text(left), self.text(right)
        between = self.source(span[0])[left[2]:right[1]].decode()
        if between.count(word) != 1:
            return
        changed = lambda new: a + between.replace(word, new) + b
        if word in COMPARISONS:
            for new in COMPARISONS[word]:
                self.add(span, "comparison", changed(new))
        elif word in ("&&", "||"):
            self.add(span, "connective", changed("||" if word == "&&" else "&&"))
            self.add(span, "dropped condition", a)
            self.add(span, "dropped condition", b)
        elif word in ARITHMETIC:
            self.add(span, "arithmetic", changed(ARITHMETIC[word]))
            if word in ("-", "<<", ">>", "/", "%"):
                self.add(span, "swapped operands", f"({b}) {word} ({a})")
            if word in ("+", "-", "|", "^", "&"):
                self.add(span, "dropped operand", a)
            if word in ("|", "^", "&"):
                self.add(span, "dropped operand", b)
        elif word[:-1] in ARITHMETIC and word.endswith("=") and not self.in_increment:
            self.add(span, "arithmetic", changed(ARITHMETIC[word[:-1]] + "="))

    def literal(self, node):
        span = self.span(node)
        if not span:
            return
        text = self.text(span)
        if text in ("true", "false"):
            self.add(span, "constant", "false" if text == "true" else "true")
        elif re.fullmatch(r"'.*'|[A-Z][A-Z0-9_]*|(\d+|0x[0-9A-Fa-f]+)[uUlL]*", text):
            self.add(span, "constant", f"{text} + 1")
            if not re.fullmatch(r"0(x0+)?[uUlL]*", text):
                self.add(span, "constant", f"{text} - 1")

    def call(self, node):
        span, (callee, *arguments) = self.span(node), children(node)
        if not span or span[3] == "body":
            return
        name = re.match(r"\w*", self.text(span))[0]
        places = [self.span(each) for each in arguments]
        for index, (one, other) in enumerate(zip(arguments, arguments[1:])):
            first, second = places[index:index + 2]
            if not first or not second or not span[1] < first[1] < first[2] <= second[1] < second[2] < span[2]:
                continue
            types = [bare(each).get("type", {}).get("qualType", "").replace("const ", "") for each in (one, other)]
            a, b = self.text(first), self.text(second)
            if types[0] != types[1] or a == b or any(p.match(name) and at == index for p, at in COMMUTATIVE.items()):
                continue
            source = self.source(span[0])
            self.add(span, "swapped arguments", source[span[1]:first[1]].decode() + b + source[first[2]:second[1]].decode() + a
                     + source[second[2]:span[2]].decode())
        if places and places[-1] and re.fullmatch(r"&(carry|borrow)", self.text(places[-1])):
            last = places[-1]
            self.add(last, "dropped carry", "&(uint64_t){0}")

    def unary(self, node):
        span, word = self.span(node), node.get("opcode")
        if not span or span[3] == "body":
            return
        text = self.text(span)
        if word in ("!", "~", "-") and text.startswith(word):
            if not re.fullmatch(r"-\s*\d+", text):
                self.add(span, {"!": "dropped negation"}.get(word, "dropped operator"), text[1:])
        elif word in ("++", "--") and not self.in_increment:
            self.add(span, "arithmetic", text.replace(word, {"++": "--", "--": "++"}[word]))

    def condition(self, node, is_dropped=True):
        span = self.span(node)
        if not span or span[3] == "body":
            return
        if is_dropped:
            self.add(span, "dropped condition", "0")
        if kind_of(bare(node)) != "BinaryOperator" or not is_dropped:
            self.add(span, "negated condition", f"!({self.text(span)})")

    def returned(self, node):
        parts = children(node)
        result = bare(parts[0]) if parts else {}
        if not parts or self.returns not in ("bool", "_Bool") or kind_of(result) in ("IntegerLiteral", "CXXBoolLiteralExpr"):
            return
        span = self.span(parts[0])
        if span and self.text(span) not in ("true", "false"):
            self.add(span, "returned", "true")
            self.add(span, "returned", "false")

    def statement(self, node):
        inner = bare(node)
        kind, span = kind_of(inner), self.span(node)
        if not span or span[3] != "itself":
            return
        is_assignment = kind == "BinaryOperator" and inner.get("opcode") == "=" or kind == "CompoundAssignOperator"
        if (is_assignment or kind == "CallExpr") and not re.match(r"(__builtin_prefetch|fetch|assay_declassify)\b", self.text(span)):
            self.add(span, "dropped statement", "", statement=True)

    def table(self, node):
        """A constant of a file: each word plus one, in a copy that stands for it when chosen."""
        span, parts = self.span(node), children(node)
        values = next((bare(each) for each in parts if kind_of(each).endswith(("Expr", "Literal"))), None)
        if not span or not values or node.get("storageClass") != "static" or span[3] != "itself":
            return
        path, start, end, _ = span
        source = self.source(path)
        if source[end:end + 1] != b";" or not re.search(rb"\bconst\b", source[start:end]):
            return
        elements = children(values) if kind_of(values) == "InitListExpr" else [values]
        numbers = []
        for each in elements if len(elements) <= WIDEST_TABLE else []:
            place = self.span(each)
            if place and place[3] == "itself" and re.fullmatch(r"(\d+|0x[0-9A-Fa-f]+)[uUlL]*|'.*'", self.text(place)):
                numbers.append(place)
        whole = self.span(values)
        if not numbers or not whole:
            return
        point = self.tables.setdefault(path, {}).setdefault((start, end), Point(end + 1, end + 1))
        if point.mutants:
            return
        point.table = node["name"]
        for place in numbers:
            new = source[whole[1]:place[1]].decode() + self.text(place) + " + 1" + source[place[2]:whole[2]].decode()
            point.mutants.append(Mutant("constant", self.text(whole), new))

    # The walk

    SKIPPED = {"EnumDecl", "StaticAssertDecl", "UnaryExprOrTypeTraitExpr", "RecordDecl", "TypedefDecl", "GCCAsmStmt", "CaseStmt"}
    in_increment, returns = False, ""

    def walk(self, node):
        kind = kind_of(node)
        if kind in self.SKIPPED or kind.endswith("Attr"):
            return
        if kind == "FunctionDecl":
            self.returns = node.get("type", {}).get("qualType", "").split("(")[0].strip()
        parts = children(node)
        if kind in ("BinaryOperator", "CompoundAssignOperator"):
            self.binary(node)
        elif kind in ("IntegerLiteral", "CharacterLiteral", "CXXBoolLiteralExpr"):
            self.literal(node)
        elif kind == "CallExpr":
            self.call(node)
        elif kind == "UnaryOperator":
            self.unary(node)
        elif kind in ("IfStmt", "WhileStmt") and parts:
            self.condition(parts[0])
        elif kind == "ConditionalOperator":
            self.condition(parts[0], is_dropped=False)
        elif kind == "ReturnStmt":
            self.returned(node)
        bodies = {"CompoundStmt": parts, "IfStmt": parts[1:], "ForStmt": parts[-1:], "WhileStmt": parts[1:], "DoStmt": parts[:1]}
        for each in bodies.get(kind, []):
            self.statement(each)
        if kind == "VarDecl" and node.get("storageClass") == "static":
            self.table(node)
            return
        if kind != "ForStmt":
            for each in parts:
                self.walk(each)
            return
        # Initialization, a declaration in the condition, the condition, the increment, the body; those that lack have no kind.
        for index, each in enumerate(node.get("inner", [])):
            self.in_increment = index == 3
            if isinstance(each, dict) and each.get("kind"):
                self.walk(each)
            self.in_increment = False

    def declaration(self, node):
        if kind_of(node) == "VarDecl":
            self.table(node)
        elif kind_of(node) == "FunctionDecl":
            self.walk(node)

    def lists(self, path):
        for match in LISTS.finditer(self.source(path)):
            for number in NUMBER.finditer(match[2]):
                start = match.start(2) + number.start()
                self.add((path, start, match.start(2) + number.end(), "itself"), "constant", number[0].decode() + " + 1")


def find(root, target):
    """The places of each file of a target, as a forest: path to (source, places)."""
    finder = Finder(root, TARGETS[target])
    for path, arguments in sorted(compiler_arguments(root, target).items()):
        for node in declarations(root, arguments, path):
            finder.declaration(node)
    found = {}
    for path in sorted(set(finder.points) | set(finder.tables)):
        finder.lists(path)
        points = list(finder.points.get(path, {}).values()) + list(finder.tables.get(path, {}).values())
        found[path] = finder.source(path), mutation.nested(points)[0]
    # Those without a mutant that force the others' functions to be inlined.
    for file in sorted((root / TARGETS[target]).rglob("*.h")):
        path = str(file.relative_to(root))
        if path not in found and any(pattern.search(file.read_text()) for pattern, _ in UNFORCED):
            found[path] = file.read_bytes(), []
    return found


# The mutants of a target


# The instrumented text

UNFORCED = [
    (re.compile(r"static inline __attribute__\(\(always_inline\)\)"), "__attribute__((noinline, unused)) static"),
    (re.compile(r'_Pragma\("clang loop unroll\(full\)"\)'), ""),
    (re.compile(r"#pragma clang loop unroll\(full\)"), ""),
    (re.compile(r"#define PRODUCT INLINE"), "#define PRODUCT NOINLINE static"),
]


def table_text(point, numbers):
    """A function that gives the table, or the copy with a wrong word, and the table's name for it from there on."""
    name = point.table
    cases = "".join(f" case {numbers[mutant.name]}: {{ static __typeof__({name}) planted_bug_table = {mutant.new}; return &planted_bug_table; }}"
                    .replace("\n", " ") for mutant in point.mutants)
    asked = "".join(f" (void)planted_bug({numbers[mutant.name]});" for mutant in point.mutants)
    return (f" __attribute__((unused)) static __typeof__({name}) *planted_bug_{name}(void) {{{asked} switch (planted_bug_chosen) {{{cases} }}"
            f" return &{name}; }}\n#define {name} (*planted_bug_{name}())\n")


def render_file(source, points, numbers):
    """The source with every mutant in its place, and where each one's text is: (start, end, name)."""
    ranges, out, length = [], [], 0

    def write(text):
        nonlocal length
        for pattern, new in UNFORCED:
            text = pattern.sub(new, text)
        out.append(text)
        length += len(text)

    def between(start, end, inner):
        position = start
        for child in inner:
            write(source[position:child.start].decode())
            one(child)
            position = child.end
        write(source[position:end].decode())

    def one(point):
        if getattr(point, "table", None):
            if point.mutants:
                start = length
                write(table_text(point, numbers))
                ranges.extend((start, length, mutant.name) for mutant in point.mutants)
            return
        for mutant in point.mutants:
            start = length
            # A new text is on one line, lest it end a macro's definition.
            new = "(void)0" if point.statement else " ".join(mutant.new.split())
            write(f"(planted_bug({numbers[mutant.name]}) ? ({new}) : ")
            ranges.append((start, length, mutant.name))
            if point.statement:
                write("(void)")
            write("(")
        between(point.start, point.end, point.children)
        write("))" * len(point.mutants))

    between(0, len(source), points)
    return "".join(out), ranges


def render(found, numbers, include="CPlantedBug.h"):
    """Path to instrumented text."""
    return {path: f'#include "{include}"\n' + render_file(source, points, numbers)[0] for path, (source, points) in found.items()}


def refused_by(root, target, found, folder, header):
    """The names of the mutants that the compiler refuses, and those of its words that name none."""
    numbers = {mutant.name: number for number, mutant in enumerate(mutation.mutants_of(found), 1)}
    target_folder = pathlib.Path(TARGETS[target])
    for file in (root / target_folder).rglob("*"):
        if file.suffix in (".c", ".h"):
            place = folder / file.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    (folder / "CPlantedBug.h").write_text(header)
    prefix, where = '#include "CPlantedBug.h"\n', {}
    for path, (source, points) in found.items():
        text, ranges = render_file(source, points, numbers)
        (folder / path).write_text(prefix + text)
        where[path] = prefix + text, [(start + len(prefix), end + len(prefix), name) for start, end, name in ranges]
    out, unnamed = set(), []
    for path, arguments in compiler_arguments(root, target).items():
        words = [word.replace(str(root / target_folder), str(folder / target_folder)) for word in arguments]
        # Without -w, which silences an immediate operand out of its range, an error in the build.
        run = subprocess.run([*words, "-ferror-limit=0", "-fno-caret-diagnostics", "-fsyntax-only", "-I", str(folder),
                              str(folder / path)], capture_output=True, text=True)
        error = None
        for line in run.stderr.splitlines():
            match = re.match(rf"{re.escape(str(folder))}/(.*?):(\d+):(\d+): (fatal error|error|note): (.*)", line)
            if match and "error" in match[4]:
                error = blamed(where, os.path.normpath(match[1]), int(match[2]), int(match[3]))
                if error:
                    out.add(error)
                else:
                    unnamed.append(line)
    return out, unnamed


def blamed(where, path, line, column):
    """The mutant whose text an error is in, or else the one whose choice begins last before it."""
    if path not in where:
        return None
    text, ranges = where[path]
    lines = text.split("\n")
    offset = sum(len(each) + 1 for each in lines[:line - 1])
    offset += len(lines[line - 1].encode()[:column - 1].decode(errors="replace"))
    inside = [each for each in ranges if each[0] <= offset < each[1]]
    if inside:
        return min(inside, key=lambda each: each[1] - each[0])[2]
    before = [each for each in ranges if each[0] <= offset]
    return max(before)[2] if before and offset - max(before)[1] < 2000 else None


def without_uncompilable(root, target, found, folder, header):
    """Leaves out the mutants that the compiler refuses, until it refuses none; returns how many by operator."""
    refused = collections.Counter()
    while True:
        out, unnamed = refused_by(root, target, found, folder, header)
        if not out and not unnamed:
            return refused
        if not out:
            raise ValueError("the compiler refuses what names no mutant:\n" + "\n".join(unnamed[:20]))
        for _, points in found.values():
            for point in mutation.places_in_order(points):
                refused.update(mutant.operator for mutant in point.mutants if mutant.name in out)
                point.mutants = [mutant for mutant in point.mutants if mutant.name not in out]
