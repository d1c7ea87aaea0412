import Gateways
import PaymentToken

/// An input as a file: the request's bytes and, where the context is not the usual one, a last line that names it. So any
/// request is an input, seeds are raw requests, and both drivers of the fuzzer share their corpora.
///
/// `//assay at=1772366400 envelope=auto unsigned window=300 replay=2 revoked=… currency=978 amount=1250 data=… before=…`
extension TestInput {
  private static let mark = Array("\n//assay ".utf8)
  /// Longer last lines are part of the request: preludes are short.
  private static let longestLine = 1 << 20

  /// The input that a file's bytes stand for: any bytes are one.
  ///
  /// - Parameter usual: the context of bytes that name none.
  public init(file bytes: [UInt8], usual: TestContext) {
    guard let (request, line) = Self.split(bytes), let context = TestContext(words: line, usual: usual) else {
      self.init(bytes, usual)
      return
    }
    self.init(Array(request), context)
  }

  /// The bytes of a file.
  ///
  /// - Parameter usual: the context that needs no words.
  public func file(usual: TestContext) -> [UInt8] {
    let words = context.words(usual: usual)
    // A request that ends in such a line itself needs another behind it.
    guard !words.isEmpty || Self.split(request) != nil else { return request }
    return request + Self.mark + Array(words.joined(separator: " ").utf8)
  }

  /// Whether a file's bytes are a request and say nothing of its context.
  public static func isBareRequest(_ bytes: [UInt8]) -> Bool { split(bytes) == nil }

  private static func split(_ bytes: [UInt8]) -> (request: ArraySlice<UInt8>, line: ArraySlice<UInt8>)? {
    guard let newline = bytes.suffix(longestLine).lastIndex(of: UInt8(ascii: "\n")),
      bytes[newline...].starts(with: mark)
    else { return nil }
    return (bytes[..<newline], bytes[(newline + mark.count)...])
  }
}

extension TestContext {
  /// What differs from the usual context, a word each.
  fileprivate func words(usual: TestContext) -> [String] {
    guard self != usual else { return [] }
    var words: [String] = []
    if now != usual.now { words.append("at=\(now.secondsSinceEpoch)") }
    if policy.envelope != usual.policy.envelope { words.append("envelope=\(policy.envelope.fileName)") }
    if policy.isUnsigned { words.append("unsigned") }
    switch policy.freshness {
    case .window(300, nil): break
    case .window(let seconds, let capacity):
      words.append("window=\(seconds)")
      if let capacity { words.append("replay=\(capacity)") }
    case .windowOff: words.append("window=off")
    case .signingTime: words.append("window=signing-time")
    }
    if !policy.revoked.isEmpty { words.append("revoked=" + policy.revoked.map(\.hex).joined(separator: ",")) }
    if let currency = policy.expectations.currencyCode { words.append("currency=\(currency)") }
    if let amount = policy.expectations.transactionAmount { words.append("amount=\(amount)") }
    if let data = policy.expectations.applicationData { words.append("data=\(data.hex)") }
    if !prelude.isEmpty { words.append("before=" + prelude.map { Base64.encode($0) }.joined(separator: ",")) }
    return words
  }

  /// The usual context but for what the words name; nil for a word that is none.
  fileprivate init?(words line: ArraySlice<UInt8>, usual: TestContext) {
    self = usual
    var window: UInt32? = 300
    var capacity: Int?
    for word in line.split(separator: UInt8(ascii: " ")) {
      let parts = String(decoding: word, as: UTF8.self).split(separator: "=", maxSplits: 1).map { String($0) }
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "at": now = Int64(value).map { UnixTime(secondsSinceEpoch: $0) } ?? now
      case "envelope": policy.envelope = EnvelopeSelection(name: value) ?? policy.envelope
      case "unsigned": policy.isUnsigned = true
      case "window" where value == "off":
        policy.freshness = .windowOff
        window = nil
      case "window" where value == "signing-time":
        policy.freshness = .signingTime
        window = nil
      case "window": window = UInt32(value) ?? window
      case "replay": capacity = Int(value).map { min(max(0, $0), 4_096) }
      case "revoked": policy.revoked = value.split(separator: ",").compactMap { Bytes32(hex: String($0)) }
      // Anything but three digits is no policy that a caller could write.
      case "currency": policy.expectations.currencyCode = value.utf8.count <= 8 ? value : nil
      case "amount": policy.expectations.transactionAmount = Int64(value)
      case "data": policy.expectations.applicationData = Bytes32(hex: value)
      case "before":
        prelude = value.utf8.split(separator: UInt8(ascii: ",")).prefix(8).compactMap { LenientBase64.decode($0) }
      default: return nil
      }
    }
    if let window { policy.freshness = .window(seconds: window, replayCapacity: capacity) }
  }
}

extension EnvelopeSelection {
  /// The envelope's name, also of one of the caller's own; `auto` for any choice by shape.
  fileprivate var fileName: String {
    if case .named(let envelope) = self { envelope.name } else { "auto" }
  }
}

/// Base64 read leniently: the fuzzer takes apart what the engines may refuse.
package enum LenientBase64 {
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (index, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(index) }
    return values
  }()

  /// Nil for a character outside the standard alphabet; padding may be anything.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text where character != UInt8(ascii: "=") {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}
