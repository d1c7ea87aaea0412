"""The line protocol (Docs/LineProtocol.md): a hello, then tokens, one JSON object a line each way."""

import base64
import json
import re
import sys
from collections.abc import Iterator
from typing import BinaryIO, TypeVar

from .decryptor import Decryptor, Policy
from .der import Malformed
from .encodings import base64_bytes, hex_bytes
from .envelope import ENVELOPES
from .faults import Fault
from .json_reader import ABSENT, Absent, JSONNumber, JSONObject, JSONValue, MalformedJSON, read_object
from .merchant_keys import MerchantKeys, UnusableKey, read_certificate
from .times import rfc3339_time

NAME = "assay-external python"
VERSION = "1"
SUPPORTS = ["EC_v1", "RSA_v1", "envelopes", "expect", "replay", "revoked", "unsigned"]
LONGEST_LINE = 4 * 1024 * 1024
MOST_MEMBERS = 16

Answer = dict[str, object]
T = TypeVar("T")

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


class Unusable(ValueError):
    """A line that cannot be used. The message repeats nothing of the line but names of the protocol."""


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answers every line until the input ends."""
    session = Session()
    for line in lines(source):
        answer = session.answer(line)
        sink.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
        sink.flush()


def lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines without their newlines; None for one that is too long, and passed over."""
    while line := source.readline(LONGEST_LINE + 1):
        if line.endswith(b"\n") or len(line) <= LONGEST_LINE:
            yield line.removesuffix(b"\n")
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield None


class Session:
    """What one hello has set up."""

    def __init__(self) -> None:
        self._decryptor: Decryptor | None = None

    def answer(self, line: bytes | None) -> Answer:
        """Exactly one answer to any line; None stands for one that was too long."""
        address: Answer = {"id": None} if self._decryptor else {"hello": 1}
        try:
            message = _message(line)
            if message.get("hello") is not ABSENT:
                address = {"hello": 1}
                return address | self._greet(message)
            address = {"id": None}
            address = {"id": _typed(message, "id", str)}
            return address | self._decide(message)
        except (Unusable, UnusableKey) as error:
            return address | {"error": str(error)}
        except Exception as error:  # A bug. The other end still gets its line; the message may hold secrets.
            print(f"assay-external: unexpected {type(error).__name__}", file=sys.stderr)
            return address | {"error": "an error of this program"}

    def _greet(self, message: JSONObject) -> Answer:
        if self._decryptor:
            raise Unusable("hello was said before")
        self._decryptor = _hello(message)
        return {"name": NAME, "version": VERSION, "supports": SUPPORTS}

    def _decide(self, message: JSONObject) -> Answer:
        if self._decryptor is None:
            raise Unusable("hello comes first")
        return _verdict(self._decryptor, message)


def _message(line: bytes | None) -> JSONObject:
    if line is None:
        raise Unusable("the line is too long")
    try:
        message = read_object(line)
    except MalformedJSON:
        raise Unusable("the line is not one JSON object") from None
    _check_plain(message)
    return message


def _hello(message: JSONObject) -> Decryptor:
    _check_names(message, {"hello", "keys", "rootsPem", "windowSeconds"})
    if message.get("hello") != JSONNumber("1"):
        raise Unusable("hello is not 1")
    keys = MerchantKeys()
    for key in _typed(message, "keys", list):
        _add_key(keys, key)
    roots = [read_certificate(_of_type(root, "rootsPem", str)) for root in _typed(message, "rootsPem", list)]
    window = message.get("windowSeconds")
    seconds = None if window is None else _whole_number(window, "windowSeconds")
    if seconds is not None and seconds < 0:
        raise Unusable("windowSeconds is negative")
    return Decryptor(keys, roots, seconds)


def _add_key(keys: MerchantKeys, value: JSONValue) -> None:
    key = _of_type(value, "keys", JSONObject)
    _check_names(key, {"privateKeyPem", "certificatePem", "merchantId"})
    keys.add(
        _typed(key, "privateKeyPem", str), _optional(key, "certificatePem", str), _optional(key, "merchantId", str)
    )


