import Testing
import TokenScanning

/// What the view of a certificate promises by itself (rule 5.16). An engine's reader of points would refuse most of
/// these again.
@Suite struct CertificateViewTests {
  private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  private static let p384: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]

  /// An element of at most 255 bytes of contents.
  private func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let bytes = contents.flatMap { $0 }
    return [tag] + (bytes.count < 128 ? [] : [0x81]) + [UInt8(bytes.count)] + bytes
  }

  /// The key of a certificate without extensions, between empty names; nil if the certificate is malformed.
  private func key(_ curve: [UInt8], _ point: [UInt8]) -> PublicKeyView? {
    let idECPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    let ecdsaWithSHA256 = element(0x30, element(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
    let time = element(0x17, Array("260101000000Z".utf8))
    let name = element(0x30)
    let info = element(
      0x30, element(0x30, element(0x06, idECPublicKey), element(0x06, curve)), element(0x03, [0] + point))
    let body = element(
      0x30, element(0xA0, [0x02, 0x01, 0x02]), [0x02, 0x01, 0x01], ecdsaWithSHA256, name, element(0x30, time, time),
      name, info)
    let certificate = element(0x30, body, ecdsaWithSHA256, [0x03, 0x01, 0x00])
    return try? CertificateView(certificate.span, in: 0..<certificate.count).publicKey
  }

  @Test func `an uncompressed point has exactly 65 bytes on P-256 and 97 on P-384`() {
    for (curve, size) in [(Self.p256, 65), (Self.p384, 97)] {
      #expect(key(curve, []) == nil)
      for count in [1, 2, 64, 65, 66, 96, 97, 98] {
        let key = key(curve, [0x04] + [UInt8](repeating: 0x11, count: count - 1))
        #expect((key != nil) == (count == size), "\(count) bytes for \(size)")
      }
    }
  }

  @Test func `an uncompressed point begins with 04`() {
    for first in [0, 2, 3, 5, 6, 7, 0x84] as [UInt8] {
      #expect(key(Self.p256, [first] + [UInt8](repeating: 0x11, count: 64)) == nil, "\(first)")
    }
  }
}
