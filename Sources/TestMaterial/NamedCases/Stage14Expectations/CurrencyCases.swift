import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules 13.2, 14.2 and 14.3 in other currencies than euros: `transactionAmount` has the decimals of its currency, and
/// nothing scales it. Tokens of one currency share an expected order.
extension CaseList {
  mutating func addCurrencyCases() {
    // JPY has no decimals and KWD three. The codes of AUD and ALL begin with zeros. HUF has two decimals that nobody
    // uses. Other amounts are wrong by 100, or by 10 where three decimals are taken for two.
    let currencies: [(letters: String, code: String, others: [Int64])] = [
      ("jpy", "392", [1_250, 12_500_000]), ("kwd", "414", [12_500, 1_250_000, 1_250]), ("aud", "036", [1_250]),
      ("all", "008", [1_250]), ("huf", "348", [1_250]),
    ]
    let order: Int64 = 125_000
    for (letters, code, others) in currencies {
      @Sendable func pay(_ amount: Int64, _ payload: inout JSONObject) {
        payload["currencyCode"] = .string(code)
        payload["transactionAmount"] = .raw("\(amount)")
      }
      payload("13.2", "\(order)-\(letters)-paid", nil) { pay(order, &$0) }
      accept("14.2", "\(order)-\(letters)-paid-as-expected") { draft in
        draft.policy.expectations = Expectations(currencyCode: code, transactionAmount: order)
        try draft.payload { pay(order, &$0) }
      }
      for amount in others {
        reject("14.3", "\(amount)-\(letters)-paid-and-\(order)-expected", .amountMismatch) { draft in
          draft.policy.expectations = Expectations(currencyCode: code, transactionAmount: order)
          try draft.payload { pay(amount, &$0) }
        }
      }
    }
  }
}
