import Minting
import PaymentToken

/// Rule 7.2 with 8.3: ECDSA values on certificates, at and beyond the ends of their range. The leaf is signed on P-256, the
/// intermediate on P-384.
extension CaseList {
  mutating func addCertificateSignatureValueCases() {
    for certificate in SignedCertificate.allCases {
      for (name, make) in CaseList.values {
        for (part, edit) in CaseList.parts {
          reject("7.2", "\(certificate)-signature-value-with-\(part)-\(name)", .untrustedChain) { draft in
            try draft.sign(certificate) { key, value in
              var node = value.node
              edit(&node, .unsigned(try make(key.order())))
              return node
            }
          }
        }
      }
      for (part, index) in [("r", 0), ("s", 1)] {
        reject("7.2", "\(certificate)-signature-value-with-the-order-added-to-\(part)", .untrustedChain) { draft in
          try draft.sign(certificate) { key, value in
            var node = value.node
            node[index] = .unsigned((index == 0 ? value.r : value.s).adding(try key.order()))
            return node
          }
        }
        reject("7.2", "\(certificate)-signature-value-with-\(part)-negated", .untrustedChain) { draft in
          try draft.sign(certificate) { _, value in
            var node = value.node
            node[index].contents = CaseList.negated(node[index].contents)
            return node
          }
        }
      }
      for isHigh in [false, true] {
        accept("7.2", "\(certificate)-signature-value-with-a-\(isHigh ? "high" : "low")-s") { draft in
          try draft.sign(certificate) { key, value in
            let other = try key.negated(value)
            return (other.s.lexicographicallyPrecedes(value.s) == isHigh ? value : other).node
          }
        }
      }
    }
  }

  /// Each of the order of the issuer's curve.
  private static let values: Named<@Sendable ([UInt8]) -> [UInt8]> = [
    "0": { _ in [0] }, "1": { _ in [1] }, "n-1": { $0.dropLast() + [$0[$0.count - 1] - 1] }, "n": { $0 },
    "n+1": { $0.dropLast() + [$0[$0.count - 1] + 1] },
  ]

  private static let parts: Named<@Sendable (inout ASN1Node, ASN1Node) -> Void> = [
    "r": { $0[0] = $1 }, "s": { $0[1] = $1 }, "r-and-s": { $0.children = [$1, $1] },
  ]
}

/// Whose signature is edited.
private enum SignedCertificate: String, CaseIterable, CustomStringConvertible {
  case leaf, intermediate

  var description: String { rawValue }
}

extension CaseDraft {
  /// Issues the certificate with another signature value, and signs with the leaf.
  fileprivate mutating func sign(
    _ certificate: SignedCertificate, _ make: (KeyPair, ECDSAValue) throws -> ASN1Node
  ) throws {
    var pki = minter.pki
    let (issuer, recipe) =
      switch certificate {
      case .leaf: (pki.intermediateKey, pki.leafRecipe)
      case .intermediate: (pki.rootKey, pki.intermediateRecipe)
      }
    let key = try issuer.pair
    let bytes = try make(key, key.sign(digest: Hashing.sha256(recipe.body.encoded))).encoded
    switch certificate {
    case .leaf:
      pki.leafRecipe.editSignature = { $0 = bytes }
      try pki.issueLeaf()
    case .intermediate:
      pki.intermediateRecipe.editSignature = { $0 = bytes }
      try pki.issueIntermediate()
    }
    layers.signer = TokenSigner(pki)
    try layers.sign()
  }
}
