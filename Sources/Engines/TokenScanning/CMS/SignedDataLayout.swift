import PaymentToken

/// The layout of a signature: everything that the signatures of one signer have in common.
///
/// Such signatures differ only in the digest, the signing time, and the value and length of the signature; other length
/// fields depend on that length. If two inputs have the same length and are equal everywhere else, the parser reads
/// both alike: it never looks at the bytes of the digest and of the signature, and `view` parses the time again. So an
/// input is compared with an earlier one instead of being parsed.
public struct SignedDataLayout: Sendable {
  private let view: SignedDataView
  private let version: TokenVersion
  /// The number of bytes of the input.
  public let count: Int

  /// The layout of an input with this view.
  public init(_ view: SignedDataView, of input: Span<UInt8>, version: TokenVersion) {
    (self.view, self.version, count) = (view, version, input.count)
  }

  /// The view of another input; nil unless it has this layout.
  ///
  /// - Parameters:
  ///   - input: the decoded `signature` of a token of `version`.
  ///   - model: the input that this layout was made from.
  public func view(of input: Span<UInt8>, version: TokenVersion, like model: Span<UInt8>) -> SignedDataView? {
    guard input.count == count, self.version == version, model.count == count else { return nil }
    let attributes = view.signer.attributes
    let (digest, time) = (attributes.messageDigest, attributes.timeElement)
    let (first, second) = digest.lowerBound < time.lowerBound ? (digest, time) : (time, digest)
    guard Self.areEqual(input, model, 0..<first.lowerBound),
      Self.areEqual(input, model, first.upperBound..<second.lowerBound),
      Self.areEqual(input, model, second.upperBound..<view.signer.signature.lowerBound),
      Self.areEqual(input, model, view.signer.signature.upperBound..<count),
      let signingTime = Self.time(input, time)
    else { return nil }
    var result = view
    result.signer.attributes.signingTime = signingTime
    return result
  }

  private static func time(_ input: Span<UInt8>, _ range: Range<Int>) -> UnixTime? {
    var scanner = DERScanner(input, range)
    guard let time = try? scanner.time(), scanner.isAtEnd else { return nil }
    return time
  }

  private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>, _ range: Range<Int>) -> Bool {
    left.extracting(range).elementsEqualByVectors(right.extracting(range))
  }
}
