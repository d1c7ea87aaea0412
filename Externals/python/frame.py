"""Puts a decryptor behind assay's line protocol, so that `assay diff` can compare it with others.

The protocol, one JSON object per line:
  in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
  out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
  in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
  out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}

Usage, with Python 3.11 and the command `openssl`. Copy this file next to yours:

    from frame import Refused, serve

    def decrypt(token, key, request):                           # bytes, Key, Request -> bytes
        try:
            return mine.decrypt(token, key.sec1_pem, key.merchant_id_hash, request.roots, request.at)
        except mine.InvalidToken as error:
            raise Refused(str(error))                           # any other exception is an error: nothing is decided

    serve(decrypt, name="mine", version="1.0", supports=["EC_v1", "signature", "roots"])

Then: assay diff --external 'python3 yours.py'

Apache 2.0; part of assay. You may copy this file into your own tests.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

LONGEST_LINE = 4 * 1024 * 1024

_ENVELOPES = {"apple", "auto", "applepayjs", "worldline", "alphapay", "mpgs", "bambora"}
_POLICY = {"envelope": "apple", "unsigned": False, "expect": {}, "replay": False, "revoked": []}
_EXPECT = {"currency": str, "amount": int, "applicationData": str}
_SHA256 = re.compile("[0-9A-Fa-f]{64}")
# The DER of the extension 1.2.840.113635.100.6.32 of a merchant's certificate: SHA-256 of the merchant ID, in hex.
_MERCHANT_ID = b"\x06\x09\x2a\x86\x48\x86\xf7\x63\x64\x06\x20\x04\x42\x0c\x40"
_MERCHANT_ID_HASH = re.compile(re.escape(_MERCHANT_ID) + b"([0-9A-Fa-f]{64})")
_EC_PUBLIC_KEY = b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01"


class Refused(Exception):
    """What `decrypt` raises to refuse a token, and `begin` to refuse keys or roots.

    `reason` is for people. `code`, `stage` and `member` are those of assay's Docs/Verification.md, if you know them.
    """

    def __init__(
        self, reason: str, code: str | None = None, stage: int | None = None, member: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = " ".join(reason.split())[:200]
        self.code, self.stage, self.member = code, stage, member


class Unsigned(bytes):
    """A plaintext to return for a token that was accepted without a signature (policy `unsigned`)."""


@dataclass(frozen=True)
class Key:
    """A merchant's private key in the forms that libraries ask for."""

    private_key_pem: str
    """As hello has it; may have any label."""
    certificate_pem: str | None
    merchant_id: str | None

    @cached_property
    def pkcs8_pem(self) -> str:
        """-----BEGIN PRIVATE KEY-----"""
        return _openssl("pkey", text=self.private_key_pem).decode()

    @cached_property
    def sec1_pem(self) -> str | None:
        """-----BEGIN EC PRIVATE KEY-----; None for an RSA key."""
        return _openssl("pkey", "-traditional", text=self.private_key_pem).decode() if self.version == "EC_v1" else None

    @cached_property
    def public_key(self) -> bytes:
        """The SubjectPublicKeyInfo, DER."""
        return _openssl("pkey", "-pubout", "-outform", "DER", text=self.private_key_pem)

    @property
    def version(self) -> str:
        """Of the tokens that it decrypts."""
        return "EC_v1" if _EC_PUBLIC_KEY in self.public_key else "RSA_v1"

    @cached_property
    def public_key_hash(self) -> bytes:
        """What `header.publicKeyHash` of a token names it by: 32 bytes."""
        return hashlib.sha256(self.public_key).digest()

    @cached_property
    def merchant_id_hash(self) -> bytes | None:
        """SHA-256 of the merchant ID, 32 bytes: from the certificate, else of `merchant_id`."""
        certificate = base64.b64decode(self.certificate_pem.split("-----")[2]) if self.certificate_pem else b""
        if found := _MERCHANT_ID_HASH.search(certificate):
            return bytes.fromhex(found[1].decode())
        return hashlib.sha256(self.merchant_id.encode()).digest() if self.merchant_id else None

    def pkcs12(self, password: str) -> bytes:
        """Key and certificate as PKCS #12 (.p12), DER. Needs a certificate."""
        text = self.private_key_pem + (self.certificate_pem or "")
        return _openssl("pkcs12", "-export", "-passout", "env:FRAME_PASSWORD", text=text, FRAME_PASSWORD=password)


