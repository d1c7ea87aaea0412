import FastDecryption
import MerchantKeys
import Minting
import PaymentToken

let mintingTime = UnixTime(secondsSinceEpoch: 1_795_000_000)

/// A test PKI with its merchants' keys loaded.
struct Fixture {
  let minter: Minter
  let keys: MerchantKeySet

  init(seed: UInt64 = 41) throws {
    minter = try Minter(seed: seed, at: mintingTime)
    keys = try minter.merchantKeySet(externalRSA: [])
  }

  func engine(_ anchors: TrustAnchors? = nil) throws -> FastDecryptor {
    try FastDecryptor(keys: keys, anchors: anchors ?? minter.anchors)
  }

  /// A token signed by a signer of the test's choice.
  func token(index: UInt64 = 0, signedBy signer: TokenSigner) throws -> [UInt8] {
    var layers = try minter.layers(TokenRecipe(index: index))
    layers.signer = signer
    try layers.sign()
    return layers.token
  }
}

extension FastDecryptor {
  /// The plaintext of a token that is decrypted with a workspace, or its fault.
  func verdict(
    _ token: [UInt8], at now: UnixTime = mintingTime, under policy: VerificationPolicy = VerificationPolicy(),
    in workspace: inout Workspace
  ) -> Result<[UInt8], TokenFault> {
    do {
      return .success(
        try decrypt(token.span, at: now, under: policy, in: &workspace) { opened throws(TokenFault) in
          try opened.copy().plaintext
        })
    } catch {
      return .failure(error)
    }
  }

  func fault(
    _ token: [UInt8], at now: UnixTime = mintingTime, under policy: VerificationPolicy = VerificationPolicy(),
    in workspace: inout Workspace
  ) -> TokenFault? {
    switch verdict(token, at: now, under: policy, in: &workspace) {
    case .success: nil
    case .failure(let fault): fault
    }
  }
}

/// A workspace, for tests that need not handle its failure.
func makeWorkspace() -> Workspace {
  guard let workspace = Workspace() else { fatalError("no memory for a workspace") }
  return workspace
}
