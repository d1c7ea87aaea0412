public import PaymentToken

extension MerchantKeySet {
  /// Makes a set of the private keys and certificates in `files`, in any order, and of external keys.
  ///
  /// Certificates are paired by public key with private keys and with external keys. Certificates that match no key,
  /// such as those of a chain's authorities, are left aside (``unpairedCertificates``); those in a .p12 are ignored. It
  /// is an error if certificates are left aside and no key has a certificate. A
  /// ``MerchantIDAssignment/uncertified(merchantID:)`` that no key needs must agree with all keys.
  ///
  /// - Throws: ``KeyError`` for an unreadable file; `certificateWithoutKey` if no certificate matches a key;
  ///   `merchantIDWithoutKey`, `conflictingMerchantIDs`, `emptyMerchantID`; `certificateMismatch`,
  ///   `malformedMerchantIDExtension`, `missingMerchantID`, `merchantIDMismatch`; `memoryUnavailable` and
  ///   `cryptographyUnavailable`.
  public convenience init(
    files: [KeyFile], merchantIDs: [MerchantIDAssignment] = [], externalECKeys: [ExternalECKey] = [],
    externalRSAKeys: [ExternalRSAKey] = []
  ) throws(KeyError) {
    var loading = MerchantKeyLoading(
      externalECKeys.map { .external($0) } + externalRSAKeys.map { .externalRSA($0) })
    for file in files { try loading.add(file) }
    try loading.pair()
    try loading.assign(merchantIDs)
    try self.init(loading.sources, unpaired: loading.unpaired)
  }
}

/// Collects the files of one load for a ``MerchantKeySet``.
private struct MerchantKeyLoading {
  private(set) var sources: [MerchantKeySource]
  private var certificates: [(certificate: Certificate, file: String)] = []
  private var companions: [(certificate: Certificate, file: String)] = []
  /// Certificates outside of a .p12 that match no key.
  private(set) var unpaired: [UnpairedCertificate] = []

  init(_ external: [MerchantSecret]) {
    sources = external.map { MerchantKeySource(secret: $0) }
  }

  mutating func add(_ file: KeyFile) throws(KeyError) {
    let contents = try KeyFileContents(file)
    sources += contents.keys.map { MerchantKeySource(secret: $0, file: file.name) }
    certificates += contents.certificates.map { ($0, file.name) }
    companions += contents.companions.map { ($0, file.name) }
  }

