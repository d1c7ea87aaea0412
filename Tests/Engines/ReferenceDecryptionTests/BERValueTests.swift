import Minting
import PaymentToken
import ReferenceDecryption
import Testing

private func isBER(_ bytes: [UInt8]) -> Bool { (try? BERValue(bytes)) != nil }
private func isStrict(_ bytes: [UInt8]) -> Bool { (try? BERValue(strict: bytes)) != nil }

struct BERValueTests {
  @Test func `lengths: shortest, long and indefinite`() {
    #expect(isStrict([0x30, 0x00]))
    #expect(isBER([0x30, 0x81, 0x00]) && !isStrict([0x30, 0x81, 0x00]))
    #expect(isBER([0x30, 0x84, 0, 0, 0, 0]) && !isStrict([0x30, 0x84, 0, 0, 0, 0]))
    #expect(!isBER([0x30, 0x85, 0, 0, 0, 0, 0]))
    #expect(!isBER([0x30, 0xFF]))
    #expect(isBER([0x30, 0x80, 0x00, 0x00]) && !isStrict([0x30, 0x80, 0x00, 0x00]))
    #expect(!isBER([0x30, 0x80]) && !isBER([0x30, 0x80, 0x00]) && !isBER([0x30, 0x80, 0x00, 0x01]))
    #expect(isStrict([0x04, 0x7F] + [UInt8](repeating: 0, count: 127)))
    #expect(isStrict([0x04, 0x81, 0x80] + [UInt8](repeating: 0, count: 128)))
    #expect(!isStrict([0x04, 0x81, 0x7F] + [UInt8](repeating: 0, count: 127)))
    #expect(isStrict([0x04, 0x82, 0x01, 0x00] + [UInt8](repeating: 0, count: 256)))
    #expect(!isStrict([0x04, 0x82, 0x00, 0xFF] + [UInt8](repeating: 0, count: 255)))
    #expect(!isStrict([0x04, 0x83, 0x00, 0x01, 0x00] + [UInt8](repeating: 0, count: 256)))
  }

  @Test func `what does not fit, or stands after the value, is malformed`() {
    #expect(!isBER([]) && !isBER([0x30]) && !isBER([0x30, 0x01]) && !isBER([0x30, 0x00, 0x00]))
    #expect(!isBER([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]))
    #expect(!isBER([0x30, 0x02, 0x04, 0x01]), "a child beyond its parent")
    #expect(!isBER([0x30, 0x02, 0x30, 0x80, 0x00, 0x00]), "an end beyond its parent")
    #expect(!isBER([0x30, 0x80, 0x04, 0x01, 0x00]), "a primitive that swallows the end")
  }

  @Test func `tags: low numbers, constructed where they must be`() {
    #expect(!isBER([0x1F, 0x1F, 0x00]) && !isBER([0xBF, 0x1F, 0x00]) && !isBER([0x9F, 0x00]))
    #expect(!isBER([0x00, 0x00]) && !isBER([0x20, 0x00]))
    #expect(!isBER([0x10, 0x00]) && !isBER([0x11, 0x00]))
    #expect(!isBER([0x24, 0x00]) && !isBER([0x23, 0x00]) && !isBER([0x2C, 0x00]) && !isBER([0x28, 0x00]))
    #expect(!isBER([0x04, 0x80, 0x00, 0x00]), "an indefinite primitive")
    for identifier in [0x40, 0x60, 0x80, 0xA0, 0xC0, 0xE0] as [UInt8] { #expect(isStrict([identifier, 0x00])) }
    #expect(!isBER([0x30, 0x02, 0x00, 0x00]), "an end where there is none to be")
  }

  @Test(
    arguments: [
      ([0x01, 0x01, 0x00], true), ([0x01, 0x01, 0xFF], true), ([0x01, 0x01, 0x01], false), ([0x01, 0x00], false),
      ([0x01, 0x02, 0xFF, 0xFF], false),
      ([0x02, 0x00], false), ([0x02, 0x01, 0x00], true), ([0x02, 0x02, 0x00, 0x7F], false),
      ([0x02, 0x02, 0x00, 0x80], true),
      ([0x02, 0x02, 0xFF, 0x80], false), ([0x02, 0x02, 0xFF, 0x7F], true), ([0x02, 0x01, 0x80], true),
      ([0x03, 0x00], false), ([0x03, 0x01, 0x00], true), ([0x03, 0x01, 0x01], false),
      ([0x03, 0x02, 0x08, 0x00], false),
      ([0x03, 0x02, 0x07, 0x80], true), ([0x03, 0x02, 0x07, 0xC0], false), ([0x03, 0x02, 0x01, 0x01], false),
      ([0x05, 0x00], true), ([0x05, 0x01, 0x00], false),
      ([0x06, 0x00], false), ([0x06, 0x01, 0x80], false), ([0x06, 0x02, 0x80, 0x01], false),
      ([0x06, 0x02, 0x81, 0x80], false),
      ([0x06, 0x02, 0x81, 0x01], true), ([0x06, 0x03, 0x2A, 0x80, 0x01], false),
      ([0x06, 0x03, 0x81, 0x80, 0x01], true),
      ([0x81, 0x00], true), ([0x0A, 0x02, 0x00, 0x00], true),
    ] as [([UInt8], Bool)])
  func `contents are canonical`(bytes: [UInt8], isCanonical: Bool) {
    #expect(isStrict(bytes) == isCanonical)
    #expect(isStrict([0xA0, UInt8(bytes.count)] + bytes) == isCanonical)
  }

  @Test func `sixteen constructed values deep and no more`() {
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce([0x05, 0x00]) { inner, _ in [0x30, UInt8(inner.count)] + inner }
    }
    func indefinite(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce([]) { inner, _ in [0x30, 0x80] + inner + [0x00, 0x00] }
    }
    #expect(isBER(nested(16)) && isBER(indefinite(16)))
    #expect(!isBER(nested(17)) && !isBER(indefinite(17)))
    #expect(!isBER((0..<30_000).flatMap { _ in [0x30, 0x80] as [UInt8] }))
  }

