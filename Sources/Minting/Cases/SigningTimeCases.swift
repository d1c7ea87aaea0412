import PaymentToken

/// Stage 9: the window around the verification time.
extension CaseList {
  mutating func addSigningTimeCases() {
    let offsets: [(String, Int64, UInt32, TokenFault.Code?)] = [
      ("300-seconds-ago", -300, 300, nil), ("301-seconds-ago", -301, 300, .signingTimeOutsideWindow),
      ("in-300-seconds", 300, 300, nil), ("in-301-seconds", 301, 300, .signingTimeOutsideWindow),
      ("now-with-a-window-of-0", 0, 0, nil), ("a-second-ago-with-a-window-of-0", -1, 0, .signingTimeOutsideWindow),
      ("in-a-second-with-a-window-of-0", 1, 0, .signingTimeOutsideWindow),
      ("an-hour-ago-with-a-window-of-an-hour", -3_600, 3_600, nil),
      ("an-hour-and-a-second-ago-with-a-window-of-an-hour", -3_601, 3_600, .signingTimeOutsideWindow),
      ("years-ago-with-the-widest-window", -1_000_000_000, .max, nil),
      ("a-day-ago", -86_400, 300, .signingTimeOutsideWindow),
      ("in-a-day", 86_400, 300, .signingTimeOutsideWindow),
    ]
    for (name, offset, window, code) in offsets {
      either("9.1", "signed-\(name)", code) { draft throws(MintingError) in
        draft.policy.freshness = .window(seconds: window, replayCapacity: nil)
        draft.layers.signedAt = draft.minter.time.advanced(by: offset)
        try draft.layers.sign()
      }
    }
    for (name, node) in [
      ("in-1950", ASN1Node.utcTime("500101000000Z")), ("in-9999", .generalizedTime("99991231235959Z")),
      ("in-the-year-1", .generalizedTime("00010101000000Z")), ("in-2049", .utcTime("491231235959Z")),
    ] {
      reject("9.1", "signed-\(name)", .signingTimeOutsideWindow) { draft throws(MintingError) in
        draft.layers.signatureRecipe.signingTime = node
        try draft.layers.sign()
      }
      accept("9.1", "signed-\(name)-with-the-window-off") { draft throws(MintingError) in
        draft.policy.freshness = .windowOff
        draft.layers.signatureRecipe.signingTime = node
        try draft.layers.sign()
      }
    }
    reject("9.1", "a-stale-token-for-an-unknown-key", .signingTimeOutsideWindow) { draft throws(MintingError) in
      draft.layers.publicKeyHash = [UInt8](repeating: 0, count: 32)
      draft.layers.signedAt = draft.minter.time.advanced(by: -301)
      try draft.layers.sign()
    }
    reject("8.1", "a-stale-token-with-a-wrong-signature", .signatureMismatch) { draft throws(MintingError) in
      draft.layers.signedAt = draft.minter.time.advanced(by: -301)
      try draft.layers.sign()
      draft.layers.data[0] ^= 1
    }
  }
}
