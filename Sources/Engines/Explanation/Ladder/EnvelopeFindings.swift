import PaymentToken
import ReferenceDecryption

/// Stage 0, and what an envelope says beside its token.
extension Ladder {
  func envelopeFindings(_ fault: TokenFault?) -> [Finding] {
    var findings: [Finding] = []
    for fact in trace[.envelope]?.facts ?? [] {
      switch fact {
      case .requestSize(let found, let limit):
        let isTooLarge = fault?.code == .tokenTooLarge
        findings.append(Finding("request", "\(found) bytes", expected: isTooLarge ? "at most \(limit)" : nil))
      case .fittingEnvelopes(let names) where fault?.code == .ambiguousEnvelope:
        findings.append(Finding("envelopes that fit", names.joined(separator: ", "), expected: "one"))
      case .envelope(let name): findings.append(Finding("envelope", name))
      case .tokenPlace(let route): findings.append(Finding(route.path.dotted, route.wrapping.words))
      case .envelopeProblem(let problem): findings.append(finding(problem))
      case .renamedPart(let path, let member): findings.append(Finding(path.dotted, "read as \(member.path)"))
      case .partsDiffer(let paths):
        findings.append(Finding(paths.listed, "not the same", expected: "one of them, or one string twice"))
      default: continue
      }
    }
    return findings + fieldFindings(at: .envelope)
  }

  /// The fields beside the token that a stage compared.
  func fieldFindings(at stage: VerificationStage) -> [Finding] {
    (trace[stage]?.facts ?? []).compactMap { fact in
      guard case .envelopeField(let field, let agrees) = fact else { return nil }
      return Finding(field.path.dotted, agrees ? "as expected" : "something else", expected: field.rule.words)
    }
  }

  private func finding(_ problem: EnvelopeProblem) -> Finding {
    switch problem {
    case .notJSON: Finding("request", InputForm(input).words, expected: "one JSON object, at most 32 deep")
    case .repeatedName(let path): Finding(path.dotted, "more than once", expected: "once")
    case .noToken(let paths): Finding(paths.listed, "absent", expected: "the token")
    case .severalTokens(let paths): Finding(paths.listed, "present", expected: "one of them")
    case .wrongType(let path, let wrapping): Finding(path.dotted, "another type", expected: wrapping.words)
    case .notBase64(let path): Finding(path.dotted, "a string that is not", expected: "strict base64")
    }
  }
}

extension [String] {
  /// A path as people write it.
  var dotted: String { joined(separator: ".") }
}

extension [[String]] {
  /// Paths as people list them.
  var listed: String { map(\.dotted).joined(separator: ", ") }
}

extension Envelope.Wrapping {
  /// What stands there, in words.
  fileprivate var words: String {
    switch self {
    case .object: "an object, the token"
    case .text: "a string that holds the token's JSON"
    case .base64: "a string that holds base64 of the token's JSON"
    case .parts: "an object that holds the token in parts"
    }
  }
}

extension Envelope.Field.Rule {
  /// What must stand there if anything does, in words.
  fileprivate var words: String {
    switch self {
    case .text(let text): "the string \(text)"
    case .number(let literal): "the number \(literal)"
    case .transactionId: "the token's transactionId in hexadecimal"
    }
  }
}
