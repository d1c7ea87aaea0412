"""Stage 0, rule 14.0 and the unsigned policy."""

import json
import unittest

from . import support

_PARTS = {
    "encryptedPaymentData": "data",
    "ephemeralPublicKey": "header.ephemeralPublicKey",
    "publicKeyHash": "header.publicKeyHash",
    "signature": "signature",
    "transactionId": "header.transactionId",
    "applicationData": "header.applicationData",
}


@unittest.skipUnless(support.ASSAY.exists(), "no assay: run make build, or name it in ASSAY")
class EnvelopeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.document = support.mint("--application-data", "ab" * 32)
        cls.bytes = support.decode(cls.document["tokens"][0])
        cls.token = json.loads(cls.bytes)
        cls.identifier = cls.token["header"]["transactionId"]

    def ask(self, request: object, envelope: str, **policy: object) -> str:
        data = request if isinstance(request, bytes) else json.dumps(request).encode()
        asked = support.line(data, policy={"envelope": envelope} | policy)
        return support.verdict(support.session(support.hello(self.document)).answer(asked))

    def parts(self, *absent: str, **changed: object) -> dict:
        flat = self.token | {f"header.{name}": value for name, value in self.token["header"].items()}
        parts = {name: flat[path] for name, path in _PARTS.items() if name not in absent}
        return {"mobilePaymentMethodSpecificInput": parts | changed}

    def mpgs(self, token: object, **more: object) -> dict:
        return {"sourceOfFunds": {"provided": {"card": {"devicePayment": {"paymentToken": token}}}}} | more

    def bambora(self, token: object, **more: object) -> dict:
        return {"apple_pay": {"payment_token": token}} | more

    def test_each_envelope_by_its_name_and_by_auto(self) -> None:
        text = self.bytes.decode()
        for name, request in (
            ("apple", self.token),
            ("applepayjs", {"token": {"paymentData": self.token, "transactionIdentifier": self.identifier}}),
            ("applepayjs", {"paymentData": self.token, "transactionIdentifier": self.identifier.upper()}),
            ("worldline", self.parts()),
            ("alphapay", {"token": {"paymentData": self.token}, "paymentId": None}),
            ("mpgs", self.mpgs("\r\n\t" + text, order={"walletProvider": "APPLE_PAY"})),
            ("bambora", self.bambora(support.encode(self.bytes), payment_method="apple_pay")),
        ):
            for envelope in (name, "auto"):
                with self.subTest(name, envelope=envelope):
                    self.assertEqual(self.ask(request, envelope), "accept")

    def test_size(self) -> None:
        request = json.dumps({"paymentData": self.token}).encode()
        self.assertEqual(self.ask(request + b" " * (262_144 - len(request)), "applepayjs"), "accept")
        self.assertEqual(self.ask(request + b" " * (262_145 - len(request)), "applepayjs"), "tokenTooLarge 0")
        self.assertEqual(self.ask(b" " * 262_145, "auto"), "tokenTooLarge 0")
        self.assertEqual(self.ask(b" " * 262_144, "auto"), "tokenTooLarge 1")
        self.assertEqual(self.ask(b" " * 262_145, "apple"), "tokenTooLarge 1")
        self.assertEqual(self.ask({"paymentData": self.token | {"x": "x" * 65536}}, "applepayjs"), "tokenTooLarge 1")
        self.assertEqual(self.ask(self.parts(x="x" * 65536), "worldline"), "tokenTooLarge 1")

    def test_repeated_names(self) -> None:
        token = self.bytes
        for request, envelope, expected in (
            (b'{"paymentData":' + token + b',"paymentData":1}', "applepayjs", "malformedEnvelope 0"),
            (b'{"paymentData":' + token + b',"token":1,"token":2}', "applepayjs", "malformedEnvelope 0"),
            (b'{"paymentData":' + token + b',"paymentI\\u0064":1,"paymentId":2}', "applepayjs", "accept"),
            (
                b'{"token":{"paymentData":' + token + b'},"transactionIdentifier":1,"transactionIdentifier":2}',
                "applepayjs",
                "accept",
            ),
            (
                b'{"token":{"paymentData":' + token + b',"transactionIdentifier":1,"transactionIdentifier":2}}',
                "applepayjs",
                "malformedEnvelope 0",
            ),
            (b'{"paymentData":{"data":1,"data":2}}', "applepayjs", "duplicateMember 2 data"),
        ):
            with self.subTest(request[:20] + request[-60:]):
                self.assertEqual(self.ask(request, envelope), expected)

    def test_routes_and_types(self) -> None:
        both = {"token": {"paymentData": self.token}, "paymentData": None}
        for request, envelope in (
            ({}, "applepayjs"),
            ([], "auto"),
            (both, "applepayjs"),
            (both, "auto"),
            ({"paymentData": None}, "applepayjs"),
            ({"token": []}, "alphapay"),
            ({"paymentData": [self.token]}, "applepayjs"),
            (self.mpgs(self.token), "mpgs"),
            (self.bambora(self.token), "bambora"),
            (self.bambora(self.bytes.decode()), "bambora"),
            (self.bambora(support.encode(self.bytes) + "\n"), "bambora"),
            ({"mobilePaymentMethodSpecificInput": "x"}, "worldline"),
            (self.token, "applepayjs"),
            (b"{", "mpgs"),
            (b'{"paymentData":' + self.bytes + b',"x":' + b"[" * 32 + b"]" * 32 + b"}", "applepayjs"),
        ):
            with self.subTest(str(request)[:60], envelope=envelope):
                expected = "malformedJSON 2" if request == [] else "malformedEnvelope 0"
                self.assertEqual(self.ask(request, envelope), expected)
        self.assertEqual(self.ask(self.mpgs(json.dumps(self.mpgs("x"))), "mpgs"), "missingMember 3 version")
        self.assertEqual(self.ask(self.mpgs(""), "mpgs"), "malformedJSON 2")

    def test_constants(self) -> None:
        token = support.encode(self.bytes)
        for wrong in (None, "APPLE_PAY", "Apple_Pay", True, {}, ["apple_pay"], 302):
            self.assertEqual(self.ask(self.bambora(token, payment_method=wrong), "bambora"), "envelopeFieldMismatch 0")
        for wrong in (None, "302", 302.0, 303, True):
            self.assertEqual(self.ask(self.parts(paymentProductId=wrong), "worldline"), "envelopeFieldMismatch 0")
        self.assertEqual(self.ask(self.parts(paymentProductId=302), "worldline"), "accept")
        self.assertEqual(self.ask(self.mpgs(self.bytes.decode(), order=[]), "mpgs"), "accept")
        self.assertEqual(
            self.ask(self.mpgs(self.bytes.decode(), order={"walletProvider": None}), "mpgs"), "envelopeFieldMismatch 0"
        )

    def test_transaction_identifiers(self) -> None:
        for wrong in (None, 1, "", "00" * 32, self.identifier[:-1], self.identifier + " ", {}):
            with self.subTest(wrong):
                request = {"paymentData": self.token, "transactionIdentifier": wrong}
                self.assertEqual(self.ask(request, "applepayjs"), "envelopeFieldMismatch 14")
                self.assertEqual(self.ask(request, "applepayjs", expect={"amount": 1}), "envelopeFieldMismatch 14")

    def test_auto(self) -> None:
        request = {"token": {"paymentData": self.token}, "paymentData": self.token, "paymentId": 1}
        self.assertEqual(self.ask(request, "auto"), "accept")
        self.assertEqual(self.ask(request | self.bambora("x"), "auto"), "ambiguousEnvelope 0")
        self.assertEqual(self.ask(self.token | {"paymentData": 1}, "auto"), "ambiguousEnvelope 0")
        self.assertEqual(self.ask({"version": "EC_v1"}, "auto"), "missingMember 3 data")

    def test_parts(self) -> None:
        key = self.parts()["mobilePaymentMethodSpecificInput"]["ephemeralPublicKey"]
        for request, expected in (
            (self.parts("encryptedPaymentData"), "missingMember 3 data"),
            (self.parts("signature"), "missingMember 3 signature"),
            (self.parts("transactionId"), "missingMember 3 header.transactionId"),
            (self.parts("ephemeralPublicKey"), "missingMember 3 header.ephemeralPublicKey"),
            (self.parts("publicKeyHash", "transactionId"), "missingMember 3 header.publicKeyHash"),
            (self.parts("applicationData"), "signatureMismatch 8"),
            (self.parts(applicationData=None), "wrongType 3 header.applicationData"),
            (self.parts(ephemeralPublicKey="", publicKeyHash="!"), "invalidLength 4 header.ephemeralPublicKey"),
            (self.parts(wrappedKey="", version=1), "accept"),
            (self.parts("ephemeralPublicKey", ephemeralKey=key), "accept"),
            (self.parts(ephemeralKey=key), "accept"),
            (self.parts(ephemeralKey=key[::-1]), "envelopeFieldMismatch 0"),
            (self.parts(ephemeralKey=None), "envelopeFieldMismatch 0"),
            (self.parts(ephemeralPublicKey=None, ephemeralKey=None), "envelopeFieldMismatch 0"),
        ):
            with self.subTest(expected):
                self.assertEqual(self.ask(request, "worldline"), expected)

    def test_unsigned(self) -> None:
        for request, policy, expected in (
            (self.parts("signature"), {}, "accept unsigned"),
            (self.parts("signature", "transactionId"), {}, "accept unsigned"),
            (self.parts("signature", transactionId=1, applicationData=None), {}, "accept unsigned"),
            (self.parts(signature=None), {}, "wrongType 3 signature"),
            (self.parts(), {"expect": {"applicationData": "ab" * 32}}, "accept"),
            (self.parts("signature"), {"expect": {"applicationData": "ab" * 32}}, "applicationDataMismatch 14"),
            (self.parts("signature"), {"expect": {"amount": 1}}, "amountMismatch 14"),
            (self.parts("signature"), {"replay": True}, "missingMember 3 header.transactionId"),
            (self.parts("signature", "ephemeralPublicKey"), {"replay": True}, "missingMember 3 header.transactionId"),
            (self.parts("signature", "publicKeyHash"), {"replay": True}, "missingMember 3 header.publicKeyHash"),
            (
                self.parts("signature", "publicKeyHash", "ephemeralPublicKey"),
                {},
                "missingMember 3 header.publicKeyHash",
            ),
            (
                self.parts("signature", publicKeyHash="", ephemeralPublicKey="!"),
                {},
                "invalidBase64 4 header.ephemeralPublicKey",
            ),
        ):
            with self.subTest(expected, policy=policy):
                self.assertEqual(self.ask(request, "worldline", unsigned=True, **policy), expected)
        without = {name: value for name, value in self.token.items() if name != "signature"}
        self.assertEqual(self.ask(without, "apple", unsigned=True), "missingMember 3 signature")
        self.assertEqual(self.ask({"paymentData": without}, "applepayjs", unsigned=True), "missingMember 3 signature")
        self.assertEqual(self.ask(self.parts("signature"), "auto", unsigned=True), "accept unsigned")
