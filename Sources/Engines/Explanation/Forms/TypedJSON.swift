import PaymentToken
import StrictJSON

/// Documents of databases that write each value in an object, under the name of its type: DynamoDB's `{"S": "EC_v1"}`,
/// Firestore's `{"stringValue": "EC_v1"}`.
enum TypedJSON {
  /// The names that each database writes around values and objects.
  private static let names: [(database: String, names: [String])] = [
    ("DynamoDB", ["S", "B", "M"]), ("Firestore", ["stringValue", "bytesValue", "mapValue", "fields"]),
  ]
  private static let allNames = names.flatMap(\.names)

  /// The shell command that replaces each object of one such member with the member's value, the innermost first.
  private static let command: String = {
    let list = allNames.map { "\"\($0)\"" }.joined(separator: ",")
    return #"jq -c 'walk(if type == "object" and length == 1 and (keys[0] | IN(\#(list))) then .[] else . end)'"#
  }()

  /// The form of a document whose token has typed values; nil for any other document.
  static func form(of document: JSON) -> InputForm? {
    var found: Set<String> = []
    let plain = plain(document, &found)
    guard !found.isEmpty, TokenPlace(in: document) == nil, let place = TokenPlace(in: plain), place.token.isIntactToken
    else { return nil }
    let database = names.first { $0.names.contains(where: found.contains) }?.database
    return InputForm(
      words: "a document with typed values", diagnosis: .typedJSON, subject: database,
      command: place.commands.map { ([command] + $0).joined(separator: " | ") }, token: place.token)
  }

  private static func plain(_ value: JSON, _ found: inout Set<String>) -> JSON {
    switch value {
    case .object(let members):
      let plainMembers = members.map { JSON.Member($0.name, plain($0.value, &found)) }
      guard plainMembers.count == 1, allNames.contains(plainMembers[0].name) else { return .object(plainMembers) }
      found.insert(plainMembers[0].name)
      return plainMembers[0].value
    case .array(let elements): return .array(elements.map { plain($0, &found) })
    case .string, .number, .boolean, .null, .verbatim: return value
    }
  }
}
