import Gateways
import PaymentToken

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

  private static func write(_ text: inout JSONLines, _ group: VectorGroup) {
    text.add("{\"keys\":[")
    text.list(group.keys) { text, key in
      text.add("{")
      text.member("privateKeyPem", key.privateKeyPem)
      text.member("certificatePem", key.certificatePem)
      text.member("merchantId", key.merchantId)
      text.close("}")
    }
    text.add("],\n\"rootsPem\":[")
    text.list(group.rootsPem) { $0.string($1) }
    text.add("],\n")
    text.member("at", group.at.rfc3339)
    text.member("windowSeconds", raw: group.windowSeconds.map { String($0) } ?? "null")
    write(&text, group.policy)
    text.add(",\n\"tests\":[")
    text.list(group.tests, write)
    text.add("]}")
  }

  private static func write(_ text: inout JSONLines, _ policy: VectorPolicy) {
    text.add("\"policy\":{")
    text.member("envelope", policy.envelope)
    text.member("unsigned", raw: policy.unsigned ? "true" : "false")
    text.add("\"expect\":{")
    text.member("currency", policy.expect.currencyCode)
    text.member("amount", raw: policy.expect.transactionAmount.map { String($0) } ?? "null")
    text.member("applicationData", policy.expect.applicationData?.hex)
    text.close("},")
    text.member("replay", raw: policy.replay ? "true" : "false")
    text.member("revoked", policy.revoked.map(\.hex))
    text.close("}")
  }

  private static func write(_ text: inout JSONLines, _ test: VectorTest) {
    text.add("{")
    text.member("id", raw: String(test.id))
    if let name = test.name { text.member("name", name) }
    text.member("comment", test.comment)
    text.member("flags", test.flags)
    text.member("clauses", test.clauses)
    switch test.verdict {
    case .accept(let plaintext):
      text.member("result", "accept")
      text.member("code", raw: "null")
      text.member("plaintext", Base64.encode(plaintext))
    case .reject(let fault):
      text.member("result", "reject")
      text.member("code", fault.code.rawValue)
      text.member("stage", raw: String(fault.stage.rawValue))
      text.member("member", fault.member?.path)
      text.member("plaintext", raw: "null")
    }
    text.member("prelude", test.prelude.map { Base64.encode($0) })
    text.member("token", Base64.encode(test.token))
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
