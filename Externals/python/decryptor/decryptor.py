"""Runs all stages in their order. The first one that fails is the verdict."""

import hashlib
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes

from .certificate import Certificate
from .chain import check_chain, find_signer
from .cms import SignedMessage, read_signature
from .decryption import open_data
from .encodings import hex_bytes
from .envelope import Unwrapped, unwrap
from .faults import Fault
from .json_reader import ABSENT
from .merchant_keys import MerchantKeys
from .payload import Payment, read_payload
from .token import Token, read_parts, read_token


@dataclass(frozen=True, slots=True)
class Policy:
    """The caller's requirements besides a valid signature."""

    envelope: str = "apple"
    unsigned: bool = False
    replay: bool = False
    currency: str | None = None
    amount: int | None = None
    application_data: bytes | None = None
    revoked: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Opened:
    """The plaintext, and whether the token was signed."""

    plaintext: bytes
    signed: bool


@dataclass(frozen=True, slots=True)
class Decryptor:
    """Keys, roots and the window in seconds; a window of None switches stage 9 off."""

    keys: MerchantKeys
    roots: list[Certificate]
    window: int | None

    def decrypt(self, request: bytes, at: int, policy: Policy, seen: set[bytes]) -> Opened:
        """The plaintext of a request that is valid at this time; raises the first `Fault` if it is not.

        `seen` has the known transactions. This one is added if the policy asks for replay detection.
        """
        unwrapped = unwrap(request, policy.envelope)
        if isinstance(unwrapped.token, bytes):
            token = read_token(unwrapped.token)
        else:
            token = read_parts(unwrapped.token, unsigned=policy.unsigned, replay=policy.replay)
        if token.signature is not None:
            self._verify(token, token.signature, policy.revoked, at)
        plaintext = open_data(self.keys.find(token.public_key_hash, token.version), token.key, token.data)
        payment = read_payload(plaintext, token.version)
        _check_expectations(unwrapped, token, payment, policy)
        if policy.replay:
            _remember(token, seen)
        return Opened(plaintext, signed=token.signature is not None)

    def _verify(self, token: Token, signature: bytes, revoked: frozenset[bytes], at: int) -> None:
        """Stages 5 to 9."""
        message = read_signature(signature, token.version)
        leaf, intermediate = find_signer(message, self.roots)
        check_chain(leaf, intermediate, self.roots, token.version, revoked, at)
        if not _is_signed(token, message, leaf):
            raise Fault("signatureMismatch")
        if self.window is not None and abs(message.signing_time - at) > self.window:
            raise Fault("signingTimeOutsideWindow")


def _is_signed(token: Token, message: SignedMessage, leaf: Certificate) -> bool:
    """Stage 8."""
    return (
        leaf.key is not None
        and message.message_digest == hashlib.sha256(token.signed_bytes).digest()
        and leaf.key.verifies(message.signature, message.signed_attributes, hashes.SHA256())
    )


def _check_expectations(unwrapped: Unwrapped, token: Token, payment: Payment, policy: Policy) -> None:
    """Rules 14.0 to 14.3."""
    named = unwrapped.transaction_identifier
    if named is not ABSENT and (not isinstance(named, str) or not _is_name_of(named, token)):
        raise Fault("envelopeFieldMismatch", stage=14)
    if policy.application_data is not None and policy.application_data != token.application_data:
        raise Fault("applicationDataMismatch")
    if policy.currency is not None and policy.currency != payment.currency:
        raise Fault("currencyMismatch")
    if policy.amount is not None and policy.amount != payment.amount:
        raise Fault("amountMismatch")


def _is_name_of(identifier: str, token: Token) -> bool:
    return token.transaction_id is not None and hex_bytes(identifier) == token.transaction_id


def _remember(token: Token, seen: set[bytes]) -> None:
    """Rule 14.4, for a store that is never full."""
    if token.transaction_id is None or token.transaction_id in seen:
        raise Fault("replayedTransaction")
    seen.add(token.transaction_id)
