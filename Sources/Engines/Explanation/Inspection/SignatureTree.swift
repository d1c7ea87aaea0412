import MerchantKeys
import PaymentToken
import ReferenceDecryption
import Reports

/// A CMS signature as a tree of values, to describe a value that breaks a rule. The values need not be those of a CMS.
struct SignatureTree {
  private let contentInfo: BERValue

  /// Nil if `BERValue` cannot read the bytes, which then break one of rules 5.1 to 5.5.
  init?(_ cms: [UInt8]) {
    guard let value = try? BERValue(cms) else { return nil }
    contentInfo = value
  }

  /// A value and its place.
  struct Part {
    let place: Place
    let value: BERValue
    /// Whether the value is inside the one at `place`, not that one itself.
    var isInside = false
  }

  /// The value that begins at an offset, in bytes; nil if there is none.
  func part(at offset: Int) -> Part? {
    var part = Part(place: .contentInfo, value: contentInfo)
    while part.value.encoding.startIndex != offset {
      let children = part.value.children
      guard let index = children.firstIndex(where: { $0.encoding.indices.contains(offset) }) else { return nil }
      let place = part.place.inner(index, children[index])
      part = Part(place: place, value: children[index], isInside: place == part.place)
    }
    return part
  }

  /// The values of SignedData.
  private var members: [BERValue] { contentInfo.children.dropFirst().first?.children.first?.children ?? [] }

  /// The values of the first SignerInfo.
  private var signerMembers: [BERValue] { members.last { $0.tag == .set }?.children.first?.children ?? [] }

  /// The certificates that can be read.
  var certificates: [Certificate] {
    let all = members.first { $0.tag == .constructedContext(0) }?.children ?? []
    return all.compactMap { try? Certificate(der: Array($0.encoding)) }
  }

  var signerIdentifier: BERValue? { signerMembers.dropFirst().first }

  /// The bytes of the signature value.
  var signature: [UInt8] { signerMembers.last { $0.tag == .octetString }.map { Array($0.contents) } ?? [] }
}

extension SignatureTree {
  /// The places that the rules of stage 5 distinguish.
  enum Place: Hashable {
    case contentInfo, contentType, content
    case signedData, version, digestAlgorithms, listedAlgorithm, encapsulated, certificates, certificate, crls
    case signerInfos
    case signerInfo, signerVersion, signerIdentifier, digestAlgorithm, attributes, signatureAlgorithm, signature
    case unsignedAttributes
    case attribute(String)

    /// The place of a value inside this one; the same place if the rules do not distinguish it.
    func inner(_ index: Int, _ value: BERValue) -> Place {
      switch self {
      case .contentInfo: index == 0 ? .contentType : .content
      case .content: .signedData
      case .signedData:
        switch (index, value.tag) {
        case (0, _): .version
        case (1, _): .digestAlgorithms
        case (2, _): .encapsulated
        case (_, .constructedContext(0)): .certificates
        case (_, .constructedContext(1)): .crls
        // A SignerInfo begins with its version, a certificate does not.
        case (3, _) where !value.children.isEmpty && value.children[0].children.first?.tag != .integer: .certificates
        default: .signerInfos
        }
      case .digestAlgorithms: .listedAlgorithm
      case .certificates: .certificate
      case .signerInfos: .signerInfo
      case .signerInfo:
        switch (index, value.tag) {
        case (0, _): .signerVersion
        case (1, _): .signerIdentifier
        case (2, _): .digestAlgorithm
        case (3, .sequence) where value.children.first?.tag == .objectIdentifier: .signatureAlgorithm
        case (3, _): .attributes
        case (_, .constructedContext(1)): .unsignedAttributes
        case (4, _): .signatureAlgorithm
        default: .signature
        }
      case .attributes:
        .attribute(value.typeName ?? "without a type")
      default: self
      }
    }

