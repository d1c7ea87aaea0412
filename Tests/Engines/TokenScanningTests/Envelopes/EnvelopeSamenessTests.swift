import PaymentToken
import Testing
import TokenScanning

/// A reader is used again only for a selection that equals its own byte for byte in every part.
@Suite struct EnvelopeSamenessTests {
  /// The parts of an envelope, to vary one by one.
  private struct Parts {
    var name = "name"
    var path = ["a", "b"]
    var wrapping = Envelope.Wrapping.parts([.init("x", .data), .init("y", .signature)])
    var fieldPath = ["f", "g"]
    var rule = Envelope.Field.Rule.text("t")
    var markPath = ["m", "n"]
    var isPresent = true
    var repeated = (routes: 1, fields: 1, marks: 1)

    var envelope: Envelope {
      let field = Envelope.Field(fieldPath, rule)
      let route = Envelope.Route(path, wrapping, fields: Array(repeating: field, count: repeated.fields))
      let mark = Envelope.Mark(markPath, isPresent: isPresent)
      return Envelope(
        name: name, routes: Array(repeating: route, count: repeated.routes),
        marks: Array(repeating: mark, count: repeated.marks))
    }
  }

  private static func varied(_ edit: (inout Parts) -> Void) -> Envelope {
    var parts = Parts()
    edit(&parts)
    return parts.envelope
  }

  /// Envelopes that differ from the first in one part each; every call makes fresh ones, so that no storage is shared.
  private static func envelopes() -> [Envelope] {
    var all = [Parts().envelope]
    for text in ["namf", "nam", "\u{E9}", "e\u{301}"] {
      all.append(varied { $0.name = text })
      all.append(varied { $0.path[0] = text })
      all.append(varied { $0.path[1] = text })
      all.append(varied { $0.wrapping = .parts([.init(text, .data), .init("y", .signature)]) })
      all.append(varied { $0.wrapping = .parts([.init("x", .data), .init(text, .signature)]) })
      all.append(varied { $0.fieldPath[1] = text })
      all.append(varied { $0.rule = .text(text) })
      all.append(varied { $0.rule = .number(text) })
      all.append(varied { $0.markPath[1] = text })
    }
    all.append(varied { $0.path = ["a"] })
    all.append(varied { $0.fieldPath = ["f"] })
    all.append(varied { $0.markPath = ["m", "n", "o"] })
    for wrapping: Envelope.Wrapping in [
      .object, .text, .base64, .parts([]), .parts([.init("x", .data)]),
      .parts([.init("x", .transactionId), .init("y", .signature)]),
    ] { all.append(varied { $0.wrapping = wrapping }) }
    all.append(varied { $0.rule = .number("t") })
    all.append(varied { $0.rule = .transactionId })
    all.append(varied { $0.isPresent = false })
    for count in [0, 2] {
      all.append(varied { $0.repeated.routes = count })
      all.append(varied { $0.repeated.fields = count })
      all.append(varied { $0.repeated.marks = count })
    }
    return all
  }

  private static func selections() -> [EnvelopeSelection] {
    let first = Parts().envelope
    return envelopes().flatMap { [.named($0), .automatic([$0]), .automatic([first, $0])] } + [.automatic([])]
  }

  @Test func `a reader reads selections that equal its own, and no others`() {
    let selections = Self.selections()
    for (index, reader) in Self.selections().map({ EnvelopeReader($0) }).enumerated() {
      for (other, selection) in selections.enumerated() where reader.reads(selection) != (index == other) {
        Issue.record("\(Self.selections()[index]) and \(selection)")
      }
    }
  }

  @Test func `a reader reads its own selection, with the same storage`() {
    for selection in Self.selections() { #expect(EnvelopeReader(selection).reads(selection)) }
  }
}
