import PaymentToken

extension ReferenceDecryptor {
  /// 2.5 and 13.1: the maximum number of members in one object, repetitions included.
  static let maximumMemberCount = 64

  /// Stage 2.
  ///
  /// - Returns: the token object. Names are unique in it and in its `header`.
  /// - Throws: `malformedJSON`; `duplicateMember`, which names the member if it is one of the token's.
  static func readJSON(_ token: WipedBytes, trace: inout Trace) throws(TokenFault) -> JSONDocument {
    trace.begin(.json)
    let document: JSONDocument
    do { document = try JSONDocument(token) } catch { throw TokenFault(.malformedJSON) }
    let headers = document.members.filter { $0.name.isText("header") }.compactMap(\.value.members)
    guard document.members.count <= maximumMemberCount, headers.allSatisfy({ $0.count <= maximumMemberCount }) else {
      throw TokenFault(.malformedJSON)
    }
    try checkRepetitions(in: document.members, headers: headers)
    return document
  }

  /// 2.6: reports the repetition that comes first in the document, in the token object or in a header.
  private static func checkRepetitions(
    in members: [JSONMember], headers: [[JSONMember]]
  ) throws(TokenFault) {
    let inToken = members.repetitions.map { (offset: $0.offset, member: tokenMember(named: $0.name)) }
    let inHeaders = headers.flatMap(\.repetitions).map { (offset: $0.offset, member: headerMember(named: $0.name)) }
    guard let first = (inToken + inHeaders).min(by: { $0.offset < $1.offset }) else { return }
    throw TokenFault(.duplicateMember, member: first.member)
  }

  private static func tokenMember(named name: WipedSlice) -> TokenMember? {
    let known: [TokenMember] = [.version, .data, .signature, .header]
    return known.first { name.isText($0.name) }
  }

  private static func headerMember(named name: WipedSlice) -> TokenMember? {
    let known: [TokenMember] = [.ephemeralPublicKey, .wrappedKey, .publicKeyHash, .transactionId, .applicationData]
    return known.first { name.isText($0.name) }
  }
}
