import Differential
import MerchantKeys
import PaymentToken
import TestCases

/// Constants of the line protocol: one JSON object per line of standard input, one answer per line of standard output.
package enum LineProtocol {
  /// The version that `hello` names.
  package static let version = 1

  /// The supported token versions and policy features, for the answer to `hello`.
  package static let supported = ExternalIdentity.words.filter { $0 != "merchantId" }

  /// The maximum size of a line, 4 MiB: enough for a thousand keys, or 47 of the largest requests.
  package static let lineLimit = 4 << 20
}

/// One session: first `hello`, then any number of tokens. Every line gets an answer.
package struct ServingSession {
  private let version: String
  /// Makes the engine with the keys and roots of `hello`.
  private let makeEngine: EngineContender.Maker<any TokenDecryptor>
  /// The engine and window that `hello` loaded.
  private var ready: (engine: any TokenDecryptor, window: UInt32?)?

  /// - Parameter version: the version of this program, for the answer to `hello`.
  package init(version: String, makeEngine: @escaping EngineContender.Maker<any TokenDecryptor>) {
    self.version = version
    self.makeEngine = makeEngine
  }

  /// The answer to a line beyond the size limit.
  package func answerToOverlongLine() -> Answer {
    refusal(of: MessageError("the line is longer than \(LineProtocol.lineLimit) bytes"))
  }

  /// The answer to a line.
  package mutating func answer(_ line: Span<UInt8>) -> Answer {
    let message: MessageObject
    do {
      message = try MessageObject(reading: line)
    } catch {
      return refusal(of: error)
    }
    return message.has("hello", in: line) ? answerToHello(message, in: line) : answerToTest(message, in: line)
  }

  /// The answer to a line of unknown kind.
  private func refusal(of error: MessageError) -> Answer {
    ready == nil ? .helloError(error) : .error(error, id: nil)
  }

  private mutating func answerToHello(_ message: MessageObject, in line: Span<UInt8>) -> Answer {
    do throws(MessageError) {
      guard ready == nil else { throw MessageError("hello was already accepted") }
      let hello = try HelloMessage(message, in: line)
      let engine = try engine(hello)
      ready = (engine, hello.window)
      return .hello(engine, version: version)
    } catch {
      return .helloError(error)
    }
  }

  private func engine(_ hello: HelloMessage) throws(MessageError) -> any TokenDecryptor {
    do {
      return try makeEngine(hello.keys, hello.anchors)
    } catch {
      throw MessageError(error.reason)
    }
  }

  private func answerToTest(_ message: MessageObject, in line: Span<UInt8>) -> Answer {
    var id: String?
    do throws(MessageError) {
      let known = try message.text("id", in: line).required("id")
      id = known
      guard let ready else { throw MessageError("hello must come first") }
      return Self.answer(try TestInput(message, in: line, window: ready.window), by: ready.engine, id: known)
    } catch {
      return .error(error, id: id)
    }
  }

  private static func answer(_ test: TestInput, by engine: any TokenDecryptor, id: String) -> Answer {
    let policy = test.context.policy.verificationPolicy()
    func decrypt(_ request: [UInt8]) throws(TokenFault) -> SignedOrUnsignedToken {
      try engine.verdict(
        on: request, at: test.context.now, isUnsigned: test.context.policy.isUnsigned, under: policy
      ).get()
    }
    for earlier in test.context.prelude { (try? decrypt(earlier))?.overwriteSecrets() }
    do throws(TokenFault) {
      let token = try decrypt(test.request)
      defer { token.overwriteSecrets() }
      return .accepted(plaintext: token.plaintext, isSigned: token.isSigned, id: id)
    } catch  where !error.code.isVerdict {
      return .error(MessageError("the key or replay store did not answer"), id: id)
    } catch {
      return .rejected(error, id: id)
    }
  }
}
