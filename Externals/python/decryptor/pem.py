"""PEM blocks (RFC 7468), as keys and certificates come in the line protocol."""

import base64
import binascii
import re

_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----\s+([A-Za-z0-9+/=\s]+)-----END \1-----")


def block(text: str, ending: str) -> tuple[str, bytes] | None:
    """Label and bytes of the only block whose label has this ending; None if there is none, or several."""
    found = [match for match in _BLOCK.finditer(text) if match[1].endswith(ending)]
    if len(found) != 1:
        return None
    try:
        return found[0][1], base64.b64decode("".join(found[0][2].split()), validate=True)
    except binascii.Error:
        return None
