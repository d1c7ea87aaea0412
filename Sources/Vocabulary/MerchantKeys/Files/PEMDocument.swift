import CSodium

/// PEM text (RFC 7468): blocks between BEGIN and END lines. Other text is ignored.
struct PEMDocument {
  /// A block: its label and its base64 lines.
  struct Block {
    let label: String
    fileprivate let body: ArraySlice<UInt8>
  }

  let blocks: [Block]

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// Whether a line begins a block, so that the file is probably PEM.
  static func isLikely(_ text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: begin) }
  }

  /// Finds the blocks. Each BEGIN line must be followed by its own END line before the next block.
  ///
  /// - Throws: `KeyError.Code.malformedPEM`.
  init(_ text: [UInt8]) throws(KeyError) {
    var blocks: [Block] = []
    var open: (label: String, bodyStart: Int)?
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if content.starts(with: PEMDocument.begin) {
        guard open == nil, let label = PEMDocument.label(content, after: PEMDocument.begin) else {
          throw KeyError(.malformedPEM)
        }
        open = (label, line.endIndex)
      } else if content.starts(with: PEMDocument.end) {
        guard let block = open, PEMDocument.label(content, after: PEMDocument.end) == block.label else {
          throw KeyError(.malformedPEM)
        }
        blocks.append(Block(label: block.label, body: text[block.bodyStart..<line.startIndex]))
        open = nil
      } else if open != nil, content.starts(with: PEMDocument.dashes) {
        throw KeyError(.malformedPEM)
      }
    }
    guard open == nil else { throw KeyError(.malformedPEM) }
    self.blocks = blocks
  }

  private static func label(_ line: ArraySlice<UInt8>, after prefix: [UInt8]) -> String? {
    let rest = line.dropFirst(prefix.count)
    guard rest.count > dashes.count, rest.suffix(dashes.count).elementsEqual(dashes) else { return nil }
    let label = rest.dropLast(dashes.count)
    guard label.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "-") }) else { return nil }
    return String(decoding: label, as: UTF8.self)
  }
}

extension PEMDocument.Block {
  /// Whether the block has headers, as in OpenSSL's traditional encryption (RFC 1421 section 4.6): base64 has no colon.
  var hasHeaders: Bool { body.contains(UInt8(ascii: ":")) }

  /// Calls `use` with the decoded bytes, which are wiped before this returns.
  ///
  /// - Throws: `KeyError.Code.malformedPEM` unless the body is padded base64 and line ends; what `use` throws.
  func withDecoded<Result>(_ use: ([UInt8]) throws(KeyError) -> Result) throws(KeyError) -> Result {
    guard var decoded = PEMDocument.decoded(body) else { throw KeyError(.malformedPEM) }
    defer { decoded.wipe() }
    return try use(decoded)
  }
}

extension PEMDocument {
  /// The bytes of padded base64 with line ends, which the caller wipes; nil for anything else, or nothing.
  static func decoded(_ body: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded = [UInt8](repeating: 0, count: body.count / 4 * 3 + 3)
    var count = 0
    let status = body.withUnsafeBufferPointer { text in
      sodium_base642bin(
        &decoded, decoded.count, UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self), text.count,
        "\r\n", &count, nil, sodium_base64_VARIANT_ORIGINAL)
    }
    // libsodium 1.0.18 takes bytes from 0x80 on for digits, and skips a NUL: it is the end of the characters to skip.
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
public enum PEMText {
  /// Encodes a block with this label. No copy of `der` is left in memory; the caller wipes the text.
  public static func encode(_ der: [UInt8], label: String) -> [UInt8] {
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
