import Differential
import MerchantKeys
import PaymentToken

/// The first message: keys, roots and the window for all following messages.
struct HelloMessage {
  let keys: MerchantKeySet
  let anchors: TrustAnchors
  /// The freshness window in seconds; nil if stage 9 is disabled.
  let window: UInt32?

  /// Reads the message and loads its keys. All copies of private keys are wiped.
  ///
  /// - Throws: `MessageError` if the message cannot be used.
  init(_ message: MessageObject, in line: Span<UInt8>) throws(MessageError) {
    try message.requireOnly(["hello", "keys", "rootsPem", "windowSeconds"], in: line)
    guard try message.integer("hello", in: line, Int.self) == LineProtocol.version else {
      throw MessageError("hello is not \(LineProtocol.version), the version of the protocol spoken here")
    }
    // Only an explicit null disables stage 9.
    guard message.has("windowSeconds", in: line) else { throw MessageError("windowSeconds is missing") }
    window = try message.integer("windowSeconds", in: line, UInt32.self)
    anchors = try Self.anchors(try message.byteStrings("rootsPem", in: line).required("rootsPem"))
    keys = try Self.keys(try message.objects("keys", in: line).required("keys"), in: line)
  }

  private static func anchors(_ roots: [[UInt8]]) throws(MessageError) -> TrustAnchors {
    do {
      return try TrustAnchors(
        files: roots.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: $0.element) })
    } catch {
      throw MessageError(error)
    }
  }

  private static func keys(_ entries: [MessageObject], in line: Span<UInt8>) throws(MessageError) -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    var merchantIDs: [MerchantIDAssignment] = []
    for (index, entry) in entries.enumerated() {
      try entry.requireOnly(["privateKeyPem", "certificatePem", "merchantId"], in: line)
      let name = "keys[\(index)]"
      files.append(
        KeyFile(name: name, bytes: try entry.bytes("privateKeyPem", in: line).required("privateKeyPem")))
      if let certificate = try entry.bytes("certificatePem", in: line) {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: certificate))
      }
      if let merchantID = try entry.text("merchantId", in: line) {
        merchantIDs.append(.file(name: name, merchantID: merchantID))
      }
    }
    do {
      return try MerchantKeySet(files: files, merchantIDs: merchantIDs)
    } catch {
      throw MessageError(error)
    }
  }
}

extension MessageError {
  fileprivate init(_ error: KeyError) {
    let place = error.file.map { "\($0): " } ?? ""
    let detail = error.certificateError.map { " (\($0.rawValue))" } ?? ""
    self.init("\(place)\(error.code.rawValue)\(detail)")
  }
}
