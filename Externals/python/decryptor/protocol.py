"""The decryptor behind the frame of the line protocol (Docs/LineProtocol.md)."""

import contextlib

from frame import Hello, Key, Request, Unsigned

from .decryptor import Decryptor, Policy
from .faults import Fault
from .merchant_keys import MerchantKeys, read_certificate
from .times import rfc3339_time

SUPPORTS = "EC_v1 RSA_v1 envelopes expect payload replay revoked roots signature unsigned".split()


class External:
    """The functions that the frame calls, and the decryptor that a hello has set up."""

    def __init__(self) -> None:
        self._decryptor: Decryptor | None = None

    def begin(self, hello: Hello) -> None:
        """Loads keys and roots, or raises `Refused`."""
        keys = MerchantKeys()
        for key in hello.keys:
            keys.add(key.private_key_pem, key.certificate_pem, key.merchant_id)
        self._decryptor = Decryptor(keys, [read_certificate(root) for root in hello.roots], hello.window)

    def decrypt(self, token: bytes, _key: Key | None, request: Request) -> bytes:
        """The plaintext, or a `Fault`. Stage 10 chooses the key itself."""
        at, policy = rfc3339_time(request.at_text), _policy(request.policy)
        seen: set[bytes] = set()
        for one in request.prelude:
            with contextlib.suppress(Fault):
                self._decryptor.decrypt(one, at, policy, seen)
        opened = self._decryptor.decrypt(token, at, policy, seen)
        return opened.plaintext if opened.signed else Unsigned(opened.plaintext)


def identity() -> dict[str, object]:
    """The arguments of `frame.serve` and `frame.Session`, for a new session."""
    external = External()
    return {
        "decrypt": external.decrypt,
        "begin": external.begin,
        "name": "assay-external python",
        "version": "1",
        "supports": SUPPORTS,
    }


def _policy(members: dict) -> Policy:
    expect = members["expect"]
    application_data = expect["applicationData"]
    return Policy(
        envelope=members["envelope"],
        unsigned=members["unsigned"],
        replay=members["replay"],
        currency=expect["currency"],
        amount=expect["amount"],
        application_data=None if application_data is None else bytes.fromhex(application_data),
        revoked=frozenset(map(bytes.fromhex, members["revoked"])),
    )
