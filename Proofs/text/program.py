"""Reads a program in the compiler's intermediate language (LLVM IR): functions of basic blocks of instructions in
static single assignment.

A type is a tuple: ("i", bits), ("p",), ("v" or "a", count, element), ("s", elements, is_packed), ("void",). An operand is a
tuple too: ("local", name), ("global", name), ("value", value) or ("address", type, operand, indices). The value of a constant
is a number or, for vectors, arrays and structures, the tuple of its bits as in memory; None is an undefined bit."""

import dataclasses
import re

from algebra.bits import bits_of

TOKEN = re.compile(r'c"[^"]*"|[%@!](?:"[^"]*"|[\w.$-]+)|"[^"]*"|#\d+|-?\d+|[A-Za-z_][\w.]*|\.\.\.|<\{|\}>|[<>{}\[\](),=*:!]')
CASTS = ("zext", "sext", "trunc", "bitcast", "inttoptr", "ptrtoint")
BINARY = ("add", "sub", "mul", "udiv", "sdiv", "srem", "and", "or", "xor", "shl", "lshr", "ashr")
FLAGS = {"nuw", "nsw", "inbounds", "nusw", "tail", "notail"}


@dataclasses.dataclass
class Function:
    name: str
    # Names, types, and the type of what is passed by value behind a pointer, or None.
    parameters: list
    # Instructions by label, the entry first.
    blocks: dict


@dataclasses.dataclass
class Global:
    type: tuple
    align: int
    cells: tuple
    is_constant: bool


@dataclasses.dataclass
class Module:
    functions: dict
    globals: dict


