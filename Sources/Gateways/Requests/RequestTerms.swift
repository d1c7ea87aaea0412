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

  /// ISO 4217 numeric, three digits.
  ///
  /// - Throws: `noCurrency`.
  public func currencyCode() throws(RequestError) -> String {
    guard let currency else { throw .noCurrency }
    return currency.numericCode
  }

  /// The amount in minor units.
  ///
  /// - Parameter currency: what a decimal amount is in where the request does not say it.
  /// - Throws: `noAmount`, `noCurrency`, `invalidAmount`.
  public func transactionAmount(in currency: Currency? = nil) throws(RequestError) -> Int64 {
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
