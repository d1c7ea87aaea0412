import PaymentToken
import StrictJSON

/// A token whose members have other names than Apple's: snake_case, kebab-case, or other capitals.
enum ChangedNames {
  /// The names of a token and of its header.
  private static let names = [
    "version", "data", "signature", "header", "ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId",
    "applicationData",
  ]
  private static let byPlainName = Dictionary(uniqueKeysWithValues: names.map { (plain($0), $0) })

  /// The shell command that restores each name that differs from a token's only in case, underscores and hyphens.
  static let command: String = {
    let table = names.filter { plain($0) != $0 }.map { "\"\(plain($0))\":\"\($0)\"" }.joined(separator: ",")
    let plainNames = names.map { "\"\(plain($0))\"" }.joined(separator: ",")
    return #"jq -c 'walk(if type == "object" then with_entries(.key |= ((ascii_downcase | gsub("[_-]"; "")) as $k | "#
      + "if [\(plainNames)] | index($k) then {\(table)}[$k] // $k else . end)) else . end)'"
  }()

  private static func plain(_ name: String) -> String {
    String(streamSafe: name.utf8.filter { !"_-".utf8.contains($0) }.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 })
  }

  /// The member name that `name` differs from only in case, underscores and hyphens; nil if there is none.
  static func original(of name: String) -> String? { byPlainName[plain(name)] }

  /// A value with the names restored, as the command does it.
  static func restored(_ value: JSON) -> JSON {
    switch value {
    case .object(let members):
      .object(members.map { JSON.Member(original(of: $0.name) ?? $0.name, restored($0.value)) })
    case .array(let elements): .array(elements.map(restored))
    case .string, .number, .boolean, .null, .verbatim: value
    }
  }

  /// The first changed name of a token object or its header; nil if none is changed, or for any other object.
  static func firstChange(in document: JSON) -> String? {
    guard let members = document.members, known(members) >= 3 else { return nil }
    if let changed = changed(members) { return changed }
    let header = members.first { original(of: $0.name) == TokenMember.header.name }
    return header.flatMap { header in header.value.members.flatMap(changed).map { "\(header.name).\($0)" } }
  }

  /// Whether the capitals of the version were changed as well. Then all values were changed, and their base64 is lost.
  static func areValuesChanged(in document: JSON) -> Bool {
    let version = restored(document)[TokenMember.version.name]?.string
    return TokenVersion.allCases.contains {
      $0.rawValue != version && $0.rawValue.lowercased() == version?.lowercased()
    }
  }

  static let remedyForValues =
    "The names of members and their values were changed to other capitals, and the values cannot be restored: keep both "
    + "as the device sent them."

  private static func known(_ members: [JSON.Member]) -> Int {
    members.count { original(of: $0.name).map(TokenPlace.knownNames.contains) ?? false }
  }

  private static func changed(_ members: [JSON.Member]) -> String? {
    members.first { member in original(of: member.name).map { $0 != member.name } ?? false }?.name
  }

  /// Whether the first name in an object contains a token: Express and PHP may read a JSON body as the name of a field.
  static func isNamedByToken(_ document: JSON) -> Bool {
    guard let name = document.members?.first?.name, name.drop(while: \.isWhitespace).hasPrefix("{") else {
      return false
    }
    return TokenPlace.knownNames.contains { name.contains("\"\($0)\"") }
  }
}
