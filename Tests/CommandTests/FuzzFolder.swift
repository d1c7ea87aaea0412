import Foundation
import TestSupport
import Testing

/// What runs of `assay fuzz` start from and leave.
extension TemporaryFolder {
  /// A folder for runs whose corpus, `small`, is one seed: they start from little else than minted tokens.
  static func fuzzing() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.write("{}", to: "small/seeds/apple/EC_v1/0.json")
    return folder
  }

  /// The arguments of a run in a folder below this one, with the corpus `small`.
  func fuzzWords(_ options: [String], in run: String = "run") -> [String] {
    ["fuzz", "run", "--dir", path(run), "--corpus", path("small")] + options
  }

  /// A JSON document. All but the settings must follow their schema.
  func object(_ name: String) throws -> [String: Any] {
    let data = try FileText.data(path(name))
    if !name.hasSuffix("settings.json") { try JSONSchema.exercise(data) }
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
