import CSodium
import Testing
import TokenScanning

/// Compares every kernel with libsodium, and with RFC 4648 for inputs that libsodium does not handle.
@Suite struct Base64Tests {
  private static let kernels = TextKernel.supported
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The decoded bytes; nil if rejected. Checks that nothing is written beyond the documented room.
  private func decode(_ text: [UInt8], _ kernel: TextKernel) -> [UInt8]? {
    let room = text.count / 4 * 3
    var output = [UInt8](repeating: 0xA5, count: room + 16)
    let count = output.withUnsafeMutableBufferPointer { buffer in
      var span = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
      return Base64Text.decode(text.span, into: &span, with: kernel)
    }
    #expect(output[room...].elementsEqual([UInt8](repeating: 0xA5, count: 16)), "\(kernel) wrote beyond its output")
    return count.map { Array(output[..<$0]) }
  }

  /// libsodium 1.0.18 accepts bytes from 0x80 on as digits, so it is not used for those.
  private func sodium(_ text: [UInt8]) -> [UInt8]? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var output = [UInt8](repeating: 0, count: text.count + 1)
    var count = 0
    var end: UnsafePointer<CChar>?
    let isValid = text.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return sodium_base642bin(
        &output, output.count, start, text.count, nil, &count, &end, sodium_base64_VARIANT_ORIGINAL) == 0
        && (text.isEmpty || end == start.map { $0 + text.count })
    }
    return isValid ? Array(output[..<count]) : nil
  }

  private func text(of bytes: [UInt8]) -> [UInt8] {
    let size = (bytes.count + 2) / 3 * 4 + 1
    var text = [CChar](repeating: 0, count: size)
    sodium_bin2base64(&text, size, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
    return text.dropLast().map { UInt8(bitPattern: $0) }
  }

  @Test func `the portable kernel is tested on every machine`() {
    #expect(Self.kernels.contains(.portable))
  }

  @Test(arguments: kernels) func `bytes of every length are decoded`(_ kernel: TextKernel) {
    var state: UInt64 = 0x5EED
    for length in 0...300 {
      let bytes = (0..<length).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      let text = text(of: bytes)
      #expect(decode(text, kernel) == bytes, "length \(length)")
    }
  }

  @Test(arguments: kernels) func `texts whose length is not a multiple of four are rejected`(
    _ kernel: TextKernel
  ) {
    for length in 0...300 {
      let text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
      #expect((decode(text, kernel) != nil) == length.isMultiple(of: 4), "length \(length)")
    }
  }

  @Test(arguments: kernels) func `every byte at every position is accepted or rejected as by libsodium`(
    _ kernel: TextKernel
  ) {
    // Below, at and above the steps of the kernels, including the last group.
    for length in [4, 16, 20, 32, 36, 64, 68, 132] {
      var text = (0..<length).map { Self.alphabet[$0 * 7 % 64] }
      for position in 0..<length {
        let original = text[position]
        for byte in UInt8.min...UInt8.max {
          text[position] = byte
          let decoded = decode(text, kernel)
          guard decoded != sodium(text) else { continue }
          Issue.record("\(kernel), length \(length), byte \(byte) at \(position): \(String(describing: decoded))")
        }
        text[position] = original
      }
    }
  }

  @Test(arguments: kernels)
  func `every last group that begins with Q and ends with = is accepted or rejected as by libsodium`(
    _ kernel: TextKernel
  ) {
    for prefix in ["", "QUJD", String(repeating: "QUJD", count: 16)] {
      for third in Self.alphabet + [UInt8(ascii: "=")] {
        for second in Self.alphabet {
          let text = Array(prefix.utf8) + [UInt8(ascii: "Q"), second, third, UInt8(ascii: "=")]
          #expect(decode(text, kernel) == sodium(text), "\(String(decoding: text, as: UTF8.self))")
        }
      }
    }
  }

  @Test(arguments: kernels) func `padding alone, padding inside and other alphabets are rejected`(
    _ kernel: TextKernel
  ) {
    let refused = [
      "=", "====", "A===", "AA=A", "=AAA", "A=AA", "AA==AAAA", "AAA=AAAA", "AAAA====", "AA=", "QQ", "QUI", "QR==",
      "QUJ=",
      "QU J", "QUJD\n", "QUJ\0", "____", "----", "AAA\u{80}",
    ]
    for text in refused {
      #expect(decode(Array(text.utf8), kernel) == nil, "\(text)")
      let after = String(repeating: "QUJD", count: 32) + text
      #expect(decode(Array(after.utf8), kernel) == nil, "\(after)")
    }
    #expect(decode([], kernel) == [])
  }

  @Test(arguments: kernels) func `every byte in a group with padding is accepted or rejected as by libsodium`(
    _ kernel: TextKernel
  ) {
    for group in ["QQ==", "QUI="] {
      for prefix in ["", "QUJD"] {
        for place in 0..<4 {
          for byte in UInt8.min...UInt8.max {
            var text = Array((prefix + group).utf8)
            text[prefix.utf8.count + place] = byte
            let (found, expected) = (decode(text, kernel), sodium(text))
            if found != expected { Issue.record("\(kernel), \(text): \(String(describing: found))") }
          }
        }
      }
    }
  }

  @Test func `an array of decoded bytes has no others`() {
    for length in 0...100 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + length) }
      let text = text(of: bytes)
      #expect(Base64Text.decoded(text) == bytes, "length \(length)")
      #expect(Base64Text.decoded(text + [UInt8(ascii: "A")]) == nil, "length \(length)")
    }
  }

  @Test func `64 characters are of the alphabet`() {
    for byte in UInt8.min...UInt8.max {
      #expect(Base64Text.isSextet(byte) == Self.alphabet.contains(byte), "\(byte)")
    }
  }

  @Test(arguments: kernels) func `an empty text without an address is decoded`(_ kernel: TextKernel) {
    let text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var output = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0))
    #expect(Base64Text.decode(Span(_unsafeElements: text), into: &output, with: kernel) == 0)
  }
}
