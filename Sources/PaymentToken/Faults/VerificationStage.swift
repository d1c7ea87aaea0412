/// The stages of verification in the order in which they are decided (Docs/Verification.md).
@frozen
public enum VerificationStage: Int, Hashable, Comparable, Sendable, BitwiseCopyable, CaseIterable {
  case envelope = 0
  case size = 1
  case json = 2
  case shape = 3
  case encodings = 4
  case signatureShape = 5
  case certificates = 6
  case chain = 7
  case signature = 8
  case signingTime = 9
  case merchantKey = 10
  case symmetricKey = 11
  case decryption = 12
  case payload = 13
  case expectations = 14

  @inlinable
  public static func < (left: VerificationStage, right: VerificationStage) -> Bool {
    left.rawValue < right.rawValue
  }
}
