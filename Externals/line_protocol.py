"""Asks programs that speak the line protocol. test-frames and test-externals share this."""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import random
import re
import select
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
AT = "2026-05-01T12:00:00Z"
RSA_CASE = "rsa-token-for-a-key-of-2048-bits"


def arguments(description):
    """The parsed arguments of both scripts. The path of assay is absolute."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=HERE.parent / ".build/release/assay", type=os.path.abspath)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE")
    return parser.parse_args()


class Program:
    """A running program that answers lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def ask(self, message):
        """The answer; {} if the program ends without one, or gives none in 30 seconds. Bytes are sent as they are."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        is_ready, _, _ = select.select([self.process.stdout], [], [], 30)
        return json.loads(self.process.stdout.readline() or "{}") if is_ready else {}

    def end(self):
        """Exit code and standard error after the input has ended."""
        error = self.process.communicate()[1]
        return self.process.returncode, error.decode(errors="replace")


class Report:
    def __init__(self):
        self.language, self.failures, self.run = "", 0, 0

    def check(self, name, holds, *details):
        self.run += 1
        if not holds:
            self.failures += 1
            print(f"FAILED  {self.language}: {name}", *details)


class Material:
    """Minted tokens and their keys: two EC keys and an RSA key."""

    def __init__(self, assay):
        self.assay = assay
        self.documents = [self.mint("7"), self.mint("8"), self.mint("7", "--fault", RSA_CASE)]
        self.keys = [key for document in self.documents for key in self.keys_of(document)]
        self.tokens = [document["tokens"][0] for document in self.documents]
        self.roots = [document["rootPem"] for document in self.documents]

    def mint(self, seed, *more):
        command = [self.assay, "mint", "--json", "--quiet", "--seed", seed, "--at", AT, *more]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    @staticmethod
    def keys_of(document):
        blocks = {name: re.findall("-----BEGIN .*?-----END [^\n]*\n", document[name] or "", re.DOTALL)
                  for name in ("privateKeyPem", "certificatePem")}
        return [{"privateKeyPem": key, "certificatePem": certificate, "merchantId": None}
                for key, certificate in zip(blocks["privateKeyPem"], blocks["certificatePem"], strict=True)]

    def hello(self, **changes):
        return {"hello": 1, "keys": self.keys, "rootsPem": self.roots, "windowSeconds": 300} | changes

    def key_of(self, token):
        """The key that a token names."""
        named = base64.b64decode(json.loads(base64.b64decode(token))["header"]["publicKeyHash"])
        return next(key for key in self.keys if hashlib.sha256(public_key(key["privateKeyPem"])).digest() == named)


def openssl(text, *arguments):
    return subprocess.run(["openssl", *arguments], input=text, capture_output=True, check=True).stdout


def public_key(pem):
    return openssl(pem.encode() if isinstance(pem, str) else pem, "pkey", "-pubout", "-outform", "DER")


def pem(label, text):
    return f"-----BEGIN {label}-----\n{text}\n-----END {label}-----\n"


def line(token, **members):
    return {"id": "é\"\n", "token": token, "at": AT} | members


def check_hellos(command, material, report):
    """Checks hellos that cannot be used. The program accepts another hello after each."""
    hello = material.hello()
    key = hello["keys"][0]
    program = Program(command)
    report.check("a token before hello is an error", "error" in program.ask(line(material.tokens[0])))
    changes = [
        {"hello": 2}, {"hello": "1"}, {"windowSeconds": -1}, {"windowSeconds": 1.5}, {"windowSeconds": "300"},
        {"keys": None}, {"keys": 1}, {"keys": [1]}, {"keys": [None]}, {"keys": [{}]}, {"keys": [key | {"colour": 1}]},
        {"keys": [key | {"privateKeyPem": "x"}]}, {"keys": [key | {"privateKeyPem": pem("PRIVATE KEY", "AAAA")}]},
        {"keys": [key | {"certificatePem": "x"}]}, {"rootsPem": None}, {"rootsPem": [1]}, {"colour": 1},
    ]
    without_window = {name: value for name, value in hello.items() if name != "windowSeconds"}
    for bad in [hello | change for change in changes] + [without_window, b"", b"foo", b"{", b"[]", b"null", b"\xff"]:
        answer = program.ask(bad)
        report.check("a hello that cannot be used is an error", answer.get("hello") == 1 and "error" in answer, bad)
    answer = program.ask(hello)
    report.check("a hello after bad ones is accepted", "supports" in answer, answer)
    report.check("a second hello is an error", "error" in program.ask(hello))
    code, error = program.end()
    report.check("the end of the input ends the program with 0", code == 0, code, error)


def check_lines(command, material, report):
    """Checks lines that cannot be used, and unusual ones that can."""
    program = Program(command)
    program.ask(material.hello())
    good = line(material.tokens[0])
    for bad in (
        b"", b"foo", b"{", b"[]", b"1", b"null", b"{}", b'{"id":1}', b'{"id":null}', b"\0", b"\xff\xfe", b"[" * 100_000,
        b'{"id":' * 100_000, b" " * (5 << 20),
    ):
        answer = program.ask(bad)
        report.check("a line that cannot be read is an error", answer.get("id", 0) is None and "error" in answer, bad[:20])
    for change in (
        {"token": None}, {"token": 1}, {"token": "A"}, {"token": "e30"}, {"token": "e31="}, {"token": "AA==\n"},
        {"at": None}, {"at": 1}, {"at": "now"}, {"at": "2026-02-30T12:00:00Z"}, {"at": "2026-05-01T12:00:00+00:00"},
        {"at": "2026-05-01T12:00:00.5Z"}, {"at": "2026-05-01T2:00:00Z"}, {"prelude": ""}, {"prelude": [1]},
        {"prelude": ["A"]}, {"colour": 1}, {"policy": [1]}, {"policy": {"colour": 1}}, {"policy": {"unsigned": 1}},
        {"policy": {"replay": "yes"}}, {"policy": {"revoked": ""}}, {"policy": {"expect": {"colour": None}}},
    ):
        answer = program.ask(good | change)
        report.check("a member that cannot be used is an error", set(answer) == {"id", "error"}, change, answer)
        report.check("its answer repeats the id", answer.get("id") == good["id"], change, answer)
    for policy in (
        {"envelope": "paper"}, {"revoked": ["aa"]}, {"revoked": [1]}, {"expect": {"applicationData": "aa"}},
        {"expect": {"amount": 1.5}}, {"expect": {"amount": 1e30}}, {"expect": {"amount": "1"}},
    ):
        answer = program.ask(good | {"policy": policy})
        report.check("a requirement that cannot be met has no verdict", "accepted" not in answer, policy, answer)
    nothing = dict.fromkeys(["envelope", "unsigned", "expect", "replay", "revoked"])
    for change in ({"policy": nothing, "prelude": None}, {"policy": None}, {"policy": {"expect": {"amount": None}}}):
        report.check("null counts as absent", program.ask(good | change).get("accepted"), change)
    odd = 'quote " backslash \\ tab \t euro \u20ac clef \U0001d11e'
    report.check("an id is repeated exactly", program.ask(good | {"id": odd}).get("id") == odd)
    noise, text = random.Random(1), json.dumps(good | {"policy": {"expect": {"amount": 1}}, "prelude": [""]}).encode()
    for _ in range(500):
        changed = bytearray(text)
        for _ in range(noise.randrange(1, 4)):
            changed[noise.randrange(len(changed))] = noise.choice(b'{}[]":,\\x0\x00\xff\xc3 ')
        report.check("a damaged line has an answer", program.ask(bytes(changed)), changed)
    report.check("it exits with 0 after all of them", program.end()[0] == 0)
    program = Program(command)
    program.ask(material.hello(windowSeconds=None))
    answer = program.ask(good | {"policy": {"replay": True}})
    report.check("replay without a window has no verdict", "accepted" not in answer, answer)
    program.end()
