import Gateways
import HostIO
import Reports

/// The command that sends a body, with placeholders in braces for the merchant's own values.
package enum CurlCommand {
  /// The body goes through standard input, since everyone on the machine can see the words of a command.
  package static func text(_ body: OutgoingBody) -> String {
    guard let endpoint = body.body.endpoint else { return String(decoding: body.text, as: UTF8.self) + "\n" }
    let headers = endpoint.headers.map { "--header \(ShellWord.quoted($0))" }
    let words =
      ["curl --fail-with-body --request \(endpoint.method)"] + headers
      + ["--data-binary @- \(ShellWord.quoted(endpoint.address)) <<'\(end)'"]
    return words.joined(separator: " \\\n  ") + "\n" + String(decoding: body.text, as: UTF8.self) + "\n\(end)\n"
  }

  /// No line of a JSON document equals this word.
  private static let end = "END-OF-BODY"
}

extension RequestError {
  /// What is wrong with a request, a response or an order, without a full stop and without its content.
  package func sentence(of text: String = "request") -> String {
    switch self {
    case .repeatedName(let path): "the \(text) has \(path) twice"
    case .wrongType(let path): "the \(text)'s \(path) is of the wrong type"
    case .unknownValue(let path): "the \(text)'s \(path) has a value that its gateway does not describe"
    case .contradiction(let path, let other): "the \(text)'s \(path) and \(other) differ"
    case .unknownCurrency(let path): "the \(text)'s \(path) is no currency of ISO 4217"
    case .missing(let path): "the \(text) has no \(path)"
    case .invalidAmount(let error): "the \(text)'s amount is not valid: \(error.reason)"
    case .malformed: "the \(text) cannot be read"
    case .noAmount: "the \(text) names no amount beside the token"
    case .otherCurrency: "the \(text) names another currency than --expect-currency"
    case .noCurrency: "the \(text) names no currency beside the token"
    }
  }
}
