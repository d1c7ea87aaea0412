import Minting
import NamedCases
import TestCases

extension Mutation {
  static let payloadBytes = Mutation(
    "payload-bytes", .payload,
    hunts:
      "disagreements of the payload readers, which only decrypted tokens reach, byte by byte"
  ) { draft, random in
    guard let payload = draft.payload else { return false }
    draft.replacePayload(with: ByteEdits.changed(payload, using: &random))
    return true
  }

  static let payloadMembers = Mutation(
    "payload-members", .payload, hunts: "payload members removed, repeated, renamed, retyped, too many or too deep"
  ) { draft, random in
    guard let payload = draft.payload, var tree = JSONPiece(payload) else { return false }
    for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&tree, names: PayloadNames.all, using: &random) }
    draft.replacePayload(with: random.chance(8) ? JSONEdits.spaced(tree.text, using: &random) : tree.text)
    return true
  }

  static let payloadValues = Mutation(
    "payload-values", .payload, \.payloadTree,
    hunts: "lengths, digits, dates and encodings of payload members, off by one at each limit"
  ) { tree, draft, random in
    let (path, values) = draft.aim(at: PayloadEdges.all, \.path, using: &random)
    let value = JSONPiece.scalar(Array(random.pick(values).utf8))
    if path.count == 2, tree[path[..<1]] == nil { tree[path[..<1]] = .object([]) }
    tree[path[...]] = value
    return true
  }

  static let payloadAmount = Mutation(
    "payload-amount", .payload, \.payloadTree,
    hunts: "amounts: exponents, fractions, zeros, the limit of 10^12, overflows"
  ) { tree, _, random in
    func digits(_ count: Int, _ random: inout QuickGenerator) -> String {
      (0..<count).map { _ in random.pick(["0", "0", "1", "5", "9"]) }.joined()
    }
    var text = random.pick([
      "0", "1", "9", "10", "100", "999999999999", "1000000000000", "100000000000", "999999999999000",
      "18446744073709551616", "9223372036854775807", "4294967296",
    ])
    if random.chance(3) { text += digits(random.pick([1, 2, 12, 30]), &random) }
    if random.chance(2) {
      let fraction = random.pick([digits(1, &random), digits(12, &random), "0", "00", "50", "999999999999"])
      text += "." + fraction + String(repeating: "0", count: random.pick([0, 0, 1, 20]))
    }
    if random.chance(2) {
      text += random.pick(["e", "E"]) + random.pick(["", "", "+", "-"])
      text += String(repeating: "0", count: random.pick([0, 0, 1, 30]))
      text += random.pick(["0", "1", "2", "3", "9", "10", "11", "12", "13", "19", "99", "18446744073709551617"])
    }
    if random.chance(20) { text = "-" + text }
    tree["transactionAmount"] = .scalar(Array(text.utf8))
    return true
  }

  static let payloadKind = Mutation(
    "payload-kind", .payload,
    hunts: "payloads of every kind in both versions: EMV with a PIN, multi-merchant, merchant tokens"
  ) { draft, random throws(MintingError) in
    var stream = draft.sampleSigner.minter.generator.stream("payload", random.next())
    var recipe = PayloadRecipe.random(from: &stream)
    switch random.below(6) {
    case 0: recipe.kind = .emv(data: stream.bytes(random.pick([1, 2, 3, 64, 255])))
    case 1: recipe.kind = .emv(data: stream.bytes(30), pinData: stream.bytes(random.pick([0, 1, 8, 300])))
    case 2: recipe.authenticationResponses = []
    case 3: recipe.merchantTokenMetadata = "{}"
    case 4: recipe.transactionAmount = random.pick(["0", "999999999999", "1e2", "1.50e2"])
    default: break
    }
    var text = recipe.plaintext
    if random.chance(4), var tree = JSONPiece(text), case .object(var members) = tree {
      members.shuffle(using: &random)
      tree = .object(members)
      text = tree.text
    }
    draft.replacePayload(with: text)
    return true
  }

  static let payloadSize = Mutation(
    "payload-size", .payload, hunts: "buffers for the largest ciphertext that fits into a token of 16,384 bytes"
  ) { draft, random in
    guard var payload = draft.payload, !draft.tokenText.isEmpty else { return false }
    // The size in base64 must hit the limit exactly or nearly.
    let room = CaseList.maximumTokenSize - draft.tokenText.count
    let missing = room / 4 * 3 + random.pick([-12, -6, -3, 0, 0, 0, 3, 6, -random.below(400)])
    guard missing > 0 else { return false }
    payload += [UInt8](repeating: 0x20, count: missing)
    draft.replacePayload(with: payload)
    if random.chance(2) {
      draft.fields.applicationData = random.bytes(32)
      draft.touch(.content)
    }
    return true
  }
}

/// The member names of payloads (Docs/Verification.md stage 13).
enum PayloadNames {
  static let all = [
    "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
    "deviceManufacturerIdentifier", "paymentDataType", "paymentData", "onlinePaymentCryptogram", "eciIndicator",
    "emvData", "encryptedPINData", "cardholderName", "authenticationResponses", "merchantIdentifier",
    "authenticationData", "merchantTokenIdentifier", "merchantTokenMetadata", "unknown", "", "😀",
  ]
}

