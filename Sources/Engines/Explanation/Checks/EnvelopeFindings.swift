import PaymentToken
import ReferenceDecryption

/// Findings of stage 0, and of the fields of the request.
extension CheckList {
  func envelopeFindings(_ fault: TokenFault?) -> [Finding] {
    var findings: [Finding] = []
    for fact in trace[.envelope]?.facts ?? [] {
      switch fact {
      case .requestSize(let found, let limit):
        let isTooLarge = fault?.code == .tokenTooLarge
        let size = input.receivedSize ?? found
        findings.append(Finding("request", "\(size) bytes", expected: isTooLarge ? "at most \(limit)" : nil))
      case .fittingEnvelopes(let names) where fault?.code == .ambiguousEnvelope:
        findings.append(Finding("matching envelopes", names.joined(separator: ", "), expected: "one"))
      case .envelope where input.isBase64, .tokenPlace where input.isBase64: continue
      case .envelope(let name): findings.append(Finding("envelope", name))
      case .tokenPlace(let route): findings.append(Finding(route.path.dotted, route.wrapping.words))
      case .envelopeProblem(let problem): findings.append(finding(problem))
      case .renamedPart(let path, let member): findings.append(Finding(path.dotted, "read as \(member.path)"))
      case .partsDiffer(let paths):
        findings.append(Finding(paths.listed, "different", expected: "one of them, or the same string"))
      default: continue
      }
    }
    return findings + fieldFindings(at: .envelope)
  }

  /// The fields of the request that a stage compared.
  func fieldFindings(at stage: VerificationStage) -> [Finding] {
    (trace[stage]?.facts ?? []).compactMap { fact in
      guard case .envelopeField(let field, let agrees) = fact else { return nil }
      return Finding(field.path.dotted, agrees ? "as expected" : "something else", expected: field.rule.words)
    }
  }

  private func finding(_ problem: EnvelopeProblem) -> Finding {
    switch problem {
    case .notJSON: Finding("request", input.requestForm.words, expected: "one JSON object, at most 32 deep")
    case .repeatedName(let path): Finding(path.dotted, "more than once", expected: "once")
    case .noToken(let paths): Finding(paths.listed, "absent", expected: "the token")
    case .severalTokens(let paths): Finding(paths.listed, "present", expected: "one of them")
    case .wrongType(let path, let wrapping): Finding(path.dotted, "another type", expected: wrapping.words)
    case .notBase64(let path): Finding(path.dotted, "not strict base64", expected: "strict base64")
    }
  }
}

extension [String] {
  var dotted: String { joined(separator: ".") }
}

extension [[String]] {
  var listed: String { map(\.dotted).joined(separator: ", ") }
}

extension Envelope.Wrapping {
  /// The wrapped token in words.
  fileprivate var words: String {
    switch self {
    case .object: "an object, the token"
    case .text: "a string with the token's JSON"
    case .base64: "a string with base64 of the token's JSON"
    case .parts: "an object with the parts of the token"
    }
  }
}

extension Envelope.Field.Rule {
  /// The only valid value in words.
  fileprivate var words: String {
    switch self {
    case .text(let text): "the string \(text)"
    case .number(let literal): "the number \(literal)"
    case .transactionId: "the token's transactionId in hexadecimal"
    }
  }
}
