import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Turns a trace into checks with their findings.
struct CheckList {
  let trace: Trace
  let facts: TraceFacts
  let input: Input
  let roots: [Certificate]
  let keys: MerchantKeySet
  var expectations = Expectations()
  /// The policy's range of signing times, if it has one.
  var signingTimes: Range<UnixTime>?
  /// The broken rule, if one of stages 5 to 8 fails.
  var breach: RuleBreach?
  /// The error of loading the keys, if that is why stage 10 fails.
  var keyError: KeyError?
  /// The form of the received input, if it explains the rejection. Its finding is then the only one.
  var receivedForm: InputForm?

  var text: TokenText? { input.text }

  /// The stages in order.
  var checks: [Check] {
    trace.stages.map { stage in
      switch stage.outcome {
      case .passed: Check(stage: stage.stage, outcome: .ok, findings: findings(at: stage.stage, fault: nil))
      case .notReached: Check(stage: stage.stage, outcome: .notReached, findings: [])
      case .omitted: Check(stage: stage.stage, outcome: .omitted, findings: omissionFindings(at: stage.stage))
      case .failed(let fault):
        Check(stage: stage.stage, outcome: .failed, findings: findings(at: stage.stage, fault: fault))
      }
    }
  }

  private func findings(at stage: VerificationStage, fault: TokenFault?) -> [Finding] {
    if let receivedForm {
      return fault == nil ? [] : [Finding("document", receivedForm.words, expected: "one JSON object in UTF-8")]
    }
    if fault?.code == .keyUnavailable { return unavailableFindings(at: stage) }
    return switch stage {
    case .envelope: envelopeFindings(fault)
    case .size: sizeFindings
    case .json: jsonFindings(fault)
    case .shape: shapeFindings(fault)
    case .encodings: encodingFindings(fault)
    case .signatureShape: signatureShapeFindings(fault)
    case .certificates: certificateFindings(fault)
    case .chain: chainFindings(fault)
    case .signature: signatureFindings(fault)
    case .signingTime: signingTimeFindings(fault)
    case .merchantKey: merchantKeyFindings(fault)
    case .symmetricKey: symmetricKeyFindings(fault)
    case .decryption: [Finding("tag", fault == nil ? "authentic" : "not authentic", expected: "authentic")]
    case .payload: [facts.payloadProblem?.finding ?? Finding("payload", "complete", expected: "complete")]
    case .expectations: expectationFindings(fault)
    }
  }
}