/// Values at the edges of the rules, as JSON text.
enum PayloadEdges {
  static let all: [(path: [String], values: [String])] = [
    (
      ["applicationPrimaryAccountNumber"],
      [
        quoted("1", 11), quoted("1", 12), quoted("1", 13), quoted("1", 18), quoted("1", 19), quoted("1", 20), "\"\"",
        "\"411111111111111a\"", "\"4111111111111 11\"", "\"411111111111111\\u0031\"", "\"４111111111111111\"",
        "\"/111111111111111\"", "\":111111111111111\"", "4111111111111111", "\"411111111111111\\u0000\"",
      ]
    ),
    (
      ["applicationExpirationDate"],
      [
        "000229", "230229", "240229", "990228", "990229", "301231", "301232", "300431", "300430", "300100", "300001",
        "301301", "300731", "300831", "301031", "301131", "301130", "300931", "300631", "300229", "280229", "3012310",
        "30123", "", "30123a", "-11231", "000101", "991231", "30 231", "/01231", ":01231", "30/231", "3012:1",
      ].map { "\"\($0)\"" }
    ),
    (
      ["currencyCode"],
      ["97", "9788", "97a", "٩٧٨", "", " 97", "978 ", "000", "999", "97/", "97:", "\\u0039\\u0037\\u0038"].map {
        "\"\($0)\""
      }
    ),
    (
      ["deviceManufacturerIdentifier"],
      [
        quoted("ab", 31), quoted("ab", 32), quoted("ab", 33), "\"\"", "\"0\"", "\"00\"", "\"0g\"", "\"G0\"", "\"0/\"",
        "\"0:\"", "\"0@\"", "\"0`\"", "\"Ff\"", "\"040010030\"", "\"0x00\"", quoted("0", 65), quoted("0", 63),
      ]
    ),
    (
      ["paymentDataType"],
      ["3DSecure", "EMV", "3dsecure", "emv", "", "3DSecure ", "EMVx", "3DSecur", "EM"].map { "\"\($0)\"" }
    ),
    (["paymentData", "onlinePaymentCryptogram"], base64),
    (["paymentData", "emvData"], base64),
    (
      ["paymentData", "eciIndicator"], ["\"\"", "\"7\"", "\"07\"", "\"007\"", "\"a\"", "\"5 \"", "\"٧\"", "7", "null"]
    ),
    (
      ["paymentData", "encryptedPINData"],
      ["\"\"", "\"00\"", "\"0\"", "\"aF\"", "\"0g\"", "null", "0", "{}", quoted("ab", 300)]
    ),
    (
      ["cardholderName"],
      [
        "\"\"", "null", "\"Z\\u00f6e\"", "\"\\u0000\"", "\"\\uD83D\\uDE00x\"", "\"😀é\\u00e9\"",
        "0", quoted("N", 300), "[]",
      ]
    ),
    (["merchantTokenIdentifier"], ["\"\"", "null", "\"T\"", "0", "{}"]),
    (["merchantTokenMetadata"], ["{}", "null", "[]", "\"\"", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":[]}}", "{ }", "0"]),
    (
      ["authenticationResponses"],
      [
        "[]", "null", "{}", "[{}]", "[null]", "[[]]", response(), "[\(response(brackets: false)),0]",
        "[\(response(brackets: false)),\(response(brackets: false))]", response(extra: ",\"merchantIdentifier\":\"b\""),
        response(extra: ",\"unknown\":null"), response(amount: "100"), response(extra: many(60)),
        response(extra: many(61)), response(extra: many(62)), "[\(response(brackets: false)),]",
      ]
    ),
  ]

  /// One valid element of `authenticationResponses`.
  static let responses: JSONPiece = JSONPiece(Array(response().utf8)) ?? .array([])

  private static let base64: [String] = [
    "", "=", "====", "AA==", "AB==", "AQ==", "AA=", "AAA=", "AAB=", "AAE=", "AAAA", "AAAAA", "AA", "A===", "AA==AAAA",
    "AA AA", "-_-_", "+/+/", "\\u0041AAA", "+\\/+\\/", "AAAA\\n", "é===", "AAA==", "AAAA====", "AA=A", "Af==", "/w==",
    "//8=", "//9=", String(repeating: "A", count: 400),
  ].map { "\"\($0)\"" }

  private static func quoted(_ text: String, _ count: Int) -> String {
    "\"" + String(repeating: text, count: count) + "\""
  }

  private static func many(_ count: Int) -> String { (0..<count).map { ",\"m\($0)\":0" }.joined() }

  private static func response(amount: String = "\"100\"", extra: String = "", brackets: Bool = true) -> String {
    let object =
      "{\"merchantIdentifier\":\"merchant.test\",\"authenticationData\":\"AAAA\",\"transactionAmount\":\(amount)\(extra)}"
    return brackets ? "[\(object)]" : object
  }
}
