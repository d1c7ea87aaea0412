extension TokenFault.Code {
  /// One sentence for people: what was found and what to do about it. Fixed text, nothing of the token in it.
  public var advice: String {
    switch self {
    case .malformedEnvelope:
      "The request is not the JSON its gateway documents, or the token is not where it should be: check --envelope."
    case .ambiguousEnvelope:
      "More than one gateway's envelope fits this request: name the right one with --envelope."
    case .envelopeFieldMismatch:
      "A field beside the token contradicts the token or its gateway: take both from the same request."
    case .tokenTooLarge:
      "The input is larger than any payment token (65,536 bytes, 262,144 with its envelope): check what was passed."
    case .malformedJSON:
      "The token is not strict JSON in UTF-8: pass the bytes of paymentData unchanged."
    case .duplicateMember:
      "A member name occurs twice: pass the bytes of paymentData as the device sent them."
    case .missingMember:
      "A required member is absent: pass the whole of paymentData, not a part of it."
    case .wrongType:
      "A member has another JSON type than Apple documents: pass paymentData unchanged."
    case .unsupportedVersion:
      "The version is neither of those supported here: check that this is a payment token."
    case .conflictingMembers:
      "The key field of the other version is present: a token has ephemeralPublicKey or wrappedKey, never both."
    case .invalidBase64:
      "A member is not strict base64 (standard alphabet, padded, no white space): it was altered on its way here."
    case .invalidHex:
      "A member is not hexadecimal text of even length: it may have been converted to base64 on its way here."
    case .invalidLength:
      "A decoded member has the wrong length: it was cut, or its encoding was mistaken."
    case .malformedSignature:
      "The signature is not the CMS SignedData that Apple's tokens carry: it was altered or made by someone else."
    case .missingLeafMarker:
      "No single certificate carries Apple's leaf marker (1.2.840.113635.100.6.29): Apple did not sign this token."
    case .missingIntermediateMarker:
      "No single certificate carries Apple's intermediate marker (1.2.840.113635.100.6.2.14): Apple did not sign this token."
    case .unexpectedCertificate:
      "The signature brings a certificate that is neither leaf, intermediate nor a trusted root: refuse it."
    case .signerMismatch:
      "The signature names another signer than the leaf certificate: refuse it."
    case .untrustedChain:
      "The certificates do not lead to a trusted root: refuse it, or for test tokens name their root with --root."
    case .certificateRevoked:
      "A certificate of the signature is on your revoked list: refuse it."
    case .certificateExpired:
      "A certificate of the signature had expired at the verification time: for a stored token use --at signing-time."
    case .certificateNotYetValid:
      "A certificate of the signature was not yet valid at the verification time: check the clock, or --at."
    case .signatureMismatch:
      "The signature does not belong to this token's content: a signed member was altered, refuse it."
    case .signingTimeOutsideWindow:
      "The token was signed too long before or after the verification time: use --at signing-time for a stored token, or check the clock."
    case .unknownMerchantKey:
      "No loaded key has this publicKeyHash: load the key of the payment processing certificate the token was made for."
    case .invalidEphemeralKey:
      "The ephemeral key is not an uncompressed P-256 point in its 91-byte form: refuse it."
    case .keyUnavailable:
      "The store of the merchant's private key gave no answer: nothing is decided about the token, try again."
    case .decryptionFailed:
      "The key does not open the data: most often a wrong merchant ID; else the data was altered."
    case .malformedPayload:
      "The decrypted payload lacks what Apple documents or breaks its rules: keep the token and report it."
    case .applicationDataMismatch:
      "The token was made for other application data than expected: refuse it for this order."
    case .currencyMismatch:
      "The token was made for another currency than expected: refuse it for this order."
    case .amountMismatch:
      "The token was made for another amount than expected: refuse it for this order."
    case .replayedTransaction:
      "This transaction was seen before: answer with the first result, do not charge again."
    case .replayStoreFull:
      "The replay store has no room left: enlarge it, then try again."
    }
  }
}
