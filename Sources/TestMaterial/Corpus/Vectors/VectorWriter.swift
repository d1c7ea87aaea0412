import Gateways
import PaymentToken
import TestCases

/// Writes vector files: the same value gives the same octets, a test a line, so that changes are read line by line.
public enum VectorWriter {
  /// The file's octets; `VectorReader` reads the same value from them.
  public static func write(_ file: VectorFile) -> [UInt8] {
    var text = JSONLines()
    text.add("{")
    text.member("schema", VectorFile.schema)
    text.member("generator", file.generator)
    text.member("seed", raw: String(file.seed))
    text.add("\n\"notes\":{")
    text.list(file.notes) { text, note in
      text.string(note.flag)
      text.add(":{")
      text.member("bugType", note.bugType)
      text.member("description", note.description)
      text.member("effect", note.effect)
      text.close("}")
    }
    text.add("},\n\"groups\":[")
    text.list(file.groups, write)
    text.add("]}\n")
    return text.bytes
  }

  private static func write(_ text: inout JSONLines, _ group: TestGroup) {
    text.add("{\"keys\":[")
    text.list(group.setting.keys) { text, key in
      text.add("{")
      text.member("privateKeyPem", key.privateKeyPem)
      text.member("certificatePem", key.certificatePem)
      text.member("merchantId", key.merchantId)
      text.close("}")
    }
    text.add("],\n\"rootsPem\":[")
    text.list(group.setting.rootsPem) { $0.string($1) }
    text.add("],\n")
    // What the cases of a group share is written once.
    if let context = group.cases.first?.context {
      text.member("at", context.now.rfc3339)
      text.member("windowSeconds", raw: context.policy.windowSeconds.map { String($0) } ?? "null")
      write(&text, context.policy)
    }
    text.add(",\n\"tests\":[")
    text.list(group.cases, write)
    text.add("]}")
  }

  private static func write(_ text: inout JSONLines, _ policy: TestPolicy) {
    text.add("\"policy\":{")
    text.member("envelope", policy.envelope.name)
    text.member("unsigned", raw: policy.isUnsigned ? "true" : "false")
    text.add("\"expect\":{")
    text.member("currency", policy.expectations.currencyCode)
    text.member("amount", raw: policy.expectations.transactionAmount.map { String($0) } ?? "null")
    text.member("applicationData", policy.expectations.applicationData?.hex)
    text.close("},")
    text.member("replay", raw: policy.replayCapacity != nil ? "true" : "false")
    text.member("revoked", policy.revoked.map(\.hex))
    text.close("}")
  }

  private static func write(_ text: inout JSONLines, _ test: TestCase) {
    text.add("{")
    text.member("id", raw: test.id)
    if !test.name.isEmpty { text.member("name", test.name) }
    text.member("comment", test.comment)
    text.member("flags", test.flags)
    text.member("clauses", test.clauses)
    switch test.expected {
    case .accept(let plaintext)?, .acceptUnsigned(let plaintext)?:
      text.member("result", "accept")
      text.member("code", raw: "null")
      text.member("plaintext", Base64.encode(plaintext))
    case .reject(let fault)?:
      text.member("result", "reject")
      text.member("code", fault.code.rawValue)
      text.member("stage", raw: String(fault.stage.rawValue))
      text.member("member", fault.member?.path)
      text.member("plaintext", raw: "null")
    case nil: break
    }
    text.member("prelude", test.context.prelude.map { Base64.encode($0) })
    text.member("token", Base64.encode(test.request))
    text.close("}")
  }
}

/// JSON text that grows, members ended by commas.
private struct JSONLines {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes += text.utf8 }

  mutating func string(_ text: String) { bytes += JSONText.quoted(text) }

  mutating func member(_ name: String, raw value: String) {
    add("\"\(name)\":")
    add(value)
    add(",")
  }

  mutating func member(_ name: String, _ value: String?) {
    add("\"\(name)\":")
    if let value { string(value) } else { add("null") }
    add(",")
  }

  mutating func member(_ name: String, _ values: [String]) {
    add("\"\(name)\":[")
    for (index, value) in values.enumerated() {
      if index > 0 { add(",") }
      string(value)
    }
    add("],")
  }

  /// Ends an object in place of the comma after its last member.
  mutating func close(_ end: String) {
    if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
    add(end)
  }

  /// Elements, each on a line of its own.
  mutating func list<Element>(_ elements: [Element], _ write: (inout JSONLines, Element) -> Void) {
    for (index, element) in elements.enumerated() {
      add(index > 0 ? ",\n" : "\n")
      write(&self, element)
    }
    add("\n")
  }
}
