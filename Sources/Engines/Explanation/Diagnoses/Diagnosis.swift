/// What is the matter with a token, a request or the keys given for it. The names are stable: scripts rely on them.
public enum Diagnosis: String, Hashable, Sendable, CaseIterable {
  /// Nothing: every check passed.
  case sound
  /// Accepted, and all that is to be believed of it is that whoever made it knew the merchant's public key.
  case unsignedToken

  // What the token came in (stage 0, and 14.0)
  case requestTooLarge, requestNotJSON
  case ambiguousEnvelope
  /// Another envelope fits than the one that was named.
  case otherEnvelope
  case noTokenInRequest, severalTokensInRequest, repeatedNameInRequest, wrongTypeInRequest, invalidBase64InRequest
  /// A field beside the token is not what the gateway's requests say there.
  case contradictingField
  /// The identifier beside the token is not the token's.
  case otherTransaction

  // The input as a whole (stages 1 and 2)
  case emptyInput, tokenTooLarge
  /// A byte-order mark, or UTF-16.
  case byteOrderMark
  /// A JSON string that holds the token's JSON, or its text with the quotes still escaped.
  case doubleEncodedJSON
  case base64EncodedToken, percentEncodedToken
  /// The token is a member of what was given.
  case wrappedInEnvelope
  case truncatedJSON, malformedJSON, duplicateMember

  // Members (stages 3 and 4)
  case missingSignature, missingMember
  /// Parts without a signature, and unsigned tokens were not asked for.
  case unsignedNotAllowed
  /// Parts without a signature, and replays are to be detected.
  case unsignedReplay
  /// The header's members stand beside the header's place.
  case flattenedHeader
  case wrongType, unsupportedVersion
  /// The key field belongs to the other version.
  case versionContradictsKey
  case hexInsteadOfBase64, base64InsteadOfHex
  case applicationDataAsBase64, applicationDataNotHashed
  /// White space, the URL alphabet or lost padding.
  case alteredBase64
  case invalidEncoding
  /// An ephemeral key as a bare point or with explicit curve parameters.
  case ephemeralKeyForm
  case wrongLength

  // Apple's signature (stages 5 to 9)
  case malformedSignature, notSignedByApple
  /// The chain ends in a root that is not trusted here.
  case otherRoot
  /// Apple signed, but other roots were given in place of Apple's.
  case appleRootReplaced
  case brokenChain, certificateRevoked
  /// A stored token whose signer's certificate has expired since.
  case storedTokenCertificateExpired
  case signerCertificateExpired, certificateNotYetValid
  /// Without its application data, or with other, the signature would hold.
  case applicationDataBreaksSignature
  case signedMemberAltered, forgedSignature
  case storedTokenOutsideWindow, signedInFuture

  // The merchant's key (stages 10 to 12)
  case noKeyLoaded, keyOfOtherVersion
  /// A merchant identity certificate in place of the payment processing one.
  case identityCertificate
  /// The certificate the token was made for is there, its private key is not.
  case privateKeyMissing
  /// A renewed certificate is loaded, and the token was made for the one before.
  case certificateNotActivated
  /// All certificates loaded are newer than the token.
  case olderKeyNeeded
  /// All certificates loaded had expired when the token was made.
  case merchantCertificateExpired
  case sandboxToken, unknownKey
  case invalidEphemeralKey
  case wrongMerchantID
  /// The hash of the merchant ID was given in place of the merchant ID.
  case merchantIDGivenAsHash
  /// Another loaded key opens it.
  case publicKeyHashAltered
  case notForThisKey
  /// The key store outside did not answer.
  case keyUnavailable

  // What was paid for (stages 13 and 14)
  case unexpectedPayload, otherOrder, replayedTransaction, replayStoreFull

  // Keys that could not be loaded
  case keyCertificateMismatch
  case merchantIDMissing, merchantIDMismatch
  /// A key or certificate file in a form that is not read here.
  case keyFormat
  /// An encrypted file, and its password missing or wrong.
  case keyPassword
  case unusableKeys
}
