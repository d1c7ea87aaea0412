public import PaymentToken

extension MerchantKeySet {
  /// Loads the private keys and certificates of `files`, in any order and mixed as they come: certificates are paired
  /// with keys by public key (those of a .p12 where they fit), and with the `external` ones whose private half is in no
  /// file.
  ///
  /// An ``MerchantIDAssignment/uncertified(merchantID:)`` that no key needed has to agree with all of them, so that a
  /// wrong one is never passed over in silence.
  ///
  /// - Throws: what reading a file throws; `certificateWithoutKey` for a certificate none of the keys belongs to;
  ///   `merchantIDWithoutKey`, `conflictingMerchantIDs`, `emptyMerchantID`; and what `init` throws.
  public static func load(
    files: [KeyFile], merchantIDs: [MerchantIDAssignment] = [], external: [ExternalKey] = []
  ) throws(KeyError) -> MerchantKeySet {
    var loading = MerchantKeyLoading(external)
    for file in files { try loading.add(file) }
    try loading.pair()
    try loading.assign(merchantIDs)
    return try MerchantKeySet(loading.sources)
  }
}

/// The files of one load on their way to a ``MerchantKeySet``.
private struct MerchantKeyLoading {
  private(set) var sources: [MerchantKeySource]
  private var certificates: [(certificate: Certificate, file: String)] = []
  private var companions: [(certificate: Certificate, file: String)] = []

  init(_ external: [ExternalKey]) {
    sources = external.map { MerchantKeySource(secret: .external($0)) }
  }

  mutating func add(_ file: KeyFile) throws(KeyError) {
    let contents = try KeyFileContents(file)
    sources += contents.keys.map { MerchantKeySource(secret: $0, file: file.name) }
    certificates += contents.certificates.map { ($0, file.name) }
    companions += contents.companions.map { ($0, file.name) }
  }

  /// Gives each certificate to the first source that has its key.
  mutating func pair() throws(KeyError) {
    let indices = Dictionary(
      sources.indices.map { (sources[$0].secret.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
    let wanted = companions.filter { indices[$0.certificate.publicKey] != nil }
    for (certificate, file) in certificates + wanted {
      guard let index = indices[certificate.publicKey] else {
        throw KeyError(.certificateWithoutKey, file: file)
      }
      do {
        _ = try certificate.merchantIDHash()
      } catch {
        throw error.named(file)
      }
      sources[index].certificates.append(certificate)
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

  /// Gives the general merchant ID to the EC keys that have none in any of their sources, or to all if no key lacks one.
  private mutating func assignWhereNeeded(_ merchantID: String) throws(KeyError) {
    var known: Set<PublicKey> = []
    for source in sources {
      var isKnown = source.merchantID != nil || !source.secret.version.derivesFromMerchantID
      for certificate in source.certificates where !isKnown { isKnown = try certificate.merchantIDHash() != nil }
      if isKnown { known.insert(source.secret.publicKey) }
    }
    let needy = sources.indices.filter { !known.contains(sources[$0].secret.publicKey) }
    for index in needy.isEmpty ? Array(sources.indices) : needy { try assign(merchantID, to: index) }
  }
}

extension Certificate {
  /// The certificates in a file, whatever else it holds; of a .p12 also those that are not its key's.
  ///
  /// - Throws: what reading a file throws.
  public static func load(file: KeyFile) throws(KeyError) -> [Certificate] {
    let contents = try KeyFileContents(file)
    return contents.certificates + contents.companions
  }
}

extension TrustAnchors {
  /// Loads root certificates from PEM (any number a file) or DER. One that comes twice is one root.
  ///
  /// - Throws: what reading a file throws; `privateKeyAmongRoots` when one holds a private key.
  public static func load(files: [KeyFile]) throws(KeyError) -> TrustAnchors {
    var certificates: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    for file in files {
      let contents = try KeyFileContents(file)
      guard contents.keys.isEmpty else { throw KeyError(.privateKeyAmongRoots, file: file.name) }
      for certificate in contents.certificates where seen.insert(certificate.der).inserted {
        certificates.append(certificate.der)
      }
    }
    return TrustAnchors(certificates: certificates)
  }
}

/// A merchant ID and the keys it is for.
public enum MerchantIDAssignment: Hashable, Sendable {
  /// For every key whose certificate does not tell it: without a certificate, or without Apple's extension in it.
  case uncertified(merchantID: String)
  /// For the private keys in the file of that name.
  case file(name: String, merchantID: String)

  /// Reads `ID` or `FILE=ID`; the last equals sign counts, for merchant IDs have none.
  public init(argument: String) {
    guard let separator = argument.lastIndex(of: "=") else {
      self = .uncertified(merchantID: argument)
      return
    }
    self = .file(
      name: String(argument[..<separator]), merchantID: String(argument[argument.index(after: separator)...]))
  }
}
