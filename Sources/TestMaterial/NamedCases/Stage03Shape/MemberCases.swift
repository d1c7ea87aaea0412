import Gateways
import Minting
import PaymentToken

/// Stage 3: which members there are, and of which type.
extension CaseList {
  private static let required: [TokenMember] = [
    .version, .data, .signature, .header, .publicKeyHash, .transactionId, .ephemeralPublicKey,
  ]

  /// Values of the key field that belongs to the other version.
  private static let otherKeys = [
    ("a-string", "\"AAAA\""), ("empty", "\"\""), ("null", "null"), ("a-number", "0"), ("an-object", "{}"),
  ]

  mutating func addMemberCases() {
    for member in CaseList.required {
      reject("3.1", "\(member.label)-missing", .missingMember, member) { $0.set(member, nil) }
    }
    for member in CaseList.required + [.applicationData] {
      let clause = member == .applicationData ? "3.4" : "3.1"
      let other = member == .header ? ("a-string", "\"{}\"") : ("an-object", "{}")
      for (name, text) in [("null", "null"), ("a-number", "0"), ("true", "true"), ("an-array", "[]"), other] {
        reject(clause, "\(member.label)-is-\(name)", .wrongType, member) { $0.set(member, .raw(text)) }
      }
    }
    addOrderCases()
    addVersionCases()
  }

