import Gateways
import PaymentToken
import TestCases

/// The lines that an external reads, each with its newline (Docs/LineProtocol.md).
enum ProtocolLines {
  static func hello(_ setting: TestSetting, windowSeconds: UInt32?) -> [UInt8] {
    var line = LineWriter()
    line.add(#"{"hello":1,"keys":["#)
    line.list(setting.keys) { line, key in
      line.add(#"{"privateKeyPem":"#)
      line.string(key.privateKeyPem)
      line.add(#","certificatePem":"#)
      line.string(key.certificatePem)
      line.add(#","merchantId":"#)
      line.string(key.merchantId)
      line.add("}")
    }
    line.add(#"],"rootsPem":["#)
    line.list(setting.rootsPem) { $0.string($1) }
    line.add(#"],"windowSeconds":"#)
    line.add(windowSeconds.map { String($0) } ?? "null")
    line.add("}\n")
    return line.octets
  }

  static func trial(_ trial: TestCase, id: String) -> [UInt8] {
    var line = LineWriter()
    line.add(#"{"id":"#)
    line.string(id)
    line.add(#","token":""#)
    line.add(Base64.encode(trial.request))
    line.add(#"","at":"#)
    line.string(trial.context.now.rfc3339)
    let policy = members(of: trial.context.policy)
    if !policy.isEmpty { line.add(#","policy":{"# + policy.joined(separator: ",") + "}") }
    if !trial.context.prelude.isEmpty {
      line.add(#","prelude":["#)
      line.list(trial.context.prelude) { $0.add("\"" + Base64.encode($1) + "\"") }
      line.add("]")
    }
    line.add("}\n")
    return line.octets
  }

  /// Only what differs from the protocol's defaults.
  private static func members(of policy: TestPolicy) -> [String] {
    var members: [String] = []
    if policy.envelope != .named(.apple), let name = policy.envelope.name { members.append(#""envelope":"\#(name)""#) }
    if policy.isUnsigned { members.append(#""unsigned":true"#) }
    var expected: [String] = []
    if let currency = policy.expectations.currencyCode {
      expected.append(#""currency":\#(LineWriter.quoted(currency))"#)
    }
    if let amount = policy.expectations.transactionAmount { expected.append(#""amount":\#(amount)"#) }
    if let data = policy.expectations.applicationData { expected.append(#""applicationData":"\#(data.hex)""#) }
    if !expected.isEmpty { members.append(#""expect":{"# + expected.joined(separator: ",") + "}") }
    if policy.replayCapacity != nil { members.append(#""replay":true"#) }
    if !policy.revoked.isEmpty {
      members.append(#""revoked":["# + policy.revoked.map { "\"\($0.hex)\"" }.joined(separator: ",") + "]")
    }
    return members
  }
}

/// A line under construction.
private struct LineWriter {
  private(set) var octets: [UInt8] = []

  mutating func add(_ text: String) {
    octets += text.utf8
  }

  static func quoted(_ text: String) -> String {
    var writer = LineWriter()
    writer.string(text)
    return String(decoding: writer.octets, as: UTF8.self)
  }

  /// A string in quotes, or null.
  mutating func string(_ text: String?) {
    guard let text else { return add("null") }
    octets.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): octets += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): octets += Array("\\n".utf8)
      case 0..<0x20: add("\\u00" + Hex.encode([byte]))
      default: octets.append(byte)
      }
    }
    octets.append(UInt8(ascii: "\""))
  }

  mutating func list<Element>(_ elements: [Element], _ write: (inout LineWriter, Element) -> Void) {
    for (index, element) in elements.enumerated() {
      if index > 0 { add(",") }
      write(&self, element)
    }
  }
}
