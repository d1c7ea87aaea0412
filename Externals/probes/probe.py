"""The program with which test-frames tests frame.py."""

import base64

from frame import Refused, serve


def decrypt(token, key, request):
    if token == b"throw":
        raise RuntimeError("a bug in " + "A" * 40 + "\nof mine")
    if token == b"refuse":
        raise Refused("first line\nsecond line " + "é" * 300, "signatureMismatch")
    values = {
        "pkcs8": key.pkcs8_pem.encode(),
        "sec1": (key.sec1_pem or "").encode(),
        "pkcs12": key.pkcs12("secret") if key.certificate_pem else b"",
        "merchantIdHash": key.merchant_id_hash or b"",
        "merchantId": (key.merchant_id or "").encode(),
        "certificate": (key.certificate_pem or "").encode(),
        "at": b"%d" % int(request.at.timestamp()),
        "window": b"none" if request.window is None else b"%d" % request.window,
        "counts": b"%d keys, %d roots, %d earlier" % (len(request.keys), len(request.roots), len(request.prelude)),
    }
    return "".join(f"{name} {base64.b64encode(value).decode()}\n" for name, value in values.items()).encode()


serve(decrypt, name="probe", version="1", supports=["EC_v1", "RSA_v1"])
