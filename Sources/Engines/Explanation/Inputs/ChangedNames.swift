import PaymentToken
import StrictJSON

/// A token whose members have other names than Apple's: snake_case, or other capitals.
enum ChangedNames {
  /// Names without underscores, in camel case with a small first letter, at every depth.
  private static let command =
    #"jq -c 'walk(if type == "object" then with_entries(.key |= (gsub("_(?<c>[a-z])"; .c | ascii_upcase)"#
    + #" | (.[:1] | ascii_downcase) + .[1:])) else . end)'"#

  /// The form of a document that is such a token; nil for any other.
  static func form(of document: JSON) -> InputForm? {
    let outer = document.changedNames(among: ["version", "data", "signature", "header"])
    guard let outer, outer.known >= 3 else { return nil }
    let header = outer.header?.changedNames(among: [
      "ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId", "applicationData",
    ])
    let headerName = outer.headerName ?? "header"
    guard let changed = outer.changed ?? header?.changed.map({ "\(headerName).\($0)" }) else { return nil }
    return InputForm(
      words: "a token with changed names of members", diagnosis: .changedMemberNames, subject: changed,
      command: command)
  }

  /// Express and PHP read a JSON body as a form whose one field has the token for its name.
  static func isNamedByToken(_ document: JSON) -> Bool {
    guard let name = document.members?.first?.name else { return false }
    return name.drop { $0.isWhitespace }.hasPrefix("{") && name.contains("\"")
  }
}

extension JSON {
  /// The members of an object whose names are those of a token but for case and underscores.
  fileprivate func changedNames(
    among names: [String]
  ) -> (known: Int, changed: String?, header: JSON?, headerName: String?)? {
    guard let members else { return nil }
    var known = 0
    var changed: String?
    var header: Member?
    for member in members {
      let plain = member.name.lowercased().filter { $0 != "_" }
      guard let name = names.first(where: { $0.lowercased() == plain }) else { continue }
      known += 1
      if member.name != name { changed = changed ?? member.name }
      if name == TokenMember.header.name { header = member }
    }
    return (known, changed, header?.value, header?.name)
  }
}
