package external.token;

/** The codes of Docs/Verification.md, each with its stage. {@code Fault} names those that occur in two stages. */
public enum Code {
  TOKEN_TOO_LARGE("tokenTooLarge", 1),
  MALFORMED_ENVELOPE("malformedEnvelope", 0),
  AMBIGUOUS_ENVELOPE("ambiguousEnvelope", 0),
  ENVELOPE_FIELD_MISMATCH("envelopeFieldMismatch", 0),
  MALFORMED_JSON("malformedJSON", 2),
  DUPLICATE_MEMBER("duplicateMember", 2),
  MISSING_MEMBER("missingMember", 3),
  WRONG_TYPE("wrongType", 3),
  UNSUPPORTED_VERSION("unsupportedVersion", 3),
  CONFLICTING_MEMBERS("conflictingMembers", 3),
  INVALID_BASE64("invalidBase64", 4),
  INVALID_HEX("invalidHex", 4),
  INVALID_LENGTH("invalidLength", 4),
  MALFORMED_SIGNATURE("malformedSignature", 5),
  MISSING_LEAF_MARKER("missingLeafMarker", 6),
  MISSING_INTERMEDIATE_MARKER("missingIntermediateMarker", 6),
  UNEXPECTED_CERTIFICATE("unexpectedCertificate", 6),
  SIGNER_MISMATCH("signerMismatch", 6),
  UNTRUSTED_CHAIN("untrustedChain", 7),
  CERTIFICATE_REVOKED("certificateRevoked", 7),
  CERTIFICATE_EXPIRED("certificateExpired", 7),
  CERTIFICATE_NOT_YET_VALID("certificateNotYetValid", 7),
  SIGNATURE_MISMATCH("signatureMismatch", 8),
  SIGNING_TIME_OUTSIDE_WINDOW("signingTimeOutsideWindow", 9),
  UNKNOWN_MERCHANT_KEY("unknownMerchantKey", 10),
  INVALID_EPHEMERAL_KEY("invalidEphemeralKey", 11),
  DECRYPTION_FAILED("decryptionFailed", 12),
  MALFORMED_PAYLOAD("malformedPayload", 13),
  APPLICATION_DATA_MISMATCH("applicationDataMismatch", 14),
  CURRENCY_MISMATCH("currencyMismatch", 14),
  AMOUNT_MISMATCH("amountMismatch", 14),
  REPLAYED_TRANSACTION("replayedTransaction", 14);

  public final String text;
  public final int stage;

  Code(String text, int stage) {
    this.text = text;
    this.stage = stage;
  }
}
