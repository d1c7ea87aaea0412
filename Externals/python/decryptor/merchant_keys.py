"""Merchants' keys: loading them, and finding the one that a token names (stage 10)."""

import hashlib
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_private_key
from frame import Refused

from . import der
from .certificate import Certificate, pinned_certificate
from .der import Malformed, object_identifier
from .encodings import hex_bytes
from .faults import Fault
from .pem import block

_MERCHANT_IDENTIFIER = object_identifier("1.2.840.113635.100.6.32")
_UTF8_STRING = 0x0C

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class UnusableKey(Refused):
    """A key, a certificate or a root that is refused. The reason repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class MerchantKey:
    """A private key, and the merchant-ID hash that goes into EC_v1's key derivation."""

    private: PrivateKey
    merchant_hash: bytes | None

    @property
    def version(self) -> str:
        """The version of the tokens that this key decrypts."""
        return "EC_v1" if isinstance(self.private, ec.EllipticCurvePrivateKey) else "RSA_v1"


class MerchantKeys:
    """The keys by publicKeyHash."""

    def __init__(self) -> None:
        self._keys: dict[bytes, MerchantKey] = {}

    def add(self, private_pem: str, certificate_pem: str | None, merchant_id: str | None) -> None:
        """Loads a key with the certificate or the merchant ID that belongs to it."""
        if merchant_id == "":
            raise UnusableKey("an empty merchant ID")
        private = _private_key(private_pem)
        information = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        claims = {hashlib.sha256(merchant_id.encode()).digest()} if merchant_id is not None else set()
        if certificate_pem is not None:
            certificate = read_certificate(certificate_pem)
            if certificate.key_information != information:
                raise UnusableKey("a certificate and its key do not belong together")
            claims |= _certified_hash(certificate)
        self._keep(hashlib.sha256(information).digest(), private, claims)

    def find(self, public_key_hash: bytes, version: str) -> MerchantKey:
        """Rule 10.1."""
        key = self._keys.get(public_key_hash)
        if key is None or key.version != version:
            raise Fault("unknownMerchantKey")
        return key

    def _keep(self, public_key_hash: bytes, private: PrivateKey, claims: set[bytes]) -> None:
        known = self._keys.get(public_key_hash)
        if known and known.merchant_hash:
            claims = claims | {known.merchant_hash}
        if len(claims) > 1:
            raise UnusableKey("a key has two merchant IDs")
        key = MerchantKey(private, next(iter(claims), None))
        if key.version == "EC_v1" and key.merchant_hash is None:
            raise UnusableKey("an EC key needs a certificate with a merchant ID, or a merchant ID")
        self._keys[public_key_hash] = key


def read_certificate(pem: str) -> Certificate:
    """Reads a root's or a merchant's certificate by the rules 5.13 to 5.18."""
    found = block(pem, "CERTIFICATE")
    if found is None:
        raise UnusableKey("not one certificate in PEM")
    try:
        return pinned_certificate(found[1])
    except Malformed:
        raise UnusableKey("a certificate breaks the rules 5.1 to 5.18") from None


def _private_key(pem: str) -> PrivateKey:
    found = block(pem, "PRIVATE KEY")
    if found is None:
        raise UnusableKey("not one private key in PEM")
    try:
        key = load_der_private_key(found[1], password=None)
    except Exception:  # The library raises many kinds, which differ from release to release.
        raise UnusableKey("a private key cannot be read") from None
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    if isinstance(key, rsa.RSAPrivateKey) and 2048 <= key.key_size <= 4096:
        return key
    raise UnusableKey("a key is neither P-256 nor RSA of 2048 to 4096 bits")


def _certified_hash(certificate: Certificate) -> set[bytes]:
    """The merchant-ID hash of a certificate, 64 hexadecimal digits in a UTF8String; empty without the extension."""
    extension = certificate.extensions.get(_MERCHANT_IDENTIFIER)
    if extension is None:
        return set()
    try:
        element = der.read(extension.value)
        digest = hex_bytes(element.content.decode("ascii")) if element.tag == _UTF8_STRING else None
    except (Malformed, UnicodeDecodeError):
        digest = None
    if digest is None or len(digest) != 32:
        raise UnusableKey("a certificate's merchant ID is no SHA-256 in hexadecimal")
    return {digest}
