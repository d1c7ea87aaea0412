import PaymentToken
import ReferenceDecryption

/// The input, and the token in it if it can be found.
struct Input {
  let request: [UInt8]
  /// The token's bytes: the whole request if nothing was extracted, empty for parts.
  let token: [UInt8]
  /// Nil when the token is not one JSON object.
  let text: TokenText?

  init(_ request: Span<UInt8>, from selection: EnvelopeSelection) {
    self.request = request.withUnsafeBufferPointer { Array($0) }
    var trace = Trace()
    guard let extracted = try? ReferenceDecryptor.extract(request, from: selection, trace: &trace) else {
      token = self.request
      text = TokenText(request)
      return
    }
    token = extracted.token(in: request).map { Array($0.all) } ?? []
    text = TokenText(extracted, in: request)
  }
}
