import Testing
import TokenScanning

/// Rule 13.3.
@Suite struct AmountTests {
  private func value(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    return AmountText.value(0..<bytes.count, in: bytes.span)
  }

  @Test(
    arguments: [
      ("0", 0), ("1", 1), ("999999999999", 999_999_999_999), ("10", 10), ("1.0", 1), ("1.50e2", 150), ("1.5E+1", 15),
      ("0.0", 0), ("0e12", 0), ("0.000e0012", 0), ("1e11", 100_000_000_000), ("1e0", 1), ("1e000", 1),
      ("1e00000011", 100_000_000_000),
      ("0.000000000001e12", 1), ("0.999999999999e12", 999_999_999_999), ("99999999999.9e1", 999_999_999_999),
      ("100.000", 100), ("100.00000000000000000000000000000000", 100), ("0.00000000000000000000", 0),
      ("123.4500e2", 12_345),
    ] as [(String, Int64)]) func `integral numbers within the bound`(_ text: String, _ expected: Int64)
  {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    "1000000000000", "1e12", "10e11", "0.1e13", "1e13", "1e00013", "1e99999999999999999999", "0e13", "-0", "-1", "0e-0",
    "1e-0", "10e-1", "0.5", "1.5", "1.05e1", "0.0000000000001e12", "0.0000000000001", "999999999999.5", "9999999999999",
    "100000000000000000000000000000000", "18446744073709551616", "1.00000000000000000000000000000001",
    // These values exceed 64 bits on the way, which must not trap.
    "999999999999e12", "999999999999e8", "999999999999.0e12", "999999999000000000001", "99999999999900000000e12",
    "123456789012000000000000", "999999999999000000000000", "9999999999990000000000001",
  ]) func `other numbers have no value`(_ text: String) {
    #expect(value(text) == nil)
  }

  @Test func `every number of up to 26 nines with every exponent has a value or none`() {
    for digits in 1...26 {
      for zeros in 0...14 {
        for exponent in 0...14 {
          let text = String(repeating: "9", count: digits) + String(repeating: "0", count: zeros) + "e\(exponent)"
          let isIn = digits + zeros + exponent <= 12 && exponent <= 12
          #expect((value(text) != nil) == isIn, "\(text)")
        }
      }
    }
  }
}
