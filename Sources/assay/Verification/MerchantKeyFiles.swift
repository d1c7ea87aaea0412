import HostIO
import MerchantKeys

/// Loads the merchants' keys and certificates that options name.
enum MerchantKeyFiles {
  /// Keys that cannot be used.
  struct Refusal: Error {
    let error: KeyError
    /// The readable certificates in the files.
    let certificates: [Certificate]
  }

  /// Reads and loads the files, and wipes their bytes before returning.
  ///
  /// - Parameter merchantIDs: `ID` or `KEYFILE=ID`.
  /// - Returns: the keys, or why they are refused.
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
