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
      either("7.7", "leaf-valid-\(name)", code) { try $0.leaf(validFrom: start, to: end) }
      either("7.7", "intermediate-valid-\(name)", code) { try $0.intermediate(validFrom: start, to: end) }
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
        try draft.sign(andDecideAfter: 4 * TestPKI.year + seconds)
      }
    }
    reject("7.7", "a-token-of-the-usual-leaf-a-second-before-its-validity", .certificateNotYetValid) { draft in
      try draft.sign(andDecideAfter: -TestPKI.year - 1)
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
        draft.policy.freshness = .signingTime
        draft.layers.signedAt = draft.minter.time.advanced(by: offset)
        try draft.leaf(validFrom: -1_000, to: 0)
      }
    }
    reject("7.7", "an-archived-token-signed-before-its-leaf-was-valid", .certificateNotYetValid) { draft in
      draft.policy.freshness = .signingTime
      draft.layers.signedAt = draft.minter.time.advanced(by: -1)
      try draft.leaf(validFrom: 0, to: 1_000)
    }
    for (year, time, code) in [
      ("1950", ASN1Node.utcTime("500101000000Z"), TokenFault.Code.certificateNotYetValid),
      ("9999", .generalizedTime("99991231235959Z"), .certificateExpired),
    ] {
      reject("7.7", "an-archived-token-signed-in-\(year)", code) { draft in
        draft.policy.freshness = .signingTime
        try draft.sign { $0.signatureRecipe.signingTime = time }
      }
    }
  }
}
