import ReferenceDecryption
import Testing

private func base64(_ text: String) -> [UInt8]? { StrictBase64.decode(WipedBytes(Array(text.utf8).span).all) }
private func hex(_ text: String) -> [UInt8]? { StrictHex.decode(WipedBytes(Array(text.utf8).span).all) }

struct EncodingTests {
  @Test func `a slice of secrets ends at its own bounds, not at those of its owner`() async {
    await #expect(processExitsWith: .failure) { _ = WipedBytes(count: 4)[1..<3][3] }
    await #expect(processExitsWith: .failure) { _ = WipedBytes(count: 4)[1..<3][0] }
    await #expect(processExitsWith: .success) { _ = WipedBytes(count: 4)[1..<3][2] }
  }

  @Test(
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]), ("+/+/", [0xFB, 0xFF, 0xBF]),
      ("AAAAAA==", [0, 0, 0, 0]),
    ] as [(String, [UInt8])])
  func `canonical base64 is decoded`(text: String, bytes: [UInt8]) { #expect(base64(text) == bytes) }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zm8", "Zh==", "Zm9=", "Zg===", "====", "=", "==", "===", "Z===", "Zg==Zg==", "Zm9v\n", " Zm9v",
    "Zm 9v",
    "-_-_", "Zm9v=", "Zm9v====", "Z=g=", "=Zg=", "Zm9vZ", "Zm9\u{0}", "Zm9é", "Zg=\n", "Zg=A",
  ])
  func `anything else is not base64`(text: String) { #expect(base64(text) == nil) }

  @Test(arguments: [("", []), ("00", [0]), ("aBcDeF09", [0xAB, 0xCD, 0xEF, 0x09])] as [(String, [UInt8])])
  func `hexadecimal of either case is decoded`(text: String, bytes: [UInt8]) { #expect(hex(text) == bytes) }

  @Test(arguments: ["0", "0g", "0x00", " 00", "00 ", "0:", "/0", "@0", "G0", "`0", "00\n0", "０0"])
  func `anything else is not hexadecimal`(text: String) { #expect(hex(text) == nil) }
}
