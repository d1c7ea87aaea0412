import HostIO
import PaymentToken
import Reports
import StrictJSON

/// The outcome of a decryption.
package enum DecryptOutcome {
  /// `archival`: whether the token was verified as of its own signing time.
  case accepted(DecryptedToken, archival: Bool)
  /// Opened under the unsigned policy and not signed.
  case unsigned(UnsignedToken)
  case rejected(TokenFault)
  /// A request that could not be decided, and why.
  case undecided(TokenFault?, String)

  package var exitCode: ExitCode {
    switch self {
    case .accepted, .unsigned: .success
    case .rejected: .finding
    case .undecided: .noAnswer
    }
  }

  /// The outcome of a request for which an engine has thrown a fault.
  package init(_ fault: TokenFault) {
    self = fault.code.isVerdict ? .rejected(fault) : .undecided(fault, fault.code.advice)
  }

  /// Why the request could not be decided, with the code; nil if it was.
  package var indecision: String? {
    guard case .undecided(let fault, let reason) = self else { return nil }
    return fault.map { "\($0.description). \(reason)" } ?? reason
  }

  /// The publicKeyHash and the token version of the key that opened the token; nil if none did.
  package var key: (hash: Bytes32, version: TokenVersion)? {
    switch self {
    case .accepted(let token, _): (token.publicKeyHash, token.version)
    case .unsigned(let token): (token.publicKeyHash, .ecV1)
    case .rejected, .undecided: nil
    }
  }

  /// The warning about an archived token where the answer cannot contain it. The token may have been used long ago.
  package static let archivalRemark =
    "archived: verified as of its own signing time, which says nothing about today. It is not a new payment."
  /// The warning about a token of Apple's sandbox.
  package static let sandboxRemark = "The token comes from Apple's sandbox: no money moves."
}

/// What `assay explain` says about a rejected token.
package struct RejectionAdvice {
  let diagnosis: String
  let sentence: String
  let command: String?
  let further: [(diagnosis: String, sentence: String)]

  /// - Parameters:
  ///   - diagnosis: its stable name.
  ///   - sentence: the problem and the fix.
  ///   - command: the shell command that takes a wrapping off the token; nil if there is none.
  ///   - further: what rejects the token as well.
  package init(
    diagnosis: String, sentence: String, command: String?, further: [(diagnosis: String, sentence: String)]
  ) {
    self.diagnosis = diagnosis
    self.sentence = Text.harmless(sentence)
    self.command = command
    self.further = further.map { ($0.diagnosis, Text.harmless($0.sentence)) }
  }

  /// The last lines about a rejected token.
  package var lines: [String] {
    ["explain: \(diagnosis), \(sentence)"] + further.map { "then: \($0.diagnosis), \($0.sentence)" }
  }
}

