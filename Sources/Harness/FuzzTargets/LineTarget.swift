import Differential
import ReferenceDecryption

/// The lines of the protocol: read by what asks, and never read where they are not strict JSON.
extension FuzzTargets {
  public static func line(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let line = octets(data, size)
    let isMessage = AnswerReaders.isMessage(line)
    let answers = AnswerReaders.read(line)
    if (answers.hello || answers.token) && !isMessage { fail("readers", "line an answer", "line no message") }
    if isMessage, JSONWalk.read(line) == nil { fail("readers", "line a message", "line malformed JSON") }
    return 0
  }
}
