import Gateways
import HostIO
import MerchantKeys
import PaymentToken

extension FileReader {
  /// One byte more than the largest request, so that longer ones are detected (stage 0).
  static let requestLimit = Envelope.maximumRequestSize + 1

  /// A request that a merchant's server received, converted to JSON if necessary (`ReceivedBody`).
  static func request(_ path: String) throws(CommandError) -> [UInt8] {
    let body = try receivedBody(path)
    return ReceivedBody.json(of: body) ?? body
  }

  /// A request as it was received. Says that it waits for a terminal.
  static func receivedBody(_ path: String) throws(CommandError) -> [UInt8] {
    if path == "-", Console.inputIsTerminal {
      Console.remark("reading standard input: paste the token, then press Return and Ctrl-D.")
    }
    return try read(path, limit: requestLimit)
  }

  /// A file with keys or certificates, which the caller must wipe.
  static func keyFile(_ path: String, password: Password? = nil) throws(CommandError) -> KeyFile {
    KeyFile(name: path, bytes: try wholeFile(path), password: password)
  }
}

/// Passwords come from files or descriptors, never from arguments.
enum PasswordFile {
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

/// Loads the merchants' keys and certificates that options name.
enum MerchantKeyFiles {
  struct Refusal: Error {
    let error: KeyError
    let certificates: [Certificate]
  }

  /// How files with keys and certificates are called.
  private static let endings = [".key", ".pem", ".p8", ".der", ".cer", ".crt", ".p12", ".pfx"]

  /// The files that are named; a folder stands for those in it that are called as files with keys are.
  static func paths(_ named: [String]) throws(CommandError) -> [String] {
    var paths: [String] = []
    for path in named {
      guard FolderWalk.isFolder(path) else {
        paths.append(path)
        continue
      }
      let files = try FolderWalk.files(below: path).filter { file in endings.contains(where: file.hasSuffix) }
      guard !files.isEmpty else {
        let expected = endings.listed("or")
        throw CommandError(.noAnswer, "\(PastedText.shown(path)) has no file whose name ends in \(expected).")
      }
      paths += files
    }
    return paths
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
    for path in try paths(options.keyFiles + options.archiveFiles + options.certificateFiles) {
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
