import MerchantKeys

extension Diagnosis {
  /// The words before the subject in the sentence of an explanation.
  var introduction: String {
    switch self {
    case .merchantIDFound: "use --merchant-id "
    case .otherCurrency: "currencyCode is "
    case .amountInOtherUnits: "transactionAmount differs by exactly "
    default: ""
    }
  }

  /// One sentence with the problem and the fix. It begins in lower case if a subject or the broken rule always stands
  /// before it. It never quotes the token.
  public var sentence: String {
    switch self {
    case .sound:
      "Every check passed: the token chains to a trusted root, and the loaded key opens it."
    case .unsignedToken:
      "THE TOKEN IS UNSIGNED, so anyone who has the merchant's public key may have made it: "
        + "trust it only as far as you trust the sender of the request."
    case .requestTooLarge:
      "The request is larger than 65,536 bytes, the limit for requests: check the input."
    case .requestNotJSON:
      "The request is not strict JSON in UTF-8: pass it complete and unchanged."
    case .ambiguousEnvelope:
      "The request matches more than one envelope: name the right one with --envelope."
    case .otherEnvelope:
      "The request matches this envelope, not the one that was named: name this one with --envelope."
    case .noTokenInRequest:
      "The request has no token where this envelope puts it: check --envelope, and pass the whole request."
    case .severalTokensInRequest:
      "The request has a token in more than one place: have the client send exactly one."
    case .repeatedNameInRequest:
      "A name on the path to the token occurs twice, so two readers may disagree: "
        + "pass the request unchanged, as it arrived."
    case .wrongTypeInRequest:
      "The token in the request has another JSON type than this gateway documents: "
        + "have the client send it as documented."
    case .invalidBase64InRequest:
      "The token in the request is not strict base64 (standard alphabet, padded, no white space): "
        + "encode the bytes of paymentData once."
    case .contradictingField:
      "A field of the request has a value other than the one that this gateway documents for Apple Pay, or the right "
        + "value in the wrong JSON type, such as a string for a number: check --envelope and the client."
    case .contradictingParts:
      "A part of the token is in the request under two names that do not hold the same string: "
        + "have the client send it under one of them."
    case .otherTransaction:
      "The transaction identifier in the request is not the token's: take both from the same payment."
    case .simulatorToken:
      "Simulators make no payment token: use a device with a sandbox account, or make a test token with assay mint."
    case .tokenInArray:
      "The token is an element of an array: pass the element alone."
    case .tokenInMember:
      "The member holds a whole token, where one member of it belongs: pass that token alone, or send its data, "
        + "signature, transactionId and the others each in its place."
    case .otherWallet:
      "This is a token of the wallet named here, which no key for Apple Pay opens: "
        + "give it to that wallet's decryption, or to a payment provider."
    case .paymentDataAsString:
      "paymentData is a string with the token's JSON instead of the object: parse it once, and do not call "
        + "JSON.stringify on paymentData before the whole payment is written."
    case .otherGatewayRequest:
      "This is a request to the gateway named here, which has the token at the path named here: "
        + "take the token from there."
    case .formBody:
      "This is the body of a form, with the token in the field named here: decode that field and pass its content."
    case .hexEncodedToken:
      "The whole token is hexadecimal: decode it and pass the JSON."
    case .compressedToken:
      "The input is compressed: decompress it, and explain what comes out."
    case .htmlEscapedToken:
      "The text has HTML's character references, such as &quot; for quotation marks: decode them and pass the JSON."
    case .typedJSON:
      "This is a database's JSON, which names the type of each value: "
        + "convert it to plain JSON before the token is taken from it."
    case .quotedPrintableToken:
      "The text is quoted-printable, as in mail: decode it and pass the JSON."
    case .byteArray:
      "The token is written as an array of the numbers of its bytes: write the bytes as text, and pass the JSON."
    case .pemArmour:
      "The token is PEM-encoded, with BEGIN and END lines around base64: decode the base64 and pass the JSON."
    case .curlCommand:
      "This is a curl command, not its body: pass the JSON of its --data alone."
    case .keyFileAsToken:
      "This is a key, a certificate or a signing request, not a token: pass the token as FILE, its private key with "
        + "--key, and the certificate with --cert."
    case .dataAlone:
      "This is binary data, probably the member data alone: pass all of paymentData, "
        + "with version, data, signature and header."
    case .signatureAlone:
      "This is a CMS signature, probably the member signature alone: pass all of paymentData, "
        + "with version, data, signature and header."
    case .phpVarDump:
      "This is the output of PHP's var_dump, not JSON: write the token with json_encode."
    case .phpPrintR:
      "This is the output of PHP's print_r, not JSON: write the token with json_encode."
    case .rubyHash:
      "This is a Ruby hash as inspect prints it, not JSON: write the token with to_json."
    case .pythonDict:
      "Names are in single quotes, as in a Python dict, which is not JSON: write the token with json.dumps."
    case .objectLiteral:
      "The names are not in double quotes, as JavaScript's console and Ruby print objects: "
        + "write the token with JSON.stringify or to_json."
    case .printedObject:
      "The token is printed as the language or library named here prints an object, which is not JSON: "
        + "write the token as JSON, or send base64 of paymentData."
    case .printedTextLostBytes:
      "This is how the language or library named here prints an object, and the printed text lost bytes: "
        + "send base64 of paymentData."
    case .surroundedByText:
      "The token is within other text, such as a log line: pass it alone, as JSON from its opening brace to the "
        + "closing brace that belongs to it; base64 and hexadecimal have to be decoded."
    case .severalDocuments:
      "The input has several JSON documents: pass one token at a time."
    case .trailingComma:
      "A comma precedes a closing bracket, which JSON does not allow: "
        + "remove it, or pass the bytes of paymentData as the device sent them."
    case .lineBreakInString:
      "A string is broken into lines, as by a mail program or an editor: remove the line breaks."
    case .changedMemberNames:
      "The names of members were changed to snake_case, kebab-case or other capitals: "
        + "keep the names as the device sent them."
    case .tokenAsMemberName:
      "A framework read the JSON body as a form, and the token became the name of a member: "
        + "send it with Content-Type application/json."
    case .otherJSON:
      "This is JSON, but there is no token in it: pass the value of paymentData, "
        + "an object with version, data, signature and header."
    case .unknownText:
      "The input is neither JSON nor any known wrapping of a token: "
        + "pass the bytes of paymentData as the device sent them."
    case .emptyInput:
      "The input is empty, as paymentData of a simulator is: pass the bytes of paymentData from a device."
    case .tokenTooLarge:
      "The input is larger than 16,384 bytes, the limit for tokens: check the input."
    case .byteOrderMark:
      "The input begins with a byte-order mark: save it as UTF-8 without one."
    case .doubleEncodedJSON:
      "The token's JSON was encoded a second time, as a JSON string: decode that string and pass its content."
    case .base64EncodedToken:
      "The whole token is base64: decode it and pass the JSON."
    case .percentEncodedToken:
      "The token is percent-encoded, as in a form: decode it and pass the JSON."
    case .wrappedInEnvelope:
      "The token is inside a larger document: pass only the value of the member named here, "
        + "or the whole document with --envelope."
    case .truncatedJSON:
      "The JSON is cut off before its end: pass all of paymentData."
    case .malformedJSON:
      "The JSON has an error, or is not strict JSON in UTF-8: pass the bytes of paymentData as the device sent them."
    case .jsonTooDeep:
      "The JSON is more than 32 levels deep, the limit for tokens and requests: pass the value of paymentData alone."
    case .tooManyValues:
      "The JSON has more than 2,048 members and elements, the limit for tokens and requests: pass the value of "
        + "paymentData alone."
    case .tooManyMembers:
      "An object in the JSON has more than 64 members, the limit for tokens: pass the value of paymentData alone."
    case .duplicateMember:
      "A member name occurs twice, so two readers may disagree: pass paymentData as the device sent it."
    case .missingSignature:
      "The token has no signature, so its origin cannot be verified: have the client send all of paymentData."
    case .unsignedNotAllowed:
      "The token is unsigned, so anyone may have made it: reject it, or accept unsigned tokens "
        + "with --unsigned if you trust the sender of the request."
    case .unsignedReplay:
      "The token is unsigned, so it has no trustworthy identifier by which a replay could be detected: "
        + "have the client send the signature."
    case .missingMember:
      "A required member is missing: have the client send all of paymentData."
    case .flattenedHeader:
      "The members of header are outside of it: keep the nesting of paymentData as the device sent it."
    case .wrongType:
      "A member has another JSON type than Apple documents: pass paymentData as the device sent it."
    case .unsupportedVersion:
      "The version is neither EC_v1 nor RSA_v1: check that this is an Apple Pay payment token."
    case .versionContradictsKey:
      "The version and the key member belong to different kinds of token: pass both as the device sent them."
    case .hexInsteadOfBase64:
      "The member was converted to hexadecimal, but must be base64: pass it as the device sent it."
    case .base64InsteadOfHex:
      "The member was converted to base64, but must be hexadecimal: pass it as the device sent it."
    case .applicationDataAsBase64:
      "applicationData was converted to base64, but must be a hexadecimal SHA-256: pass it as the device sent it."
    case .applicationDataNotHashed:
      "applicationData is not a hexadecimal SHA-256: pass the hash that the device sent, not the data of the request."
    case .alteredBase64:
      "The base64 was altered in transit (URL alphabet, white space or lost padding): pass it as the device sent it."
    case .spacesForPluses:
      "The plus signs of the base64 became spaces in a form: encode them as %2B before sending, or send JSON."
    case .invalidEncoding:
      "The member is neither the base64 nor the hexadecimal that Apple documents: pass it as the device sent it."
    case .ephemeralKeyForm:
      "The ephemeral key is not in the 91-byte form with a named curve, the only one that devices send: do not convert it."
    case .wrongLength:
      "The decoded member does not have the length that Apple documents: pass it as the device sent it."
    case .malformedSignature:
      "Apple's signatures never break this rule, so this one was altered, re-encoded or made by someone else: "
        + "compare it with the one that the device sent."
    case .embeddedContent:
      "Apple's signatures are detached, so someone re-encoded or made this one: "
        + "pass the one that the device sent."
    case .notSignedByApple:
      "these are not the certificates of Apple's payment signer, so someone else made this token: reject it."
    case .otherRoot:
      "reject the token, or, if it is from a test environment of yours, trust that environment's root with --root."
    case .appleRootReplaced:
      "Apple signed this token, but --root replaced Apple's root with others: omit --root."
    case .brokenChain:
      "Apple issued these certificates, but not for signing tokens: reject the token."
    case .forgedAppleNames:
      "the certificates bear Apple's names, but were not issued by Apple: treat the token as a forgery, "
        + "or, if you made it as a test, trust its root with --root."
    case .certificateRevoked:
      "reject the token, whose signer you do not trust any more."
    case .storedTokenCertificateExpired:
      "it was valid at the signing time, so verify a stored token with --at signing-time, and reject a live one."
    case .signerCertificateExpired:
      "it was not valid at the signing time either, so reject the token."
    case .certificateNotYetValid:
      "correct the clock, or --at."
    case .applicationDataBreaksSignature:
      "The signature does not verify because of applicationData alone: pass header.applicationData exactly as the "
        + "device sent it, or omit it if the device sent none."
    case .signedMemberAltered:
      "one of these members was altered, removed or added after signing: pass all of them as the device sent them."
    case .forgedSignature:
      "the signature was not made with the key of the token's signer certificate: reject the token."
    case .storedTokenOutsideWindow:
      "The token was signed longer ago than the window allows: for a stored token use --at signing-time, "
        + "and reject a live one."
    case .signedInFuture:
      "The signing time is later than the verification time and window allow: correct the clock, or --at."
    case .signingTimeOutsideRange:
      "The signing time is outside the range that the policy's signingTimes allow: correct the range, or reject the token."
    case .noKeyLoaded:
      "All checks so far passed, but no key was given to open the token: "
        + "add --key, and --cert or --merchant-id, for the certificate with this publicKeyHash."
    case .keyOfOtherVersion:
      "No loaded key is of the kind that this token version needs, and keys cannot be converted: load the EC key of the "
        + "payment processing certificate for EC_v1, its RSA key for RSA_v1 (used in China); that of a TLS server opens "
        + "no token."
    case .identityCertificate:
      "This is a merchant identity certificate, which only authenticates sessions with Apple's servers: "
        + "load the payment processing certificate and its key."
    case .authorityCertificate:
      "This certificate says that it is a CA certificate, or is that of Apple's payment signer, not a merchant's: "
        + "give the merchant's payment processing certificate and its key."
    case .tlsCertificate:
      "This is the certificate of a TLS server, whose key opens no token and cannot be converted: "
        + "give the payment processing certificate and its key."
    case .codeSigningCertificate:
      "This is a certificate for signing apps (development or distribution), whose key opens no token: "
        + "give the payment processing certificate and its key."
    case .privateKeyMissing:
      "The token is encrypted to a certificate whose private key was not given: add the private key of its certificate "
        + "signing request, or, if a payment provider made the request, let them decrypt or make a certificate of your own."
    case .certificateNotActivated:
      "The token is not encrypted to the new certificate but probably to the previous one: "
        + "activate the new one in Apple's portal, and load both keys until tokens for the old one stop."
    case .olderKeyNeeded:
      "The token is older than every loaded certificate of this merchant ID: "
        + "also load the key of the previous certificate."
    case .merchantCertificateExpired:
      "Every loaded certificate of this merchant ID had expired when the token was made: "
        + "load the renewed certificate and its key."
    case .sandboxToken:
      "The token comes from Apple's sandbox and none of these keys opens it: "
        + "load the key of the merchant ID that the test app uses."
    case .unknownKey:
      "No loaded key has the token's publicKeyHash: "
        + "load the key and certificate of the merchant ID that the app or web page uses, current or previous."
    case .invalidEphemeralKey:
      "The ephemeral key is not a point on P-256: reject the token."
    case .wrongMerchantID:
      "publicKeyHash names this key, but the merchant ID that was given does not open the token: "
        + "give the merchant ID as registered with Apple, or the certificate, which contains it; "
        + "if it is right, publicKeyHash was altered."
    case .merchantIDFound:
      "it opens this token, unlike the merchant ID that was given."
    case .merchantIDGivenAsHash:
      "The hash of the merchant ID was given instead of the merchant ID: "
        + "give the merchant ID as registered with Apple, such as merchant.com.example."
    case .publicKeyHashAltered:
      "This loaded key opens the token, but publicKeyHash is not the key's: "
        + "that member is unsigned and was altered, pass it as the device sent it."
    case .notForThisKey:
      "publicKeyHash names this key, but the token does not open with it: if the key is used for another merchant ID "
        + "too, name that with --merchant-id and without the certificate; if not, publicKeyHash was altered or bytes were "
        + "moved from one signed member to another, and the token is to be rejected."
    case .notWrappedForThisKey:
      "publicKeyHash names this key, but the key that wrappedKey yields does not decrypt the token: publicKeyHash was "
        + "altered or bytes were moved from one signed member to another, and the token is to be rejected."
    case .keyUnavailable:
      "The key could not be used, which says nothing about the token: check the HSM or KMS, or the process's memory "
        + "and OpenSSL's configuration, and retry."
    case .unexpectedPayload:
      "Apple's payloads obey this rule, so keep the token, and report the rule, without the token, to the maintainers of "
        + "assay."
    case .otherOrder:
      "The token was made for another order: compare it with the payment request that the page made."
    case .otherCurrency:
      "the payment is in this currency, not in the expected one: compare the order with the payment request."
    case .amountInOtherUnits:
      "minor and major units may be mixed up, or decimals that the currency does not have: compare both in minor "
        + "units, and reject the token if the order's amount is right."
    case .replayedTransaction:
      "This transaction was seen before: return the first result, and do not charge again."
    case .replayStoreFull:
      "The replay store is full, or does not remember for as long as the window demands, so a replay could not be "
        + "detected: enlarge it or shorten the window, then try again."
    case .replayStoreUnavailable:
      "The replay store did not answer, so a replay could not be detected: check the store and retry."
    case .keyCertificateMismatch:
      "No private key was given that belongs to this certificate: "
        + "give the private key of its certificate signing request."
    case .merchantIDMissing:
      "The key has no merchant ID, which decryption requires: "
        + "add its certificate, or --merchant-id with the ID as registered with Apple."
    case .merchantIDMismatch:
      "The given merchant ID is not the certificate's: omit --merchant-id, or correct it."
    case .publicKeyGiven: KeyError.Code.publicKeyGiven.advice
    case .requestGiven: KeyError.Code.requestGiven.advice
    case .archiveWithoutKey: KeyError.Code.archiveWithoutKey.advice
    case .unsupportedCurve: KeyError.Code.unsupportedCurve.advice
    case .explicitCurveParameters: KeyError.Code.explicitCurveParameters.advice
    case .escapedPEM: KeyError.Code.escapedPEM.advice
    case .notPlainText: KeyError.Code.notPlainText.advice
    case .bareBase64: KeyError.Code.bareBase64.advice
    case .bareHexadecimal: KeyError.Code.bareHexadecimal.advice
    case .keyFormat:
      "The format of the file is not supported: "
        + "convert it to a PEM or DER private key or certificate."
    case .keyPassword:
      "The file is encrypted, and its password is missing or wrong: give the right one with --password-file."
    case .unusableKeys:
      "The keys could not be loaded: fix the error named here, and try again."
    }
  }

