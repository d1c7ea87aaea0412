"""Deliberately bad decryptors: the external in Python with one thing wrong. Started with the name of what is wrong.

The reports of `assay diff` must name each of them in their first sentence (Tests/Harness/ExternalTests).
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Externals/python"))

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: E402

from decryptor import chain, decryption, decryptor, encodings, token  # noqa: E402
from decryptor.cms import IssuerAndSerial  # noqa: E402
from decryptor.faults import Fault  # noqa: E402
from decryptor.protocol import identity  # noqa: E402
from frame import serve  # noqa: E402

find_signer, is_signed, agree, decrypt = chain.find_signer, decryptor._is_signed, decryption._agree, decryptor.Decryptor.decrypt
claims = identity()


def no_signature():
    decryptor.Decryptor._verify = lambda self, token, signature, revoked, at: None


def unclaimed():
    """Checks no signature, and does not claim to."""
    claims["supports"] = [one for one in claims["supports"] if one not in ("signature", "roots", "unsigned")]
    no_signature()


def unclaimed_no_tag():
    """Nor does it check the tag and the payload."""
    unclaimed()
    claims["supports"] = [one for one in claims["supports"] if one not in ("expect", "payload")]
    decryptor.read_payload = decryptor._check_expectations = lambda *_: None
    no_tag()


def own_intermediate():
    """Trusts an intermediate that has signed itself, as if it were a root."""

    def trusting(leaf, intermediate, roots, *rest):
        more = [intermediate] if chain._issued(intermediate, intermediate) else []
        check_chain(leaf, intermediate, [*roots, *more], *rest)

    check_chain, decryptor.check_chain = decryptor.check_chain, trusting


def rewriting():
    """Returns the members of the payload that it has parsed, not the bytes."""

    def rewritten(self, request, at, policy, seen):
        opened = decrypt(self, request, at, policy, seen)
        text = json.dumps(json.loads(opened.plaintext), sort_keys=True, indent=1)
        return decryptor.Opened(text.encode(), opened.signed)

    decryptor.Decryptor.decrypt = rewritten


def any_signer():
    """Looks for the two marked certificates, verifies them, and lets any certificate in the CMS sign."""
    remembered = {}

    def marked(message, roots):
        leaf = chain._only(message.certificates, chain.LEAF_MARKER, "missingLeafMarker")
        intermediate = chain._only(message.certificates, chain.INTERMEDIATE_MARKER, "missingIntermediateMarker")
        remembered["certificates"] = message.certificates
        return leaf, intermediate

    def signed(token, message, leaf):
        return any(is_signed(token, message, one) for one in remembered["certificates"])

    decryptor.find_signer, decryptor._is_signed = marked, signed


def signer_by_serial_number():
    """Verifies the marked certificates, and with the first one of the signer's issuer and serial number."""
    remembered = {}

    def marked(message, roots):
        remembered["certificates"] = message.certificates
        intermediate = chain._only(message.certificates, chain.INTERMEDIATE_MARKER, "missingIntermediateMarker")
        leaves = [one for one in message.certificates if chain.LEAF_MARKER in one.extensions]
        genuine = [one for one in leaves if chain._issued(intermediate, one)]
        if not genuine:
            raise Fault("missingLeafMarker")
        if not chain._names(message, genuine[0]):
            raise Fault("signerMismatch")
        return genuine[0], intermediate

    def signed(token, message, leaf):
        signer = message.signer
        if not isinstance(signer, IssuerAndSerial):
            return is_signed(token, message, leaf)
        named = [one for one in remembered["certificates"] if (one.issuer, one.serial) == (signer.issuer, signer.serial)]
        return any(is_signed(token, message, one) for one in named)

    decryptor.find_signer, decryptor._is_signed = marked, signed


def skips_with_application_data():
    def signed(token, message, leaf):
        if token.application_data is not None:
            return leaf.key.verifies(message.signature, message.signed_attributes, hashes.SHA256())
        return is_signed(token, message, leaf)

    decryptor._is_signed = signed


def dropped_result():
    def signed(token, message, leaf):
        is_signed(token, message, leaf)
        return message.message_digest == hashlib.sha256(token.signed_bytes).digest()

    decryptor._is_signed = signed


