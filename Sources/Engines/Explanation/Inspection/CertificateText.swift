import MerchantKeys
import ReferenceDecryption
import Reports

/// A certificate in words, for rules 5.3, 5.8 and 5.12 to 5.17.
struct CertificateText {
  private let value: BERValue
  private let fields: [BERValue]
  /// Whether the version is present, which shifts the fields after it.
  private let hasVersion: Bool

  init(_ value: BERValue) {
    self.value = value
    fields = value.children.first?.children ?? []
    // Without a version, the first field is the serial number: its type is universal, and no INTEGER follows it.
    hasVersion = fields.first.map { !$0.tag.isUniversal } ?? false || fields.prefix(2).count { $0.tag == .integer } == 2
  }

  /// A field of tbsCertificate by its index in version 3.
  private func field(_ index: Int) -> BERValue? {
    let shifted = hasVersion ? index : index - 1
    return fields.indices.contains(shifted) ? fields[shifted] : nil
  }

  /// The subject's common name, or all its attributes.
  private var name: String { field(5).map { DistinguishedName(Array($0.encoding)).text } ?? "(no name)" }

  /// How it breaks a rule, such as `the certificate Leaf is of version 1`, and what to do about it.
  func cause(breaking rule: String) -> Cause {
    guard value.tag == .sequence else { return Cause("\(value.words) is among the certificates") }
    guard fields.first?.tag != .sequence || fields.last?.tag != .bitString else {
      return Cause(
        "a SEQUENCE of certificates is among the certificates",
        fix: "write the certificates one after the other in [0], without a SEQUENCE around them.")
    }
    let cause = rule == "5.13" ? structure : Cause(breach(of: rule), fix: fix(breaking: rule))
    return Cause("the certificate \(name) \(cause.found)", fix: cause.fix)
  }

  private func fix(breaking rule: String) -> String? {
    switch rule {
    case "5.12" where field(4)?.children.count != 2: "write notBefore and notAfter."
    case "5.15" where hasBareExtensions: "write [3] with one SEQUENCE in it, which has the extensions."
    case "5.15" where unwrappedExtension != nil: "issue it again with the value of each extension in an OCTET STRING."
    case "5.15" where malformedExtension != nil:
      "write each extension as a SEQUENCE of its OID, the BOOLEAN true if it is critical, and an OCTET STRING."
    case "5.16" where hasNegativeModulus: "put 00 before the modulus where its first byte is 80 or more."
    default: nil
    }
  }

  /// Whether the extensions are in [3] without the SEQUENCE around them.
  private var hasBareExtensions: Bool {
    guard let list = fields.last(where: { $0.tag == .constructedContext(3) })?.children else { return false }
    return list.count > 1 || list.first?.children.first?.tag == .objectIdentifier
  }

  private var hasOtherAlgorithm: Bool {
    guard let inner = field(2), value.children.count > 1 else { return false }
    return !inner.encoding.elementsEqual(value.children[1].encoding)
  }

  /// The first extension whose value is not in an OCTET STRING.
  private var unwrappedExtension: BERValue? {
    extensions.first { $0.children.count > 1 && $0.children.last?.tag != .octetString }
  }

  /// The first extension that has other parts than RFC 5280 section 4.1 gives it.
  private var malformedExtension: BERValue? {
    extensions.first {
      let tags = $0.children.map(\.tag)
      return tags != [.objectIdentifier, .octetString] && tags != [.objectIdentifier, .boolean, .octetString]
    }
  }

  private var hasNegativeModulus: Bool {
    guard let key = field(6)?.children.last, let numbers = try? BERValue(key.contents.dropFirst()) else { return false }
    return numbers.isPairOfIntegers && numbers.hasNegativeInteger
  }

