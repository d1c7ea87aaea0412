import Minting
import PaymentToken

/// Stage 9: the window around the verification time.
extension CaseList {
  mutating func addSigningTimeCases() {
    let offsets: [(CaseName, Int64, UInt32, TokenFault.Code?)] = [
      ("300-seconds-ago", -300, 300, nil), (.choice(.holder, "301-seconds-ago"), -301, 300, .signingTimeOutsideWindow),
      ("in-300-seconds", 300, 300, nil), (.choice(.holder, "in-301-seconds"), 301, 300, .signingTimeOutsideWindow),
      ("now-with-a-window-of-0", 0, 0, nil),
      (.choice(.holder, "a-second-ago-with-a-window-of-0"), -1, 0, .signingTimeOutsideWindow),
      (.choice(.holder, "in-a-second-with-a-window-of-0"), 1, 0, .signingTimeOutsideWindow),
      ("an-hour-ago-with-a-window-of-an-hour", -3_600, 3_600, nil),
      (.choice(.holder, "an-hour-and-a-second-ago-with-a-window-of-an-hour"), -3_601, 3_600, .signingTimeOutsideWindow),
      ("years-ago-with-the-widest-window", -1_000_000_000, .max, nil),
      ("a-day-ago", -86_400, 300, .signingTimeOutsideWindow),
      (.standing(.apple, .apple, .high, "in-a-day"), 86_400, 300, .signingTimeOutsideWindow),
    ]
    for (name, offset, window, code) in offsets {
      either("9.1", "signed-\(name)", code) { draft in
        draft.policy.freshness = .window(seconds: window, replay: nil)
        draft.layers.signedAt = draft.minter.time.advanced(by: offset)
        try draft.sign()
      }
    }
    for (name, node) in [
      ("in-1950", ASN1Node.utcTime("500101000000Z")), ("in-9999", .generalizedTime("99991231235959Z")),
      ("in-the-year-1", .generalizedTime("00010101000000Z")), ("in-2049", .utcTime("491231235959Z")),
    ] {
      reject("9.1", .standing(.apple, .apple, .high, "signed-\(name)"), .signingTimeOutsideWindow) {
        try $0.sign { $0.signatureRecipe.signingTime = node }
      }
      accept("9.1", "signed-\(name)-with-the-window-off") { draft in
        draft.policy.freshness = .windowOff
        draft.layers.signatureRecipe.signingTime = node
        try draft.sign()
      }
    }
    addPivotCases()
    reject("9.1", .choice(.holder, "a-stale-token-for-an-unknown-key"), .signingTimeOutsideWindow) { draft in
      draft.layers.publicKeyHash = zeros(32)
      draft.layers.signedAt = draft.minter.time.advanced(by: -301)
      try draft.sign()
    }
    reject("8.1", "a-stale-token-with-a-wrong-signature", .signatureMismatch) { draft in
      draft.layers.signedAt = draft.minter.time.advanced(by: -301)
      try draft.sign()
      draft.layers.data[0] ^= 1
    }
  }

  /// UTCTime on both sides of its pivot: 50 means 1950, and 49 means 2049. The window is one second.
  private mutating func addPivotCases() {
    for (name, text, year, code) in [
      ("1950-in-1950", "500101000000Z", 1950, nil), ("2049-in-2049", "490101000000Z", 2049, nil),
      (
        .standing(.apple, .rfc(5652, "11.3"), .strictness, "1950-in-2050"), "500101000000Z", 2050,
        TokenFault.Code.signingTimeOutsideWindow
      ),
      (
        .standing(.apple, .rfc(5652, "11.3"), .strictness, "2049-in-1949"), "490101000000Z", 1949,
        .signingTimeOutsideWindow
      ),
    ] as [(CaseName, String, Int, TokenFault.Code?)] {
      either("5.12", "signing-time-by-utc-time-of-\(name)", code) { draft in
        guard let now = UnixTime(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0) else {
          throw MintingError.recipe("a year")
        }
        draft.now = now
        draft.policy.freshness = .window(seconds: 1, replay: nil)
        try draft.chain { pki in
          pki.leafRecipe.notBefore = .generalizedTime("19490101000000Z")
          pki.leafRecipe.notAfter = .generalizedTime("20991231235959Z")
          pki.intermediateRecipe.notBefore = pki.leafRecipe.notBefore
          pki.intermediateRecipe.notAfter = pki.leafRecipe.notAfter
        }
        draft.layers.signatureRecipe.signingTime = .utcTime(text)
        try draft.sign()
      }
    }
  }
}
