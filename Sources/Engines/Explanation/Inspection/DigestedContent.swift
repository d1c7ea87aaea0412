import PaymentToken
import ReferenceDecryption

/// What a test token's maker may have digested in place of the signed members (rule 8.1).
struct DigestedContent {
  private let key: [UInt8]
  private let data: [UInt8]
  private let transaction: [UInt8]
  private let application: [UInt8]
  /// The members as written in the token: base64 and hexadecimal.
  private let texts: [UInt8]

  /// Nil when a member cannot be decoded.
  init?(_ text: TokenText) {
    guard let key = text.form(of: .ephemeralPublicKey) ?? text.form(of: .wrappedKey), let keyBytes = key.base64,
      let data = text.form(of: .data), let dataBytes = data.base64, let transaction = text.form(of: .transactionId),
      let transactionBytes = transaction.digest
    else { return nil }
    let application = text.form(of: .applicationData)
    self.key = keyBytes
    self.data = dataBytes
    self.transaction = transactionBytes
    self.application = application?.digest ?? []
    texts = key.text + data.text + transaction.text + (application?.text ?? [])
  }

  private var members: [UInt8] { key + data + transaction + application }

  /// The content with this digest, in words; nil if none of those tried has it.
  func words(of digest: Bytes32) -> String? {
    candidates.first { SHA256.digest($0.content) == digest }?.words
  }

  /// The contents of common mistakes.
  private var candidates: [(words: String, content: [UInt8])] {
    let lines = DigestedContent.linesByOpenSSL(members)
    let header = Array("Content-Type: text/plain\r\n\r\n".utf8)
    let orders: [[[UInt8]]] = [
      [key, transaction, data], [data, key, transaction], [data, transaction, key], [transaction, key, data],
      [transaction, data, key],
    ]
    let hexadecimal = Array(Hex.encode(transaction).utf8)
    let point: [UInt8] = key.suffix(65)
    let alternatives: [(String, [UInt8])] = [
      ("the members after openssl cms took them for text, without -binary", lines),
      ("the members after openssl cms took them for text, with -text", header + lines),
      ("the members with each LF made CRLF, as Python's cryptography does without PKCS7Options.Binary", windowsLines),
      ("the members in base64 and hexadecimal", texts),
      ("the members with transactionId in hexadecimal", key + data + hexadecimal + application),
      ("the members with the bare point of 65 bytes for ephemeralPublicKey", point + data + transaction + application),
      ("the members without transactionId", key + data + application),
    ]
    return alternatives + orders.map { ("the members in another order", Array($0.joined()) + application) }
  }

  private var windowsLines: [UInt8] {
    let members = members
    var lines: [UInt8] = []
    for (index, byte) in members.enumerated() {
      if byte == 0x0A, index == 0 || members[index - 1] != 0x0D { lines.append(0x0D) }
      lines.append(byte)
    }
    return lines
  }

  /// What OpenSSL digests of a file that it takes for text: lines of at most 1,023 bytes, each cut at its first zero
  /// byte, with CRLF as line ends. The first line that begins with a zero byte ends the text.
  private static func linesByOpenSSL(_ bytes: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first, first != 0 {
      let limited = rest.prefix(1_023)
      let line = limited.firstIndex(of: 0x0A).map { limited[...$0] } ?? limited
      rest = rest[line.endIndex...]
      let read = line.prefix { $0 != 0 }
      let end = read.reversed().prefix { $0 == 0x0A || $0 == 0x0D }
      lines += read.dropLast(end.count) + (end.contains(0x0A) ? [0x0D, 0x0A] : [])
    }
    return lines
  }
}

extension TextForm {
  /// The 32 bytes of hexadecimal; nil when it is anything else.
  fileprivate var digest: [UInt8]? { Bytes32(hex: String(streamSafe: text))?.bytes }
}
