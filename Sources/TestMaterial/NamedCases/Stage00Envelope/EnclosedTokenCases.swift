import Gateways
import Minting
import PaymentToken

/// Rules 0.5 and 0.7: the value at the end of the route, and the token extracted from it.
extension CaseList {
  mutating func addEnclosedTokenCases() {
    for form in RequestForm.all {
      let path = form.route.path
      var values = [("null", "null"), ("true", "true"), ("a-number", "302"), ("an-array", "[]")]
      switch form.route.wrapping {
      case .object, .parts: values += [("a-string", "\"{}\""), ("an-empty-string", "\"\"")]
      case .text, .base64: values += [("an-object", "{}")]
      }
      for (name, text) in values {
        request("0.5", form, .strict(.holder, "value-is-\(name)"), .malformedEnvelope) { $0[path] = .raw(text) }
      }
      request("0.5", form, .strict(.holder, "value-in-an-array"), .malformedEnvelope) {
        $0[path] = .array([$0[path] ?? .raw("null")])
      }
    }
    addObjectCases()
    addStringCases()
    addBase64Cases()
  }

  private mutating func addObjectCases() {
    for form in [RequestForm.applepayjs, .applepayjsToken, .alphapay] {
      request("0.7", "\(form.label)-around-a-token-of-wild-white-space") { draft in
        draft.layers.style.spacing = .wild
        draft.text { bytes in
          bytes.removeFirst(bytes.firstIndex(of: 0x7B) ?? 0)
          bytes.removeLast(bytes.count - 1 - (bytes.lastIndex(of: 0x7D) ?? 0))
        }
        draft.enclose(form)
      }
      request("0.7", form, "around-an-empty-object", .missing(.version)) { $0[form.route.path] = .raw("{}") }
      request(
        "2.6", form, "around-a-token-with-a-name-twice", .duplicate(.data),
        around: { $0.json { $0.appendAgain("data") } })
      request(
        "2.5", form, "around-a-token-of-65-members", .malformedJSON,
        around: { $0.json { object in for index in 0..<61 { object.append("member\(index)", .raw("0")) } } })
      request("0.7", .choice(.holder, "\(form.label)-around-a-token-as-text"), .malformedEnvelope) {
        $0.enclose(form, as: JSONText.quoted(bytes: $0.bareToken))
      }
    }
    for form in [RequestForm.applepayjs, .bambora] {
      request("0.7", form, "around-a-token-of-rsa-v1", around: { try $0.becomeRSA() })
    }
  }

  /// A request of the Mastercard Gateway. `edit` makes the value of `paymentToken` from the token's text.
  private mutating func text(
    _ clause: String, _ name: CaseName, _ fault: TokenFault?, _ edit: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    request(clause, "mpgs-\(name)", fault) { $0.enclose(.mpgs, as: edit($0.bareToken)) }
  }

