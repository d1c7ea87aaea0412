import PaymentToken

extension ReferenceDecryptor {
  /// Stage 13, first half: the plaintext as JSON.
  ///
  /// - Throws: `malformedPayload`.
  static func readPayloadJSON(_ plaintext: WipedBytes, trace: inout Trace) throws(TokenFault) -> JSONDocument {
    trace.begin(.payload)
    do {
      return try JSONDocument(plaintext)
    } catch {
      // A guess from the first byte, for the explanation only.
      let form: PayloadProblem.Form =
        switch plaintext.all.first {
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        default: .notJSON
        }
      trace.note(.payloadProblem(PayloadProblem(rule: "13.1", member: nil, form: form)))
      throw TokenFault(.malformedPayload)
    }
  }

  /// Stage 13, second half: the members. The caller wipes the document.
  ///
  /// - Throws: `malformedPayload`.
  static func readPayload(
    _ document: JSONDocument, version: TokenVersion, trace: inout Trace
  ) throws(TokenFault) -> Payload {
    do {
      return try Payload(document, version: version)
    } catch {
      trace.note(.payloadProblem(error))
      throw TokenFault(.malformedPayload)
    }
  }
}
