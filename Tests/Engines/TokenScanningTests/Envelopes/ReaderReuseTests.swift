import PaymentToken
import Testing
import TokenScanning

/// A reader is used again only for a selection of the same envelopes.
@Suite struct ReaderReuseTests {
  private static let routes = [Envelope.Route(["a"], .object)]
  private static let marks = [Envelope.Mark(["m"], isPresent: true)]

  /// Envelopes that differ from the first in one part each, and two that were built again.
  private static let envelopes: [Envelope] =
    ["name", "namf", "nam", "\u{E9}", "e\u{301}"].map { Envelope(name: $0, routes: routes, marks: marks) }
    + [
      Envelope(name: "name", routes: [], marks: marks), Envelope(name: "name", routes: routes, marks: []),
      Envelope(name: "name", routes: routes + routes, marks: marks),
      Envelope(name: "name", routes: routes, marks: marks + marks),
      Envelope(name: "name", routes: [Envelope.Route(["a"], .text)], marks: marks),
      Envelope(name: "name", routes: routes, marks: [Envelope.Mark(["m"], isPresent: false)]),
      Envelope(name: "name", routes: [Envelope.Route(["a"], .object)], marks: marks),
      Envelope(name: "name", routes: routes, marks: [Envelope.Mark(["m"], isPresent: true)]),
    ]

  /// Automatic ones in arrays of their own at each call: a caller may write its list in place.
  private static func selections() -> [EnvelopeSelection] {
    envelopes.flatMap { [.named($0), .automatic([$0]), .automatic([envelopes[0], $0])] } + [.automatic([])]
  }

  @Test func `a reader reads selections of the same envelopes, and no others`() {
    let selections = Self.selections()
    for (index, reader) in Self.selections().map({ EnvelopeReader($0) }).enumerated() {
      for (other, selection) in selections.enumerated() where reader.reads(selection) != (index == other) {
        Issue.record("\(Self.selections()[index]) and \(selection)")
      }
    }
  }
}
