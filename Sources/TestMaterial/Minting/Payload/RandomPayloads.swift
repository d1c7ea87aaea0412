import PaymentToken

extension PayloadRecipe {
  /// A valid payload drawn from the stream, mostly of type 3DSecure.
  public static func random(from stream: inout SeededGenerator) -> PayloadRecipe {
    var recipe = PayloadRecipe()
    recipe.accountNumber = testAccountNumbers[Int.random(in: 0..<testAccountNumbers.count, using: &stream)]
    let month = Int.random(in: 1...12, using: &stream)
    recipe.expirationDate = String(27 + Int.random(in: 0..<9, using: &stream)) + (month < 10 ? "0" : "") + "\(month)28"
    recipe.currencyCode = ["978", "840", "826", "392", "756", "036"][Int.random(in: 0..<6, using: &stream)]
    recipe.transactionAmount = String(Int.random(in: 1...500_000, using: &stream))
    let cryptogram = stream.bytes(20)
    recipe.kind = .threeDSecure(
      cryptogram: cryptogram, eciIndicator: [nil, "5", "7", "05"][Int.random(in: 0..<4, using: &stream)])
    switch Int.random(in: 0..<16, using: &stream) {
    case 0: recipe.kind = .emv(data: stream.bytes(Int.random(in: 64...255, using: &stream)))
    case 1: recipe.cardholderName = "TEST CARDHOLDER"
    case 2: recipe.cardholderName = "Zoë \"Test\" Ångström 试卡"
    case 3: recipe.authenticationResponses = responses(from: &stream)
    case 4:
      recipe.merchantTokenIdentifier = "TEST" + Hex.encode(stream.bytes(8))
      recipe.merchantTokenMetadata = #"{"cardMetadata":{"expirationDate":"2030-12","fpanSuffix":"1111"},"cardArt":[]}"#
    default: break
    }
    return recipe
  }

  /// Numbers that the card schemes and processors publish for tests, and that belong to nobody.
  public static let testAccountNumbers = [
    "4111111111111111", "4012888888881881", "5204740009900014", "5555555555554444", "2223003122003222",
    "378282246310005", "6011111111111117", "3530111333300000", "30569309025904", "6304000000000000",
  ]

  private static func responses(from stream: inout SeededGenerator) -> [AuthenticationResponse] {
    (0..<Int.random(in: 0...3, using: &stream)).map { index in
      AuthenticationResponse(
        merchantIdentifier: "merchant.test.assay.\(index)", authenticationData: Base64.encode(stream.bytes(24)),
        transactionAmount: String(Int.random(in: 1...99_999, using: &stream)))
    }
  }
}
