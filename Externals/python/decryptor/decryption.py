"""From the merchant's key to the plaintext, stages 11 and 12."""

import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .faults import Fault
from .merchant_keys import MerchantKey
from .public_keys import P_256

_EPHEMERAL_PREFIX = bytes.fromhex("3059301306072A8648CE3D020106082A8648CE3D030107034200")
_ALGORITHM = b"\x0did-aes256-GCM"
_PARTY_U = b"Apple"
_IV = bytes(16)
_AES_128 = 16
_OAEP = padding.OAEP(mgf=padding.MGF1(hashes.SHA256()), algorithm=hashes.SHA256(), label=None)


def open_data(key: MerchantKey, agreed_or_wrapped: bytes, data: bytes) -> bytes:
    """The plaintext, rules 11.1 to 12.1; `data` ends with its tag."""
    if isinstance(key.private, rsa.RSAPrivateKey):
        symmetric = _unwrap(key.private, agreed_or_wrapped)
    else:
        symmetric = _agree(key.private, agreed_or_wrapped, key.merchant_hash or b"")
    try:
        return AESGCM(symmetric).decrypt(_IV, data, None)
    except InvalidTag:
        raise Fault("decryptionFailed") from None


def _agree(private: ec.EllipticCurvePrivateKey, ephemeral: bytes, merchant_hash: bytes) -> bytes:
    """Rules 11.1 and 11.2; the key derivation is one round of SP 800-56A 5.8.1 with SHA-256."""
    point = ephemeral[len(_EPHEMERAL_PREFIX) :]
    if not ephemeral.startswith(_EPHEMERAL_PREFIX) or not P_256.holds(point):
        raise Fault("invalidEphemeralKey")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    shared = private.exchange(ec.ECDH(), public)
    return hashlib.sha256(b"\0\0\0\x01" + shared + _ALGORITHM + _PARTY_U + merchant_hash).digest()


def _unwrap(private: rsa.RSAPrivateKey, wrapped: bytes) -> bytes:
    """Rules 11.4 and 11.5: after a failure the result is a random key, so that stage 12 fails."""
    substitute = secrets.token_bytes(_AES_128)
    modulus, size = private.public_key().public_numbers().n, (private.key_size + 7) // 8
    if len(wrapped) != size or int.from_bytes(wrapped, "big") >= modulus:
        wrapped = (2).to_bytes(size, "big")
    try:
        key = private.decrypt(wrapped, _OAEP)
    except ValueError:
        return substitute
    return key if len(key) == _AES_128 else substitute
