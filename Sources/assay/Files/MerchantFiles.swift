import Explanation
import Gateways
import HostIO
import MerchantKeys
import PaymentToken
import Reports

extension FileReader {
  /// One byte more than the largest request, so that longer ones are detected (stage 0).
  static let requestLimit = Envelope.maximumRequestSize + 1

  /// A request that a merchant's server received, converted to JSON if necessary (`ReceivedBody`).
  static func request(_ path: String) throws(CommandError) -> [UInt8] {
    try receivedRequest(path).request
  }

  /// A request as JSON, and the received bytes if they had to be converted. On a terminal, asks for input.
  static func receivedRequest(_ path: String) throws(CommandError) -> (request: [UInt8], received: [UInt8]?) {
    if path == "-", Console.inputIsTerminal {
      Console.remark("reading standard input: paste the token, then press Return and Ctrl-D.")
    }
    let body = try read(path, limit: requestLimit)
    return ReceivedBody.json(of: body).map { ($0, body) } ?? (body, nil)
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
    let context: KeyContext
  }

  /// The defects of files that are skipped in a folder: they have no private key or certificate, or are any 32 bytes
  /// (`bareScalar`). A key or certificate that has to be decrypted, converted or repaired is not skipped otherwise.
  static let otherContents: Set<KeyError.Code> = [
    .unrecognisedFile, .unsupportedBlock, .publicKeyGiven, .requestGiven, .bareScalar,
  ]

  /// The named files. A folder is replaced by its files, except unfinished ones, FIFOs, sockets, devices, links to
  /// folders, and files with a defect of `leftAside`. A remark names what is skipped.
  ///
  /// - Parameter leftAside: the defects for which a file in a folder is skipped.
  static func paths(
    _ named: [String], leavingAside leftAside: Set<KeyError.Code> = otherContents, quiet: Bool
  ) throws(CommandError) -> [String] {
    var paths: [String] = []
    for path in named {
      guard FolderWalk.isFolder(path) else {
        paths.append(path)
        continue
      }
      let before = paths.count
      var others: [String] = []
      for file in try FolderWalk.entries(below: path) {
        // A temporary file that a killed process left behind. It may be incomplete.
        if FileWriter.isTemporary(file) {
          others.append("\(Text.harmless(file)) (unfinished)")
          continue
        }
        switch FolderWalk.entry(at: file, followsLink: true) {
        case .special, .folder:
          others.append("\(Text.harmless(file)) (not a regular file)")
          continue
        case .file, .link, nil: break
        }
        var contents = try FileReader.keyFile(file)
        defer { contents.wipe() }
        if let defect = contents.defect, leftAside.contains(defect) {
          others.append("\(Text.harmless(file)) (\(defect.rawValue))")
        } else {
          paths.append(file)
        }
      }
      guard paths.count > before else {
        throw CommandError(.noAnswer, "\(PastedText.shown(path)) has no file with a key or certificate.")
      }
      if !others.isEmpty, !quiet { Console.remark("left aside: \(others.listed(atMost: 8)).") }
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
    let named = options.keyFiles + options.archiveFiles + options.certificateFiles
    for path in try paths(named, quiet: options.isQuiet) {
      files.append(try FileReader.keyFile(path, password: password))
    }
    do throws(KeyError) {
      return .success(
        try MerchantKeySet(files: files, merchantIDs: merchantIDs.map { MerchantIDAssignment(argument: $0) }))
    } catch {
      let context = try CommandError.of { try KeyContext(unusable: error, files: files) }
      return .failure(Refusal(error: error, context: context))
    }
  }
}
