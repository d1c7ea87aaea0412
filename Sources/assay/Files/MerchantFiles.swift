import Gateways
import HostIO
import MerchantKeys
import PaymentToken

extension FileReader {
  /// One byte more than the largest request, so that a longer one is seen to be longer (stage 0).
  static let requestLimit = Envelope.maximumRequestSize + 1

  /// What a merchant's server received: JSON, or what stands for it (`ReceivedBody`).
  ///
  /// - Throws: `CommandError` that names the file.
  static func request(_ path: String) throws(CommandError) -> [UInt8] {
    let body = try read(path, limit: requestLimit)
    return ReceivedBody.json(of: body) ?? body
  }

  /// A file with keys or certificates; the caller wipes it.
  static func keyFile(_ path: String, password: Password? = nil) throws(CommandError) -> KeyFile {
    KeyFile(name: path, bytes: try wholeFile(path), password: password)
  }
}

/// Passwords come from files or descriptors, never from arguments.
enum PasswordFile {
  /// The password in a file; nil for no file.
  ///
  /// - Throws: `CommandError` that names the file.
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
