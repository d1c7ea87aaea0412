import PaymentToken
import Testing

@Suite struct Bytes32Tests {
  static let counted = [UInt8](1...32)

  @Test func `32 bytes are taken from every place that has them, and from no other`() throws {
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8($0) }
      for offset in -2...72 {
        let taken = Bytes32(bytes.span, at: offset)?.bytes
        #expect(
          taken == (offset >= 0 && offset + 32 <= count ? Array(bytes[offset..<offset + 32]) : nil),
          "\(count) \(offset)")
      }
      #expect((Bytes32(bytes) != nil) == (count == 32))
    }
    #expect(Bytes32(Self.counted.span, at: .max) == nil && Bytes32(Self.counted.span, at: .min) == nil)
    let whole = try #require(Bytes32(Self.counted))
    #expect(whole.withUnsafeBytes { Array($0) } == Self.counted && Bytes32.count == 32)
    #expect(whole.words.0.littleEndian == 0x0807_0605_0403_0201)
    #expect(whole.words.3.littleEndian == 0x201F_1E1D_1C1B_1A19)
  }

  @Test func `each bit makes another value with another hash`() throws {
    let original = try #require(Bytes32(Self.counted))
    #expect(try original == #require(Bytes32(Self.counted)))
    var hashes: Set<Int> = [original.hashValue]
    for index in Self.counted.indices {
      for bit in 0..<8 {
        var changed = Self.counted
        changed[index] ^= 1 << UInt8(bit)
        let other = try #require(Bytes32(changed))
        #expect(other != original && other.bytes == changed)
        hashes.insert(other.hashValue)
      }
    }
    // The probability that two of 257 hashes of 64 bits are equal is 2 · 10^-15.
    #expect(hashes.count == 257)
  }

  @Test func `hexadecimal text has 64 digits`() {
    let text = String(repeating: "0aF9", count: 16)
    #expect(Bytes32(hex: text)?.bytes == (0..<16).flatMap { _ in [0x0A, 0xF9] as [UInt8] })
    #expect(Bytes32(hex: text)?.hex == text.lowercased())
    for wrong in ["", String(text.dropLast()), String(text.dropLast(2)), text + "0", text + "00"] {
      #expect(Bytes32(hex: wrong) == nil, "\(wrong)")
    }
  }
}

@Suite struct TextEncodingTests {
  private static let digits = Array("0123456789abcdef")

  @Test func `every byte has two digits, and every two characters are a byte or none`() {
    for byte in UInt8.min...UInt8.max {
      let text = String([Self.digits[Int(byte) / 16], Self.digits[Int(byte) % 16]])
      #expect(Hex.encode([byte]) == text && Hex.encode([7, byte]) == "07" + text)
    }
    for first in UInt8.min..<0x80 {
      for second in UInt8.min..<0x80 {
        let text = String(decoding: [first, second], as: UTF8.self)
        let values = text.lowercased().map { Self.digits.firstIndex(of: $0) }
        let expected = values.count == 2 ? values[0].flatMap { high in values[1].map { [UInt8(high * 16 + $0)] } } : nil
        #expect(Hex.decode(text) == expected, "\(first) \(second)")
      }
    }
    #expect(Hex.decode("") == [] && Hex.encode([]) == "")
    #expect(
      Hex.decode("0") == nil && Hex.decode("001") == nil && Hex.decode("é") == nil
        && Hex.decode("01ff80") == [1, 255, 128])
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
    while !bits.count.isMultiple(of: 6) { bits.append(0) }
    var text = stride(from: 0, to: bits.count, by: 6).map { start in
      alphabet[bits[start..<start + 6].reduce(0) { $0 * 2 + Int($1) }]
    }
    while !text.count.isMultiple(of: 4) { text.append("=") }
    return String(text)
  }

  @Test func `base64 is that of RFC 4648 for every byte at every place and every length`() {
    for byte in UInt8.min...UInt8.max {
      for bytes in [[byte], [byte, 0], [0, byte], [byte, 0, 0], [0, byte, 0], [0, 0, byte], [0xFF, byte, 0xFF]] {
        #expect(Base64.encode(bytes) == Self.base64(bytes), "\(bytes)")
      }
    }
    for count in 0...100 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 37 &* $0 &+ 11) }
      #expect(Base64.encode(bytes) == Self.base64(bytes), "\(count)")
    }
    for (text, expected) in [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
      #expect(Base64.encode(Array(text.utf8)) == expected)
    }
  }
}

@Suite struct StageTests {
  @Test func `stages are in the order of their numbers`() {
    for left in VerificationStage.allCases {
      for right in VerificationStage.allCases {
        #expect((left < right) == (left.rawValue < right.rawValue))
        #expect((left <= right) == (left.rawValue <= right.rawValue))
      }
    }
    #expect(VerificationStage.allCases.map(\.rawValue) == Array(0...14))
  }

  @Test func `only the codes of a key and of a store that could not help are no verdicts`() {
    let noVerdicts = TokenFault.Code.allCases.filter { !$0.isVerdict }.map(\.rawValue)
    #expect(noVerdicts == ["keyUnavailable", "replayStoreFull", "replayStoreUnavailable"])
  }

  @Test func `a member's name is the last part of its path`() {
    for member in TokenMember.allCases {
      #expect(
        member.path == (["version", "data", "signature", "header"].contains(member.name) ? "" : "header.") + member.name
      )
      #expect(!member.name.contains("."))
    }
  }

  @Test func `only the requests with routes in parts are in parts`() {
    let whole = [Envelope.Route(["a"], .object), Envelope.Route(["b"], .text), Envelope.Route(["c"], .base64)]
    #expect(!Envelope.apple.isInParts && !Envelope(name: "whole", routes: whole, marks: []).isInParts)
    #expect(Envelope(name: "parts", routes: whole + [Envelope.Route(["d"], .parts([]))], marks: []).isInParts)
    let marks = ["version", "data", "signature", "header"].map { Envelope.Mark([$0], isPresent: true) }
    #expect(Envelope.apple.marks == marks)
  }
}

@Suite struct MaskTests {
  @Test(arguments: 0...20)
  func `an account number shows its first six and last four digits if it has twelve`(_ count: Int) {
    let digits = String("98765432109876543210".prefix(count))
    let payment = Payment(
      applicationPrimaryAccountNumber: digits, applicationExpirationDate: "301231", currencyCode: "978",
      transactionAmount: 1, cardholderName: nil, deviceManufacturerIdentifier: "00",
      paymentData: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: nil), authenticationResponses: nil,
      merchantTokenIdentifier: nil, merchantTokenMetadata: nil)
    let masked = payment.maskedAccountNumber
    #expect(masked.count == count)
    for (index, pair) in zip(masked, digits).enumerated() {
      let isShown = count >= 12 && (index < 6 || index >= count - 4)
      #expect(pair.0 == (isShown ? pair.1 : "*"), "digit \(index)")
    }
    #expect(payment.description == "Payment(\(masked), 1 978)")
  }
}
