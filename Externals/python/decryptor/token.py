"""The token's members, stages 1 to 4."""

from collections.abc import Callable
from dataclasses import dataclass

from .encodings import base64_bytes, hex_bytes
from .envelope import part
from .faults import Fault
from .json_reader import ABSENT, Absent, JSONObject, JSONValue, MalformedJSON, Member, read_object

LARGEST_TOKEN = 16_384
MOST_MEMBERS = 64

_TOKEN_NAMES = {"version", "data", "signature", "header"}
_HEADER_NAMES = {"ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId", "applicationData"}
_KEY_OF_VERSION = {"EC_v1": "header.ephemeralPublicKey", "RSA_v1": "header.wrappedKey"}

# Rule 4.3, in the order of stage 4: whether each is base64 (else hex), and its smallest and largest length in bytes.
_MEMBERS: dict[str, tuple[bool, int, float]] = {
    "data": (True, 17, float("inf")),
    "signature": (True, 1, float("inf")),
    "header.ephemeralPublicKey": (True, 91, 91),
    "header.wrappedKey": (True, 256, 512),
    "header.publicKeyHash": (True, 32, 32),
    "header.transactionId": (False, 32, 32),
    "header.applicationData": (False, 32, 32),
}

Lookup = Callable[[str], JSONValue | Absent]
"""The value of a member by its path in a token."""


@dataclass(frozen=True, slots=True)
class Token:
    """The decoded members. Under the unsigned policy there is neither a signature nor a transactionId."""

    version: str
    data: bytes
    public_key_hash: bytes
    key: bytes
    signature: bytes | None
    transaction_id: bytes | None
    application_data: bytes | None

    @property
    def signed_bytes(self) -> bytes:
        """Rule 8.1."""
        return self.key + self.data + (self.transaction_id or b"") + (self.application_data or b"")


def read_token(data: bytes) -> Token:
    """Reads a token of one piece."""
    if len(data) > LARGEST_TOKEN:
        raise Fault("tokenTooLarge", stage=1)
    token = _parse(data)

    def lookup(path: str) -> JSONValue | Absent:
        *outer, name = path.split(".")
        holder = token.get(outer[0]) if outer else token
        return holder.get(name) if isinstance(holder, JSONObject) else ABSENT

    version = _string(lookup, "version")
    _string(lookup, "data")
    _string(lookup, "signature")
    _check_header(lookup("header"))
    _string(lookup, "header.publicKeyHash")
    _string(lookup, "header.transactionId")
    _check_key_of(version, lookup)
    return _signed(lookup, version)


def read_parts(holder: JSONObject, *, unsigned: bool, replay: bool) -> Token:
    """Reads a token in parts, rule 0.8."""
    if len(holder.bytes) > LARGEST_TOKEN:
        raise Fault("tokenTooLarge", stage=1)

    def lookup(path: str) -> JSONValue | Absent:
        return part(holder, path)

    _string(lookup, "data")
    if unsigned and lookup("signature") is ABSENT:
        return _unsigned(lookup, replay)
    _string(lookup, "signature")
    _string(lookup, "header.publicKeyHash")
    _string(lookup, "header.transactionId")
    _string(lookup, "header.ephemeralPublicKey")
    return _signed(lookup, "EC_v1")


def _parse(data: bytes) -> JSONObject:
    """Stage 2."""
    try:
        token = read_object(data)
    except MalformedJSON:
        raise Fault("malformedJSON") from None
    headers = [header for header in token.all("header") if isinstance(header, JSONObject)]
    if any(len(one.members) > MOST_MEMBERS for one in (token, *headers)):
        raise Fault("malformedJSON")
    _check_repetitions(token, headers)
    return token


def _check_repetitions(token: JSONObject, headers: list[JSONObject]) -> None:
    """Rule 2.6."""
    repetitions: list[tuple[Member, str | None]] = []
    for member in token.repetitions():
        repetitions.append((member, member.name if member.name in _TOKEN_NAMES else None))
    for header in headers:
        for member in header.repetitions():
            repetitions.append((member, f"header.{member.name}" if member.name in _HEADER_NAMES else None))
    if repetitions:
        _, path = min(repetitions, key=lambda repetition: repetition[0].position)
        raise Fault("duplicateMember", path)


def _string(lookup: Lookup, path: str) -> str:
    """A member that must be a string: its presence is checked before its type (rule 3.1)."""
    value = lookup(path)
    if value is ABSENT:
        raise Fault("missingMember", path)
    if not isinstance(value, str):
        raise Fault("wrongType", path)
    return value


def _check_header(value: JSONValue | Absent) -> None:
    if value is ABSENT:
        raise Fault("missingMember", "header")
    if not isinstance(value, JSONObject):
        raise Fault("wrongType", "header")


def _check_key_of(version: str, lookup: Lookup) -> None:
    """Rules 3.2 and 3.3."""
    if version not in _KEY_OF_VERSION:
        raise Fault("unsupportedVersion", "version")
    _string(lookup, _KEY_OF_VERSION[version])
    for other, path in _KEY_OF_VERSION.items():
        if other != version and lookup(path) is not ABSENT:
            raise Fault("conflictingMembers", path)


def _signed(lookup: Lookup, version: str) -> Token:
    """Rule 3.4 and stage 4."""
    paths = ["data", "signature", _KEY_OF_VERSION[version], "header.publicKeyHash", "header.transactionId"]
    if lookup("header.applicationData") is not ABSENT:
        _string(lookup, "header.applicationData")
        paths.append("header.applicationData")
    decoded = {path: _decode(lookup, path) for path in paths}
    return Token(
        version=version,
        data=decoded["data"],
        public_key_hash=decoded["header.publicKeyHash"],
        key=decoded[_KEY_OF_VERSION[version]],
        signature=decoded["signature"],
        transaction_id=decoded["header.transactionId"],
        application_data=decoded.get("header.applicationData"),
    )


def _unsigned(lookup: Lookup, replay: bool) -> Token:
    """The unsigned policy: three parts, and with replay detection a missing transactionId."""
    _string(lookup, "header.publicKeyHash")
    if replay:
        raise Fault("missingMember", "header.transactionId")
    _string(lookup, "header.ephemeralPublicKey")
    return Token(
        version="EC_v1",
        data=_decode(lookup, "data"),
        key=_decode(lookup, "header.ephemeralPublicKey"),
        public_key_hash=_decode(lookup, "header.publicKeyHash"),
        signature=None,
        transaction_id=None,
        application_data=None,
    )


def _decode(lookup: Lookup, path: str) -> bytes:
    """Decodes a member: its encoding is checked before its length (rules 4.1 to 4.3)."""
    is_base64, smallest, largest = _MEMBERS[path]
    text = _string(lookup, path)
    bytes = base64_bytes(text) if is_base64 else hex_bytes(text)
    if bytes is None:
        raise Fault("invalidBase64" if is_base64 else "invalidHex", path)
    if not smallest <= len(bytes) <= largest:
        raise Fault("invalidLength", path)
    return bytes
