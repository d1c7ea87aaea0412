"""Strict JSON, rules 2.1 to 2.4.

Values are `JSONObject`, `list`, `str`, `JSONNumber`, `True`, `False` and `None`. Repeated names are kept, because only
some objects must not have them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

DEEPEST = 32
MOST_VALUES = 2_048

_SPACE = re.compile(r"[ \t\n\r]*+")
_PLAIN = r'[^"\\\x00-\x1f]*'
# Not possessive: up to Python 3.11.4 a possessive group keeps what its last, failed round has matched, and "x\u" passes.
_STRING = re.compile(rf'"({_PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}}){_PLAIN})*)"')
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_LITERALS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_SHORT_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class MalformedJSON(ValueError):
    """The text breaks one of the rules 2.1 to 2.4."""


class Absent:
    """The type of `ABSENT`, which means that there is no member of that name. null is another value."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class JSONNumber:
    """A number as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Member:
    """A name after unescaping, its value, and the position of the name in the text."""

    name: str
    value: "JSONValue"
    position: int


@dataclass(frozen=True, slots=True)
class JSONObject:
    """All members as written, repeated ones too, and the text they were read from."""

    members: list[Member]
    source: str
    start: int
    end: int

    @property
    def bytes(self) -> bytes:
        """The object's text in the document, from its `{` to its `}`."""
        return self.source[self.start : self.end].encode()

    def all(self, name: str) -> "list[JSONValue]":
        """The values of every member of that name."""
        return [member.value for member in self.members if member.name == name]

    def get(self, name: str) -> "JSONValue | Absent":
        """The value of the first member of that name."""
        return next((member.value for member in self.members if member.name == name), ABSENT)

    def repetitions(self) -> Iterator[Member]:
        """Members whose unescaped name an earlier member of this object has, in their order."""
        seen: set[str] = set()
        for member in self.members:
            if member.name in seen:
                yield member
            seen.add(member.name)

    @property
    def repeats_names(self) -> bool:
        """Whether any name occurs twice."""
        return next(self.repetitions(), None) is not None


JSONValue: TypeAlias = Union[JSONObject, "list[JSONValue]", str, JSONNumber, bool, None]


def read_object(data: bytes) -> JSONObject:
    """Reads a document that is one object, rules 2.1 to 2.4."""
    try:
        text = data.decode("utf-8")  # Python's decoder refuses overlong forms, surrogates and what is above U+10FFFF.
    except UnicodeDecodeError:
        raise MalformedJSON from None
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._values = 0

    def document(self) -> JSONObject:
        self._skip_space()
        if self._peek() != "{":
            raise MalformedJSON
        result = self._object(1)
        self._skip_space()
        if self._position != len(self._text):
            raise MalformedJSON
        return result

    def _value(self, depth: int) -> JSONValue:
        self._values += 1
        if self._values > MOST_VALUES:
            raise MalformedJSON
        first = self._peek()
        if first == '"':
            return self._string()
        if first == "{":
            return self._object(depth + 1)
        if first == "[":
            return self._array(depth + 1)
        if first in _LITERALS:
            return self._literal(*_LITERALS[first])
        return self._number()

    def _object(self, depth: int) -> JSONObject:
        start = self._open(depth)
        members: list[Member] = []
        if not self._take("}"):
            while True:
                members.append(self._member(depth))
                if self._take("}"):
                    break
                self._demand(",")
        return JSONObject(members, self._text, start, self._position)

    def _member(self, depth: int) -> Member:
        self._skip_space()
        position = self._position
        name = self._string()
        self._demand(":")
        self._skip_space()
        return Member(name, self._value(depth), position)

    def _array(self, depth: int) -> list[JSONValue]:
        self._open(depth)
        items: list[JSONValue] = []
        if not self._take("]"):
            while True:
                self._skip_space()
                items.append(self._value(depth))
                if self._take("]"):
                    break
                self._demand(",")
        return items

    def _open(self, depth: int) -> int:
        """Passes over the bracket, and returns its position. Rule 2.4."""
        if depth > DEEPEST:
            raise MalformedJSON
        self._position += 1
        return self._position - 1

    def _string(self) -> str:
        match = _STRING.match(self._text, self._position)
        if match is None:
            raise MalformedJSON
        self._position = match.end()
        content = match[1]
        return _unescape(content) if "\\" in content else content

    def _number(self) -> JSONNumber:
        match = _NUMBER.match(self._text, self._position)
        if match is None:
            raise MalformedJSON
        self._position = match.end()
        return JSONNumber(match[0])

    def _literal(self, word: str, value: bool | None) -> bool | None:
        if not self._text.startswith(word, self._position):
            raise MalformedJSON
        self._position += len(word)
        return value

    def _peek(self) -> str:
        return self._text[self._position : self._position + 1]

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._position)
        self._position = match.end() if match else self._position

    def _take(self, character: str) -> bool:
        self._skip_space()
        if self._peek() != character:
            return False
        self._position += 1
        return True

    def _demand(self, character: str) -> None:
        if not self._take(character):
            raise MalformedJSON


def _unescape(content: str) -> str:
    """Rule 2.3. The text itself has no surrogates, so a pair here comes from two escapes next to each other."""
    units = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT_ESCAPES[m[2]], content)
    try:
        return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise MalformedJSON from None
