import Benchmarking
import Minting
import TokenScanning

/// Each text kernel that this machine runs, on as much text as a token has.
enum TextBenchmarks {
  /// The characters of a token's base64, and what a JSON string with escapes stands for.
  private static let length = 3_500

  private static let base64 = TextKernel.supported.map { kernel in
    Entry("kernel/base64/\(kernel.name)") { name, context throws(BenchmarkFailure) in
      Benchmark(name: name, unit: "text", run: try TextPart(base64Of: bytes(context.seed), kernel).decode)
    }
  }
  private static let json = TextKernel.supported.map { kernel in
    Entry("kernel/json/\(kernel.name)") { name, context throws(BenchmarkFailure) in
      Benchmark(name: name, unit: "text", run: try TextPart(stringOf: bytes(context.seed), kernel).unescape)
    }
  }
  static let entries = base64 + json

  /// The same text for all kernels.
  private static func bytes(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed).stream("kernel/text")
    return generator.bytes(length / 4 * 3)
  }

  /// The portable kernel over the best one; none where it is the only one.
  static let ratios = [(base64, "base64"), (json, "JSON strings")].compactMap { entries, what -> RatioDefinition? in
    guard let best = entries.first?.name, let portable = entries.last?.name, best != portable else { return nil }
    return .time("portable over the best kernel, \(what)", portable, over: [best])
  }
}

/// A text, and the expected result of a kernel.
private final class TextPart {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private let kernel: TextKernel
  private var text: [UInt8] = []
  private let content: [UInt8]
  private let output: UnsafeMutableBufferPointer<UInt8>

  private init(_ text: [UInt8], meaning content: [UInt8], _ kernel: TextKernel) {
    self.text = text
    self.content = content
    self.kernel = kernel
    output = .allocate(capacity: text.count)
    output.initialize(repeating: 0)
  }

  deinit {
    output.deallocate()
  }

  /// The base64 of these bytes, as many as complete groups hold.
  convenience init(base64Of bytes: [UInt8], _ kernel: TextKernel) throws(BenchmarkFailure) {
    self.init(Self.base64(bytes), meaning: bytes, kernel)
    guard let count = decoded(), output.prefix(count).elementsEqual(content) else { throw wrong }
    // A decoder that accepts everything would be fast.
    for position in [0, text.count / 2, text.count - 1] {
      let character = text[position]
      text[position] = UInt8(ascii: "-")
      guard decoded() == nil else { throw wrong }
      text[position] = character
    }
  }

  /// A token within a JSON string, as one gateway sends it: base64 with `\/` for `/`, in members with `\"` for quotes.
  convenience init(stringOf bytes: [UInt8], _ kernel: TextKernel) throws(BenchmarkFailure) {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    var content: [UInt8] = []
    for (index, character) in Self.base64(bytes).enumerated() {
      let isMemberEnd = index % 350 == 349
      for byte in isMemberEnd ? [character, UInt8(ascii: "\"")] : [character] {
        if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\"") { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
        content.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
    self.init(text, meaning: content, kernel)
    guard unescaped() == content.count, output.prefix(content.count).elementsEqual(content) else { throw wrong }
    // A scanner that finds nothing would be fast.
    for position in [1, text.count / 2, text.count - 2] {
      let character = self.text[position]
      self.text[position] = 0x1F
      guard unescaped() == nil else { throw wrong }
      self.text[position] = character
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count / 3 * 3, by: 3).flatMap { index in
      let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      return [18, 12, 6, 0].map { alphabet[group >> $0 & 0x3F] }
    }
  }

  /// The number of bytes; nil when the text is refused.
  private func decoded() -> Int? {
    let text = text
    var room = MutableSpan(_unsafeElements: output)
    return Base64Text.decode(text.span, into: &room, with: kernel)
  }

  private func unescaped() -> Int? {
    let text = text
    let input = text.span
    var scanner = JSONScanner(input, with: kernel)
    guard let string = try? scanner.string() else { return nil }
    var room = MutableSpan(_unsafeElements: output)
    return string.unescape(from: input, into: &room, with: kernel)
  }

  private var wrong: BenchmarkFailure { BenchmarkFailure("the text kernel \(kernel.name) gives a wrong answer") }

  /// Decodes base64 repeatedly.
  func decode(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count where decoded() != content.count { throw wrong }
  }

  /// Scans and unescapes the string repeatedly.
  func unescape(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count where unescaped() != content.count { throw wrong }
  }
}
