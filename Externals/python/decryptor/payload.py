"""The decrypted payload, stage 13."""

import re
from dataclasses import dataclass

from .encodings import base64_bytes, hex_bytes
from .faults import Fault
from .json_reader import ABSENT, Absent, JSONNumber, JSONObject, JSONValue, MalformedJSON, read_object
from .times import is_date

MOST_MEMBERS = 64
AMOUNT_DIGITS = 12
LARGEST_EXPONENT = 12

_NUMBER = re.compile(r"([0-9]++)(?:\.([0-9]++))?(?:[eE]\+?([0-9]++))?")


@dataclass(frozen=True, slots=True)
class Payment:
    """The values that stage 14 compares: the currency as three digits (ISO 4217), and the amount in minor units."""

    currency: str
    amount: int


def read_payload(plaintext: bytes, version: str) -> Payment:
    """Reads the plaintext; anything wrong with it is `malformedPayload`."""
    try:
        payment = _payment(read_object(plaintext), version)
    except MalformedJSON:
        payment = None
    if payment is None:
        raise Fault("malformedPayload")
    return payment


def amount(text: str) -> int | None:
    """The exact minor units of a JSON number, computed from its digits; None if it breaks rule 13.3."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    whole, fraction, exponent = match[1], match[2] or "", (match[3] or "").lstrip("0")
    if len(exponent) > 2 or int(exponent or "0") > LARGEST_EXPONENT:
        return None
    point = len(whole) + int(exponent or "0")
    digits = (whole + fraction).ljust(point, "0")
    units = digits[:point].lstrip("0")
    if digits[point:].strip("0") or len(units) > AMOUNT_DIGITS:
        return None
    return int(units or "0")


def _payment(payload: JSONObject, version: str) -> Payment | None:
    """Rules 13.1, 13.2 and 13.5."""
    currency = payload.get("currencyCode")
    number = payload.get("transactionAmount")
    minor_units = amount(number.text) if isinstance(number, JSONNumber) else None
    holds = (
        _is_plain(payload)
        and _matches(payload.get("applicationPrimaryAccountNumber"), r"[0-9]{12,19}")
        and _is_expiry(payload.get("applicationExpirationDate"))
        and _matches(currency, r"[0-9]{3}")
        and _is_hex(payload.get("deviceManufacturerIdentifier"), largest=32)
        and _is_payment_data(payload.get("paymentData"), payload.get("paymentDataType"), version)
        and _is_optional(payload.get("cardholderName"), str)
        and _are_responses(payload.get("authenticationResponses"))
        and _is_optional(payload.get("merchantTokenIdentifier"), str)
        and _is_optional(payload.get("merchantTokenMetadata"), JSONObject)
    )
    if not holds or not isinstance(currency, str) or minor_units is None:
        return None
    return Payment(currency, minor_units)


def _is_payment_data(value: JSONValue | Absent, kind: JSONValue | Absent, version: str) -> bool:
    """Rule 13.4."""
    if not isinstance(value, JSONObject) or not _is_plain(value):
        return False
    if kind == "3DSecure":
        indicator = value.get("eciIndicator")
        return _is_base64(value.get("onlinePaymentCryptogram")) and (
            indicator is ABSENT or _matches(indicator, r"[0-9]{1,2}")
        )
    pin = value.get("encryptedPINData")
    return (
        kind == "EMV" and _is_base64(value.get("emvData")) and (pin is ABSENT or version == "RSA_v1" and _is_hex(pin))
    )


def _are_responses(value: JSONValue | Absent) -> bool:
    if value is ABSENT:
        return True
    return isinstance(value, list) and all(_is_response(response) for response in value)


def _is_response(value: JSONValue) -> bool:
    names = ("merchantIdentifier", "authenticationData", "transactionAmount")
    return (
        isinstance(value, JSONObject) and _is_plain(value) and all(isinstance(value.get(name), str) for name in names)
    )


def _is_plain(value: JSONObject) -> bool:
    """Rule 13.1."""
    return len(value.members) <= MOST_MEMBERS and not value.repeats_names


def _is_optional(value: JSONValue | Absent, kind: type) -> bool:
    return value is ABSENT or isinstance(value, kind)


def _matches(value: JSONValue | Absent, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_expiry(value: JSONValue | Absent) -> bool:
    if not isinstance(value, str) or not _matches(value, r"[0-9]{6}"):
        return False
    return is_date(2000 + int(value[:2]), int(value[2:4]), int(value[4:]))


def _is_base64(value: JSONValue | Absent) -> bool:
    return isinstance(value, str) and bool(base64_bytes(value))


def _is_hex(value: JSONValue | Absent, largest: float = float("inf")) -> bool:
    bytes = hex_bytes(value) if isinstance(value, str) else None
    return bytes is not None and 1 <= len(bytes) <= largest
