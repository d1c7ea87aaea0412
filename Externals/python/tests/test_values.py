"""Base64, hexadecimal, times, amounts and curves: rules 4.1, 4.2, 5.12, 5.16 and 13.3."""

import unittest

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from decryptor.der import Malformed, read
from decryptor.encodings import base64_bytes, hex_bytes
from decryptor.payload import amount
from decryptor.public_keys import P_256, P_384
from decryptor.times import asn1_time, rfc3339_time


class ValueTests(unittest.TestCase):
    def test_base64(self) -> None:
        for text, data in (("", b""), ("QQ==", b"A"), ("QUI=", b"AB"), ("+/+/", b"\xfb\xff\xbf")):
            self.assertEqual(base64_bytes(text), data)
        for text in (
            "=",
            "==",
            "====",
            "Q",
            "QQ",
            "QQ=",
            "QQ===",
            "QR==",
            "QUJ=",
            "QQ==QQ==",
            "QQ==\n",
            "Q Q=",
            "-_-_",
            "QQ\0=",
            "ＱＱ==",
            "QUI=\u00e9",
            "QQ==Q",
            "A===",
        ):
            with self.subTest(text):
                self.assertIsNone(base64_bytes(text))

    def test_hexadecimal(self) -> None:
        for text, data in (("", b""), ("00aAFf", b"\x00\xaa\xff")):
            self.assertEqual(hex_bytes(text), data)
        for text in ("0", "000", "0g", "0x00", "00 00", " 00", "00\n", "+1", "０0", "00:0"):
            with self.subTest(text):
                self.assertIsNone(hex_bytes(text))

    def test_times(self) -> None:
        for written, same in (
            ("170d3439313233313233353935395a", "2049-12-31T23:59:59Z"),
            ("170d3530303130313030303030305a", "1950-01-01T00:00:00Z"),
            ("180f32303030303232393132303030305a", "2000-02-29T12:00:00Z"),
            ("180f30303030303130313030303030305a", "0000-01-01T00:00:00Z"),
        ):
            self.assertEqual(asn1_time(read(bytes.fromhex(written))), rfc3339_time(same))
        for text in (
            b"260229120000Z",
            b"260301240000Z",
            b"260301126000Z",
            b"260301120060Z",
            b"2603011200Z",
            b"260301120000z",
            b"260301120000+0000Z",
            b"260301120000",
            b"260001120000Z",
            b"260300120000Z",
            b"2603 1120000Z",
            b"",
        ):
            with self.subTest(text), self.assertRaises(Malformed):
                asn1_time(read(bytes([0x17, len(text)]) + text))
        self.assertEqual(rfc3339_time("2026-03-01T00:00:00Z") - rfc3339_time("2026-02-28T23:59:59Z"), 1)
        self.assertEqual(rfc3339_time("1970-01-01T00:00:00Z"), 62_167_219_200)

    def test_amounts(self) -> None:
        for text, units in (
            ("0", 0),
            ("0.000", 0),
            ("1e2", 100),
            ("1.50e2", 150),
            ("1.0", 1),
            ("0e12", 0),
            ("999999999999", 10**12 - 1),
            ("1E+0000011", 10**11),
            ("0.000000000001e12", 1),
            ("1." + "0" * 60000, 1),
        ):
            self.assertEqual(amount(text), units)
        for text in (
            "-0",
            "-1",
            "1e-0",
            "10e-1",
            "1.5",
            "1.55e1",
            "1000000000000",
            "1e12",
            "0e13",
            "1e99999999999999999999",
            "1" * 60000,
            "0." + "0" * 60000 + "1",
        ):
            with self.subTest(text[:20]):
                self.assertIsNone(amount(text))

    def test_curves(self) -> None:
        for curve in (P_256, P_384):
            point = (
                ec.generate_private_key(curve.implementation())
                .public_key()
                .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
            )
            self.assertTrue(curve.holds(point))
            y = int.from_bytes(point[1 + curve.size :], "big")
            negative = point[: 1 + curve.size] + (curve.p - y).to_bytes(curve.size, "big")
            self.assertTrue(curve.holds(negative))
            for other in (
                b"\x03" + point[1:],
                point[:-1],
                point + b"\0",
                b"",
                b"\4" + bytes(2 * curve.size),
                point[:-1] + bytes([point[-1] ^ 1]),
            ):
                self.assertFalse(curve.holds(other))
            # x = 0 is on both curves; x = p names the same point, and is refused.
            root = pow(curve.b, (curve.p + 1) // 4, curve.p).to_bytes(curve.size, "big")
            self.assertTrue(curve.holds(b"\4" + bytes(curve.size) + root))
            self.assertFalse(curve.holds(b"\4" + curve.p.to_bytes(curve.size, "big") + root))
            self.assertTrue(ec.derive_private_key(curve.n - 1, curve.implementation()))
            with self.assertRaises(ValueError):
                ec.derive_private_key(curve.n, curve.implementation())
