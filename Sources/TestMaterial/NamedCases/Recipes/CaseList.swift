import Gateways
import Minting
import PaymentToken

/// Collects the named cases.
///
/// A case has a name, the rule that decides it, the expected verdict, and a closure that edits a valid token. The name
/// also contains the standing and the traits (`CaseName`). Each file of a stage extends this type with methods that add
/// the cases of a group of rules.
package struct CaseList {
  private(set) var recipes: [CaseRecipe] = []

  typealias Build = @Sendable (inout CaseDraft) throws -> Void

  mutating func add(_ recipe: CaseRecipe) {
    recipes.append(recipe)
  }

  /// A token that must be accepted.
  mutating func accept(_ clause: String, _ name: CaseName, note: String = "", _ build: @escaping Build) {
    request(clause, name, note: note, build)
  }

  /// A token that must be refused with this code.
  mutating func reject(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code, _ member: TokenMember? = nil, note: String = "",
    _ build: @escaping Build
  ) {
    request(clause, name, TokenFault(code, member: member), note: note, build)
  }

  // MARK: Families of cases

  /// The token's JSON holds this text as the value of an unknown member.
  mutating func unknownValue(_ clause: String, _ name: CaseName, _ code: TokenFault.Code?, _ text: String) {
    unknownValue(clause, name, code, Array(text.utf8))
  }

  mutating func unknownValue(_ clause: String, _ name: CaseName, _ code: TokenFault.Code?, _ text: [UInt8]) {
    either(clause, name, code) { $0.json { $0.append("unknown", .raw(text)) } }
  }

  /// A token that must be refused with this code, or accepted when `code` is nil.
  mutating func either(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code?, note: String = "", _ build: @escaping Build
  ) {
    request(clause, name, code.map { TokenFault($0) }, note: note, build)
  }

  /// A token of RSA_v1, accepted when `code` is nil. The name gets the prefix `rsa-`.
  mutating func rsa(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = nil, _ member: TokenMember? = nil, key: Int = 0,
    note: String = "", _ build: @escaping Build = { _ in }
  ) {
    let expected = code.map { CaseRecipe.Expected.reject(TokenFault($0, member: member)) } ?? .accept
    let recipe = CaseRecipe(name: name, clause: clause, note: note, expected: expected, build: build)
    recipes.append(recipe.underRSA(key: key))
  }

  // MARK: Cases derived from others

  /// Adds cases of EC_v1 again with tokens of RSA_v1, without their notes.
  mutating func underRSA(_ names: String...) {
    for name in names { recipes.append(recipe(name).underRSA(note: "")) }
  }

  /// Adds a case of EC_v1 again with a token of RSA_v1, under another name with the prefix `rsa-`.
  mutating func underRSA(_ name: String, as otherName: CaseName) {
    recipes.append(recipe(name).underRSA(as: otherName, note: ""))
  }

  /// Adds cases, and then each of them with a token of RSA_v1.
  mutating func underBothVersions(_ add: (inout CaseList) -> Void) {
    let first = recipes.count
    add(&self)
    recipes += recipes[first...].map { $0.underRSA() }
  }

  /// Adds a case again as a repeated request, under another name with the suffix `-asked-about-twice`.
  mutating func repeated(_ name: String, as otherName: CaseName) {
    recipes.append(recipe(name).repeated(as: otherName))
  }

  /// A case that was added before. An unknown name is a programming error, found at the first use of the list.
  private func recipe(_ name: String) -> CaseRecipe {
    guard let recipe = recipes.first(where: { $0.name == name }) else { preconditionFailure("no case \(name)") }
    return recipe
  }

  // MARK: One layer edited

  /// The CMS is edited after it was signed.
  mutating func signature(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedSignature,
    _ edit: @escaping @Sendable (inout ASN1Node) -> Void
  ) {
    either(clause, name, code) { try $0.signature(edit) }
  }

  /// The signed attributes are edited before they are signed.
  mutating func attributes(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedSignature, sorted: Bool = true,
    _ edit: @escaping @Sendable (inout [ASN1Node]) -> Void
  ) {
    either(clause, name, code) { try $0.attributes(sorted: sorted, edit) }
  }

  /// An unknown signed attribute holds this value.
  mutating func attributeValue(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code?, _ value: ASN1Node
  ) {
    attributes(clause, name, code) { $0.append(.sequence([OID.unknown, .set([value])])) }
  }

  /// The leaf is edited before it is issued.
  mutating func leaf(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedSignature,
    _ edit: @escaping @Sendable (inout CertificateRecipe) -> Void
  ) {
    either(clause, name, code) { try $0.leaf(edit) }
  }

  /// The intermediate is edited before it is issued.
  mutating func intermediate(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedSignature,
    _ edit: @escaping @Sendable (inout CertificateRecipe) -> Void
  ) {
    either(clause, name, code) { try $0.intermediate(edit) }
  }

  /// One case with an edited leaf and one with an edited intermediate, named `leaf-…` and `intermediate-…`.
  mutating func leafAndIntermediate(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedSignature,
    _ edit: @escaping Edit<CertificateRecipe>
  ) {
    leaf(clause, "leaf-\(name)", code, edit)
    intermediate(clause, "intermediate-\(name)", code, edit)
  }

  /// An edited PKI issues all certificates; its root is trusted.
  mutating func chain(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code?, _ edit: @escaping Edit<TestPKI>
  ) {
    either(clause, name, code) { try $0.chain(edit) }
  }

  /// The payload is edited before it is encrypted.
  mutating func payload(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedPayload,
    _ edit: @escaping @Sendable (inout JSONObject) -> Void
  ) {
    either(clause, name, code) { try $0.payload(edit) }
  }

  /// The cryptogram of a 3DSecure payment is this value; nil for none.
  mutating func cryptogram(_ name: CaseName, _ value: JSONValue?, _ code: TokenFault.Code? = .malformedPayload) {
    payload("13.4", "cryptogram-\(name)", code) { $0[["paymentData", "onlinePaymentCryptogram"]] = value }
  }

  /// The cryptogram of a 3DSecure payment, and in a second case the data of an EMV payment, is this value.
  mutating func base64InPayload(_ name: CaseName, _ value: JSONValue?, _ code: TokenFault.Code? = .malformedPayload) {
    cryptogram(name, value, code)
    payload("13.4", "emv-data-\(name)", code) { $0.becomeEMV(["emvData": value]) }
  }

  /// Another plaintext is encrypted.
  mutating func plaintext(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code? = .malformedPayload,
    _ edit: @escaping @Sendable (inout [UInt8]) -> Void
  ) {
    either(clause, name, code) { draft in
      var plaintext = draft.layers.plaintext
      edit(&plaintext)
      try draft.reseal(plaintext)
    }
  }
}
