import CP256
import CSecrecy
import MerchantKeys
import PaymentToken

extension BatchWorkspace {
  /// From so many tokens on all lanes at once take less time than libcrypto one token after the other.
  private static var leastAgreements: Int { 2 }

  /// Makes the shared secrets of the tokens of EC_v1 whose key is held here. What the lanes refuse or leave open, and all
  /// other tokens, is left as it is: opening them decides.
  mutating func agree(with keys: MerchantKeySet) {
    for index in tokens.indices {
      guard case .read(let token) = tokens[index], let key = laneKey(of: token, among: keys) else { continue }
      agreements.append(WaitingAgreement(token: index, key: key))
    }
    var first = 0
    while agreements.count - first >= Self.leastAgreements {
      let count = min(agreements.count - first, Int(ASSAY_P256_LANES))
      agree(first..<(first + count), with: keys)
      first += count
    }
  }

  /// Where the key of a token that lanes can take stands.
  private func laneKey(of token: ReadToken, among keys: MerchantKeySet) -> Int? {
    let content = token.decoded.content
    guard content.version == .ecV1, let key = keys.index(of: content.publicKeyHash, for: .ecV1),
      keys.agreement(at: key) == nil,
      P256KeyInfo.isUncompressed(octets.span.extracting(token.offset..<(token.offset + content.keyCount)))
    else { return nil }
    return key
  }

  private mutating func agree(_ range: Range<Int>, with keys: MerchantKeySet) {
    var lanes = InlineArray<8, assay_p256_agreement>(repeating: assay_p256_agreement())
    var statuses = InlineArray<8, UInt8>(repeating: UInt8(ASSAY_P256_UNSURE))
    for index in range {
      let waiting = agreements[index]
      guard case .read(let token) = tokens[waiting.token] else { return }
      lanes[index - range.lowerBound] = assay_p256_agreement(
        peer: octets.address(at: token.offset + P256KeyInfo.coordinatesOffset, count: 64),
        scalar: keys.scalarAddress(at: waiting.key), secret: secret(at: waiting.token))
    }
    let span = lanes.span
    var results = statuses.mutableSpan
    withExtendedLifetime(keys) {
      span.withUnsafeBufferPointer { lanes in
        results.withUnsafeMutableBufferPointer { results in
          assay_p256_agree(lanes.baseAddress, range.count, results.baseAddress)
        }
      }
    }
    for index in range where statuses[index - range.lowerBound] == UInt8(ASSAY_P256_DONE) {
      let waiting = agreements[index]
      guard case .read(var token) = tokens[waiting.token] else { continue }
      token.secretKey = waiting.key
      tokens[waiting.token] = .read(token)
    }
  }
}
