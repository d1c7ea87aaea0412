import PaymentToken

/// What a request says that its payment is of.
///
/// Nobody signed these fields: whoever sends the token writes them as well. To compare them with the token catches mistakes
/// (another order's request, major taken for minor units, another currency), never an attacker: only an amount that the
/// merchant's own records name does that.
public struct RequestTerms: Hashable, Sendable {
  /// An amount as gateways write it.
  public enum Amount: Hashable, Sendable {
    /// Minor units.
    case minorUnits(Int64)
    /// Major units, as written.
    case decimal(String)
  }

  /// Nil where the request has none.
  public let amount: Amount?
  /// Nil where the request has none.
  public let currency: Currency?

  public init(amount: Amount?, currency: Currency?) {
    self.amount = amount
    self.currency = currency
  }

  /// ISO 4217 numeric, three digits.
  ///
  /// - Throws: `noCurrency`.
  public func currencyCode() throws(RequestError) -> String {
    guard let currency else { throw .noCurrency }
    return currency.numericCode
  }

  /// The amount in minor units.
  ///
  /// - Parameter currency: what the amount is in, if the caller knows; needed where the request does not say it.
  /// - Throws: `noAmount`, `noCurrency`, `invalidAmount`; `otherCurrency` where the request says another than the caller.
  public func transactionAmount(in currency: Currency? = nil) throws(RequestError) -> Int64 {
    if let currency, let own = self.currency, own != currency { throw .otherCurrency }
    switch amount {
    case nil: throw .noAmount
    case .minorUnits(let amount): return amount
    case .decimal(let text):
      guard let currency = self.currency ?? currency else { throw .noCurrency }
      do {
        return try currency.minorUnits(ofDecimalText: text)
      } catch {
        throw .invalidAmount(error)
      }
    }
  }

  /// Both, as an engine takes them.
  ///
  /// - Throws: `noAmount`, `noCurrency`, `invalidAmount`.
  public func expectations() throws(RequestError) -> Expectations {
    Expectations(currencyCode: try currencyCode(), transactionAmount: try transactionAmount())
  }
}