  private func breach(of rule: String) -> String {
    switch rule {
    case "5.8": return "has \(value.encoding.count) bytes"
    case "5.12" where field(4)?.children.count != 2:
      return "has a validity of \(field(4)?.children.count ?? 0) values, not of two times"
    case "5.12": return "has the validity \((field(4)?.children ?? []).map(\.words).joined(separator: " to "))"
    case "5.14": return "has a malformed issuer or subject"
    case "5.15" where hasBareExtensions: return "has the extensions in [3] without a SEQUENCE around them"
    case "5.15":
      let identifiers = extensions.compactMap { $0.children.first.map { Array($0.contents) } }
      let repeated = identifiers.first { oid in identifiers.count { $0 == oid } > 1 }
      if let identifier = unwrappedExtension?.children.first {
        return "has the extension \(identifier.words), whose value is not an OCTET STRING"
      }
      if let malformed = malformedExtension, let identifier = malformed.children.first {
        return "has the extension \(identifier.words), which is \(malformed.structure)"
      }
      guard let repeated else { return "has \(extensions.count) extensions, or malformed ones" }
      return "has the extension \(ObjectIdentifierNames.name(of: repeated)) twice"
    case "5.16" where hasNegativeModulus: return "has an RSA key whose modulus is a negative INTEGER"
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

  /// Whether the value of one of the three extensions has its type, and the values inside basicConstraints have theirs.
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

  /// How it breaks rule 5.13.
  private var structure: Cause {
    if let part = mistypedPart { return part }
    guard hasVersion else {
      let fix = "issue it again with version 3 written in it, which extensions need."
      return Cause("is of version 1", fix: extensions.isEmpty ? nil : fix)
    }
    if let version = fields[0].children.first, !version.contents.elementsEqual([2]) {
      let isOlder = version.contents.elementsEqual([0]) || version.contents.elementsEqual([1])
      return Cause(
        "has \(version.tag == .integer ? "the INTEGER " : "")\(version.words) as its version",
        fix: isOlder && extensions.isEmpty ? nil : "write version 3, which is the INTEGER 2.")
    }
    if hasOtherAlgorithm, let inner = field(2) {
      return Cause(
        "names the signature algorithms \(inner.words) inside and \(value.children[1].words) outside",
        fix: "issue it again with the same algorithm inside and outside of what is signed.")
    }
    return Cause("has other parts", fix: "issue it again with the parts of RFC 5280 alone, in their order.")
  }

  /// The first part that is not of the type that RFC 5280 section 4.1 gives it.
  private var mistypedPart: Cause? {
    let outer = value.children.dropFirst()
    let parts: [(part: BERValue?, name: String, tag: DERTag, type: String)] = [
      (field(0), "version", .constructedContext(0), "[0] with the INTEGER 2"),
      (field(1), "serial number", .integer, "an INTEGER"),
      (field(2), "signature algorithm", .sequence, "a SEQUENCE with its OID"),
      (field(3), "issuer", .sequence, "a SEQUENCE"), (field(4), "validity", .sequence, "a SEQUENCE of two times"),
      (field(5), "subject", .sequence, "a SEQUENCE"), (field(6), "key", .sequence, "a SEQUENCE"),
      (field(7), "extensions", .constructedContext(3), "[3] with a SEQUENCE of them"),
      (outer.first, "outer signature algorithm", .sequence, "a SEQUENCE with its OID"),
      (outer.dropFirst().first, "signature", .bitString, "a BIT STRING"),
    ]
    for (part, name, tag, type) in parts {
      guard let part, part.tag != tag else { continue }
      if name == "extensions", [1, 2].contains(part.tag.number), !part.tag.isUniversal {
        return Cause("has a unique identifier", fix: "issue it again without unique identifiers.")
      }
      return Cause("has \(part.structure) as its \(name), not \(type)", fix: "issue it again with \(type) there.")
    }
    return nil
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

  private var extensions: [BERValue] {
    fields.last { $0.tag == .constructedContext(3) }?.children.first?.children ?? []
  }
}
