import CSodium
import PaymentToken

/// PEM text (RFC 7468): blocks between BEGIN and END lines, also where their lines are indented, or joined into one.
/// Other text is ignored.
struct PEMDocument {
  /// A block: its label and its base64.
  struct Block {
    let label: String
    fileprivate let body: ArraySlice<UInt8>
  }

  let blocks: [Block]

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// Finds the blocks. A BEGIN at the start of a line or directly after another block must be followed by its own END
  /// before the next dashes. A BEGIN within a line may be part of a sentence: it counts only if its own END follows,
  /// with base64 between them.
  ///
  /// - Throws: `KeyError.Code.malformedPEM`.
  init(_ text: [UInt8]) throws(KeyError) {
    var blocks: [Block] = []
    var blockEnd = text.startIndex
    var index = text.startIndex
    while let start = PEMDocument.frame(in: text, from: index) {
      let isFirst = PEMDocument.isFirst(start, in: text, after: blockEnd)
      if let (block, end) = PEMDocument.block(text[start...]), isFirst || block.isBase64 {
        blocks.append(block)
        (blockEnd, index) = (end, end)
      } else if isFirst {
        throw KeyError(.malformedPEM)
      } else {
        index = start + PEMDocument.dashes.count
      }
    }
    self.blocks = blocks
  }

  /// The first BEGIN or END.
  private static func frame(in text: [UInt8], from start: Int) -> Int? {
    var index = start
    while let dash = text[index...].firstIndex(of: UInt8(ascii: "-")) {
      if text[dash...].starts(with: begin) || text[dash...].starts(with: end) { return dash }
      index = dash + 1
    }
    return nil
  }

  /// Whether only blanks are between the start of a line, or the last block, and an index.
  private static func isFirst(_ index: Int, in text: [UInt8], after blockEnd: Int) -> Bool {
    let before = text[blockEnd..<index]
    guard let last = before.last(where: { $0 != 0x20 && $0 != 0x09 }) else { return true }
    return last == 0x0A || last == 0x0D
  }

  /// The block at the start of text and the index behind it; nil unless its own END is next.
  private static func block(_ text: ArraySlice<UInt8>) -> (Block, end: Int)? {
    guard text.starts(with: begin), let (label, bodyStart) = self.label(text.dropFirst(begin.count)) else { return nil }
    var index = bodyStart
    while let dash = text[index...].firstIndex(of: UInt8(ascii: "-")) {
      let rest = text[dash...]
      guard rest.starts(with: dashes) else {
        index = dash + 1
        continue
      }
      guard rest.starts(with: end), let (endLabel, blockEnd) = self.label(rest.dropFirst(end.count)),
        endLabel == label
      else { return nil }
      return (Block(label: label, body: text[bodyStart..<dash]), blockEnd)
    }
    return nil
  }

  /// The label at the start of text and the index behind its dashes.
  private static func label(_ text: ArraySlice<UInt8>) -> (String, end: Int)? {
    let label = text.prefix { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "-") }
    guard !label.isEmpty, text[label.endIndex...].starts(with: dashes) else { return nil }
    return (String(streamSafe: label), label.endIndex + dashes.count)
  }
}

extension PEMDocument.Block {
  /// Whether the block has headers, as in OpenSSL's traditional encryption (RFC 1421 section 4.6): base64 has no colon.
  private var hasHeaders: Bool { body.contains(UInt8(ascii: ":")) }

  /// Calls `use` with the decoded bytes and their kind, which their first values or else the label determines. The
  /// bytes are wiped before this returns.
  ///
  /// - Throws: `malformedPEM`, `encryptedKey`; what `use` throws. If the label is unsupported and the block cannot be
  ///   decoded, the error is that of the label.
  func withContents<Result>(
    _ use: ([UInt8], DERKind) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    let labelled = DERKind(label: label)
    do throws(KeyError) {
      guard !hasHeaders else { throw KeyError(labelled == .certificate ? .malformedPEM : .encryptedKey) }
      return try withDecoded { (der) throws(KeyError) in
        let found = DERKind(guessing: der) ?? .unsupported
        let isKnown = found != .unsupported || PublicKey.isLikely(der)
        return try use(der, isKnown ? found : labelled ?? .unsupported)
      }
    } catch {
      switch error.code {
      case .encryptedKey, .malformedPEM, .malformedKey, .malformedCertificate, .malformedPKCS12, .unsupportedBlock:
        throw labelled == nil ? KeyError(unsupportedLabel: label) : error
      default: throw error
      }
    }
  }

  /// Whether the body has nothing but white space and the characters of base64.
  fileprivate var isBase64: Bool {
    body.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "+/= \t\r\n".utf8.contains(byte)
      }
    }
  }

  /// Calls `use` with the decoded bytes, which are wiped before this returns.
  ///
  /// - Throws: `KeyError.Code.malformedPEM` unless the body is padded base64 and white space; what `use` throws.
  private func withDecoded<Result>(_ use: ([UInt8]) throws(KeyError) -> Result) throws(KeyError) -> Result {
    guard var decoded = PEMDocument.decoded(body) else { throw KeyError(.malformedPEM) }
    defer { decoded.wipe() }
    return try use(decoded)
  }
}

extension PEMDocument {
  /// The bytes of base64 with white space, which the caller wipes; nil for anything else, or nothing.
  static func decoded(_ body: ArraySlice<UInt8>, variant: Int32 = sodium_base64_VARIANT_ORIGINAL) -> [UInt8]? {
    var decoded = [UInt8](repeating: 0, count: body.count / 4 * 3 + 3)
    var count = 0
    let status = body.withUnsafeBufferPointer { text in
      sodium_base642bin(
        &decoded, decoded.count, UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self), text.count,
        " \t\r\n", &count, nil, variant)
    }
    // libsodium 1.0.18 accepts bytes from 0x80 on as digits, and skips NUL, because NUL ends its list of bytes to skip.
    guard status == 0, count > 0, body.allSatisfy({ (1..<0x80).contains($0) }) else {
      decoded.wipe()
      return nil
    }
    // Shortened in place, so no unwiped copy is made. The removed bytes were never written.
    decoded.removeLast(decoded.count - count)
    return decoded
  }
}

/// Writes PEM (RFC 7468): lines of 64 characters.
package enum PEMText {
  /// Encodes a block with this label. No copy of `der` is left in memory; the caller wipes the text.
  package static func encode(_ der: [UInt8], label: String) -> [UInt8] {
    let variant = sodium_base64_VARIANT_ORIGINAL
    var base64 = [CChar](repeating: 0, count: sodium_base64_encoded_len(der.count, variant))
    defer { base64.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
    sodium_bin2base64(&base64, base64.count, der, der.count, variant)
    let frame = (begin: "-----BEGIN \(label)-----\n", end: "-----END \(label)-----\n")
    var text: [UInt8] = []
    // The full capacity, because growing would leave unwiped copies.
    text.reserveCapacity(base64.count + base64.count / 64 + 1 + frame.begin.utf8.count + frame.end.utf8.count)
    text += frame.begin.utf8
    for start in stride(from: 0, to: base64.count - 1, by: 64) {
      for character in base64[start..<min(start + 64, base64.count - 1)] {
        text.append(UInt8(bitPattern: character))
      }
      text.append(UInt8(ascii: "\n"))
    }
    text += frame.end.utf8
    return text
  }
}