    var words: String {
      switch self {
      case .contentInfo: "ContentInfo"
      case .contentType: "the type in ContentInfo"
      case .content: "the content of ContentInfo"
      case .signedData: "SignedData"
      case .version: "the version of SignedData"
      case .digestAlgorithms: "the list of digest algorithms"
      case .listedAlgorithm: "the digest algorithm of SignedData"
      case .encapsulated: "EncapsulatedContentInfo"
      case .certificates: "the list of certificates"
      case .certificate: "a certificate"
      case .crls: "crls"
      case .signerInfos: "the list of SignerInfos"
      case .signerInfo: "SignerInfo"
      case .signerVersion: "the version of SignerInfo"
      case .signerIdentifier: "the signer identifier"
      case .digestAlgorithm: "the digest algorithm of SignerInfo"
      case .attributes: "the list of signed attributes"
      case .signatureAlgorithm: "the signature algorithm"
      case .signature: "the signature value"
      case .unsignedAttributes: "the list of unsigned attributes"
      case .attribute(let name): "the attribute \(name)"
      }
    }

    /// The type of a value here; nil where several are allowed, or none.
    var type: (tag: DERTag, words: String)? {
      switch self {
      case .contentType: (.objectIdentifier, "an OID")
      case .content: (.constructedContext(0), "[0] with SignedData")
      case .contentInfo, .signedData, .certificate, .signerInfo: (.sequence, "a SEQUENCE")
      case .version, .signerVersion: (.integer, "an INTEGER")
      case .digestAlgorithms: (.set, "a SET of one SEQUENCE with the OID of SHA-256")
      case .listedAlgorithm, .digestAlgorithm, .signatureAlgorithm: (.sequence, "a SEQUENCE with the algorithm's OID")
      case .encapsulated: (.sequence, "a SEQUENCE with the OID id-data")
      case .certificates: (.constructedContext(0), "[0] with the certificates one after the other")
      case .signerInfos: (.set, "a SET of one SignerInfo")
      case .attributes: (.constructedContext(0), "[0] with the attributes one after the other")
      case .attribute: (.sequence, "a SEQUENCE of an OID and a SET with the value")
      case .signature: (.octetString, "an OCTET STRING")
      case .signerIdentifier, .crls, .unsignedAttributes: nil
      }
    }
  }
}

extension SignatureTree.Part {
  /// Whether it is EncapsulatedContentInfo with content.
  var hasContent: Bool {
    place == .encapsulated && value.children.dropFirst().first?.tag == .constructedContext(0)
  }

  /// How the value breaks a rule of stage 5, and what to do about it.
  ///
  /// - Parameter identifier: the signer identifier.
  func cause(breaking rule: String, _ identifier: BERValue?) -> Cause {
    if place == .certificate { return CertificateText(value).cause(breaking: rule) }
    if let type = place.type, value.tag != type.tag, !isInside, rule != "5.3" {
      return Cause("\(place.words) is \(value.structure), not \(type.words)", fix: "write \(type.words) there.")
    }
    return Cause(words(breaking: rule), fix: fix(breaking: rule, identifier))
  }

  /// `the digest algorithm of SignerInfo is SHA-384`.
  private func words(breaking rule: String) -> String {
    if rule == "5.3" { return "a length in \(place.words) is not the shortest" }
    let count = value.children.count
    switch (place, rule) {
    case (.crls, _): return "SignedData has crls"
    case (.unsignedAttributes, _): return "SignerInfo has unsigned attributes"
    // The signature algorithm is where the attributes should be.
    case (.signatureAlgorithm, "5.9"): return "SignerInfo has no signed attributes before the signature algorithm"
    case (.signerIdentifier, "5.14"): return "the issuer in the signer identifier is malformed"
    case (.certificates, "5.7") where count > 0: return "the list of \(count) certificates is not in its place"
    case (.certificates, _): return "there are \(count) certificates"
    case (.attributes, "5.11"):
      let names = value.children.map { $0.typeName ?? "?" }
      return "the signed attributes are " + (names.isEmpty ? "none" : names.listed(atMost: 8))
    case (.attribute, "5.11") where value.tag == .sequence && count == 2 && value.children[1].tag == .set:
      let values = value.children[1].children.count
      return values == 1 ? "\(place.words) occurs more than once" : "\(place.words) has \(values) values"
    case (.attribute, "5.11") where !isInside, (.signerIdentifier, "5.9"):
      return "\(place.words) is \(value.structure)"
    default: return "\(place.words) is \(value.words)"
    }
  }
}

