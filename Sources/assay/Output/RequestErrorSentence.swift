import Gateways

extension RequestError {
  /// What is wrong with the request, without a full stop; nothing of what it holds.
  var sentence: String { sentence(of: "request") }

  /// What is wrong with a request, an answer or an order, called so, without a full stop; nothing of what it holds.
  func sentence(of text: String) -> String {
    switch self {
    case .repeatedName(let path): "the \(text) has \(path) twice"
    case .wrongType(let path): "the \(text)'s \(path) is of the wrong type"
    case .unknownValue(let path): "the \(text)'s \(path) has a value that its gateway does not describe"
    case .contradiction(let path, let other): "the \(text)'s \(path) and \(other) differ"
    case .unknownCurrency(let path): "the \(text)'s \(path) is no currency of ISO 4217"
    case .missing(let path): "the \(text) has no \(path)"
    case .invalidAmount: "the \(text)'s amount is not one of its currency"
    case .malformed: "the \(text) cannot be read"
    case .noAmount: "the \(text) names no amount beside the token"
    case .otherCurrency: "the \(text) names another currency than --expect-currency"
    case .noCurrency: "the \(text) names no currency beside the token"
    }
  }
}
