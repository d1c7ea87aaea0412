import Foundation
import Gateways
import Minting
import PaymentToken
import ReferenceDecryption

/// A minted token in requests written by hand, and the engine that opens it.
struct RequestFixture {
  let engine: ReferenceDecryptor
  let layers: TokenLayers
  /// The token's JSON.
  let token: String
  let transactionId: String

  init() throws {
    let minter = try Minted.minter()
    engine = try Minted.engine(minter)
    var recipe = TokenRecipe()
    recipe.applicationData = [UInt8](repeating: 7, count: 32)
    let minted = try minter.mint(recipe)
    layers = minted.layers
    token = String(decoding: minted.bytes, as: UTF8.self)
    transactionId = Hex.encode(minted.transactionId)
  }

  // MARK: Requests

  var quotedToken: String { String(decoding: JSONText.quoted(token), as: UTF8.self) }
  var base64Token: String { Base64.encode(Array(token.utf8)) }

  var applepayjs: String { #"{"token":{"paymentData":\#(token),"transactionIdentifier":"\#(transactionId)"}}"# }
  var alphapay: String { #"{"paymentId":"p","token":{"paymentData":\#(token)}}"# }
  var mpgs: String { mpgs(quotedToken) }
  var bambora: String { #"{"payment_method":"apple_pay","apple_pay":{"payment_token":"\#(base64Token)"}}"# }
  var worldline: String { worldline(parts()) }

  func mpgs(_ paymentToken: String, order: String = #"{"walletProvider":"APPLE_PAY"}"#) -> String {
    """
    {"order":\(order),"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":\(paymentToken)}}}}}
    """
  }

  func worldline(_ parts: String, beside: String = #""paymentProductId":302"#) -> String {
    #"{"mobilePaymentMethodSpecificInput":{\#(beside.isEmpty ? "" : beside + ",")\#(parts)}}"#
  }

  /// The members of Worldline's object, some of them with other values; an empty text leaves a member out.
  func parts(_ changes: [String: String] = [:]) -> String {
    let values = [
      ("encryptedPaymentData", quoted(Base64.encode(layers.data))),
      ("signature", quoted(Base64.encode(layers.signature))),
      ("publicKeyHash", quoted(Base64.encode(layers.publicKeyHash))),
      ("transactionId", quoted(transactionId)),
      ("ephemeralPublicKey", quoted(Base64.encode(layers.ephemeralPublicKey))),
      ("applicationData", quoted(Hex.encode(layers.applicationData ?? []))),
    ]
    return values.map { name, value in (name, changes[name] ?? value) }.filter { !$0.1.isEmpty }
      .map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  // MARK: Verdicts

  func fault(_ request: String, _ envelope: Envelope) -> TokenFault? { fault(request, from: .named(envelope)) }

  func fault(_ request: String, from selection: EnvelopeSelection) -> TokenFault? {
    engine.fault(Array(request.utf8), at: Minted.time, VerificationPolicy(envelope: selection))
  }

  func result(
    _ request: String, _ policy: VerificationPolicy
  ) -> Result<DecryptedToken, TokenFault> {
    engine.result(Array(request.utf8), at: Minted.time, policy)
  }

  func unsigned(
    _ request: String, _ policy: VerificationPolicy = VerificationPolicy(envelope: .named(.worldline))
  ) -> Result<SignedOrUnsignedToken, TokenFault> {
    engine.decryptAllowingUnsignedTraced(Array(request.utf8).span, at: Minted.time, under: policy).result
  }

  func unsignedFault(
    _ request: String, _ policy: VerificationPolicy = VerificationPolicy(envelope: .named(.worldline))
  ) -> TokenFault? {
    guard case .failure(let fault) = unsigned(request, policy) else { return nil }
    return fault
  }
}

extension TokenFault {
  static let malformedEnvelope = TokenFault(.malformedEnvelope)
  static let fieldMismatch = TokenFault(.envelopeFieldMismatch)
  static let identifierMismatch = TokenFault(.envelopeFieldMismatch, stage: .expectations)
  static let requestTooLarge = TokenFault(.tokenTooLarge, stage: .envelope)
}
