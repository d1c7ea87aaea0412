import Gateways
import HostIO
import Minting
import PaymentToken

struct PayloadOptions {
  static let definitions: [OptionDefinition] = [
    .value("--amount", "MINOR", "amount in minor units (default: 1250)"),
    .value("--currency", "CODE", "ISO 4217 code, 978 or EUR (default: 978)"),
    .choice("--type", ["3dsecure", "emv"], "kind of payment data (default: 3dsecure)"),
    .value("--cardholder", "NAME", "name of the cardholder (default: none)"),
    .value("--application-data", "HEX", "SHA-256 of the request's application data (default: none)"),
  ]

  private let amount: Int64?
  private let currency: String?
  private let emv: Bool
  private let cardholder: String?
  private let applicationData: Bytes32?

  init(_ arguments: ParsedArguments) throws(CommandError) {
    amount = try arguments.number("--amount", in: 0...999_999_999_999)
    currency = try arguments.currency("--currency")
    emv = arguments.value("--type") == "emv"
    cardholder = arguments.value("--cardholder")
    applicationData = try arguments.bytes32("--application-data")
  }

  /// The order details of a request around a token with these options.
  ///
  /// - Throws: `CommandError` for a currency without a minor unit.
  func details(index: UInt64) throws(CommandError) -> RequestDetails {
    var details = RequestDetails()
    if let amount { details.amount = amount }
    details.identifier = "order-\(index + 1)"
    guard let code = currency else { return details }
    guard let currency = Currency.numeric(code), currency.exponent != nil else {
      throw .usage("--envelope needs a currency with a minor unit, which \(code) is not.")
    }
    details.currency = currency
    return details
  }

  /// The recipe of a valid token with this index and these options.
  func recipe(index: UInt64, of minter: Minter) -> TokenRecipe {
    var recipe = TokenRecipe(index: index)
    if let amount { recipe.payload.transactionAmount = String(amount) }
    if let currency { recipe.payload.currencyCode = currency }
    if emv {
      var stream = minter.generator.stream("EMV data", index)
      let data = EMVData(
        amount: amount ?? RequestDetails().amount, currencyCode: recipe.payload.currencyCode, at: minter.time,
        from: &stream)
      recipe.payload.kind = .emv(data: data.encoded)
    }
    recipe.payload.cardholderName = cardholder
    recipe.applicationData = applicationData?.bytes
    return recipe
  }
}
