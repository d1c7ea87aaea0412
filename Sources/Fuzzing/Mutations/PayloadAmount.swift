extension Mutation {
  static let payloadAmount = Mutation(
    "payload-amount", .payload, hunts: "amounts: exponents, fractions, zeros, the bound of 10^12, overflows"
  ) { draft, random in
    guard let payload = draft.payload, var tree = JSONPiece(payload) else { return false }
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
    draft.replacePayload(with: tree.text)
    return true
  }
}
