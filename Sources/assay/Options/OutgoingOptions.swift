import Descriptions
import Gateways
import HostIO
import Reports
import StrictJSON

extension OutgoingRequest {
  /// The gateways that accept decrypted data, for which `decrypt --output` writes requests.
  static let gateways = Gateway.all.filter(\.takesOpenedTokens)
  static let outputs = gateways.map(\.name).listed("and")
}

extension OutgoingRequest.Choices {
  static let definitions: [OptionDefinition] = [
    .choice(
      "--prefer", OrderDifference.Choice.allCases.map(\.rawValue),
      "which to send if the token and the request differ (default: refuse)"),
    .choice(
      "--capture", OrderFields.Capture.allCases.map(\.rawValue),
      "only authorize, or take the money at once (default: as in the request)"),
    .choice(
      "--operation", operations.map(\.word),
      "operation to request from \(Gateway.mpgs.nameInText) (default: as in the request)"
    ),
    .value("--reference", "TEXT", "the merchant's order reference (default: as in the request)"),
  ]

  private static let operations: [(word: String, operation: MastercardRequest.Operation)] = [
    ("authorize", .authorize), ("pay", .pay), ("update-session", .updateSession),
  ]

  /// - Parameter gateway: the recipient of the request; nil without a request.
  /// - Throws: `CommandError` for choices that contradict each other or do not apply to the output.
  init(_ arguments: ParsedArguments, for gateway: Gateway?) throws(CommandError) {
    self.init()
    preference = arguments.choice("--prefer")
    capture = arguments.choice("--capture")
    let word = arguments.value("--operation")
    operation = Self.operations.first { $0.word == word }?.operation
    reference = arguments.value("--reference")
    for option in ["--prefer", "--capture", "--operation", "--reference"]
    where gateway == nil && arguments.value(option) != nil {
      throw .usage("\(option) is for --output \(OutgoingRequest.outputs).")
    }
    if operation != nil, gateway?.id != .mpgs {
      throw .usage("--operation is for \(Gateway.mpgs.nameInText), \(Gateway.mpgs.name).")
    }
    if reference?.isEmpty == true { throw .usage("--reference must not be empty.") }
    if preference == .request {
      for option in ["--expect-amount", "--expect-currency"] {
        guard let expected = arguments.value(option), expected != RequestExpectations.word else { continue }
        throw .usage("\(option) is about the token: with --prefer request what is sent on might be another.")
      }
    }
    if operation != nil, capture != nil { throw .usage("--operation and --capture exclude each other.") }
  }
}

/// The remarks about a request that sends a payment on, for standard error and for the document of `--json`.
struct Remarks {
  private let output: OutputOptions
  /// All remarks, including those that --quiet suppresses on standard error.
  private(set) var sentences: [String] = []
  /// Why there is no request.
  private(set) var refusals: [String] = []

  init(_ output: OutputOptions) {
    self.output = output
  }

  /// Reports a change or an omission in the request, even with --quiet: nothing else would show it.
  mutating func tell(_ sentence: String) {
    sentences.append(sentence)
    Console.remark(sentence)
  }

  /// Reports what the answer or the exit code also shows. With --quiet it is not written to standard error.
  mutating func add(_ sentence: String) {
    sentences.append(sentence)
    output.remark(sentence)
  }

  /// Returns the request that a closure makes. If the closure refuses, reports why and returns nil.
  ///
  /// - Parameter make: receives what it may report, to be told.
  mutating func body(
    _ make: (inout [String]) throws(OutgoingRequest.Refusal) -> OutgoingBody
  ) -> OutgoingBody? {
    var told: [String] = []
    let made = Result { () throws(OutgoingRequest.Refusal) in try make(&told) }
    for sentence in told { tell(sentence) }
    do {
      return try made.get()
    } catch {
      refusals += error.messages
      error.messages.forEach(output.remark)
      return nil
    }
  }

  /// The document `assay.gateway-request/1`; the request is null if it was refused.
  func document(_ body: OutgoingBody?, for gateway: Gateway) -> JSON {
    [
      "schema": "assay.gateway-request/1", "gateway": gateway.name, "body": body?.body.name,
      "request": body.map { JSON.verbatim(String(decoding: $0.text, as: UTF8.self)) }, "refusals": refusals,
      "remarks": sentences,
    ]
  }
}
