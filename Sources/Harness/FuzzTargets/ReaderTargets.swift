import CSodium
import Differential
import FastDecryption
import PaymentToken
import ReferenceDecryption
import TokenScanning

/// Both engines' payload readers: stage 13 in isolation.
extension FuzzTargets {
  public static func payload(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let (version, text) = versioned(data, size) else { return -1 }
    let fast = try? PayloadFields(scanning: text.span, version: version)
    requireAgreement("payload", fast, read(text, version)) { (try? $0.payment(in: text.span)) == $1 }
    return 0
  }

  private static func read(_ text: [UInt8], _ version: TokenVersion) -> Payment? {
    guard let document = try? JSONDocument(WipedBytes(text.span)) else { return nil }
    defer { document.wipe() }
    return (try? Payload(document, version: version))?.payment
  }
}

/// The fast engine's CMS reader against the reference's: stage 5 in isolation.
extension FuzzTargets {
  public static func cms(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let (version, cms) = versioned(data, size) else { return -1 }
    let fast = FastDecryption.SignatureShape.read(cms.span, version: version)
    let reference = ReferenceDecryption.SignatureShape.read(cms, version: version)
    requireAgreement("cms", fast, reference, ==)
    return 0
  }
}

/// The lines of the protocol, which are accepted only if they are strict JSON.
extension FuzzTargets {
  public static func line(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let line = bytes(data, size)
    let isMessage = (try? MessageObject(reading: line.span)) != nil
    let isAnswer = (try? HelloAnswer(line)) != nil || (try? TokenAnswer.read(line, id: "1")) != nil
    if isAnswer && !isMessage { fail("readers", "line an answer", "line no message") }
    if isMessage, !JSONReaders.isDocument(line) { fail("readers", "line a message", "line malformed JSON") }
    return 0
  }
}

/// Every base64 kernel of the fast engine against libsodium and the reference's rule.
extension FuzzTargets {
  public static func base64(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let text = bytes(data, size)
    let wanted = sodium(text)
    for kernel in TextKernel.supported {
      let found = Base64Text.decoded(text, with: kernel)
      guard found != wanted else { continue }
      fail("readers", "base64 \(kernel.name) \(word(found))", "base64 libsodium \(word(wanted))")
    }
    let strict = WipedBytes(text.span)
    let count = StrictBase64.decodedCount(strict.all)
    if count != wanted?.count {
      fail("readers", "base64 rule \(count == nil ? "malformed" : "read")", "base64 libsodium \(word(wanted))")
    }
    return 0
  }

  private static func word(_ bytes: [UInt8]?) -> String { bytes == nil ? "malformed" : "read" }

  /// libsodium's strict decoder with the original alphabet: padding required, trailing bits zero, nothing ignored.
  /// libsodium 1.0.18 treats bytes from 0x80 as negative and accepts some of them as digits, so they are rejected here.
  private static func sodium(_ text: [UInt8]) -> [UInt8]? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
    var count = 0
    let capacity = bytes.count
    let verdict = text.withUnsafeBytes { source in
      sodium_base642bin(
        &bytes, capacity, source.bindMemory(to: CChar.self).baseAddress, text.count, nil, &count, nil,
        Int32(sodium_base64_VARIANT_ORIGINAL))
    }
    guard verdict == 0 else { return nil }
    return Array(bytes.prefix(count))
  }
}
