import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules that no gateway's envelope exercises, in a caller's own envelopes.
extension CaseList {
  mutating func addCallersEnvelopeCases() {
    addCallersFieldCases()
    addCallersPartCases()
    addCallersUnsignedCases()
    for (depth, fault) in [(32, nil), (33, TokenFault.malformedEnvelope)] {
      request("0.2", .choice(.holder, "callers-depth-of-\(depth)"), fault) { draft in
        draft.policy.envelope = .named(.callersDepth)
        let route = Envelope.callersDepth.routes[depth - 32]
        var object = JSONObject()
        object[route.path] = .string(String(decoding: draft.bareToken, as: UTF8.self))
        draft.request = JSONValue.object(object).text()
      }
    }
  }

  /// A request of `callersParts` with every field, edited.
  private mutating func callers(
    _ clause: String, _ name: CaseName, _ fault: TokenFault? = nil, _ edit: @escaping Edit<JSONObject> = { _ in }
  ) {
    request(clause, "callers-parts-\(name)", fault) { $0.encloseInCallersParts(edit) }
  }

  /// 0.6 and 14.0.
  private mutating func addCallersFieldCases() {
    let (first, second) = (["payment", "id"], ["id"])
    let (kind, count) = (["payment", "kind"], ["größe"])
    callers("14.0", "with-two-identifiers")
    callers("14.0", "with-the-first-identifier") { $0[second] = nil }
    callers("14.0", "with-the-second-identifier") { $0[first] = nil }
    callers("14.0", "without-an-identifier") { $0.set([first: nil, second: nil]) }
    callers("14.0", "with-two-identifiers-one-in-capitals") {
      $0[second] = .string($0.text(at: second).uppercased())
    }
    let other = JSONValue.string(String(repeating: "0f", count: 32))
    for (name, value) in [
      ("another", other), ("a-short", .string("00")), (.choice(.holder, "an-empty"), .string("")),
      (.choice(.holder, "no-text-as"), .raw("null")),
    ] as [(CaseName, JSONValue)] {
      callers("14.0", "with-\(name)-first-identifier", .transactionMismatch) { $0[first] = value }
      callers("14.0", "with-\(name)-second-identifier", .transactionMismatch) { $0[second] = value }
      callers("14.0", "with-\(name)-second-identifier-alone", .transactionMismatch) {
        $0.set([first: nil, second: value])
      }
      callers("14.0", "with-\(name)-identifier-twice", .transactionMismatch) { $0.set([first: value, second: value]) }
    }
    callers("0.6", "of-another-kind", .fieldMismatch) { $0[kind] = .string("bank") }
    callers("0.6", "of-another-count", .fieldMismatch) { $0[count] = .raw("2") }
    callers("0.6", "of-another-count-without-a-kind", .fieldMismatch) { $0.set([kind: nil, count: .raw("2")]) }
    callers("0.6", "of-another-count-without-identifiers", .fieldMismatch) {
      $0.set([first: nil, second: nil, count: .raw("2")])
    }
    callers("0.6", "of-another-kind-with-another-identifier", .fieldMismatch) {
      $0.set([kind: .string("bank"), first: other])
    }
    for (name, text, fault) in [
      ("as-an-escape", #""B\u00f6rse""#, nil),
      ("with-its-last-bits-altered", #""B\u00f7rse""#, TokenFault.fieldMismatch),
      ("with-its-first-bits-altered", #""B\u0136rse""#, .fieldMismatch), ("cut-short", #""B\u00f6rs""#, .fieldMismatch),
      ("decomposed", #""Bo\u0308rse""#, .fieldMismatch),
    ] {
      callers("0.6", "of-a-kind-with-a-letter-\(name)", fault) { $0[kind] = .raw(text) }
    }
    callers("0.6", "of-another-count-by-an-escaped-name", .fieldMismatch) { object in
      object[count] = nil
      object.members.append(.init(rawName: #""gr\u00f6\u00DFe""#, .raw("2")))
    }
    callers("0.6", "without-constants") { $0.set([kind: nil, count: nil]) }
  }

  /// 0.8 and 3.3.
  private mutating func addCallersPartCases() {
    let parts = ["payment", "parts"]
    let wrapped = parts + ["wrapped"]
    callers("3.3", .strict(.holder, "with-a-wrapped-key"), TokenFault(.conflictingMembers, member: .wrappedKey)) {
      $0[wrapped] = .string("AAAA")
    }
    callers(
      "3.3", .strict(.holder, "with-a-wrapped-key-that-is-null"), TokenFault(.conflictingMembers, member: .wrappedKey)
    ) {
      $0[wrapped] = .raw("null")
    }
    callers("3.3", .strict(.holder, "with-a-wrapped-key-alone"), .missing(.ephemeralPublicKey)) {
      $0.set([wrapped: .string("AAAA"), parts + ["point"]: nil])
    }
    callers("0.11", "with-two-points-that-differ-within-a-letter", .fieldMismatch) {
      $0.set([parts + ["point"]: .raw(#""AA\u00f6=""#), parts + ["punkt"]: .raw(#""AA\u00f7=""#)])
    }
    callers("0.11", "with-two-points-of-one-letter", .invalidBase64(.ephemeralPublicKey)) {
      $0.set([parts + ["point"]: .raw(#""AA\u00f6=""#), parts + ["punkt"]: .string("AAö=")])
    }
    callers("0.11", "with-a-point-by-both-names") { $0[parts + ["punkt"]] = $0[parts + ["point"]] }
    callers("0.8", "with-the-usual-name-of-a-part", .missing(.data)) {
      $0.move(parts + ["sealed"], to: parts + ["data"])
    }
    callers("0.3", "with-a-part-twice", .malformedEnvelope) { $0.edit(parts) { $0.appendAgain("cms") } }
  }

  /// Unsigned parts, whose identifiers cannot agree with anything.
  private mutating func addCallersUnsignedCases() {
    let identifiers = [["payment", "id"], ["id"]]
    let kinds: [(CaseName, JSONValue?, TokenFault?)] = [
      ("without-an-identifier", nil, nil),
      ("with-an-identifier", .string(String(repeating: "0", count: 64)), .transactionMismatch),
      ("with-an-unreadable-identifier", .string("0"), .transactionMismatch),
    ]
    for (name, value, fault) in kinds {
      for (index, path) in identifiers.enumerated() {
        let name: CaseName = "callers-parts-unsigned-\(name)-in-field-\(index + 1)"
        add(
          CaseRecipe(name: name, clause: "14.0", note: "", expected: fault.map { .reject($0) } ?? .acceptUnsigned) {
            draft in
            draft.policy.isUnsigned = true
            draft.encloseInCallersParts { object in
              for identifier in identifiers { object[identifier] = nil }
              object[path] = value
              object.edit(["payment", "parts"]) { $0.set(["cms": nil, "transaction": nil]) }
            }
          })
      }
    }
  }
}

extension CaseDraft {
  /// Puts a request of `callersParts` with every field around the token's parts, and selects the envelope.
  fileprivate mutating func encloseInCallersParts(_ edit: (inout JSONObject) -> Void) {
    policy.envelope = .named(.callersParts)
    let identifier = JSONValue.string(Hex.encode(layers.transactionId))
    var object = JSONObject()
    guard case .parts(let parts) = Envelope.callersParts.routes[0].wrapping else { return }
    for part in parts {
      if part.name != "punkt", let value = layers.object[part.member.names] {
        object[["payment", "parts", part.name]] = value
      }
    }
    object[["payment", "id"]] = identifier
    object[["payment", "kind"]] = .string("Börse")
    object["id"] = identifier
    object["größe"] = .raw("1")
    edit(&object)
    request = JSONValue.object(object).text()
  }
}
