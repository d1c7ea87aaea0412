/// Why keys, certificates or roots were not loaded. Nothing of a key is ever in it.
public struct KeyError: Error, Hashable, Sendable {
  /// What was found.
  public let code: Code
  /// The name of the file concerned, as the caller gave it; nil when none is.
  public let file: String?
  /// The rule a certificate breaks, for `malformedCertificate`.
  public let certificateError: CertificateError?

  /// An error from its parts; most concern no certificate.
  public init(_ code: Code, file: String? = nil, certificateError: CertificateError? = nil) {
    self.code = code
    self.file = file
    self.certificateError = certificateError
  }

  /// One sentence for people: what was found and what to do about it.
  public var advice: String { code.advice }

  /// The same with the file's name, unless it has one already.
  func named(_ name: String?) -> KeyError {
    KeyError(code, file: file ?? name, certificateError: certificateError)
  }

  /// Stable names of what may be found.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Files
    /// More than 64 MiB.
    case fileTooLarge
    /// Neither PEM nor one whole DER value of a kind known here.
    case unrecognisedFile
    /// A block is cut, badly framed, has headers, or is not padded base64.
    case malformedPEM
    /// A block or value of another kind than private key and certificate.
    case unsupportedBlock
    /// PEM without any private key or certificate.
    case emptyFile
    /// A private key encrypted in OpenSSL's old way, with headers in its PEM.
    case encryptedKey
    /// An encrypted private key or .p12 without its password.
    case passwordNeeded
    /// The password does not open the file.
    case wrongPassword
    /// More than 1,024 bytes of password, or a NUL among them.
    case unusablePassword
    /// An encryption that libcrypto does not know, or only where its legacy provider is installed.
    case unsupportedEncryption
    /// The password hashing that the file asks for costs more than 10,000,000 iterations, or scrypt over 32 MiB.
    case excessiveKeyDerivation
    /// A .p12 that cannot be decoded as a whole.
    case malformedPKCS12
    // Private keys
    /// A private key that cannot be decoded as a whole.
    case malformedKey
    /// Neither an EC nor an RSA key.
    case unsupportedKeyAlgorithm
    /// An EC key whose curve is not P-256 by its name.
    case unsupportedCurve
    /// A scalar outside 1…n−1.
    case scalarOutOfRange
    /// The file's public key is not the one its scalar makes.
    case publicKeyMismatch
    /// An RSA key outside 2,048 to 4,096 bits.
    case rsaKeySize
    /// An RSA key whose public exponent is not 65537.
    case rsaExponent
    /// An RSA key whose numbers do not belong together.
    case rsaKeyInconsistent
    // Certificates
    /// A certificate that breaks the rules; `certificateError` says which.
    case malformedCertificate
    /// Apple's merchant-ID extension is not a DER UTF8String of 64 hex digits.
    case malformedMerchantIDExtension
    /// A certificate that belongs to none of the private keys given.
    case certificateWithoutKey
    /// A certificate paired by the caller with another private key than its own.
    case certificateMismatch
    // Requests
    /// A PKCS #10 request that cannot be decoded, or is not signed by its own key.
    case malformedRequest
    /// A common name outside 1 to 64 characters, or with control characters.
    case unusableCommonName
    /// libcrypto made no key or request.
    case keyGenerationFailed
    // Merchant IDs
    /// A merchant ID without any character.
    case emptyMerchantID
    /// An EC key without merchant ID and without Apple's extension in a certificate.
    case missingMerchantID
    /// Merchant ID and certificate of a key disagree.
    case merchantIDMismatch
    /// One key under two merchant IDs, or two for all keys.
    case conflictingMerchantIDs
    /// A merchant ID for a file that holds no private key, or was not given.
    case merchantIDWithoutKey
    // Roots and memory
    /// A private key where root certificates are loaded.
    case privateKeyAmongRoots
    /// No guarded memory.
    case memoryUnavailable
  }
}

