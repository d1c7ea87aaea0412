import Gateways
import PaymentToken
import TestCases

/// A list of names in one of the corpus' schemas, which `assay corpus generate` writes from the registry of gateways.
public struct SchemaNames: Sendable {
  /// The schema's path below the corpus, `vectors/schema.json`.
  public let path: String
  /// What the list describes.
  private let member: String
  /// Its elements, as JSON.
  private let values: [String]

  /// Every such list.
  public static let all = [
    SchemaNames(
      path: "vectors/schema.json", member: "envelope",
      values: quoted(["auto"] + (Envelope.all + Envelope.ofCallers).map(\.name)) + ["null"]),
    SchemaNames(path: "gateways/schema.json", member: "gateway", values: quoted(Gateway.all.map(\.name))),
  ]

  private static func quoted(_ names: [String]) -> [String] { names.map { "\"\($0)\"" } }

  /// The schema with the current list in the same layout; nil if it has no such list.
  public func updated(_ schema: String) -> String? {
    guard let member = schema.firstRange(of: "\"\(member)\": {"),
      let opening = schema[member.upperBound...].firstRange(of: "\"enum\": ["),
      let closing = schema[opening.upperBound...].firstIndex(of: "]")
    else { return nil }
    let elements = schema[opening.upperBound..<closing].split(separator: ",")
    guard elements.count > 1 else { return nil }
    let spaces = elements.prefix(2).map { $0.prefix(while: \.isWhitespace) }
    let end = String(elements[elements.count - 1].reversed().prefix(while: \.isWhitespace).reversed())
    let list = values.enumerated().map { spaces[min($0.offset, 1)] + $0.element }.joined(separator: ",")
    return schema[..<opening.upperBound] + list + end + schema[closing...]
  }
}
