import MerchantKeys
import ReferenceDecryption
import Reports

/// A certificate that may break any of rules 5.12 to 5.17, in words.
struct CertificateText {
  private let value: BERValue
  private let fields: [BERValue]
  /// Whether the version is present, which shifts the fields after it.
  private let hasVersion: Bool

  init(_ value: BERValue) {
    self.value = value
    fields = value.children.first?.children ?? []
    hasVersion = fields.first?.tag == .constructedContext(0)
  }

  /// A field of tbsCertificate by its index in version 3.
  private func field(_ index: Int) -> BERValue? {
    let shifted = hasVersion ? index : index - 1
    return fields.indices.contains(shifted) ? fields[shifted] : nil
  }

  /// The subject's common name, or all its attributes.
  private var name: String { field(5).map { DistinguishedName(Array($0.encoding)).text } ?? "(no name)" }

  /// How it breaks a rule: `the certificate Leaf is of version 1`.
  func words(breaking rule: String) -> String {
    value.tag == .sequence ? "the certificate \(name) \(breach(of: rule))" : "\(value.words) is among the certificates"
  }

  /// What to do about it; nil for the rule's fix.
  func fix(breaking rule: String) -> String? {
    switch rule {
    case "5.13" where !hasVersion && !extensions.isEmpty:
      "issue it again with version 3 written in it, which extensions need."
    case "5.13" where hasVersion && hasOtherAlgorithm:
      "issue it again with the same algorithm inside and outside of what is signed."
    case "5.15" where unwrappedExtension != nil:
      "issue it again with the value of each extension in an OCTET STRING."
    default: nil
    }
  }

  private var hasOtherAlgorithm: Bool {
    guard let inner = field(2), value.children.count > 1 else { return false }
    return !inner.encoding.elementsEqual(value.children[1].encoding)
  }

  /// The first extension whose value is not in an OCTET STRING.
  private var unwrappedExtension: BERValue? {
    extensions.first { $0.children.count > 1 && $0.children.last?.tag != .octetString }
  }

  private func breach(of rule: String) -> String {
    switch rule {
    case "5.8": return "has \(value.encoding.count) bytes"
    case "5.12": return "has the validity \((field(4)?.children ?? []).map(\.words).joined(separator: " to "))"
    case "5.13": return structure
    case "5.14": return "has a malformed issuer or subject"
    case "5.15":
      let identifiers = extensions.compactMap { $0.children.first.map { Array($0.contents) } }
      let repeated = identifiers.first { oid in identifiers.count { $0 == oid } > 1 }
      if let identifier = unwrappedExtension?.children.first {
        return "has the extension \(identifier.words), whose value is not an OCTET STRING"
      }
      guard let repeated else { return "has \(extensions.count) extensions, or malformed ones" }
      return "has the extension \(ObjectIdentifierNames.name(of: repeated)) twice"
    case "5.16": return "has a key of \(key)"
    case "5.17":
      let known = [
        ObjectIdentifiers.basicConstraints, ObjectIdentifiers.keyUsage, ObjectIdentifiers.subjectKeyIdentifier,
      ]
      let names = known.filter { oid in
        extensions.contains { ($0.children.first?.contents.elementsEqual(oid) ?? false) && !isWellFormed($0, oid) }
      }
      return "has a malformed " + names.map { ObjectIdentifierNames.name(of: $0) }.listed("or")
    default: return "has a length that is not the shortest"
    }
  }

  /// Whether the value of one of the three extensions has its type; the values inside are not checked.
  private func isWellFormed(_ entry: BERValue, _ oid: [UInt8]) -> Bool {
    guard let value = entry.children.last.flatMap({ try? BERValue(strict: $0.contents) }) else { return false }
    switch oid {
    case ObjectIdentifiers.keyUsage: return value.tag == .bitString
    case ObjectIdentifiers.subjectKeyIdentifier: return value.tag == .octetString
    default:
      let forms: [[DERTag]] = [[], [.boolean], [.integer], [.boolean, .integer]]
      let isNegative = value.children.last.map { $0.tag == .integer && ($0.contents.first ?? 0) >= 0x80 } ?? false
      return value.tag == .sequence && forms.contains(value.children.map(\.tag)) && !isNegative
    }
  }

  private var structure: String {
    guard hasVersion else { return "is of version 1" }
    let version = fields[0].children.first
    if let number = version?.contents.first, version?.contents.count == 1, number < 2 {
      return "is of version \(number + 1)"
    }
    if hasOtherAlgorithm, let inner = field(2) {
      return "names the signature algorithms \(inner.words) inside and \(value.children[1].words) outside"
    }
    return "has other parts"
  }

  /// The algorithm with its parameters, and the size.
  private var key: String {
    guard let info = field(6), let algorithm = info.children.first,
      let parameters = algorithm.children.dropFirst().first
    else { return "no algorithm with parameters" }
    let isExplicit = algorithm.words.hasPrefix("id-ecPublicKey") && parameters.tag == .sequence
    let name = isExplicit ? "EC with the parameters of a curve instead of its name" : algorithm.words
    return "\((info.children.last?.contents.count ?? 1) - 1) bytes, \(name)"
  }

  /// The extensions, each a SEQUENCE.
  private var extensions: [BERValue] {
    fields.last { $0.tag == .constructedContext(3) }?.children.first?.children ?? []
  }
}
