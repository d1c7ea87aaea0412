import PaymentToken
import ReferenceDecryption

/// The token's JSON, read again without the rules of stage 3, to examine what a stage rejected.
struct TokenText {
  /// The members of the token, or of the object that holds its parts.
  let members: [JSONMember]
  private let parts: EnvelopeParts?

  /// Nil when it is not one strict JSON object.
  init?(_ token: Span<UInt8>) {
    guard let document = try? JSONDocument(WipedBytes(token)) else { return nil }
    members = document.members
    parts = nil
  }

  /// The token in a request; nil when it is not one strict JSON object.
  init?(_ extracted: ExtractedRequest, in request: Span<UInt8>) {
    guard case .parts(let parts) = extracted.content else {
      guard let token = extracted.token(in: request), let document = try? JSONDocument(token) else { return nil }
      members = document.members
      self.parts = nil
      return
    }
    members = parts.members
    self.parts = parts
  }

  var isInParts: Bool { parts != nil }

  /// The value of one of the token's members.
  subscript(member: TokenMember) -> JSONValue? {
    if let parts { return parts[member] }
    let isInHeader = member.name != member.path
    return (isInHeader ? members.value(of: "header")?.members : members)?.value(of: member.name)
  }

  /// The name of a member in the input. A token in parts may use another than Apple's.
  func name(of member: TokenMember) -> String { parts?.named(member).first?.name ?? member.path }

  /// The text of a member that is a string.
  func form(of member: TokenMember) -> TextForm? {
    self[member]?.string.map { TextForm(text: Array($0)) }
  }
}

/// The input, and the token in it if it can be found.
struct Input {
  var request: [UInt8] { requestSearch.bytes }
  /// The token's bytes: the whole request if nothing was extracted, empty for parts.
  var token: [UInt8] { tokenSearch.bytes }
  /// Nil when the token is not one JSON object.
  let text: TokenText?
  private let requestSearch: TokenSearch
  private let tokenSearch: TokenSearch
  /// The search in the input as it was received, if the request was converted to JSON from it.
  private let receivedSearch: TokenSearch?

  /// The form of the request, if it is not a token's JSON object.
  var requestForm: InputForm { requestSearch.form }
  /// The form of `token`, if that is not a token's JSON object.
  var tokenForm: InputForm { tokenSearch.form }
  /// The form of the input as it was received, if the request was converted to JSON from it.
  var receivedForm: InputForm? { receivedSearch?.form }
  /// The size of the input as it was received, in bytes, if the request was converted to JSON from it.
  var receivedSize: Int? { receivedSearch?.bytes.count }
  /// The way to the token from the input as it was received, which commands read.
  var unwrapping: Unwrapping? { (receivedSearch ?? requestSearch).unwrapping }

  /// Whether the input as received was base64 alone, so the names around the token are not the sender's.
  var isBase64: Bool { receivedSearch.map { Base64Lines($0.bytes) != nil } ?? false }

  init(_ request: Span<UInt8>, receivedAs received: [UInt8]?, from selection: EnvelopeSelection) {
    receivedSearch = received.map(TokenSearch.init)
    requestSearch = TokenSearch(request.withUnsafeBufferPointer { Array($0) })
    var trace = Trace()
    guard let extracted = try? ReferenceDecryptor.extract(request, from: selection, trace: &trace) else {
      tokenSearch = requestSearch
      text = TokenText(request)
      return
    }
    let token = extracted.token(in: request).map { Array($0.all) } ?? []
    tokenSearch = token == requestSearch.bytes ? requestSearch : TokenSearch(token)
    text = TokenText(extracted, in: request)
  }
}
