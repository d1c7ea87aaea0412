import Gateways
import HostIO
import PaymentToken
import TestSupport
import Testing
import TokenScanning

/// A model of stage 0 over values instead of text, without 0.1, 0.11 and the decoding of base64. The reader must find
/// the same.
private struct Model {
  let request: RequestTree

  func reading(_ selection: EnvelopeSelection) -> Result<(String, Envelope.Wrapping?), TokenFault> {
    switch selection {
    case .named(let envelope): return reading(envelope)
    case .automatic(let envelopes):
      let fitting = envelopes.filter(fits)
      if fitting.count > 1 { return .failure(TokenFault(.ambiguousEnvelope)) }
      return reading(fitting.first ?? .apple)
    }
  }

  private func fits(_ envelope: Envelope) -> Bool {
    guard envelope.marks.allSatisfy({ request.values(along: $0.path).isEmpty != $0.isPresent }) else { return false }
    return envelope.name == "apple" || envelope.routes.contains { !request.values(along: $0.path).isEmpty }
  }

  private func reading(_ envelope: Envelope) -> Result<(String, Envelope.Wrapping?), TokenFault> {
    if envelope.name == "apple" { return .success(("apple", nil)) }
    let taken = envelope.routes.filter { !request.values(along: $0.path).isEmpty }
    guard taken.count == 1 else { return .failure(malformed) }
    var read = envelope.routes.map(\.path) + taken[0].fields.map(\.path)
    if case .parts(let parts) = taken[0].wrapping { read += parts.map { taken[0].path + [$0.name] } }
    guard !read.contains(where: request.repeats) else { return .failure(malformed) }
    switch (taken[0].wrapping, request.values(along: taken[0].path)[0]) {
    case (.object, .object), (.parts, .object), (.text, .string), (.base64, .string): break
    default: return .failure(malformed)
    }
    guard taken[0].fields.allSatisfy(agrees) else { return .failure(TokenFault(.envelopeFieldMismatch)) }
    return .success((envelope.name, taken[0].wrapping))
  }

  private func agrees(_ field: Envelope.Field) -> Bool {
    switch (field.rule, request.values(along: field.path).first) {
    case (.transactionId, _), (_, nil): true
    case (.text(let text), .string(let content)?): text == content
    case (.number(let text), .raw(let content)?): text == content
    default: false
    }
  }
}

@Suite struct EnvelopeModelTests {
  /// Names in the paths of envelopes, and some others.
  private static let names: [String] = {
    let routes = Envelope.all.flatMap(\.routes)
    let paths = routes.flatMap { [$0.path] + $0.fields.map(\.path) } + Envelope.all.flatMap { $0.marks.map(\.path) }
    return Array(Set(paths.joined())).sorted() + ["signature", "x", "tokens", ""]
  }()

