import StrictJSON

/// The problem with a token, a request or the keys given for it. The names are stable: scripts rely on them.
public enum Diagnosis: String, Hashable, Sendable, CaseIterable {
  /// No problem: every check passed.
  case sound
  /// Accepted without a signature: anyone who has the merchant's public key may have made it.
  case unsignedToken

  // The request (stage 0, and 14.0)
  case requestTooLarge, requestNotJSON
  case ambiguousEnvelope
  /// The request matches another envelope than the one that was named.
  case otherEnvelope
  case noTokenInRequest, severalTokensInRequest, repeatedNameInRequest, wrongTypeInRequest, invalidBase64InRequest
  /// A field of the request does not have the value that the gateway documents.
  case contradictingField
  /// A part of the token is in the request under two names, with different content (rule 0.11).
  case contradictingParts
  /// The transaction identifier in the request is not the token's.
  case otherTransaction

  // The form of the input (stages 0 to 4)
  /// The empty payment of a simulator.
  case simulatorToken
  case tokenInArray
  /// A member, or a part of a request, holds a whole token.
  case tokenInMember
  /// The token of another wallet; the subject is the wallet.
  case otherWallet
  /// `paymentData` is a string with the token's JSON instead of the object.
  case paymentDataAsString
  /// A request of a gateway that this package does not read, with a token inside.
  case otherGatewayRequest
  case formBody, hexEncodedToken, pemArmour, curlCommand
  /// gzip or zlib, perhaps in base64 or hexadecimal.
  case compressedToken
  /// Character references of HTML, such as `&quot;`.
  case htmlEscapedToken
  /// A database's JSON, in which each value is in an object under the name of its type, such as `{"S": "EC_v1"}`.
  case typedJSON
  /// Quoted-printable text, as mail programs send it.
  case quotedPrintableToken
  /// An array of numbers, the bytes of the token.
  case byteArray
  /// A key, a certificate or a signing request where the token belongs.
  case keyFileAsToken
  /// One member instead of the token.
  case dataAlone, signatureAlone
  /// The output of a program that prints objects in a form of its own.
  case phpVarDump, phpPrintR, rubyHash, pythonDict, objectLiteral
  /// The output of another such program; the subject is its language or library.
  case printedObject
  /// Output of such a program without some of the token's bytes, or with an address or a count in place of them.
  case printedTextLostBytes
  /// A token within other text, such as a log line.
  case surroundedByText
  case severalDocuments, trailingComma, lineBreakInString
  /// snake_case, kebab-case or other capitals.
  case changedMemberNames
  /// A framework read the JSON as a form, so the JSON became the name of the form's only field.
  case tokenAsMemberName
  /// JSON without a token.
  case otherJSON
  /// Neither JSON nor any known wrapping.
  case unknownText

  // The encoding, the size and the syntax of the input (stages 0 to 4)
  case emptyInput, tokenTooLarge
  /// A byte-order mark of UTF-8, UTF-16 or UTF-32.
  case byteOrderMark
  /// A JSON string that holds the token's JSON or its header's, or the token's text with the quotes still escaped.
  case doubleEncodedJSON
  case base64EncodedToken, percentEncodedToken
  /// The token is a member of a larger document.
  case wrappedInEnvelope
  case truncatedJSON, malformedJSON, duplicateMember
  /// JSON beyond a limit: 32 levels, 2,048 members and elements, or 64 members in the token or its header.
  case jsonTooDeep, tooManyValues, tooManyMembers

  // Members (stages 3 and 4)
  case missingSignature, missingMember
  /// The parts have no signature, and the caller did not allow unsigned tokens.
  case unsignedNotAllowed
  /// The parts have no signature, which replay detection requires.
  case unsignedReplay
  /// The members of header are in the token object.
  case flattenedHeader
  case wrongType, unsupportedVersion
  /// The key member belongs to the other version.
  case versionContradictsKey
  case hexInsteadOfBase64, base64InsteadOfHex
  case applicationDataAsBase64, applicationDataNotHashed
  /// White space, the URL alphabet or lost padding.
  case alteredBase64
  /// Plus signs of base64 that a form decoder turned into spaces.
  case spacesForPluses
  case invalidEncoding
  /// An ephemeral key as a bare point, as PEM, or as a SubjectPublicKeyInfo of another length.
  case ephemeralKeyForm
  case wrongLength

