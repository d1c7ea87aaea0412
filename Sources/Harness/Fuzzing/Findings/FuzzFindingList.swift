import Corpus
import HostIO
import StrictJSON

/// The findings of a run, as their folders say.
package struct FuzzFindingSummary {
  package let id: String
  package let kind: String
  package let first: String
  package let second: String
  package let mutations: [String]
  package let replays: Int
  package let octets: Int

  package init(
    id: String, kind: String, first: String, second: String, mutations: [String], replays: Int, octets: Int
  ) {
    self.id = id
    self.kind = kind
    self.first = first
    self.second = second
    self.mutations = mutations
    self.replays = replays
    self.octets = octets
  }
}

package enum FuzzFindingList {
  package static func read(_ folder: RunFolder) throws(CommandError) -> [FuzzFindingSummary] {
    try folder.findings().compactMap { id in
      guard let finding = folder.document("findings/\(id)/finding.json"), case .object = finding else { return nil }
      func text(_ name: String) -> String { finding[name]?.string ?? "" }
      return FuzzFindingSummary(
        id: id, kind: text("kind"), first: text("first"), second: text("second"),
        mutations: finding["mutations"]?.elements?.compactMap(\.string) ?? [],
        replays: finding["replays"]?.integer() ?? 0, octets: finding["sample_octets"]?.integer() ?? 0)
    }
  }
}
