import Minting
import PaymentToken

/// Rule 7.2 with 8.3: ECDSA values on certificates, at and beyond the ends of their range. The leaf is signed on P-256,
/// the intermediate on P-384.
extension CaseList {
  mutating func addCertificateSignatureValueCases() {
    for certificate in SignedCertificate.allCases {
      for (name, make) in CaseList.values {
        for (part, edit) in CaseList.parts {
          reject("7.2", "\(certificate)-signature-value-with-\(part)-\(name)", .untrustedChain) { draft in
            try draft.sign(certificate) { node, key, _ in edit(&node, .unsigned(try make(key.order()))) }
          }
        }
      }
      for (part, index) in [("r", 0), ("s", 1)] {
        reject(
          "7.2", .standing(.rewrittenSignature, "\(certificate)-signature-value-with-the-order-added-to-\(part)"),
          .untrustedChain
        ) { draft in
          try draft.sign(certificate) { node, key, value in
            node[index] = .unsigned((index == 0 ? value.r : value.s).adding(try key.order()))
          }
        }
        reject(
          "7.2", .standing(.rewrittenSignature, "\(certificate)-signature-value-with-\(part)-negated"), .untrustedChain
        ) { draft in
          try draft.sign(certificate) { node, _, _ in node[index].contents = CaseList.negated(node[index].contents) }
        }
      }
      for isHigh in [false, true] {
        accept("7.2", "\(certificate)-signature-value-with-a-\(isHigh ? "high" : "low")-s") { draft in
          try draft.sign(certificate) { node, key, value in
            let other = try key.negated(value)
            node = (other.s.lexicographicallyPrecedes(value.s) == isHigh ? value : other).node
          }
        }
      }
    }
  }

  /// Values on P-384 at the ends of their range that verify, and INTEGERs that are not in their shortest form.
  mutating func addCertificateSignatureEndCases() {
    let ends: Named<@Sendable ([UInt8]) -> [UInt8]> = [
      "1": { zeros($0.count - 1) + [1] }, "n-1": { $0.dropLast() + [$0[$0.count - 1] - 1] },
      "n-2": { $0.dropLast() + [$0[$0.count - 1] - 2] },
    ]
    for (name, make) in ends {
      accept(
        "7.2", "intermediate-signature-value-with-s-\(name)-that-verifies", note: "the root's key is chosen for it"
      ) { draft in
        let field = try ScalarField(.p384)
        let s = make(try draft.minter.pki.rootKey.pair.order())
        let nonce = try field.reduced(draft.stream.bytes(64))
        let r = try field.commitment(nonce)
        let digest = Hashing.sha256(draft.minter.pki.intermediateRecipe.body.encoded)
        // d = (s k − e) / r
        let difference = try field.sum(field.product(s, nonce), field.negated(digest))
        let key = try field.keyPair(field.product(difference, field.inverse(r)))
        let value = ECDSAValue(r: r, s: s).node.encoded
        try draft.chain { pki in
          pki.setRoot(.ec(key))
          pki.intermediateRecipe.editSignature = { $0 = value }
        }
      }
    }
    for certificate in SignedCertificate.allCases {
      for (part, index) in [("r", 0), ("s", 1)] {
        reject(
          "7.2", .standing(.rewrittenSignature, "\(certificate)-signature-value-with-\(part)-padded"), .untrustedChain
        ) { draft in
          try draft.sign(certificate) { node, _, _ in node[index].contents = [0] + node[index].contents }
        }
      }
      reject(
        "7.2", .standing(.rewrittenSignature, "\(certificate)-signature-value-with-a-third-number"), .untrustedChain
      ) { draft in
        try draft.sign(certificate) { node, _, _ in node.children.append(.integer(1)) }
      }
    }
  }

  /// Makes each value from n, the order of the issuer's curve.
  private static let values: Named<@Sendable ([UInt8]) -> [UInt8]> = [
    "0": { _ in [0] }, "1": { _ in [1] }, "n-1": { $0.dropLast() + [$0[$0.count - 1] - 1] }, "n": { $0 },
    "n+1": { $0.dropLast() + [$0[$0.count - 1] + 1] },
  ]

  private static let parts: Named<@Sendable (inout ASN1Node, ASN1Node) -> Void> = [
    "r": { $0[0] = $1 }, "s": { $0[1] = $1 }, "r-and-s": { $0.children = [$1, $1] },
  ]
}

/// The certificate whose signature is edited.
private enum SignedCertificate: CaseIterable {
  case leaf, intermediate
}

extension CaseDraft {
  /// Issues the certificate with an edited signature value, and signs with the leaf.
  fileprivate mutating func sign(
    _ certificate: SignedCertificate, _ edit: (inout ASN1Node, KeyPair, ECDSAValue) throws -> Void
  ) throws {
    let (issuer, recipe) =
      switch certificate {
      case .leaf: (minter.pki.intermediateKey, minter.pki.leafRecipe)
      case .intermediate: (minter.pki.rootKey, minter.pki.intermediateRecipe)
      }
    let key = try issuer.pair
    let value = try key.sign(digest: Hashing.sha256(recipe.body.encoded))
    var node = value.node
    try edit(&node, key, value)
    let bytes = node.encoded
    switch certificate {
    case .leaf: try leaf { $0.editSignature = { $0 = bytes } }
    case .intermediate: try intermediate { $0.editSignature = { $0 = bytes } }
    }
  }
}
