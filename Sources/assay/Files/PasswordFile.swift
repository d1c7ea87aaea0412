import MerchantKeys

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
