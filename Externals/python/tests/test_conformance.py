"""Every named case of the minter, against the verdict that it names and against what `assay serve` answers."""

import json
import subprocess
import unittest

from . import support


@unittest.skipUnless(support.ASSAY.exists(), "no assay: run make build, or name it in ASSAY")
class ConformanceTests(unittest.TestCase):
    def test_named_cases(self) -> None:
        compared = 0
        for fault in support.listed_faults():
            document = _mint(fault["name"])
            if document is None:
                continue
            with self.subTest(fault["name"], clause=fault["clause"]):
                self._compare(document)
            compared += 1
        self.assertGreater(compared, 2000)

    def _compare(self, document: dict) -> None:
        options = _options(document["decryptOptions"])
        window = options.get("--window", "300")
        first = support.hello(document, None if window == "off" else int(window))
        asked = support.line(support.decode(document["tokens"][0]), options["--at"], policy=_policy(options, document))
        answer = support.session(first).answer(asked)
        code = support.verdict({name: value for name, value in answer.items() if name != "stage"})
        self.assertEqual(code, document["expected"], answer)
        self.assertEqual(answer, _Served.answer(first, asked))


class _Served:
    """Answers of `assay serve --engine reference`, one process for each hello."""

    _processes: dict[str, subprocess.Popen] = {}

    @classmethod
    def answer(cls, first: str, asked: bytes) -> dict:
        process = cls._processes.get(first)
        if process is None:
            process = cls._processes[first] = subprocess.Popen(
                [str(support.ASSAY), "serve", "--engine", "reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            cls._ask(process, first.encode())
        return cls._ask(process, asked)

    @classmethod
    def stop(cls) -> None:
        for process in cls._processes.values():
            process.communicate()
        cls._processes.clear()

    @staticmethod
    def _ask(process: subprocess.Popen, asked: bytes) -> dict:
        process.stdin.write(asked + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


def tearDownModule() -> None:
    _Served.stop()


def _mint(name: str) -> dict | None:
    """None for cases of several tokens, which `assay mint` has no document for, and for the archival mode, which the
    line protocol has no word for."""
    try:
        document = support.mint("--fault", name)
    except subprocess.CalledProcessError as error:
        if error.returncode != 64:
            raise
        return None
    return None if "signing-time" in document["decryptOptions"] else document


def _options(words: list[str]) -> dict[str, str]:
    """Options of `assay decrypt` by their names; a flag stands alone."""
    pairs = zip(words, [*words[1:], "--"], strict=True)
    return {word: "" if value.startswith("--") else value for word, value in pairs if word.startswith("--")}


def _policy(options: dict[str, str], document: dict) -> dict:
    expected = {
        "currency": options.get("--expect-currency"),
        "amount": int(options["--expect-amount"]) if "--expect-amount" in options else None,
        "applicationData": options.get("--expect-application-data"),
    }
    return {
        "envelope": options.get("--envelope"),
        "unsigned": "--unsigned" in options,
        "expect": expected,
        "revoked": (document["revoked"] or "").split(),
    }