@dataclass(frozen=True)
class Hello:
    """What a session decrypts with. `roots` are PEM; `window` is in seconds, or None where it is not checked."""

    keys: list[Key]
    roots: list[str]
    window: int | None


@dataclass(frozen=True)
class Request(Hello):
    """A line with a token. `policy` is the protocol's object with all defaults filled in."""

    at: datetime
    """The verification time, UTC."""
    at_text: str
    """The same as RFC 3339."""
    policy: dict
    prelude: list[bytes]
    """Tokens to decrypt before this one, for replay detection."""


def serve(decrypt: Callable[[bytes, Key | None, Request], bytes], **identity) -> None:
    """Answers every line of standard input, until it ends. The arguments are those of `Session`."""
    session = Session(decrypt, **identity)
    answers, sys.stdout = sys.stdout, sys.stderr  # Only answers go to standard output, whatever a library prints.
    for line in sys.stdin.buffer:
        print(json.dumps(session.answer(line)), file=answers, flush=True)


class Session:
    """One answer to each line. `begin`, if given, is called with each `Hello` before it is accepted."""

    def __init__(
        self,
        decrypt: Callable[[bytes, Key | None, Request], bytes],
        *,
        name: str,
        version: str,
        supports: Sequence[str],
        begin: Callable[[Hello], None] | None = None,
    ) -> None:
        self._decrypt, self._begin = decrypt, begin
        self._identity = {"name": name, "version": version, "supports": list(supports)}
        self._hello: Hello | None = None

    def answer(self, line: bytes) -> dict:
        address = {"id": None} if self._hello else {"hello": 1}
        try:
            message = _object(line)
            if "hello" in message:
                address = {"hello": 1}
                return address | self._greet(message)
            address = {"id": None}
            address = {"id": _required(message, "id", str)}
            if self._hello is None:
                raise _Unusable("hello comes first")
            return address | self._verdict(_required(message, "token", str), _request(message, self._hello))
        except _Unusable as error:
            return address | {"error": str(error)}

    def _greet(self, message: dict) -> dict:
        if self._hello:
            raise _Unusable("hello was accepted before")
        hello = _hello(message)
        try:
            if self._begin:
                self._begin(hello)
        except Refused as refusal:
            raise _Unusable(refusal.reason) from None
        self._hello = hello
        return self._identity

    def _verdict(self, text: str, request: Request) -> dict:
        token = _base64(text)
        version, named = _version_and_key(token)
        if not set(_needs(request.policy, version)) <= set(self._identity["supports"]):
            return {"unsupported": True}
        keys = [key for key in request.keys if version in (None, key.version)]
        key = next((key for key in keys if key.public_key_hash == named), keys[0] if keys else None)
        try:
            plaintext = self._decrypt(token, key, request)
        except Refused as refusal:
            members = {"stage": refusal.stage, "member": refusal.member}
            members = {name: value for name, value in members.items() if value is not None}
            return {"accepted": False, "code": refusal.code} | members | {"reason": refusal.reason}
        except Exception as error:
            if key is None:
                return {"accepted": False, "code": None, "reason": "hello has no merchant key"}
            traceback.print_exc()
            return {"error": _described(error)}
        unsigned = {"signed": False} if isinstance(plaintext, Unsigned) else {}
        return {"accepted": True} | unsigned | {"plaintext": base64.b64encode(plaintext).decode()}


def _described(error: Exception) -> str:
    """One line of at most 200 characters, without long runs of base64 or hex, which may be of the token."""
    text = re.sub("[A-Za-z0-9+/=_-]{33,}", "…", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text}"[:200].encode(errors="replace").decode()


class _Unusable(Exception):
    """A line that cannot be used. The message repeats nothing of the line."""


def _version_and_key(token: bytes) -> tuple[str | None, bytes | None]:
    """The version of a token and the hash of the key that it names; each is None if it cannot be read."""
    version = named = None
    try:
        members = json.loads(token)
        version = members["version"] if members["version"] in ("EC_v1", "RSA_v1") else None
        named = base64.b64decode(members["header"]["publicKeyHash"])
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    return version, named


