import Gateways
import Reports

/// The command that sends a body, for people to copy: words in braces stand for what is the merchant's.
enum CurlCommand {
  /// The body comes by standard input: a word of a command is seen by everyone on the machine.
  static func text(_ body: OutgoingBody) -> String {
    guard let endpoint = body.body.endpoint else { return String(decoding: body.text, as: UTF8.self) + "\n" }
    let headers = endpoint.headers.map { "--header \(ShellWord.quoted($0))" }
    let words =
      ["curl --fail-with-body --request \(endpoint.method)"] + headers
      + ["--data-binary @- \(ShellWord.quoted(endpoint.address)) <<'\(end)'"]
    return words.joined(separator: " \\\n  ") + "\n" + String(decoding: body.text, as: UTF8.self) + "\n\(end)\n"
  }

  /// No line of JSON is like it.
  private static let end = "END-OF-BODY"
}