  @Test func `a strict value is strict all the way down`() {
    #expect(isBER([0x30, 0x04, 0xA0, 0x80, 0x00, 0x00]) && !isStrict([0x30, 0x04, 0xA0, 0x80, 0x00, 0x00]))
  }

  @Test func `an ECDSA value is two INTEGERs within 1 to n-1`() {
    let order = CurveConstants.p256Order
    func value(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
      [0x30, UInt8(r.count + s.count + 4), 0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
    }
    func holds(_ bytes: [UInt8]) -> Bool { ECDSAValue.isWellFormed(bytes, order: order) }
    let n: [UInt8] = [0x00] + order
    var nMinusOne = n
    nMinusOne[32] -= 1
    #expect(holds(value([1], [1])) && holds(value(nMinusOne, nMinusOne)))
    #expect(!holds(value(n, [1])) && !holds(value([1], n)))
    #expect(!holds(value([0], [1])) && !holds(value([1], [0])))
    #expect(!holds(value([0x80], [1])) && !holds(value([0x00, 0x01], [1])))
    #expect(!holds(value([1], [1]) + [0]) && !holds([]) && !holds([0x30, 0x03, 0x02, 0x01, 0x01]))
    #expect(!holds([0x30, 0x81, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]))
    #expect(!holds([0x30, 0x09, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]))
    #expect(!holds([0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]))
    #expect(!holds(value([0x01] + [UInt8](repeating: 0, count: 32), [1])))
    #expect(!holds([0x30, 0x06, 0x04, 0x01, 0x01, 0x02, 0x01, 0x01]))
    #expect(!holds([0x30, 0x06, 0x02, 0x01, 0x01, 0x04, 0x01, 0x01]))
  }

  @Test func `the constants are those of the curves`() throws {
    var stream = try Minted.minter().generator.stream("curves")
    #expect(try CurveConstants.p256Order == KeyPair(.p256, from: &stream).order())
    #expect(try CurveConstants.p384Order == KeyPair(.p384, from: &stream).order())
    // 2^256 - 2^224 + 2^192 + 2^96 - 1 (FIPS 186-4 appendix D.1.2.3)
    #expect(
      Hex.encode(CurveConstants.p256Prime) == "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
  }

  @Test func `an indefinite value ends with its end-of-contents, its contents before it`() throws {
    let bytes: [UInt8] = [0x30, 0x80, 0x04, 0x01, 0x07, 0x05, 0x00, 0x00, 0x00]
    let value = try BERValue([0xA0, 0x09] + bytes).children[0]
    #expect(value.encoding.elementsEqual(bytes))
    #expect(value.contents.elementsEqual(bytes[2..<7]))
    #expect(value.children.map { Array($0.encoding) } == [[0x04, 0x01, 0x07], [0x05, 0x00]])
  }
}
