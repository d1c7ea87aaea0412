"""Strict base64 and hexadecimal, rules 4.1 and 4.2."""

import base64
import binascii
import re

_HEX = re.compile(r"(?:[0-9a-fA-F]{2})*+")


def base64_bytes(text: str) -> bytes | None:
    """RFC 4648 section 4, padded, trailing bits zero; None for anything else.

    The library is more lenient, so the bytes are encoded again: only canonical text encodes back to itself.
    """
    try:
        bytes = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return bytes if base64.b64encode(bytes).decode() == text else None


def hex_bytes(text: str) -> bytes | None:
    """Digits of either case in pairs, nothing between them; None for anything else."""
    return bytes.fromhex(text) if _HEX.fullmatch(text) else None