  /// A request similar to an envelope: its paths with valid and invalid values, and members added, left out and
  /// repeated.
  private static func request(using generator: inout some RandomNumberGenerator) -> RequestTree {
    var tree = RequestTree.object([])
    for envelope in Envelope.all where Int.random(in: 0..<4, using: &generator) == 0 {
      for route in envelope.routes where Int.random(in: 0..<3, using: &generator) > 0 {
        tree = inserting(value(route.wrapping, using: &generator), at: route.path[...], in: tree, using: &generator)
        for field in route.fields where Bool.random(using: &generator) {
          let value = value(field.rule, using: &generator)
          tree = inserting(value, at: field.path[...], in: tree, using: &generator)
        }
      }
      for mark in envelope.marks where Int.random(in: 0..<3, using: &generator) == 0 {
        tree = inserting(.raw("null"), at: mark.path[...], in: tree, using: &generator)
      }
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let path = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        names.randomElement(using: &generator) ?? ""
      }
      tree = inserting(.raw("302"), at: path[...], in: tree, using: &generator)
    }
    return tree
  }

  /// Inserts a value, usually into the existing object, sometimes next to it under the same name. Replaces what is at
  /// the end of the path. Below a value that is no object nothing is inserted.
  private static func inserting(
    _ value: RequestTree, at path: ArraySlice<String>, in tree: RequestTree,
    using generator: inout some RandomNumberGenerator
  ) -> RequestTree {
    guard let name = path.first else { return value }
    guard case .object(var members) = tree else { return tree }
    let index = members.firstIndex { $0.name == name }
    if let index, Int.random(in: 0..<20, using: &generator) > 0 {
      members[index].value = inserting(value, at: path.dropFirst(), in: members[index].value, using: &generator)
    } else {
      let inner = inserting(value, at: path.dropFirst(), in: .object([]), using: &generator)
      members.insert((name, inner), at: Int.random(in: 0...members.count, using: &generator))
    }
    return .object(members)
  }

  private static func value(
    _ wrapping: Envelope.Wrapping, using generator: inout some RandomNumberGenerator
  ) -> RequestTree {
    let isSound = Int.random(in: 0..<10, using: &generator) > 0
    switch wrapping {
    case .object, .parts: return isSound ? .object([("signature", .string("\u{E9}"))]) : .array([.object([])])
    case .text, .base64: return isSound ? .string("{\"\u{1F600}\\/\"}") : .object([])
    }
  }

  private static func value(
    _ rule: Envelope.Field.Rule, using generator: inout some RandomNumberGenerator
  ) -> RequestTree {
    let isSound = Int.random(in: 0..<10, using: &generator) > 0
    switch rule {
    case .text(let text): return isSound ? .string(text) : .raw("null")
    case .number(let text): return isSound ? .raw(text) : .string(text)
    case .transactionId: return .string("00")
    }
  }

  @Test func `ten thousand requests are read as by the model`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    var outcomes: [String: Int] = [:]
    let selections = [EnvelopeSelection.automatic] + Envelope.all.map { .named($0) }
    var readers = selections.map { EnvelopeReader($0) }
    for _ in 0..<10_000 {
      let tree = Self.request(using: &generator)
      let text = tree.text(using: &generator)
      for index in selections.indices where selections[index] != .named(.apple) {
        let expected = Model(request: tree).reading(selections[index])
        let reading = Reading.of(Array(text.utf8), by: &readers[index])
        #expect(reading.map(\.envelope) == expected.map(\.0), "seed \(seed): \(text)")
        if case .success(let found) = reading, case .success(let model) = expected {
          #expect(agree(found.finding, model.1), "seed \(seed): \(text)")
        }
        outcomes[Self.label(reading), default: 0] += 1
      }
    }
    // Every verdict but `tokenTooLarge` must have occurred often.
    for label in ["malformedEnvelope", "ambiguousEnvelope", "envelopeFieldMismatch"] + Envelope.all.map(\.name) {
      #expect(outcomes[label, default: 0] > 100, "\(label), seed \(seed)")
    }
  }

  private static func label(_ reading: Result<Reading, TokenFault>) -> String {
    switch reading {
    case .success(let reading): reading.envelope
    case .failure(let fault): fault.code.rawValue
    }
  }

  private func agree(_ finding: Finding, _ wrapping: Envelope.Wrapping?) -> Bool {
    switch (finding, wrapping) {
    case (.whole, nil), (.object, .object?), (.parts, .parts?): true
    case (.text(let text), .text?), (.base64(let text), .base64?): text == "{\"\u{1F600}\\/\"}"
    default: false
    }
  }

  @Test func `damaged requests never crash any reader`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    var readers = ([.automatic] + Envelope.all.map { .named($0) }).map { EnvelopeReader($0) }
    var outcomes: [String: Int] = [:]
    // Enough requests for each outcome to occur often with any seed.
    for _ in 0..<40_000 {
      var text = Array(Self.request(using: &generator).text(using: &generator).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !text.isEmpty {
        let index = Int.random(in: 0..<text.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: text.remove(at: index)
        case 2: text.removeLast(text.count - index)
        default: text.insert(contentsOf: "\\\"{}[],:u0d8".utf8.shuffled(using: &generator).prefix(2), at: index)
        }
      }
      for index in readers.indices { outcomes[Self.label(Reading.of(text, by: &readers[index])), default: 0] += 1 }
    }
    for label in ["malformedEnvelope", "ambiguousEnvelope", "envelopeFieldMismatch"] + Envelope.all.map(\.name) {
      #expect(outcomes[label, default: 0] > 10, "\(label), seed \(seed)")
    }
  }
}
