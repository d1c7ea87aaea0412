import Foundation
import Gateways
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Stages 1-4: which fault is the first, and which member it names.
struct EarlyStageTests {
  private let engine: ReferenceDecryptor
  private let token: String

  init() throws {
    let minter = try Minted.minter()
    engine = try Minted.engine(minter)
    var recipe = TokenRecipe()
    recipe.applicationData = [UInt8](repeating: 7, count: 32)
    recipe.style.order = .versionFirst
    token = String(decoding: try minter.mint(recipe).bytes, as: UTF8.self)
  }

  private func fault(_ text: String) -> TokenFault? {
    engine.fault(Array(text.utf8), at: Minted.time, VerificationPolicy())
  }

  private func fault(_ edit: (inout [String: Any], inout [String: Any]) -> Void) throws -> TokenFault? {
    let parsed = try #require(JSONSerialization.jsonObject(with: Data(token.utf8)) as? [String: Any])
    var object = parsed
    var header = try #require(object["header"] as? [String: Any])
    edit(&object, &header)
    if object["header"] is [String: Any] { object["header"] = header }
    return fault(String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self))
  }

  @Test func `the unchanged token is accepted`() { #expect(fault(token) == nil) }

  @Test func `16,384 bytes are a token and one more is too large`() {
    let padding = String(repeating: " ", count: 16_384 - token.utf8.count)
    #expect(fault(token + padding) == nil)
    #expect(fault(token + padding + " ") == TokenFault(.tokenTooLarge))
    #expect(fault(String(repeating: "x", count: 16_385)) == TokenFault(.tokenTooLarge))
    #expect(fault("") == TokenFault(.malformedJSON))
  }

  @Test func `64 members in the token and in each header, anything elsewhere`() {
    func members(_ count: Int, _ name: String = "x") -> String {
      (0..<count).map { "\"\(name)\($0)\":0" }.joined(separator: ",")
    }
    #expect(fault("{\(members(64))}") == TokenFault(.missingMember, member: .version))
    #expect(fault("{\(members(65))}") == TokenFault(.malformedJSON))
    #expect(fault("{\"header\":{\(members(64))}}") == TokenFault(.missingMember, member: .version))
    #expect(fault("{\"header\":{\(members(65))}}") == TokenFault(.malformedJSON))
    #expect(fault("{\"header\":{},\"\\u0068eader\":{\(members(65))}}") == TokenFault(.malformedJSON))
    #expect(fault("{\"other\":{\(members(65))}}") == TokenFault(.missingMember, member: .version))
    #expect(fault("{\"a\":1,\"a\":1,\"header\":{\(members(65))}}") == TokenFault(.malformedJSON))
    #expect(fault("{\"a\":1,\"a\":1") == TokenFault(.malformedJSON))
    #expect(fault("{\"header\":[{\(members(65))}]}") == TokenFault(.missingMember, member: .version))
  }

  @Test(
    arguments: [
      (#"{"a":1,"a":1}"#, nil), (#"{"a":1,"\u0061":1}"#, nil), (#"{"version":1,"version":1}"#, .version),
      (#"{"data":1,"d\u0061ta":1}"#, .data), (#"{"header":1,"header":1}"#, .header),
      (#"{"header":{"data":1,"data":1}}"#, nil), (#"{"header":{"publicKeyHash":1,"publicKeyHash":1}}"#, .publicKeyHash),
      (#"{"publicKeyHash":1,"publicKeyHash":1}"#, nil), (#"{"header.data":1,"header.data":1}"#, nil),
      (#"{"data":1,"header":{"wrappedKey":1,"wrappedKey":2},"data":1}"#, .wrappedKey),
      (#"{"data":1,"data":1,"header":{"wrappedKey":1,"wrappedKey":2}}"#, .data),
      (#"{"header":{"x":1,"x":2},"header":{}}"#, nil),
      (#"{"header":{"x":1},"header":{"transactionId":1,"transactionId":1}}"#, .header),
      (#"{"header":1,"header":{"transactionId":1,"transactionId":1}}"#, .header),
      (#"{"":1,"":1}"#, nil), (#"{"signature":1,"version":1,"version":2,"signature":2}"#, .version),
      (#"{"data":1,"data":2,"version":1,"data":3,"version":2}"#, .data),
      (#"{"header":{"applicationData":null,"applicationDat\u0061":null},"version":0,"version":0}"#, .applicationData),
    ] as [(String, TokenMember?)])
  func `the first repetition in the document is reported`(text: String, member: TokenMember?) {
    #expect(fault(text) == TokenFault(.duplicateMember, member: member))
  }

  @Test func `names repeated in unknown objects are fine`() {
    let text = token.dropLast() + #","other":{"a":1,"a":1},"list":[{"b":1,"b":2}]}"#
    #expect(fault(String(text)) == nil)
    #expect(fault(token.replacingOccurrences(of: "\"header\":{", with: "\"header\":{\"x\":{\"a\":1,\"a\":1},")) == nil)
  }

  @Test func `members are required in their order, presence before type`() throws {
    let inToken: [(String, TokenMember)] = [
      ("version", .version), ("data", .data), ("signature", .signature), ("header", .header),
    ]
    for (index, (name, member)) in inToken.enumerated() {
      #expect(try fault { token, _ in token[name] = nil } == TokenFault(.missingMember, member: member))
      for value in [NSNull(), 1, true, []] as [Any] {
        #expect(try fault { token, _ in token[name] = value } == TokenFault(.wrongType, member: member))
      }
      let later = inToken[(index + 1)...].map(\.0)
      #expect(
        try fault { token, header in
          token[name] = 1
          for other in later { token[other] = nil }
          header["publicKeyHash"] = nil
        } == TokenFault(.wrongType, member: member))
    }
    #expect(try fault { token, _ in token["header"] = "x" } == TokenFault(.wrongType, member: .header))
    #expect(
      try fault { _, header in
        header["publicKeyHash"] = nil
        header["transactionId"] = nil
      } == TokenFault(.missingMember, member: .publicKeyHash))
    #expect(try fault { _, header in header["publicKeyHash"] = 1 } == TokenFault(.wrongType, member: .publicKeyHash))
    #expect(
      try fault { token, header in
        header["transactionId"] = NSNull()
        token["version"] = "XX_v1"
      } == TokenFault(.wrongType, member: .transactionId))
  }

  @Test func `version, then its key field, then the other one, then applicationData`() throws {
    for version in ["", "EC_v2", "ec_v1", "EC_v1 ", "EC_v1\u{0}", "RSA_v2"] {
      #expect(
        try fault { token, header in
          token["version"] = version
          header["ephemeralPublicKey"] = nil
        } == TokenFault(.unsupportedVersion, member: .version))
    }
    #expect(
      try fault { _, header in
        header["ephemeralPublicKey"] = nil
        header["wrappedKey"] = "AA=="
      } == TokenFault(.missingMember, member: .ephemeralPublicKey))
    #expect(
      try fault { _, header in
        header["ephemeralPublicKey"] = NSNull()
        header["wrappedKey"] = "AA=="
      } == TokenFault(.wrongType, member: .ephemeralPublicKey))
    for value in ["", NSNull(), [:]] as [Any] {
      #expect(
        try fault { _, header in
          header["wrappedKey"] = value
          header["applicationData"] = 1
        } == TokenFault(.conflictingMembers, member: .wrappedKey))
    }
    #expect(
      try fault { token, header in
        header["applicationData"] = NSNull()
        token["data"] = "!"
      } == TokenFault(.wrongType, member: .applicationData))
  }

  @Test func `members are decoded in their order, encoding before length`() throws {
    func base64(_ count: Int) -> String { Base64.encode([UInt8](repeating: 0, count: count)) }
    let cases: [(TokenMember, String, TokenFault.Code)] = [
      (.data, "AA", .invalidBase64), (.data, "", .invalidLength), (.data, base64(16), .invalidLength),
      (.signature, "A===", .invalidBase64), (.signature, "", .invalidLength),
      (.ephemeralPublicKey, "AB==", .invalidBase64), (.ephemeralPublicKey, base64(90), .invalidLength),
      (.ephemeralPublicKey, base64(92), .invalidLength),
      (.publicKeyHash, "_w==", .invalidBase64), (.publicKeyHash, base64(31), .invalidLength),
      (.publicKeyHash, base64(33), .invalidLength),
      (.transactionId, "0", .invalidHex), (.transactionId, "", .invalidLength),
      (.transactionId, String(repeating: "0", count: 62), .invalidLength),
      (.transactionId, String(repeating: "0", count: 128), .invalidLength),
      (.applicationData, "zz", .invalidHex), (.applicationData, "", .invalidLength),
      (.applicationData, String(repeating: "0", count: 66), .invalidLength),
    ]
    let order: [TokenMember] = [
      .data, .signature, .ephemeralPublicKey, .publicKeyHash, .transactionId, .applicationData,
    ]
    for (member, value, code) in cases {
      let later = order[(order.firstIndex(of: member) ?? 0)...].dropFirst()
      let found = try fault { token, header in
        for other in later { set(other, "!", &token, &header) }
        set(member, value, &token, &header)
      }
      #expect(found == TokenFault(code, member: member), "\(member) \(value)")
    }
  }

  private func set(
    _ member: TokenMember, _ value: String, _ token: inout [String: Any], _ header: inout [String: Any]
  ) {
    let name = String(member.path.split(separator: ".").last ?? "")
    if member.path.contains(".") { header[name] = value } else { token[name] = value }
  }
}
