"""Rules 2.1 to 2.4."""

import unittest

from decryptor.json_reader import JSONNumber, MalformedJSON, read_object

_REFUSED = [
    b"",
    b" ",
    b"[]",
    b'"a"',
    b"1",
    b"null",
    b"{",
    b'{"a"}',
    b'{"a":}',
    b'{"a":1,}',
    b"{,}",
    b'{"a":1}x',
    b'{"a":1}{}',
    b"{}\0",
    b"\x0c{}",
    b"\xc2\xa0{}",
    b"\xef\xbb\xbf{}",
    b'{"a" 1}',
    b"{a:1}",
    b"{'a':1}",
    b'{"a":1 "b":2}',
    b'{"a":[1,]}',
    b'{"a":[,1]}',
    b'{"a":[1 2]}',
    b'{"a":[1}',
    b'{"a":{]}',
    b'{"a":tru}',
    b'{"a":True}',
    b'{"a":nullx}',
    b'{"a":NaN}',
    b'{"a":01}',
    b'{"a":+1}',
    b'{"a":.5}',
    b'{"a":1.}',
    b'{"a":1e}',
    b'{"a":1e+}',
    b'{"a":- 1}',
    b'{"a":--1}',
    b'{"a":0x1}',
    b'{"a":Infinity}',
    '{"a":١}'.encode(),
    b'{"a":"\n"}',
    b'{"a":"\x1f"}',
    b'{"a":"\x00"}',
    b'{"a":"b}',
    b'{"a":"\\"}',
    b'{"a":"\\x"}',
    b'{"a":"\\u12"}',
    b'{"a":"\\u12g4"}',
    b'{"a":"\\U0041"}',
    '{"a":"\\u００４１"}'.encode(),
    b'{"a":"\\ud800"}',
    b'{"a":"\\udc00"}',
    b'{"a":"x\\u"}',
    b'{"a":"x\\u0041\\u","b":"c"}',
    b'{"a":"\\udc00\\ud800"}',
    b'{"a":"\\ud800x\\udc00"}',
    b'{"a":"\\ud800\\ud800"}',
    b'{"a":"\xc0\x80"}',
    b'{"a":"\xed\xa0\x80"}',
    b'{"a":"\xf4\x90\x80\x80"}',
    b'{"a":"\xff"}',
    b'{"a":"\xe2\x82"}',
    b"{}/**/",
    "{}".encode("utf-16"),
]


class JSONReaderTests(unittest.TestCase):
    def test_what_is_no_json_is_refused(self) -> None:
        for text in _REFUSED:
            with self.subTest(text), self.assertRaises(MalformedJSON):
                read_object(text)

    def test_every_prefix_of_a_document_is_refused(self) -> None:
        text = '{"a":[true,null,-1.5e+3,"\\ud83d\\ude00é"],"b":{}}'.encode()
        read_object(text)
        for length in range(len(text)):
            with self.subTest(length), self.assertRaises(MalformedJSON):
                read_object(text[:length])

    def test_values(self) -> None:
        document = read_object(b' {"a" :\t[ 1 ,-0.5E+2, true,false , null,{ } ,[] ]\r\n,"":"x"} ')
        one, half, yes, no, nothing, empty, none = document.get("a")
        self.assertEqual((one, half), (JSONNumber("1"), JSONNumber("-0.5E+2")))
        self.assertEqual((yes, no, nothing, empty.members, none), (True, False, None, [], []))
        self.assertEqual(document.get(""), "x")

    def test_escapes(self) -> None:
        document = read_object(rb'{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\ude00\u0000\uffff"}')
        self.assertEqual(document.get("a"), '"\\/\b\f\n\r\tAé😀\0\uffff')

    def test_nesting(self) -> None:
        for opening, closing in ((b'{"a":', b"}"), (b"[", b"]")):
            for depth, fits in ((31, True), (32, False), (40000, False)):
                text = b'{"a":' + opening * depth + b"1" + closing * depth + b"}"
                with self.subTest(opening=opening, depth=depth):
                    self.assertEqual(_is_read(text), fits)

    def test_repetitions_are_compared_after_unescaping(self) -> None:
        document = read_object(b'{"a":1,"b":2,"\\u0061":3,"A":4,"a":5}')
        self.assertEqual([member.value.text for member in document.repetitions()], ["3", "5"])
        self.assertEqual([value.text for value in document.all("a")], ["1", "3", "5"])

    def test_the_text_of_an_object_is_kept_byte_for_byte(self) -> None:
        inner = '{ "é" :\t"\\u0061😀" }'.encode()
        self.assertEqual(read_object(b'{"a": ' + inner + b" }").get("a").bytes, inner)


def _is_read(text: bytes) -> bool:
    try:
        read_object(text)
    except MalformedJSON:
        return False
    return True
