extension Diagnosis {
  /// One sentence: what is the matter, and what to do about it. Fixed text, nothing of the token in it.
  public var sentence: String {
    switch self {
    case .sound:
      "Every check passed: the token leads to a trusted root, and the loaded key opens it."
    case .unsignedToken:
      "NOBODY SIGNED THIS TOKEN, so anyone who has the merchant's public key may have made it: "
        + "trust it no further than you trust whoever sent the request."
    case .requestTooLarge:
      "The request is larger than any a token comes in (262,144 bytes): check what was passed."
    case .requestNotJSON:
      "The request is not strict JSON in UTF-8: pass it as it arrived, unchanged and whole."
    case .ambiguousEnvelope:
      "The request has the shape of more than one envelope: name the right one with --envelope."
    case .otherEnvelope:
      "The request has the shape of this envelope, and another was named: name this one with --envelope."
    case .noTokenInRequest:
      "The request has no token where this envelope has it: check --envelope, and pass the whole request."
    case .severalTokensInRequest:
      "The request has a token in several places, and only one can be meant: have the client send one."
    case .repeatedNameInRequest:
      "A name on the way to the token occurs twice, which two readers may read in two ways: "
        + "pass the request as it arrived."
    case .wrongTypeInRequest:
      "The token's place in the request holds another JSON type than this gateway documents: "
        + "have the client send it as documented."
    case .invalidBase64InRequest:
      "The token in the request is not strict base64 (standard alphabet, padded, no white space): "
        + "encode the bytes of paymentData once."
    case .contradictingField:
      "A field of the request says that it holds no Apple Pay token of this gateway: "
        + "check --envelope, or what the client sends."
    case .otherTransaction:
      "The identifier beside the token names another transaction: take both from the same payment."
    case .emptyInput:
      "The input is empty: pass the bytes of paymentData."
    case .tokenTooLarge:
      "The input is larger than any token (65,536 bytes): check what was passed."
    case .byteOrderMark:
      "The input begins with a byte-order mark: save it as UTF-8 without one."
    case .doubleEncodedJSON:
      "The token's JSON was encoded as a JSON string once more: parse that string, and pass what it holds."
    case .base64EncodedToken:
      "The whole token is base64: decode it once, and pass the JSON inside."
    case .percentEncodedToken:
      "The token is percent-encoded, as a form sends it: decode it once, and pass the JSON inside."
    case .wrappedInEnvelope:
      "The token lies inside a larger document: pass the value of the member named here alone, "
        + "or the whole with --envelope of its gateway."
    case .truncatedJSON:
      "The JSON ends before it is complete: it was cut, pass all of paymentData."
    case .malformedJSON:
      "The input is not strict JSON in UTF-8: pass the bytes of paymentData as the device sent them."
    case .duplicateMember:
      "A member name occurs twice, which two readers may read in two ways: pass paymentData as the device sent it."
    case .missingSignature:
      "The token has no signature, so nobody can tell who made it: have the client send the whole of paymentData."
    case .unsignedNotAllowed:
      "The parts come without a signature, so anyone may have made them: refuse them, or take them unsigned "
        + "with --unsigned if you trust whoever sent the request."
    case .unsignedReplay:
      "Nobody signed this token, so nothing in it can be remembered to detect a replay: "
        + "have the client send the signature."
    case .missingMember:
      "A required member is absent: have the client send the whole of paymentData, not a part of it."
    case .flattenedHeader:
      "The header's members do not stand in a member header: keep the nesting of paymentData as the device sent it."
    case .wrongType:
      "A member has another JSON type than Apple documents: pass paymentData as the device sent it."
    case .unsupportedVersion:
      "The version is not one that is opened here: check that this is an Apple Pay payment token."
    case .versionContradictsKey:
      "The version says one kind of token and the key field another: pass both as the device sent them."
    case .hexInsteadOfBase64:
      "The member was converted to hexadecimal, and base64 is expected: pass it as the device sent it."
    case .base64InsteadOfHex:
      "The member was converted to base64, and hexadecimal is expected: pass it as the device sent it."
    case .applicationDataAsBase64:
      "applicationData was converted to base64, and the hexadecimal SHA-256 is expected: pass it as the device sent it."
    case .applicationDataNotHashed:
      "applicationData is not a SHA-256 in hexadecimal: keep what the device sent, not the request's own data."
    case .alteredBase64:
      "The base64 was altered on its way (URL alphabet, white space or lost padding): pass it as the device sent it."
    case .invalidEncoding:
      "The member is in neither base64 nor hexadecimal as Apple documents it: pass it as the device sent it."
    case .ephemeralKeyForm:
      "The ephemeral key is not in the 91-byte form that names its curve, the only one devices send: do not convert it."
    case .wrongLength:
      "The member decodes to the wrong length: it was cut or encoded twice, pass it as the device sent it."
    case .malformedSignature:
      "The signature is not the CMS that Apple's tokens carry: it was altered, re-encoded or made by someone else."
    case .notSignedByApple:
      "The certificates are not those of Apple's payment signer: someone else made this token, refuse it."
    case .otherRoot:
      "The token was signed under a root that is not trusted here, so it comes from another environment: "
        + "refuse it, or name a test environment's root with --root."
    case .appleRootReplaced:
      "Apple signed this token, but --root put other roots in place of Apple's: leave --root out."
    case .brokenChain:
      "The certificates name a trusted root, but it did not issue them: someone else made this token, refuse it."
    case .certificateRevoked:
      "A certificate of the signature is on the list of --revoked: refuse the token."
    case .storedTokenCertificateExpired:
      "The signer's certificate was valid at the signing time and has expired since: "
        + "verify this stored token with --at signing-time."
    case .signerCertificateExpired:
      "The signer's certificate had expired when the token was signed: refuse it."
    case .certificateNotYetValid:
      "The signer's certificate is not valid yet at the verification time: set the clock right, or --at."
    case .applicationDataBreaksSignature:
      "Only applicationData keeps the signature from holding: pass header.applicationData exactly as the device sent "
        + "it, or leave it out if the device sent none."
    case .signedMemberAltered:
      "A signed member (data, ephemeralPublicKey, wrappedKey, transactionId or applicationData) was altered, dropped "
        + "or added after signing: pass all of them as the device sent them."
    case .forgedSignature:
      "The digest fits the token, but the signer's key did not sign it: refuse it."
    case .storedTokenOutsideWindow:
      "The token was signed longer ago than the window allows: for a stored token use --at signing-time, "
        + "a live one is refused."
    case .signedInFuture:
      "The token was signed later than the verification time and window allow: set the clock right, or --at."
    case .noKeyLoaded:
      "All checks so far passed, and no key was given to open the token: "
        + "add --key, and --cert or --merchant-id, of the certificate with this publicKeyHash."
    case .keyOfOtherVersion:
      "The loaded keys open the other version of tokens: "
        + "load an EC key for EC_v1, an RSA key for RSA_v1 (used in China)."
    case .identityCertificate:
      "This is a merchant identity certificate, which only opens sessions with Apple's servers: "
        + "load the payment processing certificate and its key."
    case .privateKeyMissing:
      "The token was made for a certificate whose private key was not given: "
        + "add the key its signing request was made with."
    case .certificateNotActivated:
      "The token was not made for the new certificate but, it seems, for the one before: "
        + "activate the new one in Apple's portal, and load both keys until no token comes for the old."
    case .olderKeyNeeded:
      "The token is older than every certificate loaded: load the key of the certificate before as well."
    case .merchantCertificateExpired:
      "Every certificate loaded had expired when the token was made: load the renewed certificate and its key."
    case .sandboxToken:
      "The token comes from Apple's sandbox and was made for none of these keys: "
        + "load the key of the merchant ID that the test app uses."
    case .unknownKey:
      "No loaded key has the token's publicKeyHash: "
        + "load the key and certificate of the merchant ID that the app or page asks to pay."
    case .invalidEphemeralKey:
      "The ephemeral key is no point of its curve: refuse the token."
    case .wrongMerchantID:
      "The key is the right one and the merchant ID is not: "
        + "give the merchant ID as registered with Apple, or the certificate, which holds it."
    case .merchantIDGivenAsHash:
      "The hash of the merchant ID was given where the merchant ID belongs: "
        + "give the merchant ID as registered with Apple, such as merchant.com.example."
    case .publicKeyHashAltered:
      "Another loaded key opens the token than the one its publicKeyHash names: "
        + "that member is not signed and was altered, pass it as the device sent it."
    case .notForThisKey:
      "The key and its merchant ID belong together, and the data does not open: "
        + "publicKeyHash was altered or signed members were shifted, refuse the token."
    case .keyUnavailable:
      "The key store outside did not give the shared secret, which says nothing about the token: see to it and retry."
    case .unexpectedPayload:
      "The payload opens, but is not what Apple documents for this version: keep the token and report it."
    case .otherOrder:
      "The token was made for another order than expected: compare it with the payment request that the page made."
    case .replayedTransaction:
      "This transaction was seen before: answer with the first result, and do not charge again."
    case .replayStoreFull:
      "The replay store has no room left, and the token must not be accepted unseen: enlarge it, then try again."
    case .keyCertificateMismatch:
      "Certificate and private key do not belong together: "
        + "give the key that the certificate's signing request was made with."
    case .merchantIDMissing:
      "The key has no merchant ID, without which nothing can be decrypted: "
        + "add its certificate, or --merchant-id with the ID as registered with Apple."
    case .merchantIDMismatch:
      "The merchant ID given is not the one the certificate was made for: leave --merchant-id out, or correct it."
    case .keyFormat:
      "The file is not in a form that is read here: "
        + "convert it to a PEM or DER private key or certificate, and try again."
    case .keyPassword:
      "The file is encrypted, and its password is missing or wrong: name a file that holds it with --password-file."
    case .unusableKeys:
      "The keys could not be loaded: see to what is said of them, and try again."
    }
  }
}