def _needs(policy: dict, version: str | None) -> list[str]:
    """The words of `supports` that a line needs."""
    words = [version] if version else []
    words += ["envelopes"] if policy["envelope"] != "apple" else []
    words += ["expect"] if any(value is not None for value in policy["expect"].values()) else []
    return words + [word for word in ("replay", "revoked", "unsigned") if policy[word]]


def _hello(message: dict) -> Hello:
    _check_names(message, "hello", "keys", "rootsPem", "windowSeconds")
    if _required(message, "hello", int) != 1 or "windowSeconds" not in message:
        raise _Unusable("hello is not 1, or windowSeconds is missing")
    window = _optional(message, "windowSeconds", int)
    if window is not None and window < 0:
        raise _Unusable("windowSeconds is negative")
    return Hello(
        [_key(key) for key in _items(_required(message, "keys", list), "keys", dict)],
        _items(_required(message, "rootsPem", list), "rootsPem", str),
        window,
    )


def _key(members: dict) -> Key:
    _check_names(members, "privateKeyPem", "certificatePem", "merchantId")
    names = ("certificatePem", "merchantId")
    key = Key(_required(members, "privateKeyPem", str), *(_optional(members, name, str) for name in names))
    try:
        key.public_key_hash, key.merchant_id_hash  # Computed once, here.
    except subprocess.CalledProcessError:
        raise _Unusable("a key or its certificate cannot be read") from None
    return key


def _request(message: dict, hello: Hello) -> Request:
    _check_names(message, "id", "token", "at", "policy", "prelude")
    text = _required(message, "at", str)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.isoformat() != text.removesuffix("Z") + "+00:00":
        raise _Unusable("at is not a time like 2026-01-31T12:00:00Z")
    policy = _policy(_optional(message, "policy", dict, {}))
    if policy["replay"] and hello.window is None:
        raise _Unusable("replay needs a window")
    prelude = [_base64(one) for one in _items(_optional(message, "prelude", list, []), "prelude", str)]
    return Request(hello.keys, hello.roots, hello.window, at, text, policy, prelude)


def _policy(given: dict) -> dict:
    _check_names(given, *_POLICY)
    policy = {name: _optional(given, name, type(default), default) for name, default in _POLICY.items()}
    _check_names(policy["expect"], *_EXPECT)
    policy["expect"] = {name: _optional(policy["expect"], name, kind) for name, kind in _EXPECT.items()}
    if policy["envelope"] not in _ENVELOPES:
        raise _Unusable("envelope is not one of the protocol's names")
    digests = _items(policy["revoked"], "revoked", str) + [policy["expect"]["applicationData"] or "0" * 64]
    if not all(_SHA256.fullmatch(digest) for digest in digests):
        raise _Unusable("applicationData or revoked is not SHA-256 in hex")
    return policy


def _object(line: bytes) -> dict:
    """Strict JSON: one object, no name twice, no lone surrogate."""
    try:
        value = json.loads(line.decode(), object_pairs_hook=_distinct)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or len(line.removesuffix(b"\n")) > LONGEST_LINE:
        raise _Unusable("the line is not one object in strict JSON of at most 4 MiB")
    return value


def _distinct(members: list[tuple[str, object]]) -> dict:
    if len(dict(members)) < len(members):
        raise ValueError
    return dict(members)


def _check_names(members: dict, *known: str) -> None:
    """Refuses unknown names, since one could be a requirement that is not checked."""
    if not members.keys() <= set(known):
        raise _Unusable("a member is unknown")


def _required(members: dict, name: str, kind: type):
    if type(members.get(name)) is not kind:
        raise _Unusable(f"{name} is missing or of another type")
    return members[name]


def _optional(members: dict, name: str, kind: type, default=None):
    """null counts as absent."""
    return default if members.get(name) is None else _required(members, name, kind)


def _items(values: list, name: str, kind: type) -> list:
    if any(type(value) is not kind for value in values):
        raise _Unusable(f"an item of {name} is of another type")
    return values


def _base64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = None
    if data is None or base64.b64encode(data).decode() != text:
        raise _Unusable("a token is not padded base64")
    return data


def _openssl(*arguments: str, text: str, **environment: str) -> bytes:
    """The output of an `openssl` command for this input. Keys go through pipes, never to a file."""
    command = ["openssl", *arguments]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=True, env=os.environ | environment)
    return done.stdout
