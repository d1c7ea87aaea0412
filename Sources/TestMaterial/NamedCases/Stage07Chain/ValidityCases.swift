import Minting
import PaymentToken

/// Rule 7.7: validity dates, both ends included, and archival mode.
extension CaseList {
  mutating func addValidityCases() {
    let edges: [(String, Int64, Int64, TokenFault.Code?)] = [
      ("from-this-second-on", 0, 1_000, nil), ("up-to-this-second", -1_000, 0, nil),
      ("in-this-second-alone", 0, 0, nil),
      ("up-to-a-second-ago", -1_000, -1, .certificateExpired),
      ("from-the-next-second-on", 1, 1_000, .certificateNotYetValid),
      ("the-wrong-way-round", 1_000, -1_000, .certificateExpired),
      ("up-to-ten-years-ago", -400_000_000, -300_000_000, .certificateExpired),
      ("from-ten-years-on", 300_000_000, 400_000_000, .certificateNotYetValid),
    ]
    for (name, start, end, code) in edges {
      either("7.7", "leaf-valid-\(name)", code) { draft in
        let time = draft.minter.time
        try draft.leaf { $0.setValidity(time, start, end) }
      }
      either("7.7", "intermediate-valid-\(name)", code) { draft in
        let time = draft.minter.time
        try draft.intermediate { $0.setValidity(time, start, end) }
      }
    }
    for (name, leaf, intermediate, code) in [
      ("leaf-not-yet-valid-and-intermediate-expired", (1, 9), (-9, -1), TokenFault.Code.certificateNotYetValid),
      ("leaf-expired-and-intermediate-not-yet-valid", (-9, -1), (1, 9), .certificateExpired),
      ("leaf-and-intermediate-expired", (-9, -1), (-9, -1), .certificateExpired),
    ] as [(String, (Int64, Int64), (Int64, Int64), TokenFault.Code)] {
      reject("7.7", name, code) { draft in
        let time = draft.minter.time
        try draft.chain {
          $0.leafRecipe.setValidity(time, leaf.0, leaf.1)
          $0.intermediateRecipe.setValidity(time, intermediate.0, intermediate.1)
        }
      }
    }
    addUsualChainCases()
    addArchivalCases()
  }

  /// The leaf of most other cases at other times: who remembers its chain must ask for its dates anew.
  private mutating func addUsualChainCases() {
    for (name, seconds, code) in [
      ("in-the-last-second", 0, nil), ("a-second-after-the-last", 1, TokenFault.Code.certificateExpired),
    ] as [(String, Int64, TokenFault.Code?)] {
      either("7.7", "a-token-of-the-usual-leaf-\(name)-of-its-validity", code) { draft in
        draft.now = draft.minter.time.advanced(by: 4 * TestPKI.year + seconds)
        draft.layers.signedAt = draft.now
        try draft.sign()
      }
    }
    reject("7.7", "a-token-of-the-usual-leaf-a-second-before-its-validity", .certificateNotYetValid) { draft in
      draft.now = draft.minter.time.advanced(by: -TestPKI.year - 1)
      draft.layers.signedAt = draft.now
      try draft.sign()
    }
  }

  private mutating func addArchivalCases() {
    accept("7.7", "an-archived-token-whose-leaf-has-expired-since") { draft in
      draft.policy.freshness = .signingTime
      draft.now = draft.minter.time.advanced(by: 3_155_695_200)
    }
    accept("9.1", "an-archived-token-far-in-the-future") { draft in
      draft.policy.freshness = .signingTime
      draft.now = UnixTime(secondsSinceEpoch: 0)
    }
    for (name, offset, code) in [
      ("in-the-last-second", 0, nil), ("a-second-after-the-last", 1, TokenFault.Code.certificateExpired),
    ] as [(String, Int64, TokenFault.Code?)] {
      either("7.7", "an-archived-token-signed-\(name)-of-its-leaf", code) { draft in
        let time = draft.minter.time
        draft.policy.freshness = .signingTime
        draft.layers.signedAt = time.advanced(by: offset)
        try draft.leaf { $0.setValidity(time, -1_000, 0) }
      }
    }
    reject("7.7", "an-archived-token-signed-before-its-leaf-was-valid", .certificateNotYetValid) { draft in
      let time = draft.minter.time
      draft.policy.freshness = .signingTime
      draft.layers.signedAt = time.advanced(by: -1)
      try draft.leaf { $0.setValidity(time, 0, 1_000) }
    }
    reject("7.7", "an-archived-token-signed-in-1950", .certificateNotYetValid) { draft in
      draft.policy.freshness = .signingTime
      draft.layers.signatureRecipe.signingTime = .utcTime("500101000000Z")
      try draft.sign()
    }
    reject("7.7", "an-archived-token-signed-in-9999", .certificateExpired) { draft in
      draft.policy.freshness = .signingTime
      draft.layers.signatureRecipe.signingTime = .generalizedTime("99991231235959Z")
      try draft.sign()
    }
  }
}

extension CertificateRecipe {
  /// Valid from `start` to `end` seconds after a time.
  mutating func setValidity(_ time: UnixTime, _ start: Int64, _ end: Int64) {
    notBefore = .time(time.advanced(by: start))
    notAfter = .time(time.advanced(by: end))
  }
}
