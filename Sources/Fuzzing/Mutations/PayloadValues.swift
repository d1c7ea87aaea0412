extension Mutation {
  static let payloadValues = Mutation(
    "payload-values", .payload, hunts: "lengths, digits, dates and encodings of payload members, one off at each edge"
  ) { draft, random in
    guard let payload = draft.payload, var tree = JSONPiece(payload) else { return false }
    let (path, values) = random.pick(PayloadEdges.all)
    let value = JSONPiece.scalar(Array(random.pick(values).utf8))
    if path.count == 2, tree[path[..<1]] == nil { tree[path[..<1]] = .object([]) }
    tree[path[...]] = value
    draft.replacePayload(with: tree.text)
    return true
  }
}

/// Values at the edges of the rules, as they stand in the document.
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
