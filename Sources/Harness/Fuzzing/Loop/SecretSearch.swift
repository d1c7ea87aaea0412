import PaymentToken

/// Looks for what must never be said: account numbers, cryptograms, names and keys in anything written about an input.
public struct SecretSearch: Sendable {
  private let secrets: [[UInt8]]

  /// What is secret of a payment.
  public init(_ payment: Payment, plaintext: [UInt8]) {
    var texts = [payment.applicationPrimaryAccountNumber]
    switch payment.paymentData {
    case .threeDSecure(let cryptogram, _): texts.append(cryptogram)
    case .emv(let data, let pin): texts += [data, pin ?? ""]
    }
    texts.append(payment.cardholderName ?? "")
    // Short ones are found anywhere.
    secrets = texts.map { Array($0.utf8) }.filter { $0.count >= 10 } + [plaintext]
  }

  /// Whether a text holds one of them, as it is, in hexadecimal or in base64.
  public func finds(in text: String) -> Bool {
    let octets = Array(text.utf8)
    return secrets.contains { secret in
      [secret, Array(Hex.encode(secret).utf8), Array(Base64.encode(secret).utf8.dropLast(4))].contains {
        $0.count >= 10 && CertificateEdits.contains(octets, $0)
      }
    }
  }
}
