import Foundation
import StrictJSON
import TestSupport
import Testing

/// A schema of Docs/schemas, and the part of JSON Schema (draft 2020-12) that these use.
struct JSONSchema {
  /// The schemas by the names that documents carry, `assay.decrypt/1`.
  static let all: [String: JSONSchema] = {
    let folder = Package.folder.appending(path: "Docs/schemas")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasSuffix(".json") }.compactMap { name in
        guard let root = try? JSON(data: Data(contentsOf: folder.appending(path: name))),
          let title = root["properties"]?["schema"]?["const"]?.string
        else {
          Issue.record("\(name) is no schema of a document")
          return nil
        }
        return (title, JSONSchema(root: root))
      })
  }()

  let root: JSON

  /// The first place of a document that the schema refuses, as a path with the reason; nil if there is none.
  func refusal(of document: JSON) -> String? { refusal(of: document, by: root, at: "") }

  private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description"]

  private func refusal(of value: JSON, by schema: JSON, at path: String) -> String? {
    for keyword in schema.members ?? [] {
      let isRefused: Bool
      switch keyword.name {
      case "$ref":
        if let refusal = refusal(of: value, by: target(of: keyword.value), at: path) { return refusal }
        continue
      case "type":
        let types = keyword.value.elements ?? [keyword.value]
        isRefused = !types.contains { Self.is(value, $0.string) }
      case "const": isRefused = value != keyword.value
      case "enum": isRefused = keyword.value.elements?.contains(value) != true
      case "required":
        let names = Set((value.members ?? []).map(\.name))
        isRefused =
          value.members != nil && keyword.value.elements?.allSatisfy { names.contains($0.string ?? "") } != true
      case "anyOf":
        isRefused = keyword.value.elements?.contains { refusal(of: value, by: $0, at: path) == nil } != true
      case "items":
        for (index, element) in (value.elements ?? []).enumerated() {
          if let refusal = refusal(of: element, by: keyword.value, at: "\(path)/\(index)") { return refusal }
        }
        continue
      case "properties", "additionalProperties":
        let known = Set((schema["properties"]?.members ?? []).map(\.name))
        for member in value.members ?? [] {
          let isNamed = keyword.name == "properties"
          guard known.contains(member.name) == isNamed,
            let part = isNamed ? keyword.value[member.name] : keyword.value, part.members != nil
          else { continue }
          if let refusal = refusal(of: member.value, by: part, at: "\(path)/\(member.name)") { return refusal }
        }
        continue
      default: isRefused = !Self.annotations.contains(keyword.name)
      }
      if isRefused { return "\(path): \(keyword.name)" }
    }
    return nil
  }

  private func target(of reference: JSON) -> JSON {
    let name = reference.string?.split(separator: "/").last.map(String.init) ?? ""
    return root["$defs"]?[name] ?? .null
  }

  private static func `is`(_ value: JSON, _ type: String?) -> Bool {
    switch value {
    case .null: type == "null"
    case .boolean: type == "boolean"
    case .number:
      type == "number"
        || type == "integer" && (value.integer(Int.self) != nil || value.integer(UInt64.self) != nil)
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    case .verbatim: false
    }
  }

  // MARK: Checks

  /// Records an issue if a document does not follow its schema; one without a schema is not checked.
  static func check(_ data: Data) {
    guard let document = try? JSON(data: data), let name = document["schema"]?.string,
      let refusal = all[name]?.refusal(of: document)
    else { return }
    Issue.record("\(name) refuses \(refusal)")
  }

  /// Expects that a document follows its schema, and that the schema refuses each of its mutants.
  ///
  /// - Returns: the name of the schema.
  @discardableResult static func exercise(_ data: Data) throws -> String {
    let document = try JSON(data: data)
    let name = try #require(document["schema"]?.string)
    let schema = try #require(all[name], "\(name)")
    #expect(schema.refusal(of: document) == nil, "\(name)")
    let mutants = schema.mutants(of: document)
    #expect(mutants.count > 4, "\(name)")
    for mutant in mutants { #expect(schema.refusal(of: mutant.document) != nil, "\(name): \(mutant.defect)") }
    return name
  }

  // MARK: Mutants

  /// Documents with one defect each: a required member is gone, or a value has another type.
  func mutants(of document: JSON) -> [(defect: String, document: JSON)] { mutants(of: document, by: root, at: "") }

  private func mutants(of value: JSON, by schema: JSON, at path: String) -> [(defect: String, document: JSON)] {
    if let reference = schema["$ref"] { return mutants(of: value, by: target(of: reference), at: path) }
    let isTyped = ["type", "const", "enum"].contains { schema[$0] != nil }
    var mutants = isTyped ? [(defect: "\(path) is another type", document: Self.other(than: schema))] : []
    if let part = schema["anyOf"]?.elements?.first(where: { refusal(of: value, by: $0, at: path) == nil }) {
      mutants += self.mutants(of: value, by: part, at: path)
    }
    if let members = value.members {
      for name in schema["required"]?.elements?.compactMap(\.string) ?? [] {
        mutants.append(("\(path)/\(name) is gone", .object(members.filter { $0.name != name })))
      }
      for (index, member) in members.enumerated() {
        guard let part = schema["properties"]?[member.name] ?? schema["additionalProperties"] else { continue }
        mutants += self.mutants(of: member.value, by: part, at: "\(path)/\(member.name)").map { defect, changed in
          var members = members
          members[index] = .init(member.name, changed)
          return (defect, .object(members))
        }
      }
    }
    if let elements = value.elements, let first = elements.first, let part = schema["items"] {
      mutants += self.mutants(of: first, by: part, at: "\(path)/0").map { ($0, .array([$1] + elements.dropFirst())) }
    }
    return mutants
  }

  /// A value of a type that a schema does not name; none names both arrays and objects.
  private static func other(than schema: JSON) -> JSON {
    let types = schema["type"].map { $0.elements ?? [$0] } ?? []
    return types.contains(.string("array")) ? .object([]) : .array([])
  }
}

extension JSON {
  /// Reads a document that may be as large as a saved measurement.
  init(data: Data) throws {
    let bytes = [UInt8](data)
    try self.init(reading: bytes.span, within: .measurements)
  }
}
