import Corpus
import HostIO

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
      guard case .object(let members)? = folder.document("findings/\(id)/finding.json") else { return nil }
      func text(_ name: String) -> String {
        guard case .string(let octets)? = members[name] else { return "" }
        return String(decoding: octets, as: UTF8.self)
      }
      func number(_ name: String) -> Int {
        guard case .number(let text)? = members[name] else { return 0 }
        return Int(text) ?? 0
      }
      var mutations: [String] = []
      if case .array(let nodes)? = members["mutations"] {
        mutations = nodes.compactMap { node in
          guard case .string(let octets) = node else { return nil }
          return String(decoding: octets, as: UTF8.self)
        }
      }
      return FuzzFindingSummary(
        id: id, kind: text("kind"), first: text("first"), second: text("second"), mutations: mutations,
        replays: number("replays"), octets: number("sample_octets"))
    }
  }
}
