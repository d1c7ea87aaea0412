import PaymentToken
import StrictJSON

/// A repair of base64 that was altered in transit.
enum Base64Repair: CaseIterable {
  /// Replaces spaces with plus signs.
  case pluses
  /// Restores the standard alphabet and the padding, and removes white space.
  case alphabet

  /// The members that are base64.
  private static let members: [TokenMember] = [.data, .signature, .ephemeralPublicKey, .wrappedKey, .publicKeyHash]

  /// The shell command that repairs the token it reads.
  var command: String {
    switch self {
    case .pluses: #"jq -c 'walk(if type == "string" and length > 40 then gsub(" "; "+") else . end)'"#
    case .alphabet:
      "jq -c '(\(Self.members.map { ".\($0.path)" }.joined(separator: ", ")) | strings) |= "
        + #"(gsub("[\\s=]"; "") | gsub("-"; "+") | gsub("_"; "/") | . + "==="[0:(-length % 4 + 4) % 4])'"#
    }
  }

  /// `command`, followed by a repair if it writes a token whose base64 was altered; nil without a command.
  static func completing(_ command: String?, of token: JSON?) -> String? {
    guard let command, let token, !token.isIntactToken,
      let repair = allCases.first(where: { $0.repaired(token).isIntactToken }), !command.hasSuffix(repair.command)
    else { return command }
    return "\(command) | \(repair.command)"
  }

  /// What the command makes of a token.
  func repaired(_ token: JSON) -> JSON { repaired(token, at: "") }

  private func repaired(_ value: JSON, at path: String) -> JSON {
    switch value {
    case .object(let members):
      .object(members.map { .init($0.name, repaired($0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)")) })
    case .array(let elements): .array(elements.map { repaired($0, at: "\(path)[]") })
    case .string(let text): .string(repaired(text, at: path))
    case .number, .boolean, .null, .verbatim: value
    }
  }

  private func repaired(_ text: String, at path: String) -> String {
    switch self {
    case .pluses: text.count > 40 ? String(text.map { $0 == " " ? "+" : $0 }) : text
    case .alphabet:
      Self.members.contains { $0.path == path }
        ? TextForm(text: Array(text.utf8)).repairedBase64.map(Base64.encode) ?? text : text
    }
  }
}
