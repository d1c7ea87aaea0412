"""Tokens to test with: minted by `assay mint`, and put into lines of the protocol."""

import base64
import functools
import json
import os
import re
import subprocess
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from decryptor.protocol import identity
from frame import Session

FOLDER = Path(__file__).resolve().parent.parent
ASSAY = Path(os.environ.get("ASSAY") or FOLDER.parent.parent / ".build/release/assay")
MINTED_AT = "2026-03-01T12:00:00Z"

_BLOCK = re.compile(r"-----BEGIN [^-]+-----.*?-----END [^-]+-----\n?", re.DOTALL)


def mint(*arguments: str, at: str = MINTED_AT) -> dict:
    """The document of `assay mint`."""
    command = [str(ASSAY), "mint", "--json", "--quiet", "--seed", "1", "--at", at, *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def hello(document: dict, window: int | None = 300) -> str:
    """The first line for the keys and roots of a minted document."""
    return json.dumps(
        {
            "hello": 1,
            "keys": _keys(document["privateKeyPem"], document["certificatePem"], document["merchantId"]),
            "rootsPem": _BLOCK.findall(document["rootPem"] or ""),
            "windowSeconds": window,
        }
    )


@functools.cache
def session(first_line: str) -> Session:
    """A session that has said this hello: loading keys takes far longer than a token."""
    result = Session(**identity())
    answer = result.answer(first_line.encode())
    assert "supports" in answer, answer
    return result


def line(request: bytes, at: str = MINTED_AT, **members: object) -> bytes:
    """A line that asks for a verdict."""
    return json.dumps({"id": "1", "token": encode(request), "at": at, **members}).encode()


def verdict(answer: dict) -> str:
    """`accept`, or code, stage and member."""
    if answer.get("accepted"):
        return "accept" if answer.get("signed", True) else "accept unsigned"
    parts = (answer.get("code"), answer.get("stage"), answer.get("member"))
    return " ".join(str(part) for part in parts if part is not None) or json.dumps(answer)


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def decode(text: str) -> bytes:
    return base64.b64decode(text)


@functools.cache
def _keys(private_keys: str, certificates: str | None, merchant_id: str) -> list[dict]:
    """Every key with the certificate that is its own, else with the merchant ID."""
    by_key = {
        _public(x509.load_pem_x509_certificate(pem.encode()).public_key()): pem
        for pem in _BLOCK.findall(certificates or "")
    }
    keys = []
    for pem in _BLOCK.findall(private_keys):
        certificate = by_key.get(_public(load_pem_private_key(pem.encode(), None).public_key()))
        keys.append(
            {
                "privateKeyPem": pem,
                "certificatePem": certificate,
                "merchantId": None if certificate else merchant_id,
            }
        )
    return keys


def _public(key) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
