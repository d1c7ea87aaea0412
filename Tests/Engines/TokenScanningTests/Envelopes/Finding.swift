import PaymentToken
import TokenScanning

/// The result of stage 0, as a value to compare.
enum Finding: Equatable {
  case whole
  /// The text of the object.
  case object(String)
  /// The content of the string.
  case text(String)
  case base64(String)
  case parts(isSigned: Bool)
}

/// A verdict of stage 0, without the decoding of base64.
struct Reading: Equatable {
  var envelope: String
  var finding: Finding
  var identifier = TransactionIdentifier.absent

  static func of(
    _ request: [UInt8], by selection: EnvelopeSelection
  ) -> Result<Reading, TokenFault> {
    var reader = EnvelopeReader(selection)
    return of(request, by: &reader)
  }

  static func of(_ request: [UInt8], by reader: inout EnvelopeReader) -> Result<Reading, TokenFault> {
    do throws(TokenFault) {
      let wrapped = try reader.read(request.span)
      try wrapped.checkFields()
      return .success(
        Reading(
          envelope: wrapped.envelope, finding: finding(wrapped.form, in: request.span),
          identifier: wrapped.transactionIdentifier))
    } catch {
      return .failure(error)
    }
  }

  private static func finding(_ form: ExtractedToken.Form, in request: Span<UInt8>) -> Finding {
    switch form {
    case .request: .whole
    case .object(let range): .object(String(decoding: request.extracting(range).bytesCopy, as: UTF8.self))
    case .text(let string): .text(string.text(in: request))
    case .base64(let string): .base64(string.text(in: request))
    case .parts(let parts): .parts(isSigned: parts.isSigned)
    }
  }
}

extension Span<UInt8> {
  fileprivate var bytesCopy: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// The fault of a request; nil if a token is found.
func fault(_ request: String, _ selection: EnvelopeSelection) -> TokenFault? {
  switch Reading.of(Array(request.utf8), by: selection) {
  case .success: nil
  case .failure(let fault): fault
  }
}

func fault(_ request: String, _ envelope: Envelope) -> TokenFault? { fault(request, .named(envelope)) }

/// The finding in a request.
func found(_ request: String, _ envelope: Envelope) throws -> Finding {
  try Reading.of(Array(request.utf8), by: .named(envelope)).get().finding
}

let malformed = TokenFault(.malformedEnvelope)
