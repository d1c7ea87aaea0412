import Minting
import PaymentToken

/// One way to change a token. Each file beside this one holds one and says which class of bug it hunts.
public struct Mutation: Sendable {
  /// The layer's name as statistics print it.
  public let name: String
  /// Changes a sample; nil where the sample lacks the layer.
  let apply: @Sendable (MutationSample, inout SeededGenerator) throws(MintingError) -> MutatedToken?

  /// Those of bare tokens.
  public static let all: [Mutation] = [.jsonText, .base64Text, .signatureOctets, .plaintext]
  /// Those of requests.
  public static let envelopes: [Mutation] = [.envelope]
}

/// A changed token, and what it may be accepted as.
public struct MutatedToken: Sendable {
  /// The token's bytes.
  public let token: [UInt8]
  /// What an accepting engine must hand on: nil for the sample's own plaintext.
  public let plaintext: [UInt8]?
}
