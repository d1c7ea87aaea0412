import FastDecryption
import Foundation
import Gateways
import Minting
import PaymentToken

/// Minimal requests around a token, so that a test can damage any part of them.
enum Wrapping {
  static func object(_ token: [UInt8], _ beside: String = "") -> [UInt8] {
    bytes("{\"token\":{\"paymentData\":", token, "\(beside)}}")
  }

  static func alphapay(_ token: [UInt8], _ beside: String = "") -> [UInt8] {
    bytes("{\"paymentId\":\"1\",\"token\":{\"paymentData\":", token, "\(beside)}}")
  }

  static func text(_ token: [UInt8], _ beside: String = "") -> [UInt8] {
    bytes(
      "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"", escaped(token),
      "\"}}}}\(beside)}")
  }

  static func base64(_ token: [UInt8], _ beside: String = "") -> [UInt8] {
    base64(written: Data(token).base64EncodedString(), beside)
  }

  static func base64(written text: String, _ beside: String = "") -> [UInt8] {
    bytes("{\"apple_pay\":{\"payment_token\":\"", Array(text.utf8), "\"}\(beside)}")
  }

  /// The parts of a token, with some of them replaced; the value nil removes a part.
  static func parts(_ layers: TokenLayers, _ changes: [String: String?] = [:], _ beside: String = "") -> [UInt8] {
    var parts = JSONObject([
      .init("encryptedPaymentData", quoted(base64: layers.data)), .init("signature", quoted(base64: layers.signature)),
      .init("publicKeyHash", quoted(base64: layers.publicKeyHash)),
      .init("transactionId", .string(Hex.encode(layers.transactionId))),
      .init("ephemeralPublicKey", quoted(base64: layers.ephemeralPublicKey)),
      .init("paymentProductId", .raw("302")),
    ])
    if let applicationData = layers.applicationData {
      parts["applicationData"] = .string(Hex.encode(applicationData))
    }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) { parts[name] = value.map { .raw($0) } }
    return bytes("{\"mobilePaymentMethodSpecificInput\":", JSONValue.object(parts).text(), "\(beside)}")
  }

  private static func quoted(base64 bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }

  static func bytes(_ head: String, _ token: [UInt8], _ tail: String) -> [UInt8] {
    Array(head.utf8) + token + Array(tail.utf8)
  }

  /// Escaped as in Mastercard's requests.
  private static func escaped(_ token: [UInt8]) -> [UInt8] {
    token.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): [UInt8(ascii: "\\"), byte]
      case 0x0D: Array("\\r".utf8)
      case 0x0A: Array("\\n".utf8)
      case 0x09: Array("\\t".utf8)
      default: [byte]
      }
    }
  }
}

extension VerificationPolicy {
  static func reading(_ envelope: Envelope, _ expectations: Expectations = Expectations()) -> VerificationPolicy {
    VerificationPolicy(envelope: .named(envelope), expectations: expectations)
  }
}

/// A verdict under the unsigned policy, as a value to compare.
enum UnsignedVerdict: Equatable {
  case signed([UInt8])
  case unsigned([UInt8])
  case refused(TokenFault)
}

extension FastDecryptor {
  /// The verdict of both forms of `decryptAllowingUnsigned`; nil if they disagree.
  func unsignedVerdict(
    _ request: [UInt8], under policy: VerificationPolicy = .reading(.worldline), in workspace: inout Workspace
  ) -> UnsignedVerdict? {
    let copied: UnsignedVerdict
    do throws(TokenFault) {
      switch try decryptAllowingUnsigned(request.span, at: mintingTime, under: policy) {
      case .signed(let token): copied = .signed(token.plaintext)
      case .unsigned(let token): copied = .unsigned(token.plaintext)
      }
    } catch {
      copied = .refused(error)
    }
    let lent: UnsignedVerdict
    do throws(TokenFault) {
      lent = try decryptAllowingUnsigned(
        request.span, at: mintingTime, under: policy, in: &workspace,
        signed: { opened throws(TokenFault) in .signed(try opened.copy().plaintext) },
        unsigned: { opened throws(TokenFault) in .unsigned(try opened.copy().plaintext) })
    } catch {
      lent = .refused(error)
    }
    return lent == copied ? lent : nil
  }
}
