"""Times in whole seconds since the beginning of the Gregorian year 0. They are only compared with each other."""

import re

from .der import GENERALIZED_TIME, UTC_TIME, Element, Malformed

_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DIGITS = re.compile(rb"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z")
_RFC_3339 = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def is_date(year: int, month: int, day: int) -> bool:
    """Whether the calendar has that day."""
    return 1 <= month <= 12 and 1 <= day <= _days_in(year, month)


def asn1_time(element: Element) -> int:
    """UTCTime or GeneralizedTime, rule 5.12."""
    if element.tag not in (UTC_TIME, GENERALIZED_TIME):
        raise Malformed
    digits = element.content
    if element.tag == UTC_TIME:
        digits = (b"20" if digits[:2] < b"50" else b"19") + digits
    match = _DIGITS.fullmatch(digits)
    return _moment(*map(int, match.groups())) if match else _fail()


def rfc3339_time(text: str) -> int:
    """`YYYY-MM-DDThh:mm:ssZ`, as the line protocol writes the verification time."""
    match = _RFC_3339.fullmatch(text)
    return _moment(*map(int, match.groups())) if match else _fail()


def _fail() -> int:
    raise Malformed


def _moment(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
    if not is_date(year, month, day) or hour > 23 or minute > 59 or second > 59:
        raise Malformed
    leap_days = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    days = 365 * year + leap_days + sum(_days_in(year, earlier) for earlier in range(1, month)) + day - 1
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def _days_in(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTHS[month - 1]
