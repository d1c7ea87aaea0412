import CSodium
import Differential
import PaymentToken
import StrictJSON

/// One line of output, its newline included.
package struct Answer {
  package private(set) var bytes: [UInt8]

  private init(_ members: [JSON.Member]) {
    bytes = Array((JSON.object(members).text + "\n").utf8)
  }

  /// Ready for tokens.
  ///
  /// - Parameter version: of this program.
  static func hello(_ engine: any TokenDecryptor, version: String) -> Answer {
    Answer([
      .init("hello", .integer(Int64(LineProtocol.version))), .init("name", .string("assay \(engine.name)")),
      .init("version", .string(version)),
      .init("supports", .array(LineProtocol.supported.map { .string($0) })),
    ])
  }

  /// Not ready for tokens.
  static func helloError(_ error: MessageError) -> Answer {
    Answer([.init("hello", .integer(Int64(LineProtocol.version))), .init("error", .string(error.reason))])
  }

  /// - Parameter id: nil when the line did not tell.
  static func error(_ error: MessageError, id: String?) -> Answer {
    Answer([.init("id", id.map { .string($0) } ?? .null), .init("error", .string(error.reason))])
  }

  static func rejected(_ fault: TokenFault, id: String) -> Answer {
    var members: [JSON.Member] = [
      .init("id", .string(id)), .init("accepted", .boolean(false)), .init("code", .string(fault.code.rawValue)),
      .init("stage", .integer(Int64(fault.stage.rawValue))),
    ]
    if let member = fault.member { members.append(.init("member", .string(member.path))) }
    return Answer(members)
  }

  /// A token that nobody signed is told by a member of its own.
  static func accepted(plaintext: [UInt8], isSigned: Bool, id: String) -> Answer {
    var members: [JSON.Member] = [.init("id", .string(id)), .init("accepted", .boolean(true))]
    if !isSigned { members.append(.init("signed", .boolean(false))) }
    return Answer(members).adding(plaintext: plaintext)
  }

  /// The same with one more member; the text of the plaintext stands nowhere but in the answer.
  private func adding(plaintext: [UInt8]) -> Answer {
    let name = Array(#","plaintext":""#.utf8)
    let end = Array("\"}\n".utf8)
    // Without the brace and newline that end it.
    let start = bytes.dropLast(2) + name
    let variant = Int32(sodium_base64_VARIANT_ORIGINAL)
    let size = sodium_base64_encoded_len(plaintext.count, variant)
    var answer = self
    answer.bytes = [UInt8](unsafeUninitializedCapacity: start.count + size + end.count) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = buffer[...].update(fromContentsOf: start)
      // `size` counts a zero at the end, which what follows overwrites.
      base.advanced(by: count).withMemoryRebound(to: CChar.self, capacity: size) { text in
        _ = sodium_bin2base64(text, size, plaintext, plaintext.count, variant)
      }
      count += size - 1
      count = buffer[count...].update(fromContentsOf: end)
    }
    return answer
  }

  /// Overwrites it, once it is written.
  package mutating func wipe() {
    bytes.wipe()
  }
}
