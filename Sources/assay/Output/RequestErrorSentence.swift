import Gateways

extension RequestError {
  /// What is wrong with the request, without a full stop; nothing of what it holds.
  var sentence: String {
    switch self {
    case .repeatedName(let path): "the request has \(path) twice"
    case .wrongType(let path): "the request's \(path) is of the wrong type"
    case .unknownValue(let path): "the request's \(path) has a value that its gateway does not describe"
    case .contradiction(let path, let other): "the request's \(path) and \(other) differ"
    case .unknownCurrency(let path): "the request's \(path) is no currency of ISO 4217"
    case .missing(let path): "the request has no \(path)"
    case .invalidAmount: "the request's amount is not one of its currency"
    case .malformed: "the request cannot be read"
    case .noAmount: "the request names no amount beside the token"
    case .otherCurrency: "the request names another currency than --expect-currency"
    case .noCurrency: "the request names no currency beside the token"
    }
  }
}
