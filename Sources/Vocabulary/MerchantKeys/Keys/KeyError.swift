/// Why keys, certificates or roots could not be loaded. It never contains a part of a key.
public struct KeyError: Error, Hashable, Sendable {
  /// The reason, with a stable name.
  public let code: Code
  /// The name of the file concerned, as given by the caller; nil when the error concerns no file.
  public let file: String?
  /// For `malformedCertificate`: the rule that the certificate breaks.
  public let certificateError: CertificateError?
  /// Whether the file was given for root certificates, so that advice on keys does not help.
  private var isAmongRoots = false

  /// An error from its parts.
  public init(_ code: Code, file: String? = nil, certificateError: CertificateError? = nil) {
    self.code = code
    self.file = file
    self.certificateError = certificateError
  }

  /// One sentence for people: the problem and the fix.
  public var advice: String {
    if isAmongRoots {
      return "The file was given for root certificates, but has something else: give certificates alone, as PEM or DER."
    }
    guard code == .malformedCertificate else { return code.advice }
    switch certificateError {
    case .malformedStructure:
      return
        "The certificate is not of version 3, which is written as the INTEGER 2, or not well-formed: download it again, "
        + "or, if it is your own, issue it with extensions, which makes it version 3 (openssl req -x509, or openssl x509 "
        + "with -extfile)."
    case .malformedPublicKey:
      return
        "The certificate's key is malformed, or lists the parameters of its curve instead of its name: download it "
        + "again, or, if it is your own, issue it with a named curve (openssl ec -param_enc named_curve converts a key)."
    default: return code.advice
    }
  }

  /// The same error for a file of root certificates: advice about keys is replaced.
  var amongRoots: KeyError {
    switch code {
    case .fileTooLarge, .unrecognisedFile, .malformedPEM, .escapedPEM, .notPlainText, .bareBase64, .bareHexadecimal,
      .certificateBundle, .trustedCertificate, .requestGiven, .emptyFile, .malformedCertificate, .memoryUnavailable,
      .cryptographyUnavailable:
      return self
    default:
      var error = self
      error.isAmongRoots = true
      return error
    }
  }

  /// The error with the file's name, unless it already has one.
  func named(_ name: String?) -> KeyError {
    KeyError(code, file: file ?? name, certificateError: certificateError)
  }

