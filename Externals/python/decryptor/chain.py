"""The certificates of a token and their chain to a pinned root, stages 6 and 7."""

import hashlib

from .certificate import (
    BASIC_CONSTRAINTS,
    DIGITAL_SIGNATURE,
    INTERMEDIATE_MARKER,
    KEY_CERT_SIGN,
    KEY_USAGE,
    LEAF_MARKER,
    Certificate,
)
from .cms import IssuerAndSerial, SignedMessage
from .faults import Fault
from .public_keys import P_256, ECKey, RSAKey, certificate_signature_holds

_UNDERSTOOD = {BASIC_CONSTRAINTS, KEY_USAGE, LEAF_MARKER, INTERMEDIATE_MARKER}


def find_signer(message: SignedMessage, roots: list[Certificate]) -> tuple[Certificate, Certificate]:
    """The leaf and the intermediate, stage 6."""
    leaf = _only(message.certificates, LEAF_MARKER, "missingLeafMarker")
    intermediate = _only(message.certificates, INTERMEDIATE_MARKER, "missingIntermediateMarker")
    if intermediate is leaf:
        raise Fault("missingIntermediateMarker")
    others = [one for one in message.certificates if one is not leaf and one is not intermediate]
    if any(other.bytes not in (root.bytes for root in roots) for other in others):
        raise Fault("unexpectedCertificate")
    if not _names(message, leaf):
        raise Fault("signerMismatch")
    return leaf, intermediate


def check_chain(
    leaf: Certificate,
    intermediate: Certificate,
    roots: list[Certificate],
    version: str,
    revoked: frozenset[bytes],
    at: int,
) -> None:
    """Stage 7: trust, then revocation, then dates."""
    trusted = (
        any(_issued(root, intermediate) and _is_authority(root, 1) for root in roots)
        and _is_authority(intermediate, 0)
        and _issued(intermediate, leaf)
        and _is_signer(leaf, version)
    )
    if not trusted:
        raise Fault("untrustedChain")
    if any(_digests(one) & revoked for one in (leaf, intermediate)):
        raise Fault("certificateRevoked")
    for one in (leaf, intermediate):
        if at > one.not_after:
            raise Fault("certificateExpired")
        if at < one.not_before:
            raise Fault("certificateNotYetValid")


def _only(certificates: list[Certificate], marker: bytes, code: str) -> Certificate:
    """Rules 6.1 and 6.2."""
    marked = [one for one in certificates if marker in one.extensions]
    if len(marked) != 1:
        raise Fault(code)
    return marked[0]


def _names(message: SignedMessage, leaf: Certificate) -> bool:
    """Rule 6.4."""
    if isinstance(message.signer, IssuerAndSerial):
        return message.signer.issuer == leaf.issuer and message.signer.serial == leaf.serial
    return message.signer.bytes == leaf.key_identifier


def _issued(issuer: Certificate, subject: Certificate) -> bool:
    """Rule 7.2."""
    return subject.issuer == issuer.subject and certificate_signature_holds(
        issuer.key, subject.signature_algorithm, subject.signature, subject.body
    )


def _is_authority(one: Certificate, below: int) -> bool:
    """Rules 7.3 and 7.5; `below` is the number of intermediates below it."""
    authority, length = one.basic_constraints
    return authority and (length is None or length >= below) and one.may(KEY_CERT_SIGN) and _is_understood(one)


def _is_signer(leaf: Certificate, version: str) -> bool:
    """Rules 7.4 and 7.5."""
    authority, _ = leaf.basic_constraints
    return not authority and leaf.may(DIGITAL_SIGNATURE) and _is_understood(leaf) and _has_key_of(leaf, version)


def _has_key_of(leaf: Certificate, version: str) -> bool:
    if version == "EC_v1":
        return isinstance(leaf.key, ECKey) and leaf.key.curve is P_256
    return isinstance(leaf.key, RSAKey) and 2048 <= leaf.key.bits <= 4096


def _is_understood(one: Certificate) -> bool:
    """Rule 7.5."""
    return all(identifier in _UNDERSTOOD for identifier, extension in one.extensions.items() if extension.critical)


def _digests(one: Certificate) -> set[bytes]:
    """The digests by which a list of revoked certificates may name it, rule 7.6."""
    return {hashlib.sha256(one.bytes).digest(), hashlib.sha256(one.key_information).digest()}