/// The answer of `assay decrypt`, for people and for programs.
package struct DecryptReport {
  let engine: String
  let outcome: DecryptOutcome
  let keyFile: String?
  let advice: RejectionAdvice?
  let reveal: Bool

  /// - Parameters:
  ///   - keyFile: the file with the private key that opened the token, if one did.
  ///   - advice: for a rejected token.
  package init(engine: String, outcome: DecryptOutcome, keyFile: String?, advice: RejectionAdvice?, reveal: Bool) {
    self.engine = engine
    self.keyFile = keyFile
    self.outcome = outcome
    self.advice = advice
    self.reveal = reveal
  }

  /// The document `assay.decrypt/1`.
  package var json: JSON {
    let (isAccepted, members): (Bool?, JSON) =
      switch outcome {
      case .accepted(let token, let archival):
        (true, document(.signed(token), token.publicKeyHash, archival: archival))
      case .unsigned(let token): (true, document(.unsigned(token), token.publicKeyHash, archival: false))
      case .rejected(let fault): (false, document(fault, fault.code.advice))
      case .undecided(let fault, let reason): (nil, document(fault, reason))
      }
    let first: JSON = ["schema": "assay.decrypt/1", "accepted": isAccepted, "engine": engine]
    return first.with(members)
  }

  /// The member for a request that is not accepted.
  private func document(_ fault: TokenFault?, _ message: String) -> JSON {
    let error: JSON = [
      "code": fault?.code.rawValue, "stage": fault?.stage.rawValue, "member": fault?.member?.path,
      "message": message, "diagnosis": advice?.diagnosis, "explanation": advice?.sentence,
      "command": advice?.command,
      "then": (advice?.further ?? []).map { JSON(["diagnosis": $0.diagnosis, "explanation": $0.sentence]) },
    ]
    return ["error": error]
  }

  /// The members for an opened token. Those that only a signature can vouch for are null without one.
  private func document(
    _ token: SignedOrUnsignedToken, _ keyHash: Bytes32, archival: Bool
  ) -> JSON {
    let signed: DecryptedToken? = if case .signed(let token) = token { token } else { nil }
    return [
      "envelope": token.envelope, "version": (signed?.version ?? .ecV1).rawValue, "signed": token.isSigned,
      "transactionId": signed?.transactionId.hex, "applicationData": signed?.applicationData?.hex,
      "signedAt": signed?.signedAt.rfc3339, "verifiedAt": signed?.verifiedAt.rfc3339, "archival": archival,
      "sandbox": signed?.isFromSandbox,
      "publicKeyHash": Base64.encode(keyHash.bytes), "keyFile": keyFile,
      "payment": PaymentFields(token.payment, reveal: reveal).json,
    ]
  }

  private typealias Row = (name: String, value: String)

  private var keyRow: [Row] { keyFile.map { [("keyFile", Text.harmless($0))] } ?? [] }

  /// Lines for people.
  package func text(coloured: Bool) -> String { Text.pairs(rows(coloured: coloured)).joined(separator: "\n") + "\n" }

  private func rows(coloured: Bool) -> [Row] {
    switch outcome {
    case .accepted(let token, let archival):
      let basis = archival ? " (its own signing time, as an archived token)" : ""
      let rows: [Row] = [
        ("accepted", Text.coloured("\(token.version.rawValue), by the \(engine) engine", code: 32, if: coloured)),
        ("envelope", token.envelope),
        ("transactionId", token.transactionId.hex),
        ("signedAt", token.signedAt.rfc3339),
        ("verifiedAt", token.verifiedAt.rfc3339 + basis),
        ("publicKeyHash", Base64.encode(token.publicKeyHash.bytes)),
      ]
      let sandbox: [Row] = token.isFromSandbox ? [("sandbox", DecryptOutcome.sandboxRemark)] : []
      let data: [Row] = token.applicationData.map { [("applicationData", $0.hex)] } ?? []
      return rows + sandbox + keyRow + data + PaymentFields(token.payment, reveal: reveal).rows
    case .unsigned(let token):
      let rows: [Row] = [
        ("UNSIGNED", Text.coloured("opened, but nobody signed it: \(engine) engine", code: 33, if: coloured)),
        ("WARNING", "anyone who knows the merchant's public key can have made this token; it may also be an old one"),
        ("envelope", token.envelope),
        ("publicKeyHash", Base64.encode(token.publicKeyHash.bytes)),
      ]
      return rows + keyRow + PaymentFields(token.payment, reveal: reveal).rows
    case .rejected(let fault):
      var rows: [Row] = [
        ("rejected", Text.coloured("\(fault.code.rawValue), by the \(engine) engine", code: 31, if: coloured)),
        ("stage", "\(fault.stage.rawValue) (\(fault.stage))"),
      ]
      if let member = fault.member { rows.append(("member", member.path)) }
      rows.append(("advice", fault.code.advice))
      if let command = advice?.command { rows.append(("command", Text.unbroken(command))) }
      if let advice {
        rows.append(("explain", "\(advice.diagnosis), \(advice.sentence)"))
        rows += advice.further.map { ("then", "\($0.diagnosis), \($0.sentence)") }
      }
      return rows
    case .undecided(_, let reason): return [("undecided", reason)]
    }
  }
}