  private mutating func addOrderCases() {
    reject("3.1", "an-empty-object", .missingMember, .version) { $0.token = Array("{}".utf8) }
    reject("3.1", .standing(.holder, .apple, .critical, "an-empty-header"), .missingMember, .publicKeyHash) {
      $0.set(.header, .raw("{}"))
    }
    reject("3.1", "version-null-before-data-missing", .wrongType, .version) {
      $0.set([.version: .raw("null"), .data: nil])
    }
    reject("3.1", .standing(.forgery, "data-null-before-signature-missing"), .wrongType, .data) {
      $0.set([.data: .raw("null"), .signature: nil])
    }
    reject("3.1", "a-missing-member-before-an-unknown-version", .missingMember, .transactionId) {
      $0.set([.version: .string("EC_v9"), .header: .object(JSONObject([.init("publicKeyHash", .string(""))]))])
    }
    reject("3.1", "names-in-another-case", .missingMember, .version) {
      $0.text { $0.replace("\"version\"", with: "\"Version\"") }
    }
    reject(
      "3.1", .standing(.holder, .apple, .strictness, "header-members-in-the-token-object"), .missingMember,
      .publicKeyHash
    ) {
      $0.json { object in
        let header = object["header"]?.object ?? JSONObject()
        object["header"] = .raw("{}")
        object.members += header.members
      }
    }
    reject("3.3", "ephemeral-public-key-missing-and-wrapped-key-there", .missingMember, .ephemeralPublicKey) {
      $0.set([.ephemeralPublicKey: nil, .wrappedKey: .string("AAAA")])
    }
    reject("3.3", "ephemeral-public-key-null-and-wrapped-key-there", .wrongType, .ephemeralPublicKey) {
      $0.set([.ephemeralPublicKey: .raw("null"), .wrappedKey: .string("AAAA")])
    }
    for (name, text) in CaseList.otherKeys {
      reject(
        "3.3", .strict(.holder, "wrapped-key-beside-the-ephemeral-key-is-\(name)"), .conflictingMembers, .wrappedKey
      ) {
        $0.header { $0["wrappedKey"] = .raw(text) }
      }
    }
    reject("3.3", .strict(.holder, "wrapped-key-with-an-escaped-name"), .conflictingMembers, .wrappedKey) {
      $0.header { $0.members.append(.init(rawName: #""wrapped\u004bey""#, .string("AAAA"))) }
    }
    reject(
      "3.3", .strict(.holder, "conflicting-members-before-application-data-of-the-wrong-type"), .conflictingMembers,
      .wrappedKey
    ) {
      $0.set([.wrappedKey: .string("AAAA"), .applicationData: .raw("null")])
    }
    reject("3.4", "application-data-null-before-data-is-no-base64", .wrongType, .applicationData) {
      $0.set([.applicationData: .raw("null"), .data: .string("!")])
    }
  }

  private mutating func addVersionCases() {
    for (name, text) in [
      ("ec-v2", "EC_v2"), ("in-lower-case", "ec_v1"), ("in-capitals", "EC_V1"), ("empty", ""),
      ("with-a-space-after-it", "EC_v1 "),
      ("with-a-space-before-it", " EC_v1"), ("with-a-hyphen", "EC-v1"), ("cut-short", "EC_v"),
      ("of-homoglyphs", "ЕС_v1"),
    ] { reject("3.2", "version-\(name)", .unsupportedVersion, .version) { $0.set(.version, .string(text)) } }
    reject("3.2", "version-with-a-null-character-after-it", .unsupportedVersion, .version) {
      $0.set(.version, .raw(#""EC_v1\u0000""#))
    }
    accept("3.2", "version-with-escapes") { $0.set(.version, .raw(#""\u0045C\u005fv1""#)) }
    for order in TokenStyle.Order.allCases {
      accept("3.1", "members-in-the-order-\("\(order)".kebabCase)") { $0.layers.style.order = order }
    }
  }
}

/// Names and versions that differ from the right ones in their first letter: a reader that compares several bytes at a
/// time, from the end, may leave out the first.
extension CaseList {
  mutating func addFirstLetterCases() {
    for member in CaseList.required {
      let name = member.names.last ?? ""
      let clause = member == .ephemeralPublicKey ? "3.3" : "3.1"
      reject(clause, "\(member.label)-with-another-first-letter", .missingMember, member) {
        $0.text { $0.replace("\"\(name)\"", with: "\"x\(name.dropFirst())\"") }
      }
    }
    reject("3.2", "version-value-with-another-first-letter", .unsupportedVersion, .version) {
      $0.set(.version, .string("XC_v1"))
    }
    rsa("3.2", "version-value-with-another-first-letter", .unsupportedVersion, .version) {
      $0.set(.version, .string("XSA_v1"))
    }
  }
}

/// RSA_v1 in stages 2 and 3: which members there are. Also valid tokens of each key size and style.
extension CaseList {
  mutating func addRSAMemberCases() {
    for (index, bits) in [2_048, 3_072, 4_096].enumerated() {
      rsa("10.1", "token-for-a-key-of-\(bits)-bits", key: index)
    }
    rsa("3.2", "version-with-escapes") { $0.set(.version, .raw(#""\u0052SA\u005fv1""#)) }
    for (name, text) in [
      ("rsa-v2", "RSA_v2"), ("in-lower-case", "rsa_v1"), ("in-capitals", "RSA_V1"), ("cut-short", "RSA_v"),
      ("with-a-space-after-it", "RSA_v1 "), ("with-a-hyphen", "RSA-v1"),
    ] { rsa("3.2", "version-\(name)", .unsupportedVersion, .version) { $0.set(.version, .string(text)) } }
    for order in TokenStyle.Order.allCases { underRSA("members-in-the-order-\("\(order)".kebabCase)") }
    for solidus in TokenStyle.Solidus.allCases {
      rsa("4.1", "base64-with-\(solidus)-slashes") { $0.layers.style.solidus = solidus }
    }
    addRSAMemberFaults()
  }

  private mutating func addRSAMemberFaults() {
    for member in [TokenMember.data, .signature, .header, .publicKeyHash, .transactionId, .wrappedKey] {
      let clause = member == .wrappedKey ? "3.3" : "3.1"
      rsa(clause, "\(member.label)-missing", .missingMember, member) { $0.set(member, nil) }
      for (name, text) in [("null", "null"), ("a-number", "0"), ("true", "true"), ("an-array", "[]")] {
        rsa(clause, "\(member.label)-is-\(name)", .wrongType, member) { $0.set(member, .raw(text)) }
      }
    }
    rsa("3.3", "wrapped-key-is-an-object", .wrongType, .wrappedKey) { $0.set(.wrappedKey, .raw("{}")) }
    rsa("2.6", "wrapped-key-twice", .duplicateMember, .wrappedKey) { $0.header { $0.appendAgain("wrappedKey") } }
    rsa("3.3", "wrapped-key-in-the-token-object", .missingMember, .wrappedKey) {
      $0.json { $0.move(["header", "wrappedKey"], to: ["wrappedKey"]) }
    }
    for (name, text) in CaseList.otherKeys {
      rsa(
        "3.3", .strict(.holder, "ephemeral-key-beside-the-wrapped-key-is-\(name)"), .conflictingMembers,
        .ephemeralPublicKey
      ) {
        $0.header { $0["ephemeralPublicKey"] = .raw(text) }
      }
    }
    rsa("3.3", .strict(.holder, "ephemeral-key-with-an-escaped-name"), .conflictingMembers, .ephemeralPublicKey) {
      $0.header { $0.members.append(.init(rawName: #""ephemeralPublic\u004bey""#, .string("AAAA"))) }
    }
    rsa("3.3", "wrapped-key-missing-and-ephemeral-key-there", .missingMember, .wrappedKey) {
      $0.set([.wrappedKey: nil, .ephemeralPublicKey: .string("AAAA")])
    }
    rsa("3.3", "wrapped-key-null-and-ephemeral-key-there", .wrongType, .wrappedKey) {
      $0.set([.wrappedKey: .raw("null"), .ephemeralPublicKey: .string("AAAA")])
    }
    rsa("3.4", "conflict-before-application-data-of-the-wrong-type", .conflictingMembers, .ephemeralPublicKey) {
      $0.set([.applicationData: .raw("null"), .ephemeralPublicKey: .raw("0")])
    }
    rsa("3.4", "application-data-is-null", .wrongType, .applicationData) { $0.set(.applicationData, .raw("null")) }
    rsa("3.3", .with(.otherVersion, "token-called-ec-v1"), .missingMember, .ephemeralPublicKey) {
      $0.set(.version, .string("EC_v1"))
    }
    reject("3.3", "ec-token-called-rsa-v1", .missingMember, .wrappedKey) { $0.set(.version, .string("RSA_v1")) }
  }
}
