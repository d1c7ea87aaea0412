import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules 0.1 and 0.2: the request's size and syntax.
extension CaseList {
  mutating func addRequestTextCases() {
    addRequestSizeCases()
    addRequestSyntaxCases()
    addRequestDepthCases()
  }

  private mutating func addRequestSizeCases() {
    let limit = Envelope.maximumRequestSize
    for form in RequestForm.all {
      // Requests whose token is an object are alike.
      let repetition: CaseTrait? = ["applepayjs", "alphapay"].contains(form.label) ? .exhaustiveOnly : nil
      request("0.1", .with(repetition, "\(form.label)-of-the-largest-size")) { draft in
        draft.enclose(form)
        draft.padRequest(to: limit)
      }
      let tooLarge: CaseName = "\(form.label)-one-byte-too-large"
      request("0.1", .with(form.label == "bambora" ? .exhaustiveOnly : repetition, tooLarge), .requestTooLarge) {
        draft in
        draft.enclose(form)
        draft.padRequest(to: limit + 1)
      }
    }
    request("0.1", "a-request-too-large-and-malformed", .requestTooLarge) { draft in
      draft.policy.envelope = .named(.mpgs)
      draft.request = [UInt8](repeating: 0x7B, count: limit + 1)
    }
    request("0.1", "a-bare-token-too-large-for-any-request", .tokenTooLarge) { $0.padRequest(to: limit + 1) }
    automatic(.with(.exhaustiveOnly, "a-bare-token-too-large-for-any-request"), .requestTooLarge) {
      $0.padRequest(to: limit + 1)
    }
    automatic("a-bare-token-too-large-for-a-token", .tokenTooLarge) { $0.padRequest(to: limit) }
    for form in RequestForm.all where !form.route.isInParts {
      let repetition: CaseTrait? = ["applepayjs", "alphapay"].contains(form.label) ? .exhaustiveOnly : nil
      request(
        "1.1", form, .with(repetition, "around-the-largest-token"),
        around: { $0.padToken(to: RuleLimits.token) })
      let tooLarge: CaseName = .with(repetition, "around-a-token-one-byte-too-large")
      request("1.1", form, tooLarge, .tokenTooLarge, around: { $0.padToken(to: RuleLimits.token + 1) })
    }
    request("1.1", "mpgs-around-a-token-whose-escapes-are-large") { draft in
      let text = String(decoding: draft.bareToken, as: UTF8.self) + String(repeating: " ", count: 7_000)
      draft.enclose(.mpgs, as: JSONText.escaped(text))
    }
  }

  private mutating func addRequestSyntaxCases() {
    let faults: Named<Edit<[UInt8]>> = [
      "empty": { $0 = [] }, "white-space": { $0 = [0x20] },
      .strict(.holder, "in-an-array"): { $0 = [0x5B] + $0 + [0x5D] },
      "null": { $0 = Array("null".utf8) }, "cut-short": { $0.removeLast() },
      .standing(.holder, .rfc(8259, "8.1"), .choice, "after-a-byte-order-mark"): { $0 = [0xEF, 0xBB, 0xBF] + $0 },
      "before-a-second-one": { $0 += $0 },
      "before-a-null-byte": { $0.append(0) }, "with-a-trailing-comma": { $0.replace("}", with: ",}") },
      "with-a-comment": { $0 += Array("//".utf8) },
    ]
    for (name, edit) in faults {
      for form in [RequestForm.applepayjs, .worldline, .bambora] {
        request("0.2", "\(form.label)-\(name)", .malformedEnvelope) { draft in
          draft.enclose(form)
          draft.requestText(edit)
        }
      }
      automatic("mpgs-\(name)", .malformedJSON) { draft in
        draft.enclose(.mpgs)
        draft.requestText(edit)
      }
    }
    let values: [(CaseName, [UInt8])] = [
      ("an-overlong-form", [0x22, 0xC0, 0xAF, 0x22]), ("a-raw-control-character", [0x22, 0x1F, 0x22]),
      (.standing(.loneSurrogate, "a-lone-surrogate-escape"), Array(#""\udc00""#.utf8)),
      ("an-unknown-escape", Array(#""\x41""#.utf8)),
      ("a-leading-zero", Array("01".utf8)), ("not-a-number", Array("NaN".utf8)), ("a-bare-word", Array("yes".utf8)),
    ]
    for form in RequestForm.all {
      for (name, value) in values {
        request("0.2", form, "\(name)-in-a-sibling", .malformedEnvelope) { $0.append("sibling", .raw(value)) }
      }
      request("0.2", form, "with-siblings-of-every-kind") { object in
        for (index, value) in ["null", "true", "-0.5e-3", "\"\\ud83d\\ude00\"", "[[],{}]", "{\"a\":1,\"a\":2}"]
          .enumerated()
        {
          object.append("sibling\(index)", .raw(value))
        }
      }
    }
  }

  private mutating func addRequestDepthCases() {
    for form in RequestForm.all {
      request("0.2", form, .choice(.holder, "beside-31-nested-arrays")) { $0.append("deep", .arrays(31)) }
      request("0.2", form, .choice(.holder, "beside-32-nested-arrays"), .malformedEnvelope) {
        $0.append("deep", .arrays(32))
      }
      request("0.2", form, .choice(.holder, "beside-32-nested-objects"), .malformedEnvelope) {
        $0.append("deep", .objects(32))
      }
    }
    automatic(.choice(.holder, "mpgs-beside-32-nested-arrays"), .malformedJSON) {
      $0.enclose(.mpgs) { $0.append("deep", .arrays(32)) }
    }
    func deep(_ arrays: Int) -> Build { { $0.json { $0.append("deep", .arrays(arrays)) } } }
    // The token object itself is at this depth.
    for (form, nesting) in [(RequestForm.applepayjs, 3), (.applepayjsToken, 2), (.alphapay, 3)] {
      let name = "around-a-token-that-reaches-depth"
      request("0.2", form, .choice(.holder, "\(name)-32"), around: deep(32 - nesting))
      request("0.2", form, .choice(.holder, "\(name)-33"), .malformedEnvelope, around: deep(33 - nesting))
    }
    for form in [RequestForm.mpgs, .bambora] {
      let note = "a text counts its own nesting"
      request("0.2", form, .choice(.holder, "around-a-token-of-depth-32"), note: note, around: deep(31))
      request("2.4", form, "around-a-token-of-depth-33", .malformedJSON, around: deep(32))
    }
  }
  /// White space before and after a request belongs to it.
  mutating func addRequestSpaceCases() {
    for form in RequestForm.all {
      request("0.2", "\(form.label)-amid-white-space") { draft in
        draft.enclose(form)
        draft.requestText { $0 = Array(" \t\r\n".utf8) + $0 + Array("\n\r\t ".utf8) }
      }
      automatic("\(form.label)-amid-white-space", clause: "0.2") { draft in
        draft.enclose(form)
        draft.requestText { $0 = Array("\n".utf8) + $0 + Array(" ".utf8) }
      }
    }
  }
}
