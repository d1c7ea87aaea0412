"""Where the token is in a gateway's request, stage 0."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from .encodings import base64_bytes
from .faults import Fault
from .json_reader import ABSENT, Absent, JSONNumber, JSONObject, JSONValue, MalformedJSON, read_object

LARGEST_REQUEST = 65_536

Path: TypeAlias = tuple[str, ...]


class Form(Enum):
    """The type of the value at the end of a route, rule 0.5."""

    OBJECT = auto()
    TEXT = auto()
    BASE64 = auto()
    PARTS = auto()


@dataclass(frozen=True, slots=True)
class Route:
    """The path of a token, the type of its value, and the fields beside it: constants (0.6) and that of rule 14.0."""

    path: Path
    form: Form
    constants: tuple[tuple[Path, str | JSONNumber], ...] = ()
    identifier: Path | None = None

    @property
    def fields(self) -> list[Path]:
        return [path for path, _ in self.constants] + ([self.identifier] if self.identifier else [])


@dataclass(frozen=True, slots=True)
class Envelope:
    """A row of the table in rule 0.10: routes, and the marks by which `auto` recognizes it."""

    routes: tuple[Route, ...]
    present: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The token's bytes, or the object that holds its parts; and the request's transactionIdentifier (rule 14.0)."""

    token: bytes | JSONObject
    transaction_identifier: JSONValue | Absent = ABSENT


PARTS = {
    "data": "encryptedPaymentData",
    "header.ephemeralPublicKey": "ephemeralPublicKey",
    "header.publicKeyHash": "publicKeyHash",
    "signature": "signature",
    "header.transactionId": "transactionId",
    "header.applicationData": "applicationData",
}
"""The names of worldline's parts by the paths they have in a token."""

OTHER_NAMES = {"header.ephemeralPublicKey": "ephemeralKey"}
"""Rule 0.11: second names that a part may have."""


def part(holder: JSONObject, path: str) -> JSONValue | Absent:
    """A part by the path it has in a token, whichever of its names it has."""
    value = holder.get(PARTS[path]) if path in PARTS else ABSENT
    return holder.get(OTHER_NAMES[path]) if value is ABSENT and path in OTHER_NAMES else value


_WORLDLINE = "mobilePaymentMethodSpecificInput"

ENVELOPES = {
    "applepayjs": Envelope(
        routes=(
            Route(("token", "paymentData"), Form.OBJECT, identifier=("token", "transactionIdentifier")),
            Route(("paymentData",), Form.OBJECT, identifier=("transactionIdentifier",)),
        ),
        absent=(("paymentId",),),
    ),
    "worldline": Envelope(
        routes=(Route((_WORLDLINE,), Form.PARTS, constants=(((_WORLDLINE, "paymentProductId"), JSONNumber("302")),)),),
        present=((_WORLDLINE, "encryptedPaymentData"),),
    ),
    "alphapay": Envelope(
        routes=(Route(("token", "paymentData"), Form.OBJECT, identifier=("token", "transactionIdentifier")),),
        present=(("paymentId",),),
    ),
    "mpgs": Envelope(
        routes=(
            Route(
                ("sourceOfFunds", "provided", "card", "devicePayment", "paymentToken"),
                Form.TEXT,
                constants=((("order", "walletProvider"), "APPLE_PAY"),),
            ),
        ),
    ),
    "bambora": Envelope(
        routes=(
            Route(("apple_pay", "payment_token"), Form.BASE64, constants=((("payment_method",), "apple_pay"),)),
            Route(("apple-wallet", "payment-token"), Form.BASE64),
        ),
    ),
}

_APPLE_MARKS: tuple[Path, ...] = (("version",), ("data",), ("signature",), ("header",))


def unwrap(request: bytes, name: str) -> Unwrapped:
    """Extracts the token from the envelope of that name. `auto` detects the envelope; `apple` is the bare token."""
    if name == "apple":
        return Unwrapped(request)
    if len(request) > LARGEST_REQUEST:
        raise Fault("tokenTooLarge", stage=0)
    if name == "auto":
        return _unwrap_any(request)
    try:
        document = read_object(request)
    except MalformedJSON:
        raise Fault("malformedEnvelope") from None
    return _unwrap(document, ENVELOPES[name])