  /// The stable codes.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Files
    /// More than 64 MiB.
    case fileTooLarge
    /// Neither PEM, nor exactly one DER value of a supported kind, nor a JSON Web Key, nor a scalar in hexadecimal.
    case unrecognisedFile
    /// A PEM block (RFC 7468) is cut off, badly framed, not padded base64, or a certificate with headers.
    case malformedPEM
    /// PEM whose line ends are written out as `\n`, as in an environment variable or JSON.
    case escapedPEM
    /// PEM in UTF-16.
    case notPlainText
    /// The base64 of a DER value, a .p12 or PEM, without BEGIN and END lines around it.
    case bareBase64
    /// The hexadecimal of a DER value, a .p12 or PEM.
    case bareHexadecimal
    /// 32 bytes, or their base64: the scalar of a private key, or a hash.
    case bareScalar
    /// A set of JSON Web Keys (RFC 7517 section 5).
    case webKeySet
    /// A key store of Java: JKS or JCEKS.
    case javaKeyStore
    /// Certificates in a CMS SignedData, as in a .p7b (RFC 5652).
    case certificateBundle
    /// A certificate with OpenSSL's own statements of trust.
    case trustedCertificate
    /// A PEM block or DER value that is neither a private key nor a certificate.
    case unsupportedBlock
    /// A public key.
    case publicKeyGiven
    /// A public key that cannot be decoded, or whose point is not on its curve.
    case malformedPublicKey
    /// An EC public key whose point is compressed (SEC 1 section 2.3.3).
    case compressedPublicKey
    /// An RSAPublicKey (RFC 8017 appendix A.1.1) without the SubjectPublicKeyInfo around it.
    case bareRSAPublicKey
    /// A private key in the format of OpenSSH.
    case openSSHKey
    /// A private key in the format of PuTTY (.ppk).
    case puttyKey
    /// A certificate signing request (RFC 2986) in place of a certificate or key.
    case requestGiven
    /// PEM without any private key or certificate, or an empty .p12.
    case emptyFile
    /// A private key in OpenSSL's traditional encryption, with headers in its PEM (RFC 1421).
    case encryptedKey
    /// An encrypted private key or .p12 without its password.
    case passwordNeeded
    /// The password does not decrypt the file.
    case wrongPassword
    /// The password has more than 1,024 bytes, or contains a NUL.
    case unusablePassword
    /// An encryption that libcrypto does not support, or only with its legacy provider.
    case unsupportedEncryption
    /// The password hashing of the file takes more than 3,000,000 iterations, or more than 32 MiB for scrypt; or the
    /// file contains more than 750 RSA keys of 2,048 bits, or 93 of 4,096.
    case excessiveKeyDerivation
    /// A .p12 (RFC 7292) that cannot be decoded, or that other bytes follow.
    case malformedPKCS12
    /// A .p12 with certificates, but without any private key.
    case archiveWithoutKey
    // Private keys
    /// A private key that cannot be decoded, or that other bytes follow.
    case malformedKey
    /// Neither an EC nor an RSA key.
    case unsupportedKeyAlgorithm
    /// An EC key whose curve is not P-256.
    case unsupportedCurve
    /// An EC key on P-256 that lists the curve's parameters instead of its name.
    case explicitCurveParameters
    /// A scalar outside 1…n−1.
    case scalarOutOfRange
    /// The public key in the file does not belong to the private key.
    case publicKeyMismatch
    /// An RSA key outside 2,048 to 4,096 bits.
    case rsaKeySize
    /// An RSA key whose public exponent is not 65537.
    case rsaExponent
    /// An RSA key whose numbers are inconsistent.
    case rsaKeyInconsistent
    // Certificates
    /// A certificate that breaks the rules; `certificateError` says which.
    case malformedCertificate
    /// Apple's merchant-ID extension is not a DER UTF8String of 64 hex digits.
    case malformedMerchantIDExtension
    /// Certificates were given, and none belongs to a given private key.
    case certificateWithoutKey
    /// A certificate that the caller paired with a private key that is not its own.
    case certificateMismatch
    // Requests
    /// A PKCS #10 request (RFC 2986) that cannot be decoded, or is not signed with its own key.
    case malformedRequest
    /// A common name that does not have 1 to 64 characters, or has control characters.
    case unusableCommonName
    /// libcrypto could not make a key or a request.
    case keyGenerationFailed
    // Merchant IDs
    /// An empty merchant ID.
    case emptyMerchantID
    /// An EC key with neither a merchant ID nor a certificate with Apple's merchant-ID extension.
    case missingMerchantID
    /// The merchant ID is not the certificate's.
    case merchantIDMismatch
    /// Two merchant IDs for one key, or two for all keys.
    case conflictingMerchantIDs
    /// A merchant ID for a file that contains no private key or was not given.
    case merchantIDWithoutKey
    // Roots and memory
    /// A private key in a file of root certificates.
    case privateKeyAmongRoots
    /// Memory could not be allocated, of libcrypto or guarded.
    case memoryUnavailable
    /// libcrypto, as this process has configured it, lacks an algorithm.
    case cryptographyUnavailable
  }
}

