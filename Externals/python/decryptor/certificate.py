"""Certificates, rules 5.13 to 5.18: those of a token, pinned roots and merchants' alike."""

from dataclasses import dataclass

from . import der
from .algorithms import Algorithm, algorithm
from .der import (
    BIT_STRING,
    BOOLEAN,
    INTEGER,
    OBJECT_IDENTIFIER,
    OCTET_STRING,
    SEQUENCE,
    SET,
    Element,
    object_identifier,
    require,
)
from .public_keys import PublicKey, public_key
from .times import asn1_time

LEAF_MARKER = object_identifier("1.2.840.113635.100.6.29")
INTERMEDIATE_MARKER = object_identifier("1.2.840.113635.100.6.2.14")
BASIC_CONSTRAINTS = object_identifier("2.5.29.19")
KEY_USAGE = object_identifier("2.5.29.15")
SUBJECT_KEY_IDENTIFIER = object_identifier("2.5.29.14")

DIGITAL_SIGNATURE, KEY_CERT_SIGN = 0, 5

DEPTH = 5
"""The depth of a certificate in a CMS message."""


@dataclass(frozen=True, slots=True)
class Extension:
    """Whether it is critical, and the contents of its OCTET STRING."""

    critical: bool
    value: bytes


@dataclass(frozen=True, slots=True)
class Certificate:
    """The parts of a certificate that later stages use. Names, serial and key are whole values with tag and length."""

    bytes: bytes
    body: bytes
    serial: bytes
    issuer: bytes
    subject: bytes
    not_before: int
    not_after: int
    key_information: bytes
    key: PublicKey
    extensions: dict[bytes, Extension]
    signature_algorithm: Algorithm
    signature: bytes

    @property
    def basic_constraints(self) -> tuple[bool, int | None]:
        """cA and the path length; (False, None) if the extension is missing."""
        extension = self.extensions.get(BASIC_CONSTRAINTS)
        return _basic_constraints(extension.value) if extension else (False, None)

    def may(self, usage: int) -> bool:
        """Whether keyUsage has this bit, or is missing."""
        extension = self.extensions.get(KEY_USAGE)
        if extension is None:
            return True
        bits = der.read(extension.value).content[1:]
        return usage // 8 < len(bits) and bool(bits[usage // 8] & 0x80 >> usage % 8)

    @property
    def key_identifier(self) -> bytes | None:
        """The contents of subjectKeyIdentifier's OCTET STRING."""
        extension = self.extensions.get(SUBJECT_KEY_IDENTIFIER)
        return der.read(extension.value).content if extension else None


def certificate(element: Element) -> Certificate:
    """Reads a Certificate, rule 5.13."""
    body, outer_algorithm, signature = der.sequence_of(element, SEQUENCE, SEQUENCE, BIT_STRING)
    require(len(body.children) in (7, 8))
    version, serial, inner_algorithm, issuer, validity, subject, key_information, *rest = body.children
    require(version.tag == 0xA0 and len(version.children) == 1 and der.integer(version.children[0]) == 2)
    require(serial.tag == INTEGER and inner_algorithm.bytes == outer_algorithm.bytes)
    require(validity.tag == SEQUENCE and len(validity.children) == 2)
    not_before, not_after = map(asn1_time, validity.children)
    return Certificate(
        bytes=element.bytes,
        body=body.bytes,
        serial=serial.bytes,
        issuer=name(issuer),
        subject=name(subject),
        not_before=not_before,
        not_after=not_after,
        key_information=key_information.bytes,
        key=public_key(key_information),
        extensions=_extensions(rest[0]) if rest else {},
        signature_algorithm=algorithm(outer_algorithm),
        signature=der.bits(signature),
    )


def pinned_certificate(data: bytes) -> Certificate:
    """Reads a root's or a merchant's certificate by the same rules as one in a token."""
    require(len(data) <= 65536)
    return certificate(der.read(data, depth=DEPTH))


def name(element: Element) -> bytes:
    """The bytes of a Name, rule 5.14."""
    require(element.tag == SEQUENCE)
    for part in element.children:
        require(part.tag == SET and len(part.children) > 0)
        for attribute in part.children:
            require(attribute.tag == SEQUENCE and len(attribute.children) == 2)
            require(attribute.children[0].tag == OBJECT_IDENTIFIER)
    return element.bytes


def _extensions(element: Element) -> dict[bytes, Extension]:
    """Rule 5.15."""
    require(element.tag == 0xA3 and len(element.children) == 1 and element.children[0].tag == SEQUENCE)
    listed = element.children[0].children
    require(len(listed) > 0)
    extensions = dict(map(_extension, listed))
    require(len(extensions) == len(listed))
    return extensions


def _extension(element: Element) -> tuple[bytes, Extension]:
    parts = element.children
    critical = len(parts) == 3 and parts[1].content == b"\xff"
    if len(parts) == 3:
        der.sequence_of(element, OBJECT_IDENTIFIER, BOOLEAN, OCTET_STRING)
    else:
        der.sequence_of(element, OBJECT_IDENTIFIER, OCTET_STRING)
    identifier, value = parts[0].content, parts[-1].content
    _check_known(identifier, value)
    return identifier, Extension(critical, value)


def _check_known(identifier: bytes, value: bytes) -> None:
    """Rule 5.17."""
    if identifier == BASIC_CONSTRAINTS:
        _basic_constraints(value)
    elif identifier == KEY_USAGE:
        require(der.read(value).tag == BIT_STRING)
    elif identifier == SUBJECT_KEY_IDENTIFIER:
        require(der.read(value).tag == OCTET_STRING)


def _basic_constraints(value: bytes) -> tuple[bool, int | None]:
    element = der.read(value)
    tags = tuple(part.tag for part in element.children)
    require(element.tag == SEQUENCE and tags in ((), (BOOLEAN,), (INTEGER,), (BOOLEAN, INTEGER)))
    authority = BOOLEAN in tags and element.children[0].content == b"\xff"
    length = der.integer(element.children[-1]) if INTEGER in tags else None
    require(length is None or length >= 0)
    return authority, length
