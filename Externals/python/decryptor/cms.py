"""The signature's CMS message, rules 5.1 to 5.12 and 5.19. Certificates are read by `certificate`."""

from dataclasses import dataclass

from . import algorithms, der
from .algorithms import Algorithm, algorithm, algorithm_contents, require_sha256
from .certificate import LEAF_MARKER, Certificate, certificate, name
from .der import (
    INTEGER,
    OBJECT_IDENTIFIER,
    OCTET_STRING,
    SEQUENCE,
    SET,
    Element,
    Malformed,
    Wrappers,
    object_identifier,
    require,
)
from .faults import Fault
from .public_keys import RSAKey
from .times import asn1_time

LARGEST_CERTIFICATE = 4096
MOST_CERTIFICATES = 3

_SIGNED_DATA = object_identifier("1.2.840.113549.1.7.2")
_DATA = object_identifier("1.2.840.113549.1.7.1")
_CONTENT_TYPE = object_identifier("1.2.840.113549.1.9.3")
_MESSAGE_DIGEST = object_identifier("1.2.840.113549.1.9.4")
_SIGNING_TIME = object_identifier("1.2.840.113549.1.9.5")
_ALGORITHM_PROTECTION = object_identifier("1.2.840.113549.1.9.52")

_CONTEXT_0, _CONTEXT_1, _KEY_IDENTIFIER = 0xA0, 0xA1, 0x80

# Rule 5.2: ContentInfo, its [0], SignedData, and in that digestAlgorithms and signerInfos, EncapsulatedContentInfo,
# certificates.
_WRAPPERS: Wrappers = {SEQUENCE: {_CONTEXT_0: {SEQUENCE: {SET: {}, SEQUENCE: {}, _CONTEXT_0: {}}}}}


@dataclass(frozen=True, slots=True)
class IssuerAndSerial:
    """A signer named by issuer and serial number, both as whole values."""

    issuer: bytes
    serial: bytes


@dataclass(frozen=True, slots=True)
class KeyIdentifier:
    """A signer named by its subjectKeyIdentifier."""

    bytes: bytes


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """The parts of the message that later stages use."""

    certificates: list[Certificate]
    signer: IssuerAndSerial | KeyIdentifier
    message_digest: bytes
    signing_time: int
    signed_attributes: bytes
    signature: bytes


def read_signature(data: bytes, version: str) -> SignedMessage:
    """Reads the token's `signature`, stage 5."""
    try:
        return _content_info(der.read(data, _WRAPPERS), version)
    except Malformed:
        raise Fault("malformedSignature") from None


def _content_info(element: Element, version: str) -> SignedMessage:
    """Rules 5.6 to 5.8."""
    kind, content = der.sequence_of(element, OBJECT_IDENTIFIER, _CONTEXT_0)
    require(kind.content == _SIGNED_DATA and len(content.children) == 1)
    data = content.children[0]
    certificates: list[Certificate] = []
    if len(data.children) == 5:
        _, digests, encapsulated, bag, signers = der.sequence_of(data, INTEGER, SET, SEQUENCE, _CONTEXT_0, SET)
        certificates = _certificates(bag)
    else:
        _, digests, encapsulated, signers = der.sequence_of(data, INTEGER, SET, SEQUENCE, SET)
    require(der.integer(data.children[0]) == 1)
    require(len(digests.children) == 1 and len(signers.children) == 1)
    require_sha256(digests.children[0])
    (content_type,) = der.sequence_of(encapsulated, OBJECT_IDENTIFIER)
    require(content_type.content == _DATA)
    return _signer_info(signers.children[0], certificates, version)


def _certificates(bag: Element) -> list[Certificate]:
    """Rule 5.8."""
    require(len(bag.children) <= MOST_CERTIFICATES)
    require(all(len(element.bytes) <= LARGEST_CERTIFICATE for element in bag.children))
    return [certificate(element) for element in bag.children]


