import Gateways
import HostIO
import StrictJSON

/// What is said beside a request that sends a payment on: on standard error, and in the document of `--json`.
struct Remarks {
  private let output: OutputOptions
  /// All of them, whether --quiet suppresses them on standard error or not.
  private(set) var sentences: [String] = []
  /// Why there is no request.
  private(set) var refusals: [String] = []

  init(_ output: OutputOptions) {
    self.output = output
  }

  /// Says what changes or is dropped on the way out, also with --quiet: nobody else would notice.
  mutating func tell(_ sentence: String) {
    sentences.append(sentence)
    Console.remark(sentence)
  }

  /// Says what the answer or the exit code shows as well.
  mutating func add(_ sentence: String) {
    sentences.append(sentence)
    output.remark(sentence)
  }

  /// The request that a closure makes; nil if it refuses to, and says why.
  mutating func body(
    _ make: (inout Remarks) throws(OutgoingRequest.Refusal) -> OutgoingBody
  ) -> OutgoingBody? {
    do throws(OutgoingRequest.Refusal) {
      return try make(&self)
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
