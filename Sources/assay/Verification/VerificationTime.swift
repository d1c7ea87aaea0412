import PaymentToken

/// Which time a token is verified at.
enum VerificationTime: Equatable {
  case now
  case at(UnixTime)
  case signingTime

  init(_ arguments: ParsedArguments) throws(UsageError) {
    switch arguments.value("--at") {
    case nil, "now": self = .now
    case "signing-time": self = .signingTime
    case let text?:
      guard let time = UnixTime(rfc3339: text) else {
        throw UsageError("--at is now, signing-time or a time like 2026-01-31T12:00:00Z, not \(text).")
      }
      self = .at(time)
    }
  }
}
