import Gateways
import Minting
import PaymentToken

/// Rules 2.5, 2.6, 0.3 and 13.1: how many members an object has, and whether a name occurs twice, in whatever spelling.
extension CaseList {
  /// Ways to write a name.
  private static let spellings: Named<@Sendable (String) -> [UInt8]> = [
    "plain": { JSONText.quoted($0) },
    "escaped-at-its-start": { EscapeChoice.first.escaping(JSONText.quoted($0)) },
    "escaped-at-its-end": { EscapeChoice.last.escaping(JSONText.quoted($0)) },
    "escaped": { JSONText.escaped($0) },
  ]

  mutating func addCountBoundaries() {
    /// Adds unknown members until there are `count`.
    @Sendable func fill(_ object: inout JSONObject, _ count: Int, _ spell: ([UInt8]) -> [UInt8]) {
      for index in object.members.count..<count {
        let name = spell(JSONText.quoted("unknown \(index)"))
        object.members.append(.init(rawName: String(decoding: name, as: UTF8.self), .raw("0")))
      }
    }
    let forms: Named<@Sendable ([UInt8]) -> [UInt8]> = [
      "plain": { $0 }, "escaped": { EscapeChoice.first.escaping($0) },
      "long": { [0x22] + [UInt8](repeating: 0x6E, count: 100) + $0.dropFirst() },
    ]
    for (form, spell) in forms {
      for count in [63, 64, 65] {
        let isCommitted = count > 63 && form != "long"
        let fault = count > 64 ? TokenFault.malformedJSON : nil
        bound("2.5", "\(count)-members-of-\(form)-names-in-the-token", fault, isCommitted: isCommitted) {
          $0.json { fill(&$0, count, spell) }
        }
        bound("2.5", "\(count)-members-of-\(form)-names-in-the-header", fault, isCommitted: isCommitted) {
          $0.header { fill(&$0, count, spell) }
        }
        for request in RequestForm.all where !request.route.isInParts {
          bound("2.5", "\(request.label)-\(count)-members-of-\(form)-names-in-the-token", fault) { draft in
            draft.json { fill(&$0, count, spell) }
            draft.enclose(request)
          }
        }
        for request in RequestForm.all {
          bound("0.3", "\(request.label)-with-\(count)-members-of-\(form)-names", nil) {
            $0.enclose(request) { fill(&$0, count, spell) }
          }
        }
        let places: Named<@Sendable (inout JSONObject, Edit<JSONObject>) -> Void> = [
          "the-payload": { $1(&$0) }, "payment-data": { $0.edit("paymentData", $1) },
          "a-response": { $0.respond(afterValid: true, $1) },
        ]
        for (place, edit) in places {
          bound(
            "13.1", .choice(.apple, "\(count)-members-of-\(form)-names-in-\(place)"),
            count > 64 ? .malformedPayload : nil, isCommitted: isCommitted
          ) { try $0.payload { edit(&$0) { fill(&$0, count, spell) } } }
        }
        bound("13.5", "\(count)-members-of-\(form)-names-in-merchant-token-metadata", nil, isCommitted: count > 64) {
          var object = JSONObject()
          fill(&object, count, spell)
          let metadata = JSONValue.object(object)
          try $0.payload { $0["merchantTokenMetadata"] = metadata }
        }
      }
    }
  }

  mutating func addRepetitionBoundaries() {
    let members: [TokenMember] = [
      .version, .data, .signature, .header, .ephemeralPublicKey, .publicKeyHash, .transactionId, .applicationData,
    ]
    for (label, spell) in Self.spellings {
      @Sendable func repetition(_ name: String, _ value: JSONValue) -> JSONObject.Member {
        .init(rawName: String(decoding: spell(name), as: UTF8.self), value)
      }
      for member in members {
        for isFirst in [false, true] {
          let name: CaseName = "\(member.label)-again-\(isFirst ? "before-the-others" : "after-the-others")-\(label)"
          bound("2.6", name, .duplicate(member)) { draft in
            if member == .applicationData { try draft.signApplicationData() }
            let own = member.names.last ?? ""
            let edit: (inout JSONObject) -> Void = { object in
              object.members.insert(repetition(own, object[own] ?? .raw("0")), at: isFirst ? 0 : object.members.count)
            }
            if member.names.count > 1 { draft.header(edit) } else { draft.json(edit) }
          }
        }
      }
      for name in ["unknown", "", "\u{0}", "é", "😀", String(repeating: "n", count: 70)] {
        let title = "unknown-name-of-\(name.utf8.count)-bytes-\(label)"
        bound("2.6", "\(title)-twice", .duplicateMember) { draft in
          draft.json { $0.members += [.init(name, .raw("0")), repetition(name, .raw("0"))] }
        }
        bound("2.6", "\(title)-twice-in-the-header", .duplicateMember) { draft in
          draft.header { $0.members += [repetition(name, .raw("0")), .init(name, .raw("0"))] }
        }
        bound("2.6", "\(title)-in-token-and-header", nil) { draft in
          draft.json { object in
            object.append(name, .raw("0"))
            object.edit("header") { $0.members.append(repetition(name, .raw("0"))) }
          }
        }
      }
      addRequestRepetitions(label, repetition)
      for place in ["applicationPrimaryAccountNumber", "currencyCode", "paymentData", "transactionAmount", "unknown"] {
        bound("13.1", "payload-\(place.kebabCase)-again-\(label)", .malformedPayload) {
          try $0.payload { object in
            if place == "unknown" { object.append(place, .raw("0")) }
            object.members.append(repetition(place, object[place] ?? .raw("0")))
          }
        }
      }
      for place in ["onlinePaymentCryptogram", "eciIndicator", "emvData"] {
        bound("13.1", "payment-data-\(place.kebabCase)-again-\(label)", .malformedPayload) {
          try $0.payload {
            $0.edit("paymentData") { object in
              if place == "emvData" { object.append(place, .raw("0")) }
              object.members.append(repetition(place, object[place] ?? .raw("0")))
            }
          }
        }
      }
    }
  }

  /// Every name that an envelope reads, once more: those on the way to the token, the parts, and the fields.
  private mutating func addRequestRepetitions(
    _ label: CaseName, _ repetition: @escaping @Sendable (String, JSONValue) -> JSONObject.Member
  ) {
    for form in RequestForm.all {
      var paths = form.route.path.indices.map { Array(form.route.path[...$0]) }
      if case .parts(let parts) = form.route.wrapping {
        let present = parts.filter { $0.name != "ephemeralKey" && $0.member != .applicationData }
        paths += present.map { form.route.path + [$0.name] }
      }
      paths += form.route.fields.map(\.path)
      for path in paths {
        let name: CaseName = "\(form.label)-name-\(path.joined(separator: "-").kebabCase)-again-\(label)"
        bound("0.3", name, .malformedEnvelope) {
          $0.enclose(form) { object in
            object.edit(Array(path.dropLast())) { inner in
              let own = path.last ?? ""
              if inner[own] == nil { inner.append(own, .raw("null")) }
              inner.members.append(repetition(own, inner[own] ?? .raw("null")))
            }
          }
        }
      }
    }
  }
}