  // Apple's signature (stages 5 to 9)
  case malformedSignature
  /// Attached CMS: Apple's is detached.
  case embeddedContent
  case notSignedByApple
  /// The chain ends in a root that the caller does not trust.
  case otherRoot
  /// Apple signed, but the caller replaced Apple's root.
  case appleRootReplaced
  case brokenChain, certificateRevoked
  /// The certificates have Apple's names, but Apple did not issue them.
  case forgedAppleNames
  /// A stored token whose signer's certificate has expired since the signing time.
  case storedTokenCertificateExpired
  case signerCertificateExpired, certificateNotYetValid
  /// Without application data, or with other application data, the signature would verify.
  case applicationDataBreaksSignature
  case signedMemberAltered, forgedSignature
  case storedTokenOutsideWindow, signedInFuture
  /// The signing time is within the window, but outside the policy's range.
  case signingTimeOutsideRange

  // The merchant's key (stages 10 to 12)
  case noKeyLoaded, keyOfOtherVersion
  /// A merchant identity certificate instead of the payment processing certificate.
  case identityCertificate
  /// A certificate of an authority, of a TLS server, or for signing apps instead of the payment processing certificate.
  case authorityCertificate, tlsCertificate, codeSigningCertificate
  /// The certificate that the token is encrypted to was given without its private key.
  case privateKeyMissing
  /// Probably a renewed certificate is loaded, and the token is encrypted to the previous one.
  case certificateNotActivated
  /// All loaded certificates of the merchant ID are newer than the token.
  case olderKeyNeeded
  /// All loaded certificates of the merchant ID had expired when the token was made.
  case merchantCertificateExpired
  case sandboxToken, unknownKey
  case invalidEphemeralKey
  case wrongMerchantID
  /// The given merchant ID is wrong; the subject names one that opens the token.
  case merchantIDFound
  /// The hash of the merchant ID was given instead of the merchant ID.
  case merchantIDGivenAsHash
  /// A loaded key opens the token, but publicKeyHash names another key or none.
  case publicKeyHashAltered
  case notForThisKey
  /// The RSA key that publicKeyHash names unwraps no key that opens the token.
  case notWrappedForThisKey
  /// The key could not be used: an external key did not answer, or libcrypto lacks memory, randomness or an algorithm.
  case keyUnavailable

  // The payment and the order (stages 13 and 14)
  case unexpectedPayload, otherOrder
  /// The payment is in another currency than expected; the subject is the payment's currency.
  case otherCurrency
  /// Minor units were given for major ones, or the reverse; the subject is the factor between the two amounts.
  case amountInOtherUnits
  case replayedTransaction, replayStoreFull, replayStoreUnavailable

  // Keys that could not be loaded
  case keyCertificateMismatch
  case merchantIDMissing, merchantIDMismatch
  // Key files that cannot be used as they are, by the names of their `KeyError.Code`
  case publicKeyGiven, requestGiven, archiveWithoutKey, unsupportedCurve
  case explicitCurveParameters, escapedPEM, notPlainText, bareBase64, bareHexadecimal
  /// A key or certificate file in another unsupported format.
  case keyFormat
  /// An encrypted file whose password is missing or wrong.
  case keyPassword
  case unusableKeys
}

/// A diagnosis and its subject.
struct Verdict: Hashable {
  let diagnosis: Diagnosis
  let subject: String?
  /// A shell command that reads the input and writes the token without its wrapping.
  let command: String?
  /// What the sentence says after the subject: the diagnosis' sentence, unless the case needs words of its own.
  let remedy: String

  init(_ diagnosis: Diagnosis, _ subject: String? = nil, command: String? = nil, remedy: String? = nil) {
    self.diagnosis = diagnosis
    self.subject = subject
    self.command = command
    self.remedy = remedy ?? diagnosis.sentence
  }

  /// The same verdict with a command that also repairs the base64 of `token`, the token inside the input.
  func repairing(_ token: JSON?) -> Verdict {
    Verdict(diagnosis, subject, command: Base64Repair.completing(command, of: token), remedy: remedy)
  }

  /// The verdict in words for testers who make their own tokens.
  var forTesters: Verdict {
    guard let other = diagnosis.sentenceForTesters, remedy.hasSuffix(diagnosis.sentence) else { return self }
    return Verdict(
      diagnosis, subject, command: command, remedy: remedy.dropLast(diagnosis.sentence.count) + other)
  }

  /// The subject, with its introduction, then the problem and the fix in one sentence.
  var sentence: String { subject.map { "\(diagnosis.introduction)\($0): \(remedy)" } ?? remedy }
}
