#if canImport(PaymentToken)
  import PaymentToken
#endif

extension CompilerProbe {
  /// Forms that assay uses in place of the wrong ones.
  static let usedForms = [
    CompilerProbe("bytes-of-a-value", "loads in `withUnsafeBytes(of: value)`", isUsed: true) { value in
      bytesOfValue(value) == value &+ (value ^ 1) && pointerToValue(value) == value ^ 1
        && branching(value) == (value > 3 ? 9 : value)
    },
    CompilerProbe("bytes-of-a-hash", "loads in the closure of `Bytes32.withUnsafeBytes`", isUsed: true) { value in
      guard let hash = bytes(value), let other = bytes(~value) else { return false }
      let word = value.littleEndian
      return firstWord(hash) == word && isFirst(hash, word) && masked(hash, 255) == value & 255 && lastByte(hash) == 31
        && count([hash, hash, other, hash], of: word) == 3 && added([hash, other]) == .max
        && areEqual(hash, hash) && !areEqual(hash, other) && copiedOut(hash) == hash.bytes && hash.words.0 == word
    },
    CompilerProbe("words-of-an-inline-array", "words read from an InlineArray of bytes", isUsed: true) { value in
      wordOfInlineArray(value) == value
    },
    CompilerProbe("bytes-of-a-literal", "an array literal that becomes a Bytes32", isUsed: true) { value in
      let byte = UInt8(truncatingIfNeeded: value)
      return literal(byte)?.words.0.littleEndian == UInt64(byte) | UInt64(byte) << 56 && literal(byte)?.bytes[8] == byte
    },
    CompilerProbe("words-of-an-array", "words read from an array of bytes", isUsed: true) { value in
      Bytes32([UInt8](repeating: UInt8(truncatingIfNeeded: value), count: 32))?.words.3
        == 0x0101_0101_0101_0101 &* (value & 255)
    },
  ]
}

@inline(never) private func bytesOfValue(_ value: UInt64) -> UInt64 {
  withUnsafeBytes(of: (value, value ^ 1)) {
    $0.load(as: UInt64.self) &+ $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
  }
}

@inline(never) private func pointerToValue(_ value: UInt64) -> UInt64 {
  withUnsafePointer(to: (value, value ^ 1)) { $0.withMemoryRebound(to: UInt64.self, capacity: 2) { $0[1] } }
}

@inline(never) private func branching(_ value: UInt64) -> UInt64 {
  var pair = (value, value)
  if value > 3 { pair.1 = 9 }
  return withUnsafeBytes(of: pair) { $0.load(fromByteOffset: 8, as: UInt64.self) }
}

/// A value in little-endian order, then the bytes 8 to 31.
private func bytes(_ value: UInt64) -> Bytes32? {
  Bytes32((0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } + Array(8..<32))
}

@inline(never) private func firstWord(_ hash: Bytes32) -> UInt64 { hash.withUnsafeBytes { $0.load(as: UInt64.self) } }

@inline(never) private func isFirst(_ hash: Bytes32, _ word: UInt64) -> Bool {
  hash.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == word
}

@inline(never) private func masked(_ hash: Bytes32, _ mask: UInt64) -> UInt64 {
  UInt64(littleEndian: hash.withUnsafeBytes { $0.load(as: UInt64.self) }) & mask
}

@inline(never) private func lastByte(_ hash: Bytes32) -> UInt8 { hash.withUnsafeBytes { $0[31] } }

@inline(never) private func count(_ hashes: [Bytes32], of word: UInt64) -> Int {
  var count = 0
  for hash in hashes where hash.withUnsafeBytes({ $0.load(as: UInt64.self) }) == word { count += 1 }
  return count
}

@inline(never) private func added(_ hashes: [Bytes32]) -> UInt64 {
  var sum: UInt64 = 0
  for hash in hashes { sum &+= hash.withUnsafeBytes { $0.load(as: UInt64.self) } }
  return sum
}

@inline(never) private func areEqual(_ left: Bytes32, _ right: Bytes32) -> Bool {
  left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
}

@inline(never) private func copiedOut(_ hash: Bytes32) -> [UInt8] { hash.withUnsafeBytes { Array($0) } }

@inline(never) private func wordOfInlineArray(_ value: UInt64) -> UInt64 {
  var bytes = InlineArray<32, UInt8>(repeating: 0)
  for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8)) }
  return Bytes32(bytes.span).map { UInt64(littleEndian: $0.words.0) } ?? 0
}

@inline(never) private func literal(_ byte: UInt8) -> Bytes32? {
  Bytes32([byte, 0, 0, 0, 0, 0, 0, byte, byte] + [UInt8](repeating: 0, count: 23))
}
