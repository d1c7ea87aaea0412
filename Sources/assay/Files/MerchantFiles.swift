import Gateways
import HostIO
import MerchantKeys
import PaymentToken

extension FileReader {
  /// One byte more than the largest request, so that longer ones are detected (stage 0).
  static let requestLimit = Envelope.maximumRequestSize + 1

  /// A request that a merchant's server received, converted to JSON if necessary (`ReceivedBody`).
  static func request(_ path: String) throws(CommandError) -> [UInt8] {
    let body = try read(path, limit: requestLimit)
    return ReceivedBody.json(of: body) ?? body
  }

  /// A file with keys or certificates, which the caller must wipe.
  static func keyFile(_ path: String, password: Password? = nil) throws(CommandError) -> KeyFile {
    KeyFile(name: path, bytes: try wholeFile(path), password: password)
  }
}

/// Passwords come from files or descriptors, never from arguments.
enum PasswordFile {
  /// The password in a file; nil without a file.
  static func read(_ path: String?) throws(CommandError) -> Password? {
    guard let path else { return nil }
    var contents = try FileReader.wholeFile(path)
    defer { contents.wipe() }
    do {
      return try Password(fileContents: contents)
    } catch {
      throw CommandError(KeyError(error.code, file: path))
    }
  }
}