  private mutating func addStringCases() {
    let json = TokenFault(.malformedJSON)
    text("0.7", "around-an-empty-text", json) { _ in Array("\"\"".utf8) }
    text("0.7", "around-text-that-is-no-json", json) { _ in Array("\"token\"".utf8) }
    text("0.7", .choice(.holder, "around-an-array-with-the-token"), json) {
      JSONText.quoted(bytes: [0x5B] + $0 + [0x5D])
    }
    text("0.7", .choice(.holder, "around-the-token-as-text-twice"), json) {
      JSONText.quoted(bytes: JSONText.quoted(bytes: $0))
    }
    text("0.7", .choice(.holder, "around-base64-of-the-token"), json) { JSONText.quoted(Base64.encode($0)) }
    text("0.7", "around-the-token-and-more", json) { JSONText.quoted(bytes: $0 + $0) }
    text("0.7", .standing(.holder, .rfc(8259, "8.1"), .choice, "around-the-token-after-a-byte-order-mark"), json) {
      JSONText.quoted(bytes: [0xEF, 0xBB, 0xBF] + $0)
    }
    text("0.7", "around-the-token-and-an-escaped-null-character", json) {
      Array(JSONText.quoted(bytes: $0).dropLast()) + Array(#"\u0000""#.utf8)
    }
    text("0.7", "around-the-token-amid-white-space", nil) {
      JSONText.quoted(bytes: [0x0D, 0x0A] + $0 + [0x09, 0x20])
    }
    text("0.7", "around-the-token-with-every-character-escaped", nil) {
      JSONText.escaped(String(decoding: $0, as: UTF8.self))
    }
    text("0.7", "around-the-token-with-every-quote-as-a-number", nil) { bytes in
      [0x22] + bytes.flatMap { $0 == 0x22 ? Array(#"\u0022"#.utf8) : $0 == 0x5C ? Array(#"\\"#.utf8) : [$0] } + [0x22]
    }
    text("0.2", "around-the-token-with-raw-line-breaks", .malformedEnvelope) {
      [0x22, 0x0A] + JSONText.quoted(bytes: $0).dropFirst()
    }
    text("0.2", "around-the-token-with-unescaped-quotes", .malformedEnvelope) { [0x22] + $0 + [0x22] }
    text("2.2", "around-a-token-with-a-control-character", json) { bytes in
      JSONText.quoted(bytes: bytes.dropLast() + Array(",\"x\":\"\u{1}\"}".utf8))
    }
    text("0.7", "around-a-token-in-lines", nil) { JSONText.quoted(bytes: EnclosedToken($0).indented.text) }
    request("0.7", "mpgs-around-a-token-with-escapes-of-its-own") { draft in
      draft.layers.style.solidus = .unicode
      draft.set(.version, .raw(#""\u0045C_v\u0031""#))
      draft.enclose(.mpgs)
    }
    request("0.7", "mpgs-around-a-token-with-characters-of-every-length") { draft in
      draft.json { $0.append("é中\u{1F600}", .string("\u{7F}é中\u{1F600}\u{10FFFF}")) }
      draft.enclose(.mpgs, as: JSONText.escaped(String(decoding: draft.bareToken, as: UTF8.self)))
    }
  }

  /// A request of Bambora. `edit` makes the content of `payment_token` from the token's base64.
  private mutating func base64(
    _ name: CaseName, _ fault: TokenFault?, padding: Int? = nil, _ edit: @escaping @Sendable (String) -> String
  ) {
    request("0.5", "bambora-\(name)", fault) { draft in
      if let padding {
        // The length modulo 3 determines the number of padding characters.
        draft.padToken(to: (draft.bareToken.count / 3 + 2) * 3 - padding)
      }
      draft.enclose(.bambora, as: Array("\"\(edit(Base64.encode(draft.bareToken)))\"".utf8))
    }
  }

  private mutating func addBase64Cases() {
    for padding in 0...2 { base64("with-\(padding)-pads", nil, padding: padding) { $0 } }
    base64("without-its-pad", .malformedEnvelope, padding: 1) { String($0.dropLast()) }
    base64("without-its-pads", .malformedEnvelope, padding: 2) { String($0.dropLast(2)) }
    base64(.standing(.needlessPadding, "with-a-needless-pad"), .malformedEnvelope, padding: 0) { $0 + "=" }
    base64(.standing(.needlessPadding, "with-needless-groups-of-pads"), .malformedEnvelope, padding: 0) { $0 + "====" }
    base64(.standing(.trailingBits, "with-trailing-bits"), .malformedEnvelope, padding: 1) { text in
      String(text.dropLast(2)) + String(UnicodeScalar((text.utf8.dropLast().last ?? 0x41) + 1)) + "="
    }
    base64("with-a-line-break", .malformedEnvelope) { $0.prefix(64) + "\\r\\n" + $0.dropFirst(64) }
    base64("with-a-space-after-it", .malformedEnvelope) { $0 + " " }
    base64("with-a-space-before-it", .malformedEnvelope) { " " + $0 }
    base64("with-a-null-character-after-it", .malformedEnvelope) { $0 + "\\u0000" }
    base64("with-a-foreign-character", .malformedEnvelope) { "*" + $0.dropFirst() }
    base64("with-a-character-beyond-ascii", .malformedEnvelope) { "\u{FF}" + $0.dropFirst() }
    base64("in-the-url-alphabet", .malformedEnvelope) { "-_" + $0.dropFirst(2) }
    base64("with-its-first-characters-escaped", nil) { text in
      text.prefix(8).utf16.map { "\\u00" + String($0, radix: 16) }.joined() + text.dropFirst(8)
    }
    base64("as-json-and-not-base64", .malformedEnvelope) { _ in "{}" }
    base64(.strict(.holder, "an-empty-text"), .malformedJSON) { _ in "" }
    base64(.strict(.holder, "of-base64"), .malformedJSON) { Base64.encode(Array($0.utf8)) }
    base64(.strict(.holder, "of-no-json"), .malformedJSON) { _ in "AAAA" }
    request("0.5", "bambora-with-solidus-escaped") { draft in
      // Six bits of ones make a solidus: the characters U+07FF and U+FFFF have many.
      draft.json { $0.append("note", .string(String(repeating: "\u{7FF}\u{FFFF}", count: 12))) }
      draft.enclose(.bambora) { object in
        let text = object[RequestForm.bambora.route.path]?.text() ?? []
        object[RequestForm.bambora.route.path] = .raw(text.flatMap { $0 == 0x2F ? [0x5C, 0x2F] : [$0] })
      }
    }
  }

  /// The extracted value is read as the token itself, never as another envelope.
  mutating func addEnvelopeNestingCases() {
    let version = TokenFault(.missingMember, member: .version)
    for outer in RequestForm.all where !outer.route.isInParts {
      for inner in RequestForm.all {
        request(
          "0.7", outer, .choice(.holder, "around-\(inner.label)"), version,
          around: { $0.token = JSONValue.object($0.object(inner)).text() })
        automatic(.choice(.holder, "\(outer.label)-around-\(inner.label)"), version, clause: "0.7") { draft in
          draft.token = JSONValue.object(draft.object(inner)).text()
          draft.enclose(outer)
        }
      }
    }
    for inner in RequestForm.all where !inner.route.isInParts {
      request("0.7", "worldline-with-\(inner.label)-as-data", .wrongType(.data)) { draft in
        let request = JSONValue.object(draft.object(inner))
        draft.enclose(.worldline) { $0[CaseList.part("encryptedPaymentData")] = request }
      }
    }
    for form in RequestForm.all where !form.route.isInParts {
      request("0.7", "\(form.label)-inside-a-bare-token", note: "the token's own members count") { draft in
        let inner = JSONValue.object(draft.object(form))
        draft.json { $0.append("request", inner) }
      }
      automatic("\(form.label)-beside-a-tokens-members", .ambiguousEnvelope) { draft in
        let members = draft.object(form).members
        draft.json { $0.members += members }
        draft.request = draft.bareToken
      }
    }
  }
}