  /// The sentence for testers who make their own tokens (`areOwn(for:)`) and can fix the program that makes them; nil
  /// if `sentence` serves them too.
  package var sentenceForTesters: String? {
    switch self {
    case .ephemeralKeyForm:
      "The ephemeral key must be a SubjectPublicKeyInfo in DER with the named curve P-256, 91 bytes: write it like "
        + "that, in base64 (64 bytes are x and y alone, 65 bytes the bare point, 120 a key on P-384; a certificate, a "
        + "private key and PEM have more)."
    case .invalidEphemeralKey:
      "The ephemeral key is not a SubjectPublicKeyInfo with the named curve P-256 and a point on it: it has another "
        + "curve's OID or another prefix than 04, or x and y are not of one point, so write 3059301306072A8648CE3D020106"
        + "082A8648CE3D030107034200, 04, x and y."
    case .signedInFuture:
      "The signing time is later than the verification time and window allow: correct the clock, or --at, or write "
        + "signingTime in UTC, if a local time was written with a Z."
    case .notForThisKey:
      "publicKeyHash names this key, but the token does not open with it: if the key is used for another merchant ID "
        + "too, name that with --merchant-id and without the certificate; if not, publicKeyHash was altered, or the "
        + "program that minted the token \(Diagnosis.derivation)"
    case .notWrappedForThisKey:
      "publicKeyHash names this key, but the key that wrappedKey yields does not decrypt the token: publicKeyHash was "
        + "altered, or the program that minted the token wraps another key than the 16 bytes that it encrypts with, or "
        + "otherwise than by RSAES-OAEP with SHA-256 as the hash and in MGF1 and with an empty label, or "
        + Diagnosis.encryption(bits: 128)
    case .wrongMerchantID:
      "publicKeyHash names this key, but the merchant ID that was given does not open the token: give the merchant ID "
        + "that it was minted for, or the certificate, which contains it; if it is right, publicKeyHash was altered, or "
        + "the program that minted the token \(Diagnosis.derivation)"
    case .unknownKey, .certificateNotActivated, .olderKeyNeeded, .merchantCertificateExpired, .sandboxToken,
      .publicKeyHashAltered:
      sentence.dropLast() + ", or, if you minted the token, write the SHA-256 of the key's SubjectPublicKeyInfo in DER."
    case .unexpectedPayload:
      "have the program that minted the token write it like that."
    default: nil
    }
  }

  /// Rules 11.2 and 12.1.
  private static let derivation =
    "derives the key of EC_v1 otherwise than as SHA-256 of 00000001, the shared secret (of this ephemeral key and this "
    + "merchant key, 32 bytes with its leading zeros), 0D, `id-aes256-GCM`, `Apple` and the 32 bytes of the merchant-ID "
    + "hash, or \(encryption(bits: 256))"

  private static func encryption(bits: Int) -> String {
    "encrypts otherwise than with AES-\(bits)-GCM, an IV of 16 zero bytes, no AAD, the ciphertext first in data and the "
      + "tag of 16 bytes last."
  }
}
