import Gateways
import PaymentToken

/// An input as a file: the request's bytes, followed by a line with the context where it differs from the default. Any
/// request is therefore a valid file, seeds are raw requests, and both fuzzing drivers share their corpora.
///
/// `//assay at=1772366400 envelope=auto unsigned window=300 replay=2 revoked=… currency=978 amount=1250 data=…
/// before=…`
extension TestInput {
  private static let mark = Array("\n//assay ".utf8)
  /// In bytes. A longer last line is not read as a context line, but as part of the request.
  private static let longestLine = 1 << 20

  /// Reads an input from a file; any bytes are valid.
  ///
  /// - Parameter defaults: the context of files without a context line, and the defaults of its words.
  public init(file bytes: [UInt8], defaults: TestContext) {
    guard let (request, line) = Self.split(bytes), let context = TestContext(words: line, defaults: defaults) else {
      self.init(bytes, defaults)
      return
    }
    self.init(Array(request), context)
  }

  /// The contents of the file.
  ///
  /// - Parameter defaults: the context of files without a context line.
  public func file(defaults: TestContext) -> [UInt8] {
    let words = context.words(defaults: defaults)
    // A request that itself ends in a context line needs another context line after it.
    guard !words.isEmpty || Self.split(request) != nil else { return request }
    return request + Self.mark + Array(words.joined(separator: " ").utf8)
  }

  private static func split(_ bytes: [UInt8]) -> (request: ArraySlice<UInt8>, line: ArraySlice<UInt8>)? {
    guard let newline = bytes.suffix(longestLine).lastIndex(of: UInt8(ascii: "\n")),
      bytes[newline...].starts(with: mark)
    else { return nil }
    return (bytes[..<newline], bytes[(newline + mark.count)...])
  }
}

extension TestContext {
  /// One word for each difference. Time and envelope are compared with `defaults`, the rest with `TestPolicy()`.
  fileprivate func words(defaults: TestContext) -> [String] {
    guard self != defaults else { return [] }
    var words: [String] = []
    if now != defaults.now { words.append("at=\(now.secondsSinceEpoch)") }
    if policy.envelope != defaults.policy.envelope { words.append("envelope=\(policy.envelope.fileName)") }
    if policy.isUnsigned { words.append("unsigned") }
    switch policy.freshness {
    case .window(300, nil): break
    case .window(let seconds, let store):
      words.append("window=\(seconds)")
      switch store {
      case nil: break
      case .capacity(let capacity): words.append("replay=\(capacity)")
      case .silent: words.append("replay=silent")
      }
    case .windowOff: words.append("window=off")
    case .signingTime: words.append("window=signing-time")
    }
    if !policy.revoked.isEmpty { words.append("revoked=" + policy.revoked.map(\.hex).joined(separator: ",")) }
    if let currency = policy.expectations.currencyCode { words.append("currency=\(Self.word(currency))") }
    if let amount = policy.expectations.transactionAmount { words.append("amount=\(amount)") }
    if let data = policy.expectations.applicationData { words.append("data=\(data.hex)") }
    if !prelude.isEmpty { words.append("before=" + prelude.map { Base64.encode($0) }.joined(separator: ",")) }
    return words
  }

  /// A text as a word: in hexadecimal after a colon if it has other characters than letters and digits.
  private static func word(_ text: String) -> String {
    text.utf8.allSatisfy(\.isLetterOrDigit) ? text : ":" + Hex.encode(Array(text.utf8))
  }

  /// The text of a word.
  private static func text(_ word: String) -> String {
    guard word.hasPrefix(":"), let bytes = Hex.decode(String(word.dropFirst())) else { return word }
    return String(streamSafe: bytes)
  }

  /// The default context with a window of 300 seconds, changed as the words say; nil for an unknown word.
  fileprivate init?(words line: ArraySlice<UInt8>, defaults: TestContext) {
    self = defaults
    var window: UInt32? = 300
    var replay: TestPolicy.Store?
    for word in line.split(separator: UInt8(ascii: " ")) {
      let parts = String(streamSafe: word).split(separator: "=", maxSplits: 1).map { String($0) }
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "at": now = Int64(value).map { UnixTime(secondsSinceEpoch: $0) } ?? now
      case "envelope": policy.envelope = EnvelopeSelection(fileName: value) ?? policy.envelope
      case "unsigned": policy.isUnsigned = true
      case "window" where value == "off":
        policy.freshness = .windowOff
        window = nil
      case "window" where value == "signing-time":
        policy.freshness = .signingTime
        window = nil
      case "window": window = UInt32(value) ?? window
      case "replay" where value == "silent": replay = .silent
      case "replay": replay = Int(value).map { .capacity(min(max(0, $0), 4_096)) }
      case "revoked": policy.revoked = value.split(separator: ",").compactMap { Bytes32(hex: String($0)) }
      // Longer texts than a caller's policy can hold are dropped.
      case "currency": policy.expectations.currencyCode = Self.text(value).utf8.count <= 8 ? Self.text(value) : nil
      case "amount": policy.expectations.transactionAmount = Int64(value)
      case "data": policy.expectations.applicationData = Bytes32(hex: value)
      case "before":
        prelude = value.utf8.split(separator: UInt8(ascii: ",")).prefix(16)
          .compactMap { LenientBase64.decode(Array($0)) }
      default: return nil
      }
    }
    if let window { policy.freshness = .window(seconds: window, replay: replay) }
  }
}

extension EnvelopeSelection {
  /// The envelope's name, including a caller's own envelope; `auto`, or `auto:` and names for a choice among some.
  fileprivate var fileName: String {
    switch self {
    case .named(let envelope): envelope.name
    case .automatic(let list): vectorName ?? "auto:" + list.map(\.name).joined(separator: ",")
    }
  }

  /// Reads `fileName`; nil for an unknown name.
  fileprivate init?(fileName: String) {
    guard fileName.hasPrefix("auto:") else {
      self.init(name: fileName, or: Envelope.ofCallers)
      return
    }
    let names = fileName.dropFirst("auto:".count).split(separator: ",").map { String($0) }
    let known = Envelope.all + Envelope.ofCallers
    let list = names.compactMap { name in known.first { $0.name == name } }
    guard list.count == names.count else { return nil }
    self = .automatic(list)
  }
}

/// A lenient base64 decoder: the fuzzer also takes apart tokens that the engines may refuse.
package enum LenientBase64 {
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (index, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(index) }
    return values
  }()

  /// The decoded bytes; nil for a character outside the standard alphabet. Padding is ignored.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    let values = values.span
    let text = text.span
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, written in
      var bits: UInt32 = 0
      var count: UInt32 = 0
      for index in text.indices where text[index] != UInt8(ascii: "=") {
        let value = values[Int(text[index])]
        guard value < 64 else {
          isValid = false
          return
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        output.initializeElement(at: written, to: UInt8(truncatingIfNeeded: bits >> count))
        written += 1
      }
    }
    return isValid ? bytes : nil
  }

  /// The bytes of valid base64 (rule 4.1); nil for other text.
  package static func decodeCanonical(_ text: [UInt8]) -> [UInt8]? {
    guard let bytes = decode(text), Base64.encode(bytes).utf8.elementsEqual(text) else { return nil }
    return bytes
  }
}

extension [UInt8] {
  /// Whether `pattern` occurs in these bytes. It is here because this module is compiled with optimization, and the
  /// modules that search whole files are not.
  package func contains(_ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first, pattern.count <= count else { return pattern.isEmpty }
    return (0...count - pattern.count).contains { start in
      self[start] == first && self[start..<start + pattern.count].elementsEqual(pattern)
    }
  }
}
