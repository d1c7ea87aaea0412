import Gateways
import Minting
import PaymentToken

/// Samples as files: the request's octets and, where the circumstances are not the usual ones, a last line that names
/// them. So any request is a sample, seeds are raw inputs, and both drivers share their corpora.
///
/// `//assay at=1772366400 envelope=auto unsigned window=300 replay=2 revoked=… currency=978 amount=1250 data=… before=…`
public enum SampleText {
  private static let mark = Array("\n//assay ".utf8)
  /// Longer last lines are part of the request: preludes are short.
  private static let longestLine = 1 << 20

  /// The octets of a sample.
  ///
  /// - Parameter usual: the circumstances that need no words.
  public static func octets(of sample: Sample, usual: Circumstances) -> [UInt8] {
    let words = words(of: sample.circumstances, usual: usual)
    // A request that ends in such a line itself needs another behind it.
    guard !words.isEmpty || split(sample.request) != nil else { return sample.request }
    return sample.request + mark + Array(words.joined(separator: " ").utf8)
  }

  /// The sample that octets stand for: any octets are one.
  public static func sample(_ octets: [UInt8], usual: Circumstances) -> Sample {
    guard let (request, line) = split(octets), let circumstances = circumstances(line, usual: usual) else {
      return Sample(octets, usual)
    }
    return Sample(Array(request), circumstances)
  }

  /// Whether octets are a request and say nothing of circumstances.
  public static func isBareRequest(_ octets: [UInt8]) -> Bool { split(octets) == nil }

  private static func split(_ octets: [UInt8]) -> (request: ArraySlice<UInt8>, line: ArraySlice<UInt8>)? {
    guard let newline = octets.suffix(longestLine).lastIndex(of: UInt8(ascii: "\n")),
      octets[newline...].starts(with: mark)
    else { return nil }
    return (octets[..<newline], octets[(newline + mark.count)...])
  }

  // MARK: Words

  private static func words(of circumstances: Circumstances, usual: Circumstances) -> [String] {
    guard circumstances != usual else { return [] }
    let policy = circumstances.policy
    var words: [String] = []
    if circumstances.now != usual.now { words.append("at=\(circumstances.now.secondsSinceEpoch)") }
    if policy.envelope != usual.policy.envelope { words.append("envelope=\(name(of: policy.envelope))") }
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
    if !circumstances.prelude.isEmpty {
      words.append("before=" + circumstances.prelude.map { Base64.encode($0) }.joined(separator: ","))
    }
    return words
  }

  private static func name(of selection: EnvelopeSelection) -> String {
    switch selection {
    case .named(let envelope): envelope.name
    case .automatic: "auto"
    }
  }

  private static func circumstances(_ line: ArraySlice<UInt8>, usual: Circumstances) -> Circumstances? {
    var result = usual
    var window: UInt32? = 300
    var capacity: Int?
    for word in line.split(separator: UInt8(ascii: " ")) {
      let parts = String(decoding: word, as: UTF8.self).split(separator: "=", maxSplits: 1).map { String($0) }
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "at": result.now = Int64(value).map { UnixTime(secondsSinceEpoch: $0) } ?? result.now
      case "envelope": result.policy.envelope = selection(value) ?? result.policy.envelope
      case "unsigned": result.policy.isUnsigned = true
      case "window" where value == "off":
        result.policy.freshness = .windowOff
        window = nil
      case "window" where value == "signing-time":
        result.policy.freshness = .signingTime
        window = nil
      case "window": window = UInt32(value) ?? window
      case "replay": capacity = Int(value).map { min(max(0, $0), 4_096) }
      case "revoked": result.policy.revoked = value.split(separator: ",").compactMap { Octets32(hex: String($0)) }
      // Anything but three digits is no policy that a caller could write.
      case "currency": result.policy.expectations.currencyCode = value.utf8.count <= 8 ? value : nil
      case "amount": result.policy.expectations.transactionAmount = Int64(value)
      case "data": result.policy.expectations.applicationData = Octets32(hex: value)
      case "before":
        result.prelude = value.utf8.split(separator: UInt8(ascii: ",")).prefix(8).compactMap { Base64Octets.decode($0) }
      default: return nil
      }
    }
    if let window { result.policy.freshness = .window(seconds: window, replayCapacity: capacity) }
    return result
  }

  private static func selection(_ name: String) -> EnvelopeSelection? {
    name == "auto" ? .automatic : Envelope.named(name).map { .named($0) }
  }
}

/// Base64 read leniently: the fuzzer takes apart what the engines may refuse.
enum Base64Octets {
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (index, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(index) }
    return values
  }()

  /// Nil for a character outside the standard alphabet; padding may be anything.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in text where character != UInt8(ascii: "=") {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return octets
  }
}
