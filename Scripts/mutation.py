"""One-step mutants of Swift sources, from the compiler's own syntax tree."""
import collections
import re

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",), "&+": ("&-",), "&-": ("&+",), "&*": ("&+",),
              "<<": (">>",), ">>": ("<<",), "&<<": ("&>>",), "&>>": ("&<<",), "&": ("|",), "|": ("&",), "^": ("|",)}
INTEGERS = re.compile(r"^\$s(S[iu]|s?\d*U?Int(8|16|32|64)V|s5UInt8V)D$")
# A string, a name, a number, or one character of anything else; a member behind a dot is a token of its own.
TOKEN = re.compile(rb'''"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\])*"|`\w+`|0[xob][0-9A-Fa-f_]+|[0-9][0-9_]*(?:\.[0-9]+)?'''
                   rb"|#?[A-Za-z_\x80-\xff][\w\x80-\xff]*|.", re.S)

# What is at a place, and what stands there instead; where it is, and the name and the number by which it is chosen.
Mutant = collections.namedtuple("Mutant", "operator old new name number module file line", defaults=("", 0, "", "", 0))


class Point:
    """A range of the source with the texts that may stand there instead. `statement` says that it is none of an expression."""

    def __init__(self, start, end, statement=False):
        self.start, self.end, self.statement, self.mutants, self.children = start, end, statement, [], []


class Finder:
    def __init__(self, source, fault_codes, members):
        self.source, self.points, self.enums = source, {}, {"code": fault_codes, "member": members}

    def range(self, node):
        """Where the text of a node begins and ends, or None."""
        r = node.get("range")
        return (r["start"], TOKEN.match(self.source, r["end"]).end()) if r and r["end"] >= r["start"] else None

    def text(self, span):
        return self.source[span[0]:span[1]].decode()

    def add(self, span, operator, new, statement=False):
        old = self.text(span)
        if "\n" in new and "//" in new:
            return
        point = self.points.setdefault((span, statement), Point(*span, statement))
        if all(new != mutant.new for mutant in point.mutants) and new != old:
            point.mutants.append(Mutant(operator, old, new))

    # Expressions: each visitor is called with a node and the range of its text.

    def binary_expr(self, node, span):
        function, arguments = self.range(node.get("fn", {})), node.get("args", {}).get("args", [])
        match = function and re.compile(rb"[-+*/%<>=!&|^~?.]+").match(self.source, function[0])
        if not match or len(arguments) != 2 or not span[0] < match.start() < span[1]:
            return
        word = match.group().decode()
        before, after = self.text((span[0], match.start())), self.text((match.end(), span[1]))
        left, right = before.rstrip(), after.lstrip()
        if word in COMPARISONS:
            for new in COMPARISONS[word]:
                self.add(span, "comparison", before + new + after)
        elif word in ("&&", "||"):
            self.add(span, "connective", before + ("||" if word == "&&" else "&&") + after)
            self.add(span, "dropped condition", left)
            self.add(span, "dropped condition", right)
        elif word in ARITHMETIC and INTEGERS.match(node.get("type", "")):
            for new in ARITHMETIC[word]:
                self.add(span, "arithmetic", before + new + after)
            if word in ("-", "<<", ">>", "/", "%"):
                self.add(span, "swapped operands", f"({right}) {word} ({left})")
        elif word in ("..<", "...") and not right[:1].isdigit():
            self.add(span, "range", f"{left}{word}(({right}) + 1)")
            self.add(span, "range", f"{left}{word}(({right}) - 1)")

    def integer_literal_expr(self, node, span):
        value = self.text(span).replace("_", "")
        if not re.fullmatch(r"\d+|0x[0-9A-Fa-f]+|0b[01]+", value):
            return
        number = int(value, 0)
        self.add(span, "constant", str(number + 1))
        if number:
            self.add(span, "constant", str(number - 1))

    def boolean_literal_expr(self, node, span):
        self.add(span, "constant", "false" if self.text(span) == "true" else "true")

    def prefix_unary_expr(self, node, span):
        if self.text(span).startswith("!"):
            self.add(span, "dropped negation", self.text(span)[1:])

    def call_expr(self, node, span):
        if re.match(r"(min|max)\(", self.text(span)):
            return
        written = [argument["expr"] for argument in node.get("args", {}).get("args", [])
                   if not argument.get("inout") and self.range(argument.get("expr", {}))
                   and not argument["expr"].get("implicit")]
        for one, other in zip(written, written[1:]):
            first, second = self.range(one), self.range(other)
            if one.get("type") != other.get("type") or not one.get("type") or "closure" in one["_kind"] + other["_kind"]:
                continue
            if not span[0] <= first[0] < first[1] <= second[0] < second[1] <= span[1]:
                continue
            a, b = self.text(first), self.text(second)
            if a == b or max(len(a), len(b)) > 60:
                continue
            self.add(span, "swapped arguments", self.text((span[0], first[0])) + b + self.text((first[1], second[0])) + a
                     + self.text((second[1], span[1])))

    def dot_syntax_call_expr(self, node, span):
        kind = node.get("type", "")
        names = self.enums["code"] if kind.endswith("V4CodeOD") else self.enums["member"] if kind.endswith("MemberOD") else []
        match = re.fullmatch(r"((?:[\w.]+)?\.)(\w+)", self.text(span))
        if match and match[2] in names:
            self.add(span, "wrong case", match[1] + names[(names.index(match[2]) + 1) % len(names)])

    # Statements

    def if_stmt(self, node, _, dropped="false"):
        for condition in node.get("conditions", []):
            kind, span = condition.get("_kind", ""), self.range(condition)
            if not kind.endswith("_expr") or not span:
                continue
            self.add(span, "dropped condition", dropped)
            if kind != "binary_expr":
                self.add(span, "negated condition", f"!({self.text(span)})")

    while_stmt = if_stmt

    def guard_stmt(self, node, span):
        self.if_stmt(node, span, dropped="true")

    def returned(self, node):
        result = node.get("result")
        if not isinstance(result, dict) or result.get("type") != "$sSbD" or result["_kind"] == "boolean_literal_expr":
            return
        if span := self.range(result):
            self.add(span, "returned", "true")
            self.add(span, "returned", "false")

    def block(self, node, inside):
        if node.get("implicit") and len(node.get("elements", [])) == 1 and node["elements"][0].get("implicit"):
            return
        for element in node.get("elements", []):
            kind, span = element.get("_kind", ""), self.range(element)
            if not span or self.IRRELEVANT.match(self.text(span)) or self.CLEANUP.match(self.text(span)):
                continue
            inner = element
            while inner.get("_kind") in ("try_expr", "paren_expr", "unsafe_expr"):
                inner = inner.get("sub_expr", {})
            is_call = inner.get("_kind", "") in ("call_expr", "binary_expr") and inner.get("type") == "$sytD"
            if is_call or (kind == "assign_expr" and inside != "constructor_decl"):
                self.add(span, "dropped statement", "", statement=True)
            elif kind == "continue_stmt":
                self.add(span, "break for continue", "break", statement=True)

    # What is said of a verdict decides none: descriptions, and what the reference notes for `assay explain`.
    TEXTS = {"description", "debugDescription", "customMirror", "errorDescription"}
    # Memory that is not freed or not wiped is what sanitizers and the tests of wiping look for; no verdict shows it.
    CLEANUP = re.compile(r"(\w+_(clear_)?free\(|[\w.]+\.wipe\(\)$|assay_\w+_free\()")
    # Notes, and what never fails in right code, which cannot be seen to be missing.
    IRRELEVANT = re.compile(r"trace\.\w+\(|(precondition|assert|fatalError|preconditionFailure|assertionFailure)\b")
    VISITED = {"binary_expr", "integer_literal_expr", "boolean_literal_expr", "prefix_unary_expr", "call_expr",
               "dot_syntax_call_expr", "if_stmt", "guard_stmt", "while_stmt"}
    SKIPPED = {"enum_element_decl", "attrs", "interpolated_string_literal_expr", "string_literal_expr", "inherits"}

    def walk(self, node, inside=False):
        if isinstance(node, list):
            for each in node:
                self.walk(each, inside)
        if not isinstance(node, dict):
            return
        kind = node.get("_kind", "")
        span = self.range(node) if kind in self.VISITED else None
        if kind in self.SKIPPED or kind == "array_expr" and len(node.get("elements", [])) > 12:
            return
        if kind == "var_decl" and node["name"]["base_name"].get("name") in self.TEXTS:
            return
        if kind == "call_expr" and span and self.IRRELEVANT.match(self.text(span)):
            return
        if kind in ("func_decl", "accessor_decl", "constructor_decl", "destructor_decl", "subscript_decl"):
            inside = kind
        if span and not node.get("implicit"):
            getattr(self, kind)(node, span)
        if kind == "return_stmt":
            self.returned(node)
        if kind == "brace_stmt":
            self.block(node, inside)
        for key, value in node.items():
            if key not in ("name", "decl", "interface_type", "attrs", "inherits", "params", "captures", "builtin_initializer",
                           "default_expr", "sequence", "next_call", "iterator"):
                self.walk(value, inside)