def _verdict(decryptor: Decryptor, message: JSONObject) -> Answer:
    _check_names(message, {"id", "token", "at", "policy", "prelude"})
    request = _request(_typed(message, "token", str))
    prelude = [_request(_of_type(one, "prelude", str)) for one in _optional(message, "prelude", list) or []]
    at = _moment(_typed(message, "at", str))
    policy = _policy(_optional(message, "policy", JSONObject))
    if policy.replay and decryptor.window is None:
        raise Unusable("replay needs a window")
    seen: set[bytes] = set()
    for one in prelude:
        _decrypt(decryptor, one, at, policy, seen)
    return _decrypt(decryptor, request, at, policy, seen)


def _decrypt(decryptor: Decryptor, request: bytes, at: int, policy: Policy, seen: set[bytes]) -> Answer:
    try:
        opened = decryptor.decrypt(request, at, policy, seen)
    except Fault as fault:
        answer: Answer = {"accepted": False, "code": fault.code, "stage": fault.stage}
        return answer if fault.member is None else answer | {"member": fault.member}
    unsigned: Answer = {} if opened.signed else {"signed": False}
    return {"accepted": True} | unsigned | {"plaintext": base64.b64encode(opened.plaintext).decode()}


def _policy(value: JSONObject | None) -> Policy:
    if value is None:
        return Policy()
    _check_names(value, {"envelope", "unsigned", "expect", "replay", "revoked"})
    envelope = _optional(value, "envelope", str) or "apple"
    if envelope not in ("apple", "auto", *ENVELOPES):
        raise Unusable("envelope is none of the protocol's")
    currency, minor_units, application_data = _expected(_optional(value, "expect", JSONObject))
    revoked = _optional(value, "revoked", list) or []
    return Policy(
        envelope=envelope,
        unsigned=_optional(value, "unsigned", bool) or False,
        replay=_optional(value, "replay", bool) or False,
        currency=currency,
        amount=minor_units,
        application_data=application_data,
        revoked=frozenset(_digest(_of_type(one, "revoked", str), "revoked") for one in revoked),
    )


def _expected(value: JSONObject | None) -> tuple[str | None, int | None, bytes | None]:
    if value is None:
        return None, None, None
    _check_names(value, {"currency", "amount", "applicationData"})
    number = _optional(value, "amount", JSONNumber)
    application_data = _optional(value, "applicationData", str)
    return (
        _optional(value, "currency", str),
        None if number is None else _whole_number(number, "amount"),
        None if application_data is None else _digest(application_data, "applicationData"),
    )


def _check_plain(value: JSONObject) -> None:
    if len(value.members) > MOST_MEMBERS or value.repeats_names:
        raise Unusable("too many members, or a name twice")


def _check_names(value: JSONObject, allowed: set[str]) -> None:
    """A name that is not known here might be a demand that nobody would meet."""
    _check_plain(value)
    if any(member.name not in allowed for member in value.members):
        raise Unusable("an unknown member")


def _of_type(value: JSONValue | Absent, name: str, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise Unusable(f"{name} is missing or of the wrong type")
    return value


def _typed(value: JSONObject, name: str, kind: type[T]) -> T:
    return _of_type(value.get(name), name, kind)


def _optional(value: JSONObject, name: str, kind: type[T]) -> T | None:
    """Null counts as absent."""
    found = value.get(name)
    return None if found is None or found is ABSENT else _of_type(found, name, kind)


def _whole_number(value: JSONValue | Absent, name: str) -> int:
    text = _of_type(value, name, JSONNumber).text
    if not _WHOLE_NUMBER.fullmatch(text):
        raise Unusable(f"{name} is no whole number in range")
    return int(text)


def _request(text: str) -> bytes:
    request = base64_bytes(text)
    if request is None:
        raise Unusable("a token is not base64")
    return request


def _digest(text: str, name: str) -> bytes:
    digest = hex_bytes(text)
    if digest is None or len(digest) != 32:
        raise Unusable(f"{name} is no SHA-256 in hexadecimal")
    return digest


def _moment(text: str) -> int:
    try:
        return rfc3339_time(text)
    except Malformed:
        raise Unusable("at is not RFC 3339 in whole seconds with Z") from None
