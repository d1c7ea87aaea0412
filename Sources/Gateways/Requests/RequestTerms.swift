import PaymentToken

/// The amount and currency that a request names.
///
/// These fields are unsigned: whoever sends the token writes them as well. Comparing them with the token catches
/// mistakes (another order's request, major units for minor units, another currency) but never an attacker. Only a
/// comparison with the merchant's own records stops an attacker.
public struct RequestTerms: Hashable, Sendable {
  /// An amount as gateways write it.
  public enum Amount: Hashable, Sendable {
    /// Minor units.
    case minorUnits(Int64)
    /// Major units, as written.
    case decimal(String)
  }

  /// Nil if absent.
  public let amount: Amount?
  /// Nil if absent.
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
  /// - Parameter currency: the currency, if the caller knows it; required if the request does not name it.
  /// - Throws: `noAmount`, `noCurrency`, `invalidAmount`; `otherCurrency` if the request names another one.
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

  /// Why the amount cannot be one of this currency; nil if it can, or is absent.
  package func amountError(in currency: Currency) -> AmountError? {
    do throws(AmountError) {
      switch amount {
      case nil: break
      case .minorUnits(let amount): _ = try currency.decimalText(ofMinorUnits: amount)
      case .decimal(let text): _ = try currency.minorUnits(ofDecimalText: text)
      }
      return nil
    } catch {
      return error
    }
  }
}
