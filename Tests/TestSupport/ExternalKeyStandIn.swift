public import PaymentToken
import Synchronization

/// A stand-in for an external key. It records the points that it is asked about.
public final class ExternalKeyStandIn: KeyAgreement {
  private let points = Mutex<[[UInt8]]>([])
  private let answer: @Sendable ([UInt8], Int) -> [UInt8]?

  /// - Parameter answer: the secret for a point, given how many were asked about before; nil for no answer.
  public init(_ answer: @escaping @Sendable ([UInt8], Int) -> [UInt8]? = { _, _ in nil }) {
    self.answer = answer
  }

  /// The points, in the order of the calls.
  public var asked: [[UInt8]] { points.withLock { $0 } }

  public func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    let point = peer.indices.map { peer[$0] }
    let number = points.withLock {
      $0.append(point)
      return $0.count - 1
    }
    guard let made = answer(point, number), made.count == secret.count else { throw KeyUnavailable() }
    for index in made.indices { secret[index] = made[index] }
  }
}
