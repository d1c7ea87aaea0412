import Gateways
import Minting
import PaymentToken

/// Rule 13.3: amounts, exact and never through a float.
extension CaseList {
  mutating func addAmountCases() {
    let sound: [(String, Int64)] = [
      ("0", 0), ("1", 1), ("100", 100), ("999999999999", 999_999_999_999), ("1e2", 100), ("1E2", 100), ("1e+2", 100),
      ("1.00e2", 100), ("1.50e2", 150), ("0.0", 0), ("0e0", 0),
      ("0e12", 0), ("100.000", 100), ("0.5e1", 5), ("1e0011", 100_000_000_000), ("1e00000000000000000000000002", 100),
      ("0.000000000001e12", 1), ("0.999999999999e12", 999_999_999_999),
      ("1.0", 1), ("12.5e1", 125), ("999999999999.000", 999_999_999_999), ("0.00", 0),
      ("99999999999e1", 999_999_999_990), ("1e11", 100_000_000_000),
      ("5.0e0", 5), ("0.0e5", 0), ("1\(String(repeating: "0", count: 11))", 100_000_000_000),
      ("7.\(String(repeating: "0", count: 500))", 7), ("8.\(String(repeating: "0", count: 500))e3", 8_000),
      ("0.\(String(repeating: "0", count: 100))", 0),
    ]
    for (index, (text, value)) in sound.enumerated() {
      either("13.3", "amount-\(CaseList.amountName(text, index))", nil) { draft in
        try draft.payload { $0["transactionAmount"] = .raw(text) }
        draft.policy.expectations.transactionAmount = value
      }
    }
    let wrong = [
      "1000000000000", "9999999999999", "1e12", "1e13", "0e13", "1e99999999999999999999", "1.5", "0.1", "1.05e1", "0.5",
      "1e-2", "100e-2", "1e-0", "0e-1", "-1", "-0", "-0.0", "-1e2", "1.001e2",
      "9007199254740993e0", "18446744073709551616", "18446744073709551716", "340282366920938463463374607431768211456",
      "4294967296000000000", "1.0000000000000000000000000000001", "999999999999.5",
      "0.0000000000001e12", "0.0000000000001e13", "1000000000000.0", "10e11", "00", "01", "+1", ".5", "5.", "1e",
      "0x64", "NaN", "1e1.5", "1e012", "0.99999999999999999999",
    ]
    for (index, text) in wrong.enumerated() {
      payload("13.3", "amount-refused-\(CaseList.amountName(text, index))") { $0["transactionAmount"] = .raw(text) }
    }
    for (name, value) in [("a-string", JSONValue.string("100")), ("an-empty-string", .string(""))] {
      payload("13.3", "amount-is-\(name)") { $0["transactionAmount"] = value }
    }
  }

  /// The number itself where it is short, its place in the list where it is not.
  private static func amountName(_ text: String, _ index: Int) -> String {
    guard text.utf8.count <= 20 else { return "long-\(index + 1)" }
    return text.map { character in
      switch character {
      case "+": "plus"
      case "-": "minus"
      case ".": "point"
      case "E": "capital-e"
      default: character.lowercased()
      }
    }.joined()
  }
}
