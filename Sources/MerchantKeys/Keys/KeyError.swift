/// Why keys, certificates or roots were not loaded. Nothing of a key is ever in it.
public struct KeyError: Error, Hashable, Sendable {
  /// What was found.
  public let code: Code
  /// The name of the file concerned, as the caller gave it; nil when none is.
  public let file: String?
  /// The rule a certificate breaks, for `malformedCertificate`.
  public let certificateError: CertificateError?

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
    case fileTooLarge
    case unrecognisedFile
    case malformedPEM
    case unsupportedBlock
    case emptyFile
    case encryptedKey
    case pkcs12
    // Private keys
    case malformedKey
    case unsupportedKeyAlgorithm
    case unsupportedCurve
    case scalarOutOfRange
    case publicKeyMismatch
    case rsaKeySize
    case rsaUnsupported
    // Certificates
    case malformedCertificate
    case malformedMerchantIDExtension
    case certificateWithoutKey
    case certificateMismatch
    // Merchant IDs
    case emptyMerchantID
    case missingMerchantID
    case merchantIDMismatch
    case conflictingMerchantIDs
    case merchantIDWithoutKey
    // Roots and memory
    case privateKeyAmongRoots
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
      "The file holds something other than a private key or certificate, such as a public key or a request: leave it out."
    case .emptyFile:
      "The file holds no private key or certificate that is wanted here: check that it is the right file."
    case .encryptedKey:
      "The private key is encrypted, which is not supported yet: decrypt it with `openssl pkcs8 -in FILE -out KEY`."
    case .pkcs12:
      "A .p12 file is not supported yet: convert it with `openssl pkcs12 -in FILE -nodes -out KEY`."
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
    case .rsaUnsupported:
      "RSA_v1 is not supported yet: load the EC key of a payment processing certificate."
    case .malformedCertificate:
      "The certificate is damaged or not a well-formed X.509 version 3 certificate: download it again."
    case .malformedMerchantIDExtension:
      "The certificate's merchant-ID extension is not 64 hex digits in a UTF8String: download it from Apple again."
    case .certificateWithoutKey:
      "No private key was given for this certificate: add the one its signing request was made with."
    case .certificateMismatch:
      "The certificate belongs to another private key: pair it with the key its signing request was made with."
    case .emptyMerchantID:
      "The merchant ID is empty: give it as registered with Apple, such as merchant.com.example."
    case .missingMerchantID:
      "The key has neither a certificate with Apple's merchant-ID extension nor a merchant ID: add one of them."
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
