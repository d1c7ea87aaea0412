import Foundation

/// Searches both streams of the commands that `Program.run` runs, itself or by a shell, for card data, tokens and
/// private keys.
///
/// What must not be there is taken from the arguments: the long base64 and hexadecimal texts of the files that they
/// name and of standard input (data and signature of tokens, keys, pasted tokens), and the cards of minted tokens.
struct OutputSearch {
  /// Parts of secrets, each long enough not to occur by chance.
  private let secrets: Set<String>
  private let isOutputExempt: Bool

  /// Options and commands that are meant to write card data, tokens or keys, but to standard output only. The list of
  /// faults has the account number in a name.
  private static let revealing: Set<String> = ["--reveal", "--list-faults", "serve"]
  private static let revealingCommands: [[String]] = [
    ["mint", "--json"], ["gateway", "request"], ["corpus", "export"],
  ]
  /// The values of `--output` with which card data is masked.
  private static let maskedOutputs: Set<String> = ["text", "json", "csv"]
  /// The characters of a part of a text. In base64 they are 18 bytes.
  private static let partLength = 24
  /// The shortest text of a file that is a secret. Members that may be shown are shorter: hashes, keys on P-256.
  private static let leastLength = 150
  /// The shortest argument that is a secret: a scalar of P-256 has 43 characters in base64.
  private static let leastArgumentLength = 41
  /// Options whose values are hashes, which may be shown.
  private static let hashOptions: Set<String> = ["--expect-application-data", "--application-data"]

  init(_ arguments: [String], input: URL?) {
    let named = arguments.compactMap { $0.split(separator: "=").last.map { URL(filePath: String($0)) } }
    let files = (named + [input].compactMap { $0 }).compactMap(Self.content)
    // A token or key that was pasted, but not the path of a file.
    let pasted = Self.values(arguments).filter { !$0.hasPrefix("/") }
    secrets = Self.cards(arguments)
      .union(files.flatMap { Self.parts(of: $0, from: Self.leastLength) })
      .union(pasted.flatMap { Self.parts(of: Data($0.utf8), from: Self.leastArgumentLength) })
    isOutputExempt =
      !Self.revealing.isDisjoint(with: arguments)
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--output" && !Self.maskedOutputs.contains($1) }
      || Self.revealingCommands.contains { $0.allSatisfy(arguments.contains) }
  }

  /// The arguments, without the name of an option before an equals sign, and without hashes.
  private static func values(_ arguments: [String]) -> [String] {
    zip([""] + arguments, arguments).filter { !hashOptions.contains($0.0) }.map { _, argument in
      guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return argument }
      return String(argument[argument.index(after: equals)...])
    }
  }

  /// The content of a regular file of less than 4 MiB, otherwise nil: reading another file may never end.
  private static func content(_ url: URL) -> Data? {
    guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
      values.isRegularFile == true,
      let size = values.fileSize, size < 1 << 22
    else { return nil }
    return try? Data(contentsOf: url)
  }

  /// The secrets that were found, each with its stream.
  func findings(output: Data, error: String) -> [String] {
    var found = Self.find(secrets, in: error).map { "\($0) on standard error" }
    if !isOutputExempt {
      found += Self.find(secrets, in: String(decoding: output, as: UTF8.self)).map { "\($0) on standard output" }
    }
    return found
  }

  private static func find(_ secrets: Set<String>, in text: String) -> [String] {
    secrets.filter { text.contains($0) }
  }

  /// The card of minted tokens, and those that the arguments give.
  private static func cards(_ arguments: [String]) -> Set<String> {
    var cards: Set = [MintedFolder.accountNumber, MintedFolder.cryptogram]
    for (option, value) in zip(arguments, arguments.dropFirst()) where ["--pan", "--cryptogram"].contains(option) {
      cards.insert(value)
    }
    return cards
  }

  /// The beginning, the middle and the end of each long text of base64 or hexadecimal.
  private static func parts(of data: Data, from length: Int) -> [String] {
    let isText = { (byte: UInt8) in
      byte == 0x2B || (0x2F...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    // The lines of PEM are 64 characters long; certificates and public keys are no secrets.
    let isKey = String(decoding: data.prefix(4_096), as: UTF8.self).contains("PRIVATE KEY-----")
    return data.split { !isText($0) }.filter { $0.count >= (isKey ? min(40, length) : length) }.flatMap { text in
      let middle = text.startIndex + (text.count - partLength) / 2
      return [text.prefix(partLength), text[middle..<(middle + partLength)], text.suffix(partLength)]
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
