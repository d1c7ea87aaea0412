import Minting
import PaymentToken

/// Tokens that fail at a given stage and pass the stages before it.
enum HostileTokens {
  static func ofEveryStage(_ fixture: Fixture) throws -> [(TokenFault, [UInt8])] {
    let minter = fixture.minter
    let sound = try minter.layers()
    func changed(_ edit: (inout TokenLayers) throws -> Void) rethrows -> [UInt8] {
      var layers = sound
      try edit(&layers)
      return layers.token
    }
    return [
      (TokenFault(.tokenTooLarge), sound.token + [UInt8](repeating: 0x20, count: 16_385 - sound.token.count)),
      (TokenFault(.malformedJSON), Array(sound.token.dropLast())),
      (TokenFault(.missingMember, member: .version), Array("{}".utf8)),
      (TokenFault(.invalidLength, member: .data), changed { $0.data = [1] }),
      (TokenFault(.invalidLength, member: .transactionId), changed { $0.transactionId = [1] }),
      (TokenFault(.malformedSignature), changed { $0.signature.removeLast() }),
      (
        TokenFault(.missingLeafMarker),
        try changed {
          $0.signer.certificates.removeFirst()
          try $0.sign()
        }
      ),
      (
        TokenFault(.untrustedChain),
        try changed {
          $0.signer = TokenSigner(minter.foreign)
          try $0.sign()
        }
      ),
      (TokenFault(.signatureMismatch), changed { $0.transactionId[0] ^= 1 }),
      (
        TokenFault(.signingTimeOutsideWindow),
        try changed {
          $0.signedAt = UnixTime(secondsSinceEpoch: $0.signedAt.secondsSinceEpoch - 301)
          try $0.sign()
        }
      ),
      (
        TokenFault(.unknownMerchantKey),
        changed { $0.publicKeyHash[0] ^= 1 }
      ),
      (
        TokenFault(.invalidEphemeralKey),
        try changed {
          $0.ephemeralPublicKey[90] ^= 1
          try $0.sign()
        }
      ),
      (
        TokenFault(.decryptionFailed),
        try changed {
          $0.data[0] ^= 1
          try $0.sign()
        }
      ),
      (
        TokenFault(.malformedPayload),
        try changed {
          try $0.encrypt([$0.plaintext[0] ^ 1] + $0.plaintext.dropFirst())
          try $0.sign()
        }
      ),
    ]
  }
}
