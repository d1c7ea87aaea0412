/// A search for secrets in text that can prove their absence.
///
/// It searches for each secret verbatim. Two requirements rule out a search that could not have found anything: every
/// secret must be found, by the same comparison, in the source that it was taken from, and every text that is searched
/// must contain a mark that shows that it is the intended text and not empty.
public struct SecretSearch: Sendable {
  /// The search could not have found anything.
  public struct Blindness: Error, CustomStringConvertible {
    public let description: String
  }

  private let secrets: [String]

  /// - Parameters:
  ///   - secrets: at least one.
  ///   - source: a text that holds all of them: a plaintext, a key file.
  /// - Throws: `Blindness` if there is no secret, or if the source lacks one of them.
  public init(for secrets: [String], from source: String) throws(Blindness) {
    self.secrets = secrets
    let unseen = Set(secrets).subtracting(matches(in: source)).map { "\($0.prefix(4))…" }
    guard !secrets.isEmpty, unseen.isEmpty else {
      throw Blindness(description: "of \(secrets.count) secrets these are not found in their source: \(unseen)")
    }
  }

  /// The lines of a PEM file's private keys: each is a secret of its own.
  public init(forLinesOf pem: String) throws(Blindness) {
    var isWithinKey = false
    var lines: [String] = []
    for line in pem.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----") {
        isWithinKey = line.hasPrefix("-----BEGIN") && line.contains("PRIVATE KEY")
      } else if isWithinKey {
        lines.append(String(line))
      }
    }
    try self.init(for: lines, from: pem)
  }

  /// The secrets that a text holds.
  ///
  /// - Parameter mark: a text that must be present.
  /// - Throws: `Blindness` when the mark is not there.
  public func findings(in text: String, marked mark: String) throws(Blindness) -> [String] {
    guard !mark.isEmpty, text.contains(mark) else {
      throw Blindness(description: "\(text.utf8.count) bytes without the mark \(mark)")
    }
    return matches(in: text)
  }

  private func matches(in text: String) -> [String] { secrets.filter { !$0.isEmpty && text.contains($0) } }
}
