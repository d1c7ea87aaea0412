import Gateways
import HostIO
import StrictJSON

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
