extension TokenFault.Code {
  /// The problem and its cause or fix, for people. The text is fixed, and holds nothing of the token. Options such as
  /// `--root` are those of the `assay` command.
  public var advice: String {
    switch self {
    case .malformedEnvelope:
      "The request is not the JSON that its gateway documents, or the token is not in its place: check --envelope."
    case .ambiguousEnvelope:
      "The request matches more than one gateway's envelope: name the right one with --envelope."
    case .envelopeFieldMismatch:
      "A field of the request contradicts the token or its gateway: take it from the token's own request."
    case .tokenTooLarge:
      "The input exceeds the limit (16,384 bytes for a token, 65,536 for a request): check the input."
    case .malformedJSON:
      "The token is not one JSON object, strict and in UTF-8: pass the bytes of paymentData unchanged."
    case .duplicateMember:
      "A member name occurs twice: pass the bytes of paymentData as the device sent them."
    case .missingMember:
      "A required member is missing: pass all of paymentData, not a part of it."
    case .wrongType:
      "A member has another JSON type than Apple documents: pass paymentData unchanged."
    case .unsupportedVersion:
      "The version is neither EC_v1 nor RSA_v1: check that this is a payment token."
    case .conflictingMembers:
      "The key member of the other version is present: a token has ephemeralPublicKey or wrappedKey, never both."
    case .invalidBase64:
      "A member is not strict base64 (standard alphabet, padded, no white space): it was altered in transit."
    case .invalidHex:
      "A member is not hexadecimal text of even length: it may have been converted to base64 in transit."
    case .invalidLength:
      "A decoded member has the wrong length: it was cut off, or encoded twice."
    case .malformedSignature:
      "The signature is not CMS SignedData as in Apple's tokens: it was altered, or is not Apple's."
    case .missingLeafMarker:
      "Not exactly one certificate has Apple's leaf marker (1.2.840.113635.100.6.29): Apple did not sign this token."
    case .missingIntermediateMarker:
      "Not exactly one certificate, other than the leaf, has Apple's intermediate marker (1.2.840.113635.100.6.2.14): "
        + "Apple did not sign this token."
    case .unexpectedCertificate:
      "The signature contains a certificate that is neither leaf, intermediate nor a trusted root: reject it."
    case .signerMismatch:
      "The signature names another signer than the leaf certificate: reject it."
    case .untrustedChain:
      "The certificates do not chain to a trusted root: reject it, or for test tokens trust their root with --root."
    case .certificateRevoked:
      "A certificate of the signature is on your revocation list: reject it."
    case .certificateExpired:
      "A certificate of the signature had expired at the verification time: reject it, or for a stored token use "
        + "--at signing-time."
    case .certificateNotYetValid:
      "A certificate of the signature was not yet valid at the verification time: check the clock, or --at."
    case .signatureMismatch:
      "The signature does not match the token: a signed member was altered, reject it."
    case .signingTimeOutsideWindow:
      "The token was signed too long before or after the verification time, or outside the policy's signing times: "
        + "reject it, or use --at signing-time for a stored token. If all are, check the clock."
    case .unknownMerchantKey:
      "No loaded key has this publicKeyHash: load the key of the token's payment processing certificate."
    case .invalidEphemeralKey:
      "The ephemeral key is not an uncompressed P-256 point in its 91-byte form: reject it."
    case .keyUnavailable:
      "The token was not checked completely: an external key did not answer, or memory, random numbers or an algorithm "
        + "of libcrypto are missing. Check these, then try again."
    case .decryptionFailed:
      "The key does not decrypt the data: for EC_v1 most often the merchant ID is wrong; otherwise publicKeyHash names "
        + "another key, or the data of an unsigned token was altered."
    case .malformedPayload:
      "The decrypted payload is not what Apple documents: keep the token, and report the fault, without the token, to the "
        + "maintainers of assay."
    case .applicationDataMismatch:
      "The token was made for other application data than expected: reject it for this order."
    case .currencyMismatch:
      "The token was made for another currency than expected: reject it for this order."
    case .amountMismatch:
      "The token was made for another amount than expected: reject it for this order."
    case .replayedTransaction:
      "This transaction was seen before: return the first result, and do not charge again."
    case .replayStoreFull:
      "The replay store is full, or does not remember for as long as the window demands: enlarge it or shorten the "
        + "window, then try again."
    case .replayStoreUnavailable:
      "The replay store did not answer in time: try again, and look the payment up if that reports a replay."
    }
  }
}
