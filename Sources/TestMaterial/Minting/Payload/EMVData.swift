import PaymentToken

/// The data of a payment of type EMV: BER-TLV data objects (EMV Book 3, annexes A and B) as a chip sends them in an
/// online authorization, for the payment's amount, currency and date.
package struct EMVData: Sendable {
  /// Tag and value, in order; tags are unique.
  private let objects: [(tag: [UInt8], value: [UInt8])]

  /// The data objects of a payment.
  ///
  /// - Parameters:
  ///   - amount: minor units, at most 12 digits.
  ///   - currencyCode: ISO 4217 numeric, three digits.
  ///   - time: its date is the transaction date.
  ///   - stream: the source of cryptogram, counter and unpredictable number.
  package init(amount: Int64, currencyCode: String, at time: UnixTime, from stream: inout SeededGenerator) {
    let date = String(time.generalizedTimeText.prefix(8).dropFirst(2))
    objects = [
      ([0x9F, 0x26], stream.bytes(8)),  // Application Cryptogram
      ([0x9F, 0x27], [0x80]),  // Cryptogram Information Data: ARQC
      // Issuer Application Data, in the form of a Visa card: length, key index, version, verification results.
      ([0x9F, 0x10], [0x06, 0x01, 0x0A, 0x03, 0xA0, 0x00, 0x00]),
      ([0x9F, 0x37], stream.bytes(4)),  // Unpredictable Number
      ([0x9F, 0x36], stream.bytes(2)),  // Application Transaction Counter
      ([0x95], [UInt8](repeating: 0, count: 5)),  // Terminal Verification Results
      ([0x9A], EMVData.decimal(date, bytes: 3)),  // Transaction Date
      ([0x9C], [0x00]),  // Transaction Type: purchase
      ([0x9F, 0x02], EMVData.decimal(String(amount), bytes: 6)),  // Amount, Authorised
      ([0x5F, 0x2A], EMVData.decimal(currencyCode, bytes: 2)),  // Transaction Currency Code
      ([0x82], [0x20, 0x00]),  // Application Interchange Profile
      ([0x9F, 0x1A], [0x02, 0x50]),  // Terminal Country Code: 250, France
      ([0x9F, 0x03], [UInt8](repeating: 0, count: 6)),  // Amount, Other
      ([0x9F, 0x33], [0xE0, 0x08, 0x08]),  // Terminal Capabilities
      ([0x9F, 0x34], [0x01, 0x00, 0x02]),  // Cardholder Verification Method Results: on the device
      ([0x5F, 0x34], [0x00]),  // PAN Sequence Number
    ]
  }

  /// The BER-TLV: each value here is shorter than 128 bytes, so its length is one byte.
  package var encoded: [UInt8] { objects.flatMap { $0.tag + [UInt8($0.value.count)] + $0.value } }

  /// Binary coded decimal, right-aligned: format n of EMV Book 3, 4.3.
  private static func decimal(_ digits: String, bytes count: Int) -> [UInt8] {
    let padded = String(repeating: "0", count: max(0, 2 * count - digits.utf8.count)) + digits
    let values = padded.utf8.suffix(2 * count).map { ($0 &- UInt8(ascii: "0")) & 0x0F }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