extension KeyError.Code {
  /// See ``KeyError/advice``.
  public var advice: String {
    switch self {
    case .fileTooLarge:
      "The file is larger than 64 MiB: name the file of the key or certificate."
    case .unrecognisedFile:
      "The file is neither PEM nor DER of a private key or certificate: check that it is the right file."
    case .malformedPEM:
      "A PEM block is cut off, badly framed or not base64: export the file again."
    case .escapedPEM:
      "The line ends of the PEM are written out as \\n: convert it with `printf '%b' \"$(tr -d '\"' <FILE)\" | "
        + "sed -n '/-----BEGIN/,/-----END/{s/.*-----BEGIN/-----BEGIN/;s/\\(-----END [^-]*-----\\).*/\\1/;p;}' >KEY`."
    case .notPlainText:
      "The PEM is in UTF-16: convert it with `iconv -c -f UTF-16 -t ASCII FILE >KEY`."
    case .bareBase64:
      "The file is base64 without the BEGIN and END lines of PEM: convert it with "
        + "`tr -d ' \\t\\r\\n' <FILE | base64 -d >KEY`."
    case .bareHexadecimal:
      "The file is hexadecimal: convert it with "
        + "`sed 's/[\\\\0][xX]//g' FILE | tr -cd '0-9A-Fa-f' | xxd -r -p >KEY`."
    case .bareScalar:
      "The file has 32 bytes, or their base64, which may be the private key or only a hash: if it is the key, "
        + "convert it with `xxd -p -c 32 FILE >KEY`, or with `base64 -d FILE | xxd -p -c 32 >KEY` if it is base64."
    case .webKeySet:
      "The file is a set of JSON Web Keys: take the private key from it, such as the first with "
        + "`jq '.keys[0]' FILE >KEY`."
    case .javaKeyStore:
      "The file is a key store of Java: convert it with "
        + "`keytool -importkeystore -srckeystore FILE -destkeystore KEY -deststoretype PKCS12`."
    case .certificateBundle:
      "The file is a bundle of certificates (.p7b) without a private key: convert it with "
        + "`openssl pkcs7 -in FILE -print_certs -out KEY`, or with "
        + "`openssl pkcs7 -inform DER -in FILE -print_certs -out KEY` if it is not PEM."
    case .trustedCertificate:
      "The certificate has statements of trust that only OpenSSL reads: convert it with "
        + "`openssl x509 -in FILE -out KEY`."
    case .unsupportedBlock:
      "The file contains something other than private keys and certificates, such as a revocation list or a key of "
        + "OpenSSH: remove it, and give the private key as PEM or DER."
    case .publicKeyGiven:
      "The file is a public key, which opens no token: give the private key that was made with it, or, in place of a "
        + "certificate, the certificate that contains it."
    case .malformedPublicKey:
      "The public key cannot be decoded, or its point is not on its curve: export it again."
    case .compressedPublicKey:
      "The point of the public key is compressed: convert it with "
        + "`openssl ec -pubin -in FILE -conv_form uncompressed -pubout -out KEY`."
    case .bareRSAPublicKey:
      "The file is an RSA public key in the form of PKCS #1: convert it with "
        + "`openssl rsa -RSAPublicKey_in -in FILE -pubout -out KEY`."
    case .openSSHKey:
      "The private key is in the format of OpenSSH: convert it in place with `ssh-keygen -p -m PKCS8 -f FILE`."
    case .puttyKey:
      "The private key is in the format of PuTTY: convert it with "
        + "`puttygen FILE -O private-openssh-new -o KEY && ssh-keygen -p -m PKCS8 -f KEY`."
    case .requestGiven:
      "The file is a certificate signing request: give the certificate that was issued for it (a merchant's by Apple, "
        + "with the private key that was made with it, a root's by its own key), or, if a payment provider made the "
        + "request, let them decrypt or make a key and certificate of your own."
    case .emptyFile:
      "The file contains no private key or certificate that is needed here: check that it is the right file."
    case .encryptedKey:
      "The private key is in OpenSSL's traditional encryption: convert it with "
        + "`openssl pkcs8 -topk8 -in FILE -out KEY`."
    case .passwordNeeded:
      "The file is encrypted: give its password with --password-file."
    case .wrongPassword:
      "The password does not decrypt the file: check the password file, or whether the key file is damaged."
    case .unusablePassword:
      "The password has more than 1,024 bytes or contains a NUL: check that it is the right password file."
    case .unsupportedEncryption:
      "libcrypto does not support the file's encryption: install OpenSSL's legacy provider, or export the file again."
    case .excessiveKeyDerivation:
      "The file's password hashing takes more than 3,000,000 iterations or 32 MiB, or it has too many RSA keys: "
        + "export it again with fewer iterations, or divide it."
    case .malformedPKCS12:
      "The .p12 file is cut off or damaged: export it again."
    case .archiveWithoutKey:
      "The .p12 contains certificates but no private key: export the private key together with its certificate, on the "
        + "computer that made the certificate signing request, or give the certificates as PEM beside the private key."
    case .malformedKey:
      "The private key cannot be decoded, or other bytes follow it: export it again."
    case .unsupportedKeyAlgorithm:
      "The private key is neither an EC nor an RSA key: load the key of the payment processing certificate."
    case .unsupportedCurve:
      "The EC key is on another curve than P-256 and cannot be converted: "
        + "load the key of the payment processing certificate, or make a new key on P-256 and a certificate for it."
    case .explicitCurveParameters:
      "The EC key lists the parameters of P-256 instead of its name: "
        + "convert it with `openssl ec -in FILE -param_enc named_curve -out KEY`."
    case .scalarOutOfRange:
      "The private key is outside the range of P-256: the file is damaged, export it again."
    case .publicKeyMismatch:
      "The public key in the file does not belong to its private key: the file is damaged, export it again."
    case .rsaKeySize:
      "The RSA key does not have 2,048 to 4,096 bits: load the key of the payment processing certificate."
    case .rsaExponent:
      "The RSA key's public exponent is not 65537: load the key of the payment processing certificate."
    case .rsaKeyInconsistent:
      "The numbers of the RSA key are inconsistent: the file is damaged, export it again."
    case .malformedCertificate:
      "The certificate is damaged or not a well-formed X.509 version 3 certificate: download it again."
    case .malformedMerchantIDExtension:
      "The certificate's merchant-ID extension is not a UTF8String of 64 hex digits, the SHA-256 of the merchant ID: "
        + "download it from Apple again, or issue it again, if it is your own."
    case .certificateWithoutKey:
      "No private key was given for this certificate: give the certificate of the private key that was "
        + "given, or add the key of this certificate's signing request, which a payment provider keeps if they made it."
    case .certificateMismatch:
      "The certificate belongs to another private key: pair it with the key of its certificate signing request."
    case .malformedRequest:
      "The certificate signing request is damaged, or not signed with its own key: make it again."
    case .unusableCommonName:
      "The common name does not have 1 to 64 characters, or has control characters: choose another."
    case .keyGenerationFailed:
      "No key could be made: check that the system has random numbers and memory, and try again."
    case .emptyMerchantID:
      "The merchant ID is empty: give it as registered with Apple, such as merchant.com.example."
    case .missingMerchantID:
      "The EC key has neither a certificate with Apple's merchant-ID extension nor a merchant ID: add one of them."
    case .merchantIDMismatch:
      "The merchant ID is not the certificate's: correct it, or omit it."
    case .conflictingMerchantIDs:
      "The same key was given with two merchant IDs: a key belongs to one."
    case .merchantIDWithoutKey:
      "A merchant ID was given for a file without a loaded private key: name the key's file as it was given."
    case .privateKeyAmongRoots:
      "The file of root certificates contains a private key: give only certificates."
    case .memoryUnavailable:
      "Memory for the keys could not be allocated: raise the limits of memory (ulimit -v, -l), or load fewer keys."
    case .cryptographyUnavailable:
      "libcrypto lacks an algorithm that every key needs: correct its configuration (OPENSSL_CONF), not the key."
    }
  }
}
