"""Rules 5.1 to 5.5."""

import unittest

from decryptor import der
from decryptor.der import Malformed, object_identifier, read

_GOOD = [
    "0500",
    "0101ff",
    "010100",
    "020100",
    "02020080",
    "0202ff7f",
    "020180",
    "06012a",
    "06032a8648",
    "030100",
    "03020780",
    "030207 00",
    "3000",
    "3100",
    "30020500",
    "0c00",
    "8000",
    "a000",
    "a0020500",
    "4100",
    "0a0100",
    "04023000",
    "3081" + "80" + "04" + "7e" + "00" * 126,
]
_BAD = [
    "",
    "05",
    "0501",
    "050100",
    "0500 00",
    "3001",
    "30",
    "1000",
    "1100",
    "2500",
    "2400",
    "2c00",
    "0000",
    "2000",
    "1f0100",
    "3f8100",
    "bf8100",
    "0100",
    "01010 1",
    "01020000",
    "0200",
    "02020000",
    "0202007f",
    "0202ffff",
    "0202ff80",
    "0600",
    "06018 0",
    "06022a80",
    "0603 2a8001",
    "0602802a",
    "0300",
    "030101",
    "030108",
    "03020801",
    "03020701",
    "0302 01ff",
    "050100",
    "30800000",
    "308100",
    "30817f" + "00" * 127,
    "3082008 0" + "05" * 128,
    "3085000000000 0",
    "30ff",
    "30020501",
    "a0800000",
    "a0030500",
    "308400000000",
    "30020600",
    "a0 03 010101",
]


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace(" ", ""))


class DERTests(unittest.TestCase):
    def test_good_values(self) -> None:
        for text in _GOOD:
            with self.subTest(text):
                self.assertEqual(read(_bytes(text)).bytes, _bytes(text))

    def test_bad_values(self) -> None:
        for text in _BAD:
            with self.subTest(text), self.assertRaises(Malformed):
                read(_bytes(text))

    def test_wrappers_may_be_ber_and_what_is_in_them_may_not(self) -> None:
        wrappers = {0x30: {0xA0: {}}}
        for text in (
            "30800000",
            "3080a0800500 0000 0000",
            "308100",
            "3084 00000004 a0820000",
            "3080 a08400000002 0500 0000",
        ):
            with self.subTest(text):
                self.assertEqual(read(_bytes(text), wrappers).bytes, _bytes(text))
        for text in (
            "3080",
            "308000",
            "30800100",
            "3080 a0800500 0000",
            "308500000000 00",
            "3080 30800000 0000",
            "3080 a080 30810 0 0000 0000",
            "30020000",
            "3080 0000 00",
            "3080 000100 0000",
            "3080 0500 00",
            "3004 a0800000 00",
            "3003 a08000 0000",
            "3080 05810 0 0000",
        ):
            with self.subTest(text), self.assertRaises(Malformed):
                read(_bytes(text), wrappers)

    def test_every_prefix_of_a_value_is_refused(self) -> None:
        data = _bytes("3080 a080 0500 300a 0202 0080 06022a03 0c00 0000 0000")
        wrappers = {0x30: {0xA0: {}}}
        read(data, wrappers)
        for length in range(len(data)):
            with self.subTest(length), self.assertRaises(Malformed):
                read(data[:length], wrappers)

    def test_depth(self) -> None:
        for depth, fits in ((16, True), (17, False), (5000, False)):
            data = b""
            for _ in range(depth):
                data = b"\x30" + _length(len(data)) + data
            with self.subTest(depth):
                self.assertEqual(_is_read(data), fits)
        self.assertTrue(_is_read(b"\x30\x02\x30\x00", depth=15))
        self.assertFalse(_is_read(b"\x30\x02\x30\x00", depth=16))

    def test_object_identifiers(self) -> None:
        self.assertEqual(object_identifier("1.2.840.113549.1.7.2").hex(), "2a864886f70d010702")
        self.assertEqual(object_identifier("2.16.840.1.101.3.4.2.1").hex(), "608648016503040201")
        self.assertEqual(object_identifier("2.5.29.19").hex(), "551d13")

    def test_integers(self) -> None:
        for text, value in (("020100", 0), ("02020080", 128), ("020180", -128), ("0203010001", 65537)):
            self.assertEqual(der.integer(read(_bytes(text))), value)


def _length(count: int) -> bytes:
    digits = count.to_bytes(4, "big").lstrip(b"\0")
    return bytes([count]) if count < 0x80 else bytes([0x80 | len(digits)]) + digits


def _is_read(data: bytes, depth: int = 1) -> bool:
    try:
        read(data, depth=depth)
    except Malformed:
        return False
    return True
