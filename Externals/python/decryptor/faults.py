"""Verdicts against a token: a code, the stage that fails, and the member concerned."""

from frame import Refused

_STAGES = {
    "malformedEnvelope": 0,
    "ambiguousEnvelope": 0,
    "malformedJSON": 2,
    "duplicateMember": 2,
    "missingMember": 3,
    "wrongType": 3,
    "unsupportedVersion": 3,
    "conflictingMembers": 3,
    "invalidBase64": 4,
    "invalidHex": 4,
    "invalidLength": 4,
    "malformedSignature": 5,
    "missingLeafMarker": 6,
    "missingIntermediateMarker": 6,
    "unexpectedCertificate": 6,
    "signerMismatch": 6,
    "untrustedChain": 7,
    "certificateRevoked": 7,
    "certificateExpired": 7,
    "certificateNotYetValid": 7,
    "signatureMismatch": 8,
    "signingTimeOutsideWindow": 9,
    "unknownMerchantKey": 10,
    "invalidEphemeralKey": 11,
    "decryptionFailed": 12,
    "malformedPayload": 13,
    "applicationDataMismatch": 14,
    "currencyMismatch": 14,
    "amountMismatch": 14,
    "replayedTransaction": 14,
}


class Fault(Refused):
    """The first stage that fails. `stage` is given only for the codes that two stages share."""

    def __init__(self, code: str, member: str | None = None, stage: int | None = None) -> None:
        stage = _STAGES[code] if stage is None else stage
        super().__init__(f"stage {stage}: {code}" + (f" ({member})" if member else ""), code, stage, member)
