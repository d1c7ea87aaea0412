import CSodium
import Differential
import PaymentToken
import StrictJSON

/// One line of output, its newline included.
package struct Answer {
  package private(set) var bytes: [UInt8]

  private init(_ document: JSON) {
    bytes = Array((document.text + "\n").utf8)
  }

  /// Ready for tokens.
  ///
  /// - Parameter version: of this program.
  static func hello(_ engine: any TokenDecryptor, version: String) -> Answer {
    Answer([
      "hello": LineProtocol.version, "name": "assay \(engine.name)", "version": version,
      "supports": LineProtocol.supported,
    ])
  }

  /// Not ready for tokens.
  static func helloError(_ error: MessageError) -> Answer {
    Answer(["hello": LineProtocol.version, "error": error.reason])
  }

  /// - Parameter id: nil when the line did not tell.
  static func error(_ error: MessageError, id: String?) -> Answer {
    Answer(["id": id, "error": error.reason])
  }

  static func rejected(_ fault: TokenFault, id: String) -> Answer {
    let answer: JSON = [
      "id": id, "accepted": false, "code": fault.code.rawValue, "stage": fault.stage.rawValue,
    ]
    return Answer(answer.with(fault.member.map { ["member": $0.path] } ?? [:]))
  }

  /// A token that nobody signed is told by a member of its own.
  static func accepted(plaintext: [UInt8], isSigned: Bool, id: String) -> Answer {
    let answer: JSON = ["id": id, "accepted": true]
    return Answer(answer.with(isSigned ? [:] : ["signed": false])).adding(plaintext: plaintext)
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
