import Gateways
import Minting
import PaymentToken

/// Rule 2.6: names that occur twice.
extension CaseList {
  /// Two members of one name and different values.
  private static func pair(_ name: String) -> [JSONObject.Member] { [.init(name, .raw("1")), .init(name, .raw("2"))] }

  mutating func addRepeatedNameCases() {
    for member in [TokenMember.version, .data, .signature, .header] {
      reject("2.6", "\(member.path)-twice-with-the-same-value", .duplicateMember, member) {
        $0.json { $0.appendAgain(member.path) }
      }
      reject("2.6", "\(member.path)-twice-the-second-null", .duplicateMember, member) {
        $0.json { $0.append(member.path, .raw("null")) }
      }
    }
    for member in [TokenMember.ephemeralPublicKey, .publicKeyHash, .transactionId, .applicationData, .wrappedKey] {
      let name = String(member.path.dropFirst("header.".count))
      reject("2.6", "\(member.label)-twice-in-the-header", .duplicateMember, member) {
        $0.header { header in
          if header[name] == nil { header.append(name, .string("00")) }
          header.appendAgain(name)
        }
      }
    }
    reject("2.6", "a-repeated-name-hidden-by-an-escape", .duplicateMember, .data) {
      $0.json { $0.members.append(.init(rawName: #""d\u0061ta""#, .string("AAAA"))) }
    }
    reject("2.6", "a-repeated-name-in-the-header-hidden-by-an-escape", .duplicateMember, .transactionId) {
      $0.header { $0.members.insert(.init(rawName: #""transaction\u0049d""#, .string("00")), at: 0) }
    }
    let unknown: Named<[JSONObject.Member]> = [
      "": CaseList.pair("unknown"),
      "-with-a-solidus": [.init(rawName: #""a/b""#, .raw("1")), .init(rawName: #""a\/b""#, .raw("2"))],
      "-beyond-the-basic-plane": [.init("😀", .raw("1")), .init(rawName: #""\ud83d\ude00""#, .raw("2"))],
    ]
    for (name, members) in unknown {
      reject("2.6", "a-repeated-unknown-name\(name)", .duplicateMember) { $0.json { $0.members += members } }
    }
    reject(
      "2.6", "a-repeated-long-name-with-an-escape-near-its-beginning", .duplicateMember,
      note: "a parser that compares parts of the text sees two different names"
    ) { draft in
      let name = (1000..<1300).map { String($0) }.joined()
      draft.json { object in
        object.append(name, .raw("1"))
        object.members.append(.init(rawName: "\"1\\u0030\(name.dropFirst(2))\"", .raw("2")))
      }
    }
    accept(
      "2.3", "a-name-that-would-be-known-without-its-plane",
      note: "U+10064 is not d, so this is not a second data member"
    ) {
      $0.json { $0.members.append(.init(rawName: #""\ud800\udc64ata""#, .string("AAAA"))) }
    }
    reject("2.6", "a-repeated-empty-name", .duplicateMember) { $0.json { $0.members += CaseList.pair("") } }
    reject(
      "2.6", "a-repeated-name-of-the-token-in-the-header", .duplicateMember, note: "header.data is no known member"
    ) { $0.header { $0.members += CaseList.pair("data") } }
    reject("2.6", "the-first-of-two-repetitions-stands-in-the-header", .duplicateMember, .transactionId) {
      $0.json { object in
        object.edit("header") { $0.append("transactionId", .string("00")) }
        object.append("data", .string("AAAA"))
      }
    }
    reject("2.6", "the-first-of-two-repetitions-stands-in-the-token", .duplicateMember, .data) {
      $0.json { object in
        object.edit("header") { $0.append("transactionId", .string("00")) }
        object.append("data", .string("AAAA"))
        object.append("header", object["header"] ?? .raw("{}"))
        object["header"] = nil
      }
    }
    reject("2.6", "a-first-header-that-repeats-a-name-itself", .duplicateMember, .transactionId) {
      $0.json { object in
        object.append("header", object["header"] ?? .raw("{}"))
        object.edit("header") { $0.append("transactionId", .string("00")) }
      }
    }
    reject("2.6", "a-second-header-that-repeats-a-name-itself", .duplicateMember, .header) {
      $0.json { object in
        var header = object["header"]?.object ?? JSONObject()
        header.append("transactionId", .string("00"))
        object.append("header", .object(header))
      }
    }
    reject(
      "2.6", .standing(.holder, .apple, .strictness, "a-repeated-name-and-missing-members"), .duplicateMember, .version
    ) {
      $0.token = Array(#"{"version":"EC_v1","version":"EC_v1"}"#.utf8)
    }
    reject("2.6", .standing(.holder, .apple, .strictness, "a-repeated-name-before-a-syntax-error"), .malformedJSON) {
      $0.text { $0.replace(",\"version\"", with: ",\"data\":1,x\"version\"") }
    }
    let different: Named<[JSONObject.Member]> = [
      "that-differ-in-case": [.init("Data", .raw("1")), .init("DATA", .raw("2")), .init("VERSION", .raw("3"))],
      "that-differ-by-a-null-character": [
        .init(rawName: #""data\u0000""#, .raw("1")), .init(rawName: #""\u0000data""#, .raw("2")),
      ],
      "that-differ-in-normal-form-only": [.init("\u{E9}", .raw("1")), .init("e\u{301}", .raw("2"))],
      "that-are-prefixes-of-known-ones": [.init("dat", .raw("1")), .init("dataa", .raw("2")), .init("v", .raw("3"))],
    ]
    for (name, members) in different { accept("2.6", "names-\(name)") { $0.json { $0.members += members } } }
    accept("2.6", "header-names-in-the-token-and-token-names-in-the-header") {
      $0.json { object in
        object.edit("header") {
          $0.members += [.init("version", .raw("1")), .init("data", .raw("2")), .init("header", .raw("{}"))]
        }
        object.members += [
          .init("transactionId", .raw("1")), .init("wrappedKey", .raw("2")), .init("applicationData", .raw("3")),
        ]
      }
    }
  }
}