def expired_certificates():
    """Looks at the beginning of each certificate's validity, and not at its end."""

    def endless(leaf, intermediate, *rest):
        check_chain(*(dataclasses.replace(one, not_after=1 << 62) for one in (leaf, intermediate)), *rest)

    check_chain, decryptor.check_chain = decryptor.check_chain, endless


def no_digest():
    """Verifies the signature of the signed attributes, and does not compare the digest in them with the token."""

    def signed(token, message, leaf):
        return leaf.key is not None and leaf.key.verifies(message.signature, message.signed_attributes, hashes.SHA256())

    decryptor._is_signed = signed


def no_tag():
    class Unauthenticated:
        def __init__(self, key):
            self.key = key

        def decrypt(self, iv, data, _):
            # GCM's counter for an IV of 16 bytes is a GHASH of it: the library computes it, and the tag stays unread.
            cipher = Cipher(algorithms.AES(self.key), modes.GCM(iv)).decryptor()
            return cipher.update(data[:-16])

    decryption.AESGCM = Unauthenticated


def leading_zeros():
    def stripped(private, ephemeral, merchant_hash):
        right = agree(private, ephemeral, merchant_hash)
        point = ephemeral[len(decryption._EPHEMERAL_PREFIX):]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        shared = private.exchange(ec.ECDH(), public)
        if shared[0] != 0:
            return right
        secret = shared.lstrip(b"\0")
        return hashlib.sha256(b"\0\0\0\x01" + secret + decryption._ALGORITHM + decryption._PARTY_U + merchant_hash).digest()

    decryption._agree = stripped


def few_sound():
    def rarely(self, request, at, policy, seen):
        if hashlib.sha256(request).digest()[0] > 2:
            raise Fault("malformedJSON")
        return decrypt(self, request, at, policy, seen)

    decryptor.Decryptor.decrypt = rarely


def remembers():
    """Checks the certificates and the signature of a transaction once."""
    verify, known = decryptor.Decryptor._verify, set()

    def verify_once(self, token, signature, revoked, at):
        if token.transaction_id in known:
            return
        verify(self, token, signature, revoked, at)
        known.add(token.transaction_id)

    decryptor.Decryptor._verify = verify_once


def lenient():
    """Sound, but its base64 forgives: white space, missing padding and trailing bits."""
    import base64

    def forgiving(text):
        kept = "".join(character for character in text if character not in " \t\r\n")
        kept = kept.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            return base64.b64decode(kept + "=" * (-len(kept) % 4))
        except ValueError:
            return None

    for module in (encodings, token):
        for name in ("base64_bytes",):
            if hasattr(module, name):
                setattr(module, name, forgiving)


def crash():
    def dies(self, request, at, policy, seen):
        if hashlib.sha256(request).digest()[0] == 7:
            os.abort()
        return decrypt(self, request, at, policy, seen)

    decryptor.Decryptor.decrypt = dies


def hang():
    def sleeps(self, request, at, policy, seen):
        if hashlib.sha256(request).digest()[0] == 7:
            time.sleep(3600)
        return decrypt(self, request, at, policy, seen)

    decryptor.Decryptor.decrypt = sleeps


def leak():
    leaked = []

    def keeps(self, request, at, policy, seen):
        leaked.append(bytearray(256 << 10))
        return decrypt(self, request, at, policy, seen)

    decryptor.Decryptor.decrypt = keeps


{
    "no-signature": no_signature, "any-signer": any_signer, "signer-by-serial-number": signer_by_serial_number,
    "skips-with-application-data": skips_with_application_data, "dropped-result": dropped_result, "no-digest": no_digest,
    "expired-certificates": expired_certificates, "no-tag": no_tag,
    "own-intermediate": own_intermediate, "unclaimed": unclaimed, "unclaimed-no-tag": unclaimed_no_tag,
    "rewriting": rewriting, "leading-zeros": leading_zeros, "few-sound": few_sound, "lenient": lenient, "crash": crash,
    "hang": hang, "leak": leak, "remembers": remembers, "none": lambda: None,
}[sys.argv[1]]()
serve(**claims)
