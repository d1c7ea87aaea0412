"""The line protocol: whatever comes in, one line goes out."""

import json
import random
import subprocess
import unittest

from decryptor.protocol import SUPPORTS, identity
from frame import LONGEST_LINE, Session, _described

from . import support

_EMPTY_HELLO = {"hello": 1, "keys": [], "rootsPem": [], "windowSeconds": 300}
_TOKEN = {"id": "é\n", "token": "", "at": "2026-03-01T12:00:00Z"}


def _talk(*lines: bytes) -> list[dict]:
    """What the program answers, and that it ends well."""
    done = subprocess.run([support.FOLDER / "assay-external"], input=b"\n".join(lines), capture_output=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [json.loads(answer) for answer in done.stdout.splitlines()]


def _line(value: object) -> bytes:
    return json.dumps(value).encode()


class ProtocolTests(unittest.TestCase):
    def test_a_hello_is_answered_with_what_is_supported(self) -> None:
        (answer,) = _talk(_line(_EMPTY_HELLO))
        self.assertEqual(answer["hello"], 1)
        self.assertEqual(answer["supports"], SUPPORTS)

    def test_a_hello_that_cannot_be_used_may_be_followed_by_another(self) -> None:
        bad = [
            {"hello": 2},
            {"windowSeconds": -1},
            {"windowSeconds": "300"},
            {"windowSeconds": 1.5},
            {"keys": None},
            {"keys": [1]},
            {"keys": [{}]},
            {"keys": [{"privateKeyPem": "x"}]},
            {"rootsPem": ["x"]},
            {"rootsPem": [1]},
            {"colour": "blue"},
            {"rootsPem": ["-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"]},
        ]
        lines = [_line(_EMPTY_HELLO | change) for change in bad] + [b"", b"{", b"\xff", b"[]"]
        lines += [_line({name: value for name, value in _EMPTY_HELLO.items() if name != "windowSeconds"})]
        answers = _talk(*lines, _line(_EMPTY_HELLO), _line(_EMPTY_HELLO))
        self.assertEqual([answer["hello"] for answer in answers], [1] * (len(lines) + 2))
        self.assertEqual(["error" in answer for answer in answers], [True] * len(lines) + [False, True])

    def test_a_token_before_hello_is_an_error(self) -> None:
        (answer,) = _talk(_line(_TOKEN))
        self.assertEqual((answer["id"], "error" in answer), (_TOKEN["id"], True))

    def test_what_cannot_be_used_is_an_error_with_the_id(self) -> None:
        changes = [
            {"token": None},
            {"token": 1},
            {"token": "A"},
            {"token": "AA==\n"},
            {"at": None},
            {"at": "now"},
            {"at": "2026-02-29T00:00:00Z"},
            {"at": "2026-03-01T12:00:00+00:00"},
            {"prelude": [1]},
            {"prelude": "AA=="},
            {"prelude": ["A"]},
            {"policy": []},
            {"x": None},
            {"policy": {"colour": "blue"}},
            {"policy": {"unsigned": 1}},
            {"policy": {"replay": "yes"}},
            {"policy": {"envelope": "letter"}},
            {"policy": {"revoked": ["aa"]}},
            {"policy": {"expect": {"amount": "1"}}},
            {"policy": {"expect": {"amount": 1e30}}},
            {"policy": {"expect": {"applicationData": "aa"}}},
            {"policy": {"expect": {"x": None}}},
        ]
        answers = _talk(_line(_EMPTY_HELLO), *(_line(_TOKEN | change) for change in changes))[1:]
        for change, answer in zip(changes, answers, strict=True):
            with self.subTest(change):
                self.assertEqual((answer["id"], set(answer)), (_TOKEN["id"], {"id", "error"}))

    def test_lines_without_an_id(self) -> None:
        lines = [
            b"",
            b"null",
            b"{",
            b"\x00",
            b"{}",
            b'{"id":1}',
            b'{"id":"a","id":"b"}',
            b'{"id":"\\ud800"}',
            b"[" * 100000,
        ]
        answers = _talk(_line(_EMPTY_HELLO), *lines)[1:]
        self.assertEqual([(answer["id"], "error" in answer) for answer in answers], [(None, True)] * len(lines))

    def test_long_lines_are_passed_over(self) -> None:
        long = b" " * LONGEST_LINE
        first, passed, fits, last = _talk(_line(_EMPTY_HELLO), long + b" {}", long, _line(_TOKEN))
        self.assertTrue("error" in passed and "error" in fits)
        self.assertEqual(support.verdict(last), "malformedJSON 2")

    def test_null_counts_as_absent(self) -> None:
        policy = dict.fromkeys(["envelope", "unsigned", "expect", "replay", "revoked"])
        answers = _talk(
            _line(_EMPTY_HELLO), _line(_TOKEN | {"policy": policy, "prelude": None}), _line(_TOKEN | {"policy": None})
        )
        self.assertEqual([answer.get("code") for answer in answers[1:]], ["malformedJSON"] * 2)

    def test_replay_without_a_window_is_an_error(self) -> None:
        answers = _talk(_line(_EMPTY_HELLO | {"windowSeconds": None}), _line(_TOKEN | {"policy": {"replay": True}}))
        self.assertIn("error", answers[1])

    def test_noise_is_answered_line_by_line(self) -> None:
        seed = random.randrange(2**32)
        noise = random.Random(seed)
        lines = []
        for _ in range(500):
            line = bytearray(_line(_TOKEN | {"policy": {"expect": {"amount": 1}}, "prelude": [""]}))
            for _ in range(noise.randrange(1, 4)):
                line[noise.randrange(len(line))] = noise.choice(b'{}[]":,\\x0\x00\xff\xc3 ')
            lines.append(bytes(line))
        with self.subTest(seed=seed):
            answers = _talk(_line(_EMPTY_HELLO), *lines)[1:]
            self.assertEqual(len(answers), len(lines))

    def test_an_error_of_the_decryptor_decides_nothing_and_without_a_key_refuses(self) -> None:
        def broken(*_: object) -> bytes:
            raise RuntimeError

        session = Session(**identity() | {"decrypt": broken})
        session.answer(_line(_EMPTY_HELLO))
        self.assertEqual(session.answer(_line(_TOKEN))["reason"], "hello has no merchant key")
        self.assertEqual(_described(RuntimeError("a\nbug in " + "A" * 40)), "RuntimeError: a bug in …")
        self.assertLessEqual(len(_described(ValueError("no " * 200))), 200)


@unittest.skipUnless(support.ASSAY.exists(), "no assay: run make build, or name it in ASSAY")
class MintedTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.document = support.mint("--count", "2")
        cls.first, cls.second = map(support.decode, cls.document["tokens"])

    def ask(self, token: bytes, *prelude: bytes, at: str = support.MINTED_AT, **policy: object) -> str:
        asked = support.line(token, at, policy=policy, prelude=[support.encode(one) for one in prelude])
        return support.verdict(support.session(support.hello(self.document)).answer(asked))

    def test_replays(self) -> None:
        self.assertEqual(self.ask(self.first, replay=True), "accept")
        self.assertEqual(self.ask(self.first, replay=True), "accept", "nothing is remembered between lines")
        self.assertEqual(self.ask(self.first, self.first, replay=True), "replayedTransaction 14")
        self.assertEqual(self.ask(self.first, b" " + self.first, self.second, replay=True), "replayedTransaction 14")
        self.assertEqual(self.ask(self.first, self.second, replay=True), "accept")
        self.assertEqual(self.ask(self.first, self.first), "accept")

    def test_a_token_that_was_refused_is_not_remembered(self) -> None:
        refused = self.first.replace(b'"publicKeyHash":"', b'"publicKeyHash":"AAAA', 1)
        self.assertNotEqual(refused, self.first)
        self.assertEqual(self.ask(self.first, refused, replay=True), "accept")
        self.assertEqual(self.ask(self.first, self.first, replay=True, expect={"amount": 1}), "amountMismatch 14")

    def test_the_window(self) -> None:
        self.assertEqual(self.ask(self.first, at="2026-03-01T12:05:00Z"), "accept")
        self.assertEqual(self.ask(self.first, at="2026-03-01T11:55:00Z"), "accept")
        self.assertEqual(self.ask(self.first, at="2026-03-01T12:05:01Z"), "signingTimeOutsideWindow 9")
        self.assertEqual(self.ask(self.first, at="2026-03-01T11:54:59Z"), "signingTimeOutsideWindow 9")

    def test_keys_that_are_refused(self) -> None:
        key = json.loads(support.hello(self.document))["keys"][0]
        nobody = {"certificatePem": None, "merchantId": None}
        for keys in (
            [key | nobody],
            [key | {"merchantId": "merchant.of.someone.else"}],
            [key, key | nobody | {"merchantId": "merchant.of.someone.else"}],
            [key | {"certificatePem": self.document["rootPem"]}],
            [key | nobody | {"merchantId": ""}],
            [key | {"privateKeyPem": key["privateKeyPem"].replace("M", "N", 1)}],
        ):
            (answer,) = _talk(_line(_EMPTY_HELLO | {"keys": keys}))
            self.assertIn("error", answer)
        (answer,) = _talk(_line(_EMPTY_HELLO | {"keys": [key, key]}))
        self.assertIn("supports", answer)