def _unwrap_any(request: bytes) -> Unwrapped:
    """Rule 0.9."""
    try:
        document = read_object(request)
    except MalformedJSON:
        return Unwrapped(request)
    fitting: list[Envelope | None] = [envelope for envelope in ENVELOPES.values() if _fits(document, envelope)]
    if all(_leads(document, mark) for mark in _APPLE_MARKS):
        fitting.append(None)
    if len(fitting) > 1:
        raise Fault("ambiguousEnvelope")
    envelope = fitting[0] if fitting else None
    return _unwrap(document, envelope) if envelope else Unwrapped(request)


def _fits(document: JSONObject, envelope: Envelope) -> bool:
    return (
        all(_leads(document, mark) for mark in envelope.present)
        and not any(_leads(document, mark) for mark in envelope.absent)
        and any(_leads(document, route.path) for route in envelope.routes)
    )


def _leads(document: JSONValue, path: Path) -> bool:
    """Whether the path leads to a value of any type. If a name is repeated, any of its values counts."""
    if not path:
        return True
    return isinstance(document, JSONObject) and any(_leads(value, path[1:]) for value in document.all(path[0]))


def _unwrap(document: JSONObject, envelope: Envelope) -> Unwrapped:
    """Rules 0.3 to 0.6."""
    _check_repetitions(document, [route.path for route in envelope.routes])
    taken = [route for route in envelope.routes if not isinstance(_value(document, route.path), Absent)]
    if len(taken) != 1:
        raise Fault("malformedEnvelope")
    route = taken[0]
    _check_repetitions(document, route.fields)
    token = _token(_value(document, route.path), route.form)
    for path, constant in route.constants:
        value = _value(document, path)
        if value is not ABSENT and value != constant:
            raise Fault("envelopeFieldMismatch", stage=0)
    if route.form is Form.PARTS:
        _check_names(token)
    return Unwrapped(token, _value(document, route.identifier) if route.identifier else ABSENT)


def _check_names(holder: JSONObject) -> None:
    """Rule 0.11: a part present under both of its names must be the same string."""
    for path, other in OTHER_NAMES.items():
        first, second = holder.get(PARTS[path]), holder.get(other)
        if first is ABSENT or second is ABSENT:
            continue
        if not isinstance(first, str) or first != second:
            raise Fault("envelopeFieldMismatch", stage=0)


def _check_repetitions(document: JSONObject, paths: list[Path]) -> None:
    """Rule 0.3."""
    if any(_repeats(document, path) for path in paths):
        raise Fault("malformedEnvelope")


def _repeats(document: JSONValue, path: Path) -> bool:
    """Whether a name of the path occurs twice in an object it leads to."""
    if not path or not isinstance(document, JSONObject):
        return False
    values = document.all(path[0])
    return len(values) > 1 or any(_repeats(value, path[1:]) for value in values)


def _value(document: JSONObject, path: Path) -> JSONValue | Absent:
    """The value at the end of the path; absent also if a value on the way is not an object."""
    value: JSONValue | Absent = document
    for name in path:
        value = value.get(name) if isinstance(value, JSONObject) else ABSENT
    return value


def _token(value: JSONValue | Absent, form: Form) -> bytes | JSONObject:
    """Rules 0.5 and 0.7."""
    token: bytes | JSONObject | None = None
    if form is Form.OBJECT and isinstance(value, JSONObject):
        token = value.bytes
    elif form is Form.PARTS and isinstance(value, JSONObject):
        _check_repetitions(value, [(name,) for name in (*PARTS.values(), *OTHER_NAMES.values())])
        token = value
    elif form is Form.TEXT and isinstance(value, str):
        token = value.encode()
    elif form is Form.BASE64 and isinstance(value, str):
        token = base64_bytes(value)
    if token is None:
        raise Fault("malformedEnvelope")
    return token
