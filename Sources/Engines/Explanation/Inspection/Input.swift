import PaymentToken
import ReferenceDecryption

/// What was given, and the token in it as far as it can be found.
struct Input {
  let request: [UInt8]
  /// The bytes that are taken for the token: the request's where nothing was extracted, none for parts.
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
