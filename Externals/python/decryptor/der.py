"""Strict DER, and BER where the wrappers of a CMS message may use it: rules 5.1 to 5.5."""

from dataclasses import dataclass
from typing import TypeAlias

BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, NULL, OBJECT_IDENTIFIER = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
UTC_TIME, GENERALIZED_TIME, SEQUENCE, SET = 0x17, 0x18, 0x30, 0x31

DEEPEST = 16

Wrappers: TypeAlias = dict[int, "Wrappers"]
"""The values that may be BER, by tag, each with the values inside it that may be. All others are DER."""


class Malformed(ValueError):
    """Bytes that break a rule of stage 5."""


@dataclass(frozen=True, slots=True)
class Element:
    """A value: its identifier byte, all its bytes, its contents, and if it is constructed the values in them."""

    tag: int
    bytes: bytes
    content: bytes
    children: "tuple[Element, ...]"


def read(data: bytes, wrappers: Wrappers | None = None, depth: int = 1) -> Element:
    """Reads data that is exactly one value, which is at `depth`."""
    element, end = _element(data, 0, len(data), depth, wrappers or {})
    require(end == len(data))
    return element


def require(condition: bool) -> None:
    """Raises `Malformed` unless the condition is true."""
    if not condition:
        raise Malformed


def sequence_of(element: Element, *tags: int) -> tuple[Element, ...]:
    """The children of a SEQUENCE that holds exactly values of these tags."""
    require(element.tag == SEQUENCE and tuple(child.tag for child in element.children) == tags)
    return element.children


def integer(element: Element) -> int:
    """The value of an INTEGER."""
    require(element.tag == INTEGER)
    return int.from_bytes(element.content, "big", signed=True)


def bits(element: Element) -> bytes:
    """The bytes of a BIT STRING without unused bits."""
    require(element.tag == BIT_STRING and element.content[0] == 0)
    return element.content[1:]


def object_identifier(dotted: str) -> bytes:
    """The contents bytes of an OBJECT IDENTIFIER."""
    first, second, *rest = map(int, dotted.split("."))
    return b"".join(_subidentifier(number) for number in (40 * first + second, *rest))


def _subidentifier(number: int) -> bytes:
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.insert(0, 0x80 | number & 0x7F)
    return bytes(digits)


def _element(data: bytes, start: int, limit: int, depth: int, wrappers: Wrappers) -> tuple[Element, int]:
    require(start < limit)
    tag = data[start]
    inner = wrappers.get(tag)
    body, length = _length(data, start + 1, limit, lenient=inner is not None)
    end = limit if length is None else body + length
    require(end <= limit and tag & 0x1F != 0x1F)
    if not tag & 0x20:
        _check_primitive(tag, data[body:end])
        return Element(tag, data[start:end], data[body:end], ()), end
    require(depth <= DEEPEST and (tag & 0xC0 != 0 or tag in (SEQUENCE, SET)))
    children = []
    position = body
    while not _is_over(data, position, end, indefinite=length is None):
        child, position = _element(data, position, end, depth + 1, inner or {})
        children.append(child)
    after = position + 2 if length is None else position
    return Element(tag, data[start:after], data[body:position], tuple(children)), after


def _is_over(data: bytes, position: int, end: int, *, indefinite: bool) -> bool:
    return data[position : min(position + 2, end)] == b"\0\0" if indefinite else position == end


def _length(data: bytes, start: int, limit: int, *, lenient: bool) -> tuple[int, int | None]:
    """The start of the contents and their length, or None if that is indefinite. Rules 5.2 and 5.3."""
    require(start < limit)
    first = data[start]
    if first < 0x80:
        return start + 1, first
    count = first & 0x7F
    if count == 0:
        require(lenient)
        return start + 1, None
    require(count <= 4 and start + 1 + count <= limit)
    length = int.from_bytes(data[start + 1 : start + 1 + count], "big")
    require(lenient or (length >= 0x80 and data[start + 1] != 0))
    return start + 1 + count, length


def _check_primitive(tag: int, content: bytes) -> None:
    """Rules 5.4 and 5.5. The contents of context-specific, application and private values are not restricted."""
    if tag & 0xC0:
        return
    require(tag not in (0, SEQUENCE & 0x1F, SET & 0x1F))
    if tag == BOOLEAN:
        require(content in (b"\x00", b"\xff"))
    elif tag == INTEGER:
        require(len(content) > 0 and not _is_redundant(content))
    elif tag == OBJECT_IDENTIFIER:
        _check_object_identifier(content)
    elif tag == BIT_STRING:
        _check_bit_string(content)
    elif tag == NULL:
        require(content == b"")


def _is_redundant(content: bytes) -> bool:
    sign = content[1] & 0x80 if len(content) > 1 else 0
    return len(content) > 1 and content[0] == (0xFF if sign else 0x00)


def _check_object_identifier(content: bytes) -> None:
    require(len(content) > 0 and content[-1] < 0x80)
    beginnings = (byte for previous, byte in zip(b"\0" + content, content, strict=False) if previous < 0x80)
    require(all(byte != 0x80 for byte in beginnings))


def _check_bit_string(content: bytes) -> None:
    require(len(content) > 0 and content[0] <= 7)
    unused = content[0]
    require(unused == 0 or (len(content) > 1 and content[-1] & ((1 << unused) - 1) == 0))