extension KeyError.Code {
  /// See ``KeyError/advice``.
  public var advice: String {
    switch self {
    case .fileTooLarge:
      "The file is larger than 64 MiB: name the file that holds the key or certificate."
    case .unrecognisedFile:
      "The file is neither PEM nor DER of a private key or certificate: check that it is the right file."
    case .malformedPEM:
      "A PEM block is cut, wrongly framed or not base64: export the file again."
    case .unsupportedBlock:
      "The file holds something other than private keys and certificates, such as a public key: leave it out."
    case .emptyFile:
      "The file holds no private key or certificate that is wanted here: check that it is the right file."
    case .encryptedKey:
      "The private key is encrypted in OpenSSL's old way: convert it with `openssl pkcs8 -topk8 -in FILE -out KEY`."
    case .passwordNeeded:
      "The file is encrypted: give its password with --password-file."
    case .wrongPassword:
      "The password does not open the file: check the password file, or whether the key file is damaged."
    case .unusablePassword:
      "The password has more than 1,024 bytes or a NUL among them: check that it is the password's file."
    case .unsupportedEncryption:
      "No provider of libcrypto knows the file's encryption: install OpenSSL's legacy provider, or export the file again."
    case .excessiveKeyDerivation:
      "The file's password hashing exceeds 10,000,000 iterations or 32 MiB in all: export it again with fewer iterations."
    case .malformedPKCS12:
      "The .p12 file is cut or damaged: export it again."
    case .malformedKey:
      "The private key cannot be read, or something follows it: export it again."
    case .unsupportedKeyAlgorithm:
      "The private key is neither an EC nor an RSA key: load the key of the payment processing certificate."
    case .unsupportedCurve:
      "The EC key is not on the named curve P-256: load the key of the payment processing certificate."
    case .scalarOutOfRange:
      "The private key is not a number that P-256 allows: the file is damaged, export it again."
    case .publicKeyMismatch:
      "The public key beside the private key is another key's: the file is damaged, export it again."
    case .rsaKeySize:
      "The RSA key does not have 2,048 to 4,096 bits: load the key of the payment processing certificate."
    case .rsaExponent:
      "The RSA key's public exponent is not 65537: load the key of the payment processing certificate."
    case .rsaKeyInconsistent:
      "The numbers of the RSA key do not belong together: the file is damaged, export it again."
    case .malformedCertificate:
      "The certificate is damaged or not a well-formed X.509 version 3 certificate: download it again."
    case .malformedMerchantIDExtension:
      "The certificate's merchant-ID extension is not 64 hex digits in a UTF8String: download it from Apple again."
    case .certificateWithoutKey:
      "No private key was given for this certificate: add the one its signing request was made with."
    case .certificateMismatch:
      "The certificate belongs to another private key: pair it with the key its signing request was made with."
    case .malformedRequest:
      "The signing request is damaged, or not signed by its own key: make it again."
    case .unusableCommonName:
      "The common name does not have 1 to 64 characters, or holds control characters: choose another."
    case .keyGenerationFailed:
      "No key could be made: check that the system has random numbers and memory, and try again."
    case .emptyMerchantID:
      "The merchant ID is empty: give it as registered with Apple, such as merchant.com.example."
    case .missingMerchantID:
      "The EC key has neither a certificate with Apple's merchant-ID extension nor a merchant ID: add one of them."
    case .merchantIDMismatch:
      "The merchant ID is not the one the certificate was made for: correct it, or leave it out."
    case .conflictingMerchantIDs:
      "The same key was given under two merchant IDs: a key belongs to one."
    case .merchantIDWithoutKey:
      "A merchant ID was given for a file that holds no loaded private key: name the key's file as it was given."
    case .privateKeyAmongRoots:
      "The file of roots holds a private key: give certificates only."
    case .memoryUnavailable:
      "The guarded memory for the keys could not be had: raise the limit of locked memory or load fewer keys."
    }
  }
}