def size(type):
    kind = type[0]
    if kind == "i":
        return (type[1] + 7) // 8
    if kind == "p":
        return 8
    if kind == "a":
        return type[1] * size(type[2])
    if kind == "v":
        return (type[1] * width(type[2]) + 7) // 8
    end = offset(type, len(type[1]))
    return end if type[2] else -(-end // alignment(type)) * alignment(type)


def width(type):
    """The bits of a value of a type."""
    if type[0] == "i":
        return type[1]
    return type[1] * width(type[2]) if type[0] == "v" else 8 * size(type)


def alignment(type):
    if type[0] == "a":
        return alignment(type[2])
    if type[0] == "s":
        return 1 if type[2] else max(map(alignment, type[1]))
    return size(type)


def offset(structure, index):
    """The offset of an element of a structure; that of its end for the index after the last."""
    place = 0
    for number, element in enumerate(structure[1]):
        if not structure[2]:
            place = -(-place // alignment(element)) * alignment(element)
        if number == index:
            return place
        place += size(element)
    return place


class Line:
    """The tokens of a line, read from the left."""

    def __init__(self, text, types):
        self.tokens, self.place, self.types = TOKEN.findall(text), 0, types

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def next(self):
        self.place += 1
        return self.tokens[self.place - 1]

    def accept(self, token):
        if self.peek() == token:
            self.place += 1
            return True
        return False

    def expect(self, token):
        if not self.accept(token):
            raise ValueError(f"{token} expected at {self.peek()}: {' '.join(self.tokens[:40])}")

    def flags(self):
        found = set()
        while self.peek() in FLAGS:
            found.add(self.next())
        return frozenset(found)

    def list(self, end, item):
        items = []
        while not self.accept(end):
            if items:
                self.expect(",")
            items.append(item())
        return items

    def type(self):
        token = self.next()
        if token == "ptr":
            return ("p",)
        if token in ("void", "metadata"):
            return (token,)
        if re.fullmatch(r"i\d+", token):
            return ("i", int(token[1:]))
        if token in ("<", "["):
            count = int(self.next())
            self.expect("x")
            element = self.type()
            self.expect(">" if token == "<" else "]")
            return ("v" if token == "<" else "a", count, element)
        if token in ("{", "<{"):
            return ("s", tuple(self.list("}" if token == "{" else "}>", self.type)), token == "<{")
        if token in self.types:
            return self.types[token]
        raise ValueError(f"no type: {token}")

    def operand(self, type):
        token = self.next()
        if token[0] == "%":
            return ("local", token)
        if token[0] == "@":
            return ("global", token)
        if token == "getelementptr":
            self.flags()
            self.expect("(")
            inner = self.type()
            self.expect(",")
            base, *indices = self.list(")", self.typed)
            return ("address", inner, base[1], [operand for _, operand in indices])
        return ("value", self.constant(type, token))

    def typed(self):
        type = self.type()
        return type, self.operand(type)

    def constant(self, type, token):
        if token in ("poison", "undef"):
            return (None,) * width(type)
        if type[0] == "i":
            return {"true": 1, "false": 0}[token] if type[1] == 1 else int(token) % 2 ** type[1]
        if token in ("zeroinitializer", "null"):
            return (0,) * width(type)
        if token == "splat":
            self.expect("(")
            value = self.element()
            self.expect(")")
            return value * type[1]
        if token[0] == "c":
            text = re.sub(r"\\(\\|[0-9A-F]{2})", lambda code: "\\" if code[1] == "\\" else chr(int(code[1], 16)), token[2:-1])
            return sum((bits_of(ord(character), 8) for character in text), ())
        elements = self.list({"<": ">", "[": "]", "{": "}", "<{": "}>"}[token], self.element)
        if type[0] != "s":
            return sum(elements, ())
        cells = [None] * width(type)
        for index, element in enumerate(elements):
            place = 8 * offset(type, index)
            cells[place:place + len(element)] = element
        return tuple(cells)

    def element(self):
        type, (kind, value) = self.typed()
        if kind != "value":
            raise ValueError(f"no constant: {kind} {value}")
        return bits_of(value, width(type)) if isinstance(value, int) else value

    def attributes(self):
        """Skips attributes of a parameter or a result; returns the type that is passed by value."""
        by_value = None
        while self.peek() is not None and re.fullmatch(r"[a-z_]+", self.peek()) and self.peek() not in (
                "ptr", "void", "true", "false", "null", "poison", "undef", "zeroinitializer", "splat", "getelementptr"):
            attribute = self.next()
            if self.accept("("):
                if attribute in ("byval", "sret"):
                    type = self.type()
                    by_value = type if attribute == "byval" else by_value
                    self.expect(")")
                else:
                    while self.next() != ")":
                        pass
            elif attribute == "align":
                self.next()
        return by_value

    def argument(self):
        type = self.type()
        by_value = self.attributes()
        if type == ("metadata",):
            self.next()
        return type, self.operand(type) if self.peek() not in (",", ")") else None, by_value

    def align(self, otherwise):
        """The number after the last `align` of the line."""
        if "align" in self.tokens[self.place:]:
            return int(self.tokens[self.tokens.index("align", self.place) + 1])
        return otherwise


def instruction(line):
    """The operation, the name of its result or None, and its operands."""
    name = None
    if line.peek()[0] == "%":
        name = line.next()
        line.expect("=")
    flags = line.flags()
    operation = line.next()
    flags |= line.flags()
    return operation, name, operands(operation, flags, line)


def operands(operation, flags, line):
    if operation == "alloca":
        type = line.type()
        return type, line.align(alignment(type))
    if operation == "load":
        type = line.type()
        line.expect(",")
        return type, line.typed()[1], line.align(alignment(type))
    if operation == "store":
        type, value = line.typed()
        line.expect(",")
        return type, value, line.typed()[1], line.align(alignment(type))
    if operation == "getelementptr":
        type = line.type()
        line.expect(",")
        base = line.typed()[1]
        indices = []
        while line.accept(","):
            indices.append(line.typed())
        return type, base, indices, flags
    if operation in BINARY:
        type, first = line.typed()
        line.expect(",")
        return type, first, line.operand(type), flags
    if operation == "icmp":
        predicate = line.next()
        type, first = line.typed()
        line.expect(",")
        return predicate, type, first, line.operand(type)
    if operation in CASTS:
        type, value = line.typed()
        line.expect("to")
        return type, value, line.type()
    if operation in ("select", "insertelement", "extractelement", "shufflevector"):
        found = [line.typed()]
        while line.accept(","):
            found.append(line.typed())
        return found
    if operation == "extractvalue":
        type, value = line.typed()
        line.expect(",")
        return type, value, int(line.next())
    if operation == "phi":
        type = line.type()
        sources = {}
        while line.accept("[") or line.accept(","):
            if line.tokens[line.place - 1] == ",":
                line.expect("[")
            value = line.operand(type)
            line.expect(",")
            sources[line.next()[1:]] = value
            line.expect("]")
        return type, sources
    if operation == "br":
        if line.accept("label"):
            return None, [line.next()[1:]]
        condition = line.typed()[1]
        labels = []
        while line.accept(","):
            if not line.accept("label"):
                break
            labels.append(line.next()[1:])
        return condition, labels
    if operation == "ret":
        return line.typed() if line.peek() != "void" else (("void",), None)
    if operation == "call":
        line.attributes()
        type = line.type()
        callee = line.operand(("p",))
        line.expect("(")
        return type, callee, line.list(")", line.argument)
    if operation == "unreachable":
        return ()
    raise ValueError(f"the instruction {operation} is not known")


def parse(lines):
    """The program of the lines that the compiler writes."""
    types, module, function, label = {}, Module({}, {}), None, None
    for text in lines:
        if text.startswith("%"):
            line = Line(text, types)
            name = line.next()
            line.next(), line.next()
            types[name] = line.type()
        elif text.startswith("@"):
            parse_global(text, types, module)
        elif text.startswith("define"):
            function = parse_header(text, types)
            module.functions[function.name] = function
        elif text.startswith("}"):
            function = None
        elif function is not None and (found := re.match(r'([\w.$-]+|"[^"]*"):', text)):
            label = found[1]
            function.blocks[label] = []
        elif function is not None and text.startswith("  "):
            function.blocks[label].append(instruction(Line(text, types)))
    return module


def parse_global(text, types, module):
    line = Line(text, types)
    name = line.next()
    while line.peek() not in ("constant", "global"):
        if line.next() == "external":
            return
    is_constant = line.next() == "constant"
    type = line.type()
    place = line.place
    try:
        kind, value = line.operand(type)
    except ValueError:
        # A table of addresses has no values here.
        line.place, kind, value = place, "value", (None,) * width(type)
    cells = bits_of(value, width(type)) if isinstance(value, int) else value
    if len(cells) != 8 * size(type):
        raise ValueError(f"{name} has {len(cells)} bits")
    module.globals[name] = Global(type, line.align(alignment(type)), cells, is_constant)


def parse_header(text, types):
    line = Line(text, types)
    while line.peek()[0] != "@":
        line.next()
    name = line.next()
    line.expect("(")
    parameters = []
    for type, operand, by_value in line.list(")", line.argument):
        parameters.append((operand[1], type, by_value))
    return Function(name, parameters, {})


def loops(function):
    """The labels of the blocks that begin a loop, in order: those to which a path from them leads back."""
    order, found, entered, left = list(function.blocks), set(), set(), set()
    way = [order[0]]
    while way:
        label = way[-1]
        if label in entered:
            left.add(way.pop())
            continue
        entered.add(label)
        *_, (operation, _, operands) = function.blocks[label]
        for target in operands[1] if operation == "br" else []:
            if target not in entered:
                way.append(target)
            elif target not in left:
                found.add(target)
    return sorted(found, key=order.index)
