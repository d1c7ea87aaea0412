"""Genuine tokens, which are never part of the project: ASSAY_REAL_TOKENS names their folder."""

import json
import os
import unittest
from pathlib import Path

from . import support

_FOLDER = Path(os.environ.get("ASSAY_REAL_TOKENS") or "/nonexistent")


@unittest.skipUnless((_FOLDER / "manifest.json").exists(), "no genuine tokens: name their folder in ASSAY_REAL_TOKENS")
class GenuineTokenTests(unittest.TestCase):
    def test_genuine_tokens_are_opened(self) -> None:
        genuine = [token for token in json.loads((_FOLDER / "manifest.json").read_text()) if token["genuine"]]
        self.assertTrue(genuine)
        for token in genuine:
            with self.subTest(token["name"]):
                self._check(token, _FOLDER / token["name"])

    def _check(self, token: dict, folder: Path) -> None:
        def text(name: str) -> str | None:
            return (folder / name).read_text() if name in token["files"] else None

        keys = []
        if text("private_key.pem"):
            keys = [
                {
                    "privateKeyPem": text("private_key.pem"),
                    "certificatePem": text("certificate.pem"),
                    "merchantId": token["merchantId"],
                }
            ]
        root = (_FOLDER / "AppleRootCA-G3.pem").read_text()
        first = json.dumps({"hello": 1, "keys": keys, "rootsPem": [root], "windowSeconds": 300})
        asked = support.line((folder / "token.json").read_bytes(), token["signedAt"])
        answer = support.session(first).answer(asked)
        self.assertEqual(support.verdict(answer), "accept" if keys else "unknownMerchantKey 10")
        if keys:
            self.assertEqual(
                json.loads(support.decode(answer["plaintext"])).keys(), json.loads(text("expected.json")).keys()
            )
