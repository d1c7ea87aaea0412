"""Public keys of certificates (rule 5.16) and signatures under them (rules 7.2, 8.3, 8.4)."""

from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from . import algorithms, der
from .algorithms import Algorithm, algorithm
from .der import INTEGER, NULL, OBJECT_IDENTIFIER, Element, Malformed, object_identifier, require

LARGEST_RSA_BITS = 4096
_EXPONENT = 65537


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve y² = x³ - 3x + b over the integers modulo p, whose order is the prime n (FIPS 186)."""

    p: int
    b: int
    n: int
    size: int
    implementation: type[ec.EllipticCurve]

    def holds(self, point: bytes) -> bool:
        """Whether these bytes are 04 ‖ x ‖ y, both below p, on the curve."""
        if len(point) != 1 + 2 * self.size or point[0] != 4:
            return False
        x = int.from_bytes(point[1 : 1 + self.size], "big")
        y = int.from_bytes(point[1 + self.size :], "big")
        return x < self.p and y < self.p and (y * y - x * x * x + 3 * x - self.b) % self.p == 0


P_256 = Curve(
    p=2**256 - 2**224 + 2**192 + 2**96 - 1,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    size=32,
    implementation=ec.SECP256R1,
)
P_384 = Curve(
    p=2**384 - 2**128 - 2**96 + 2**32 - 1,
    b=0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    size=48,
    implementation=ec.SECP384R1,
)
_CURVES = {object_identifier("1.2.840.10045.3.1.7"): P_256, object_identifier("1.3.132.0.34"): P_384}


@dataclass(frozen=True, slots=True)
class ECKey:
    """A point on P-256 or P-384."""

    curve: Curve
    point: bytes

    def verifies(self, signature: bytes, message: bytes, digest: hashes.HashAlgorithm) -> bool:
        """ECDSA with strict encoding, rule 8.3."""
        try:
            r, s = map(der.integer, der.sequence_of(der.read(signature), INTEGER, INTEGER))
        except Malformed:
            return False
        if not (0 < r < self.curve.n and 0 < s < self.curve.n):
            return False
        key = ec.EllipticCurvePublicKey.from_encoded_point(self.curve.implementation(), self.point)
        try:
            key.verify(encode_dss_signature(r, s), message, ec.ECDSA(digest))
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class RSAKey:
    """A modulus; the exponent is 65537."""

    modulus: int

    @property
    def bits(self) -> int:
        return self.modulus.bit_length()

    @property
    def size(self) -> int:
        """The size of the modulus and of every signature, in bytes."""
        return (self.bits + 7) // 8

    def verifies(self, signature: bytes, message: bytes, digest: hashes.HashAlgorithm) -> bool:
        """RSASSA-PKCS1-v1_5, rules 7.2 and 8.4."""
        if len(signature) != self.size or int.from_bytes(signature, "big") >= self.modulus:
            return False
        key = rsa.RSAPublicNumbers(_EXPONENT, self.modulus).public_key()
        try:
            key.verify(signature, message, padding.PKCS1v15(), digest)
        except InvalidSignature:
            return False
        return True


PublicKey = ECKey | RSAKey | None
"""None is a key of another algorithm or curve: it is read, but no signature verifies with it."""


def public_key(information: Element) -> PublicKey:
    """Reads a SubjectPublicKeyInfo, rule 5.16."""
    require(information.tag == der.SEQUENCE and len(information.children) == 2)
    kind, value = algorithm(information.children[0]), der.bits(information.children[1])
    if kind.name == algorithms.EC_PUBLIC_KEY:
        return _ec_key(kind, value)
    if kind.name == algorithms.RSA_ENCRYPTION:
        return _rsa_key(kind, value)
    return None


def certificate_signature_holds(key: PublicKey, kind: Algorithm, signature: bytes, message: bytes) -> bool:
    """Whether an issuer's key made the signature on a certificate, rule 7.2."""
    if isinstance(key, ECKey) and kind.parameters is None:
        digest = {algorithms.ECDSA_WITH_SHA_256: hashes.SHA256, algorithms.ECDSA_WITH_SHA_384: hashes.SHA384}
    elif isinstance(key, RSAKey) and key.bits >= 2048 and kind.has_null_or_nothing:
        digest = {algorithms.SHA_256_WITH_RSA: hashes.SHA256, algorithms.SHA_384_WITH_RSA: hashes.SHA384}
    else:
        return False
    return kind.name in digest and key.verifies(signature, message, digest[kind.name]())


def _ec_key(kind: Algorithm, value: bytes) -> ECKey | None:
    if kind.parameters is None or kind.parameters.tag != OBJECT_IDENTIFIER:
        raise Malformed
    curve = _CURVES.get(kind.parameters.content)
    if curve is None:
        return None
    require(curve.holds(value))
    return ECKey(curve, value)


def _rsa_key(kind: Algorithm, value: bytes) -> RSAKey:
    require(kind.parameters is not None and kind.parameters.tag == NULL)
    modulus, exponent = map(der.integer, der.sequence_of(der.read(value), INTEGER, INTEGER))
    require(modulus > 0 and modulus % 2 == 1 and modulus.bit_length() <= LARGEST_RSA_BITS and exponent == _EXPONENT)
    return RSAKey(modulus)
