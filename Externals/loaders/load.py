"""Runs a file of `assay corpus export` (Corpus/README.md, "JSON Lines") against a decryptor: python3 load.py FILE"""

import base64
import hashlib
import json
import sys


def load(path):
    """The header, and the vectors as dictionaries; binary members stay in base64 or hexadecimal."""
    with open(path, "rb") as file:
        header, lines = json.loads(file.readline()), file.read()
    if header["schema"] != "assay.lines/1" or hashlib.sha256(lines).hexdigest() != header["sha256"]:
        raise ValueError("not a file of assay.lines/1, or damaged")
    return header, [json.loads(line) for line in lines.splitlines()]


def decrypt(token, private_key, merchant_id, roots, at, window_seconds):
    """Yours: the plaintext, or None for a refusal. Key (PKCS #8) and roots are DER; this one refuses everything."""
    return None


def is_wrong(vector):
    plaintext = decrypt(
        base64.b64decode(vector["request"]), base64.b64decode(vector["privateKey"]), vector["merchantId"],
        [base64.b64decode(root) for root in vector["roots"]], vector["at"], vector["windowSeconds"])
    if vector["result"] == "valid":
        return plaintext != base64.b64decode(vector["plaintext"])
    return vector["result"] == "invalid" and plaintext is not None


header, vectors = load(sys.argv[1])
wrong = [vector for vector in vectors if is_wrong(vector)]
for vector in wrong:
    print(f'{vector["severity"]} {vector["id"]}: {vector["reason"]}', file=sys.stderr)
print(f'{header["suite"]} of corpus {header["version"]}: {len(vectors)} vectors, {len(wrong)} wrong')