def nested(points):
    """The points as a forest by containment; those that overlap otherwise are left out."""
    ordered = sorted(points, key=lambda p: (p.start, -p.end, not p.statement))
    roots, stack = [], []
    for point in ordered:
        while stack and stack[-1].end <= point.start:
            stack.pop()
        if stack and point.end > stack[-1].end:
            continue
        (stack[-1].children if stack else roots).append(point)
        stack.append(point)
    return roots


def places_in_order(points):
    for point in points:
        yield point
        yield from places_in_order(point.children)


def mutants_of(found):
    """All mutants of files, each file a pair of its source and its places."""
    for _, points in found.values():
        for point in places_in_order(points):
            yield from point.mutants


def render(source, points):
    """The text of a file with every mutant in its place, chosen by its number."""

    def between(start, end, children):
        out, position = [], start
        for child in children:
            out += [source[position:child.start].decode(), one(child)]
            position = child.end
        return "".join(out) + source[position:end].decode()

    def one(point):
        text = between(point.start, point.end, point.children)
        for mutant in reversed(point.mutants):
            chosen = f"planted_bug({mutant.number})"
            if not point.statement:
                text = f"({chosen} ? ({mutant.new}) : ({text}))"
            elif mutant.new:
                text = f"if {chosen} {{ {mutant.new} }} else {{ {text} }}"
            else:
                text = f"if !{chosen} {{ {text} }}"
        return text

    return between(0, len(source), points)