  /// Adds each certificate to the first source with its key. Certificates outside of a .p12 that match no key are left
  /// aside. It is an error if there are some and no source has a certificate.
  mutating func pair() throws(KeyError) {
    let indices = Dictionary(
      sources.indices.map { (sources[$0].secret.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
    unpaired = certificates.filter { indices[$0.certificate.publicKey] == nil }.map {
      UnpairedCertificate(certificate: $0.certificate, file: $0.file)
    }
    for (certificate, file) in certificates + companions {
      guard let index = indices[certificate.publicKey] else { continue }
      do {
        _ = try certificate.merchantIDHash()
      } catch {
        throw error.named(file)
      }
      sources[index].certificates.append(certificate)
    }
    if let first = unpaired.first, sources.allSatisfy(\.certificates.isEmpty) {
      throw KeyError(.certificateWithoutKey, file: first.file)
    }
  }

  mutating func assign(_ assignments: [MerchantIDAssignment]) throws(KeyError) {
    var general: String?
    for assignment in assignments {
      switch assignment {
      case .uncertified(let merchantID):
        guard general.map({ $0.utf8.elementsEqual(merchantID.utf8) }) ?? true else {
          throw KeyError(.conflictingMerchantIDs)
        }
        guard !merchantID.isEmpty else { throw KeyError(.emptyMerchantID) }
        general = merchantID
      case .file(let name, let merchantID):
        try assign(merchantID, toFile: name)
      }
    }
    if let general { try assignWhereNeeded(general) }
  }

  private mutating func assign(_ merchantID: String, toFile name: String) throws(KeyError) {
    let matching = sources.indices.filter { sources[$0].file == name }
    guard !matching.isEmpty else { throw KeyError(.merchantIDWithoutKey, file: name) }
    for index in matching { try assign(merchantID, to: index) }
  }

  private mutating func assign(_ merchantID: String, to index: Int) throws(KeyError) {
    guard sources[index].merchantID.map({ $0.utf8.elementsEqual(merchantID.utf8) }) ?? true else {
      throw KeyError(.conflictingMerchantIDs, file: sources[index].file)
    }
    sources[index].merchantID = merchantID
  }

  /// Assigns the general merchant ID to the EC keys whose merchant is unknown, or to all keys if there is no such key.
  private mutating func assignWhereNeeded(_ merchantID: String) throws(KeyError) {
    var known: Set<PublicKey> = []
    for source in sources {
      var isKnown = source.merchantID != nil || !source.secret.version.derivesFromMerchantID
      for certificate in source.certificates where !isKnown { isKnown = try certificate.merchantIDHash() != nil }
      if isKnown { known.insert(source.secret.publicKey) }
    }
    let withoutID = sources.indices.filter { !known.contains(sources[$0].secret.publicKey) }
    for index in withoutID.isEmpty ? Array(sources.indices) : withoutID { try assign(merchantID, to: index) }
  }
}

extension Certificate {
  /// The certificates in a file, also those of a .p12 that keep the rules for certificates. Private keys are ignored.
  ///
  /// - Throws: ``KeyError`` for an unreadable file.
  public static func all(in file: KeyFile) throws(KeyError) -> [Certificate] {
    let contents = try KeyFileContents(file)
    return contents.certificates + contents.companions
  }
}

extension KeyFile {
  /// The certificates in the file, and the SHA-256 of the SubjectPublicKeyInfo of each private key in it. Both are
  /// empty for an unreadable file.
  package var publicParts: (certificates: [Certificate], publicKeyHashes: [Bytes32]) {
    guard let contents = try? KeyFileContents(self) else { return ([], []) }
    return (contents.certificates + contents.companions, contents.keys.map { $0.publicKeyHash() })
  }
}

extension TrustAnchors {
  /// Makes anchors of root certificates in PEM (any number per file) or DER. Duplicates are removed.
  ///
  /// - Throws: ``KeyError`` for an unreadable file; `privateKeyAmongRoots` if a file contains a private key.
  public init(files: [KeyFile]) throws(KeyError) {
    var certificates: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    for file in files {
      let contents: KeyFileContents
      do {
        contents = try KeyFileContents(file)
      } catch {
        // These errors mean a private key, too: the key of a root may be of a kind that opens no token.
        let isOtherKey = [.unsupportedCurve, .unsupportedKeyAlgorithm, .explicitCurveParameters].contains(error.code)
        throw isOtherKey ? KeyError(.privateKeyAmongRoots, file: file.name) : error.amongRoots
      }
      guard contents.keys.isEmpty else { throw KeyError(.privateKeyAmongRoots, file: file.name) }
      for certificate in contents.certificates where seen.insert(certificate.der).inserted {
        certificates.append(certificate.der)
      }
    }
    self.init(certificates: certificates)
  }
}

/// A merchant ID and the keys that it belongs to.
@nonexhaustive
public enum MerchantIDAssignment: Hashable, Sendable {
  /// For every EC key that has neither a certificate with Apple's merchant-ID extension nor an assignment by file. If
  /// there is no such key, all keys must have this merchant ID.
  case uncertified(merchantID: String)
  /// For the private keys in the file of this name.
  case file(name: String, merchantID: String)

  /// Reads `ID` or `FILE=ID`. The last equals sign separates, because merchant IDs have none.
  public init(argument: String) {
    guard let separator = argument.lastIndex(of: "=") else {
      self = .uncertified(merchantID: argument)
      return
    }
    self = .file(
      name: String(argument[..<separator]), merchantID: String(argument[argument.index(after: separator)...]))
  }
}
