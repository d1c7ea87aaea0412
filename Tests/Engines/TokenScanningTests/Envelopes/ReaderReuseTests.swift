import PaymentToken
import Testing
import TokenScanning

/// A reader is used again only for a selection of the same envelopes.
@Suite struct ReaderReuseTests {
  private static let routes = [Envelope.Route(["a"], .object)]
  private static let marks = [Envelope.Mark(["m"], isPresent: true)]

  /// Envelopes that differ from the first in one part each, some only in the bytes of equal strings.
  private static let envelopes: [Envelope] =
    ["name", "namf", "nam", "\u{E9}", "e\u{301}"].map { Envelope(name: $0, routes: routes, marks: marks) }
    + [
      Envelope(name: "name", routes: [], marks: marks), Envelope(name: "name", routes: routes, marks: []),
      Envelope(name: "name", routes: routes + routes, marks: marks),
      Envelope(name: "name", routes: routes, marks: marks + marks),
      Envelope(name: "name", routes: [Envelope.Route(["a"], .text)], marks: marks),
      Envelope(name: "name", routes: routes, marks: [Envelope.Mark(["m"], isPresent: false)]),
    ]
    + ["\u{E9}", "e\u{301}"].flatMap { text in
      [
        Envelope(name: "name", routes: [Envelope.Route([text], .object)], marks: marks),
        Envelope(
          name: "name", routes: [Envelope.Route(["a"], .object, fields: [.init(["f"], .text(text))])], marks: marks),
        Envelope(name: "name", routes: routes, marks: [Envelope.Mark([text], isPresent: true)]),
      ]
    }

  @Test func `an envelope that is built again is the same one`() {
    let again = Envelope(
      name: "name", routes: [Envelope.Route(["a"], .object)], marks: [Envelope.Mark(["m"], isPresent: true)])
    #expect(again == Self.envelopes[0] && again.hashValue == Self.envelopes[0].hashValue)
    #expect(EnvelopeReader(.named(again)).reads(.named(Self.envelopes[0])))
    #expect(Set(Self.envelopes).count == Self.envelopes.count)
  }

  @Test func `threads that build one envelope at once get the same one`() async {
    for round in 0..<200 {
      let built = await withTaskGroup(of: Envelope.self, returning: Set<Envelope>.self) { group in
        for _ in 0..<4 {
          group.addTask { Envelope(name: "round \(round)", routes: Self.routes, marks: Self.marks) }
        }
        return await group.reduce(into: []) { $0.insert($1) }
      }
      #expect(built.count == 1)
    }
  }

  /// Each call makes new arrays for the automatic ones: a caller may write its list in place.
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
