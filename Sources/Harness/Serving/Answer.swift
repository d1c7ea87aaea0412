import CSodium
import Differential
import PaymentToken
import StrictJSON

/// One line of output, including its newline.
package struct Answer {
  package private(set) var bytes: [UInt8]

  private init(_ document: JSON) {
    bytes = Array((document.text + "\n").utf8)
  }

  /// The answer to a `hello` that was accepted.
  ///
  /// - Parameter version: the version of this program.
  static func hello(_ engine: any TokenDecryptor, version: String) -> Answer {
    Answer([
      "hello": LineProtocol.version, "name": "assay \(engine.name)", "version": version,
      "supports": LineProtocol.supported,
    ])
  }

  /// The answer to a `hello` that cannot be used.
  static func helloError(_ error: MessageError) -> Answer {
    Answer(["hello": LineProtocol.version, "error": error.reason])
  }

  /// - Parameter id: nil if the line has none.
  static func error(_ error: MessageError, id: String?) -> Answer {
    Answer(["id": id, "error": error.reason])
  }

  static func rejected(_ fault: TokenFault, id: String) -> Answer {
    let answer: JSON = [
      "id": id, "accepted": false, "code": fault.code.rawValue, "stage": fault.stage.rawValue,
    ]
    return Answer(answer.with(fault.member.map { ["member": $0.path] } ?? [:]))
  }

  /// An unsigned token is marked by the member `signed`.
  static func accepted(plaintext: [UInt8], isSigned: Bool, id: String) -> Answer {
    let answer: JSON = ["id": id, "accepted": true]
    return Answer(answer.with(isSigned ? [:] : ["signed": false])).adding(plaintext: plaintext)
  }

  /// Adds the plaintext in base64, without leaving a copy of the text elsewhere in memory.
  private func adding(plaintext: [UInt8]) -> Answer {
    let name = Array(#","plaintext":""#.utf8)
    let end = Array("\"}\n".utf8)
    // Drop the closing brace and newline.
    let start = bytes.dropLast(2) + name
    let variant = Int32(sodium_base64_VARIANT_ORIGINAL)
    let size = sodium_base64_encoded_len(plaintext.count, variant)
    var answer = self
    answer.bytes = [UInt8](unsafeUninitializedCapacity: start.count + size + end.count) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = buffer[...].update(fromContentsOf: start)
      // `size` includes a terminating zero, which `end` overwrites.
      base.advanced(by: count).withMemoryRebound(to: CChar.self, capacity: size) { text in
        _ = sodium_bin2base64(text, size, plaintext, plaintext.count, variant)
      }
      count += size - 1
      count = buffer[count...].update(fromContentsOf: end)
    }
    return answer
  }

  /// Overwrites the bytes. Call it when they have been written.
  package mutating func wipe() {
    bytes.wipe()
  }
}