extension SignatureTree.Part {
  /// What to do about a broken rule of stage 5; nil for the rule's fix.
  private func fix(breaking rule: String, _ identifier: BERValue?) -> String? {
    switch (place, rule) {
    case (.version, "5.7"):
      "write version 1, and name the signer by issuer and serial number (openssl cms without -keyid), for content of "
        + "the type id-data."
    case (.signerVersion, "5.9") where identifier?.tag == .sequence:
      "write version 1, which goes with issuer and serial number."
    case (.signerVersion, "5.9"):
      "write version 3, which goes with a key identifier, or version 1 with issuer and serial number."
    case (.signatureAlgorithm, "5.9"):
      "sign with signed attributes (openssl cms without -noattr), and write them before the signature algorithm."
    case (.certificates, "5.7") where !value.children.isEmpty:
      "write the certificates after EncapsulatedContentInfo and before the SignerInfos."
    case (.unsignedAttributes, _): "add no unsigned attributes, such as time stamps."
    case (.signerIdentifier, "5.9"):
      "write a SEQUENCE of the leaf's issuer (a name, itself a SEQUENCE) and serial number (an INTEGER), in this order, "
        + "or a key identifier as 80, its length and its bytes, without an OCTET STRING around them."
    case (.signerIdentifier, "5.14"): "copy the leaf's issuer byte for byte."
    case (.attribute, "5.11") where !isInside && value.children.last?.tag != .set:
      "write a SEQUENCE of an OID and a SET with the value."
    default: nil
    }
  }
}

extension BERValue {
  /// The value in words: `SHA-384`, `3`, `a SEQUENCE of 4 values`.
  var words: String {
    switch tag {
    case .objectIdentifier: return ObjectIdentifierNames.name(of: contents)
    case .integer where contents.count <= 7:
      let start: Int64 = contents.first.map { $0 < 0x80 } ?? true ? 0 : -1
      return String(contents.reduce(start) { $0 << 8 | Int64($1) })
    case .null: return "NULL"
    case .utcTime where contents.count == 15:
      return "\(String(streamSafe: contents)), a UTCTime with a year of four digits"
    case .generalizedTime where contents.count == 13:
      return "\(String(streamSafe: contents)), a GeneralizedTime with a year of two digits"
    case .utcTime, .generalizedTime: return String(streamSafe: contents.prefix(40))
    case .sequence where children.first?.tag == .objectIdentifier && children.count <= 2:
      let name = children[0].words
      if children.count == 1 { return name }
      let isCurve = name == "id-ecPublicKey" && children[1].tag == .objectIdentifier
      return isCurve ? "EC on \(children[1].words)" : "\(name) with the parameters \(children[1].words)"
    default: break
    }
    return sizeWords
  }

  private var sizeWords: String {
    "\(tag.words) of " + (tag.isConstructed ? "\(children.count) values" : "\(contents.count) bytes")
  }

  /// The type and what it consists of: `the OID sha256 alone`, `a SEQUENCE of an INTEGER and a SET`.
  var structure: String {
    if tag == .objectIdentifier { return "the OID \(words) alone" }
    guard (1...4).contains(children.count) else { return sizeWords }
    return "\(tag.words) of \(children.map(\.tag.words).listed("and"))"
  }

  /// The name of the OID that the value begins with.
  fileprivate var typeName: String? {
    children.first.flatMap { $0.tag == .objectIdentifier ? $0.words : nil }
  }
}

extension DERTag {
  /// The type in words.
  var words: String {
    guard isUniversal else { return "[\(number)]" }
    return switch number {
    case 1: "a BOOLEAN"
    case 2: "an INTEGER"
    case 3: "a BIT STRING"
    case 4: "an OCTET STRING"
    case 5: "a NULL"
    case 6: "an OID"
    case 12: "a UTF8String"
    case 16: "a SEQUENCE"
    case 17: "a SET"
    case 19: "a PrintableString"
    case 22: "an IA5String"
    case 23: "a UTCTime"
    case 24: "a GeneralizedTime"
    default: "a value of the universal type \(number)"
    }
  }
}