def _signer_info(element: Element, certificates: list[Certificate], version: str) -> SignedMessage:
    """Rules 5.9 and 5.19."""
    require(element.tag == SEQUENCE and len(element.children) == 6)
    number, identifier, digest, attributes, signature_algorithm, signature = element.children
    require(attributes.tag == _CONTEXT_0 and signature.tag == OCTET_STRING)
    require_sha256(digest)
    _check_signature_algorithm(algorithm(signature_algorithm), version)
    if version == "RSA_v1":
        _check_signature_length(signature.content, certificates)
    message_digest, signing_time = _signed_attributes(attributes, signature_algorithm)
    return SignedMessage(
        certificates=certificates,
        signer=_signer(der.integer(number), identifier),
        message_digest=message_digest,
        signing_time=signing_time,
        signed_attributes=bytes([SET]) + attributes.bytes[1:],
        signature=signature.content,
    )


def _signer(number: int, identifier: Element) -> IssuerAndSerial | KeyIdentifier:
    if number == 1:
        issuer, serial = der.sequence_of(identifier, SEQUENCE, INTEGER)
        return IssuerAndSerial(name(issuer), serial.bytes)
    require(number == 3 and identifier.tag == _KEY_IDENTIFIER)
    return KeyIdentifier(identifier.content)


def _check_signature_algorithm(kind: Algorithm, version: str) -> None:
    """Rule 5.10."""
    if version == "EC_v1":
        require(kind.name == algorithms.ECDSA_WITH_SHA_256 and kind.parameters is None)
    else:
        require(kind.name in (algorithms.RSA_ENCRYPTION, algorithms.SHA_256_WITH_RSA) and kind.has_null_or_nothing)


def _check_signature_length(signature: bytes, certificates: list[Certificate]) -> None:
    """Rule 5.19."""
    leaves = [one for one in certificates if LEAF_MARKER in one.extensions]
    if len(leaves) == 1 and isinstance(leaves[0].key, RSAKey):
        require(len(signature) == leaves[0].key.size)


def _signed_attributes(element: Element, signature_algorithm: Element) -> tuple[bytes, int]:
    """The messageDigest and the signingTime, rule 5.11."""
    attributes = [_attribute(attribute) for attribute in element.children]
    content_type = _only(attributes, _CONTENT_TYPE)
    require(content_type.tag == OBJECT_IDENTIFIER and content_type.content == _DATA)
    message_digest = _only(attributes, _MESSAGE_DIGEST)
    require(message_digest.tag == OCTET_STRING and len(message_digest.content) == 32)
    if any(kind == _ALGORITHM_PROTECTION for kind, _ in attributes):
        _check_protection(_only(attributes, _ALGORITHM_PROTECTION), signature_algorithm)
    return message_digest.content, asn1_time(_only(attributes, _SIGNING_TIME))


def _attribute(element: Element) -> tuple[bytes, tuple[Element, ...]]:
    kind, values = der.sequence_of(element, OBJECT_IDENTIFIER, SET)
    return kind.content, values.children


def _only(attributes: list[tuple[bytes, tuple[Element, ...]]], kind: bytes) -> Element:
    """The only value of an attribute that must occur exactly once."""
    found = [values for name_of_this, values in attributes if name_of_this == kind]
    require(len(found) == 1 and len(found[0]) == 1)
    return found[0][0]


def _check_protection(element: Element, signature_algorithm: Element) -> None:
    """cmsAlgorithmProtection (RFC 6211): the algorithms of the SignerInfo. For RSA, NULL and absent are equal."""
    digest, protected = der.sequence_of(element, SEQUENCE, _CONTEXT_1)
    require_sha256(digest)
    own, signers = algorithm_contents(protected), algorithm(signature_algorithm)
    require(own.name == signers.name)
    require(own.parameters is None or own.name != algorithms.ECDSA_WITH_SHA_256 and own.has_null_or_nothing)
