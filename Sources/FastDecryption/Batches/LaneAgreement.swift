import CP256
import MerchantKeys
import PaymentToken

extension BatchWorkspace {
  /// From so many tokens on all lanes at once take less time than libcrypto one token after the other.
  private static var leastAgreements: Int { 2 }

  /// Makes the shared secrets of the tokens of EC_v1 whose key is held here. What the lanes refuse or leave open, and all
  /// other tokens, is left as it is: opening them decides.
  mutating func agree(with keys: MerchantKeySet) {
    for index in tokens.indices where isGood(index) {
      let offset = tokens[index].offset
      guard let key = laneKey(of: tokens[index].decoded.content, at: offset, among: keys) else { continue }
      agreements.append(WaitingAgreement(token: index, key: key, offset: offset))
    }
    guard agreements.count >= Self.leastAgreements else { return }
    fillLanes(with: keys)
    for index in agreements.indices where statuses[index] == UInt8(ASSAY_P256_DONE) {
      tokens[agreements[index].token].secretKey = agreements[index].key
    }
  }

  /// Where the key of a token that lanes can take stands.
  private func laneKey(of content: EncryptedContent, at offset: Int, among keys: MerchantKeySet) -> Int? {
    guard content.version == .ecV1, let key = keys.index(of: content.publicKeyHash, for: .ecV1),
      keys.agreement(at: key) == nil,
      P256KeyInfo.isUncompressed(octets.span.extracting(offset..<(offset + content.keyCount)))
    else { return nil }
    return key
  }

  /// Does the agreements that wait, a window at most.
  private mutating func fillLanes(with keys: MerchantKeySet) {
    statuses.removeAll(keepingCapacity: true)
    agreementLanes.removeAll(keepingCapacity: true)
    for waiting in agreements {
      statuses.append(UInt8(ASSAY_P256_UNSURE))
      agreementLanes.append(
        assay_p256_agreement(
          peer: octets.address(at: waiting.offset + P256KeyInfo.coordinatesOffset, count: 64),
          scalar: keys.scalarAddress(at: waiting.key), secret: secret(at: waiting.token)))
    }
    withExtendedLifetime(keys) {
      assay_p256_agree(agreementLanes, agreementLanes.count, &statuses)
    }
  }
}
