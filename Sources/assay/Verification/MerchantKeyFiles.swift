import HostIO
import MerchantKeys

/// The files with merchants' keys and certificates that options name.
enum MerchantKeyFiles {
  /// Keys that were given and cannot be used.
  struct Refusal: Error {
    let error: KeyError
    /// The certificates in the files, as far as they can be read.
    let certificates: [Certificate]
  }

  /// Reads and loads them; the files' bytes are wiped before this returns.
  ///
  /// - Parameter merchantIDs: `ID` or `KEYFILE=ID`.
  /// - Returns: the keys, or why they are refused.
  /// - Throws: `CommandError` that names a file that cannot be read.
  static func load(
    _ options: VerificationOptions, merchantIDs: [String]
  ) throws(CommandError) -> Result<MerchantKeySet, Refusal> {
    let password = try PasswordFile.read(options.passwordFile)
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for path in options.keyFiles + options.archiveFiles + options.certificateFiles {
      files.append(try FileReader.keyFile(path, password: password))
    }
    do throws(KeyError) {
      return .success(
        try MerchantKeySet.load(files: files, merchantIDs: merchantIDs.map { MerchantIDAssignment(argument: $0) }))
    } catch {
      let certificates = files.flatMap { (try? Certificate.load(file: $0)) ?? [] }
      return .failure(Refusal(error: error, certificates: certificates))
    }
  }
}
