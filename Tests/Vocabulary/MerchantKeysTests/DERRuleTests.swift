import MerchantKeys
import PaymentToken
import Testing

/// Tries the encoding rules on all values of a range, and compares with definitions that are written in another way.
@Suite struct DERRuleTests {
  /// The contents bytes of an OID from its dotted form (X.690 section 8.19).
  private static func contents(of dotted: String) -> [UInt8] {
    let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
    return ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { arc -> [UInt8] in
      var (bytes, rest) = ([UInt8(arc % 128)], arc / 128)
      while rest > 0 { (bytes, rest) = ([UInt8(rest % 128) | 0x80] + bytes, rest / 128) }
      return bytes
    }
  }

  @Test(arguments: [
    (ObjectIdentifiers.ecPublicKey, "1.2.840.10045.2.1"), (ObjectIdentifiers.prime256v1, "1.2.840.10045.3.1.7"),
    (ObjectIdentifiers.secp384r1, "1.3.132.0.34"), (ObjectIdentifiers.rsaEncryption, "1.2.840.113549.1.1.1"),
    (ObjectIdentifiers.ecdsaWithSHA256, "1.2.840.10045.4.3.2"),
    (ObjectIdentifiers.ecdsaWithSHA384, "1.2.840.10045.4.3.3"),
    (ObjectIdentifiers.sha256WithRSA, "1.2.840.113549.1.1.11"),
    (ObjectIdentifiers.sha384WithRSA, "1.2.840.113549.1.1.12"),
    (ObjectIdentifiers.basicConstraints, "2.5.29.19"), (ObjectIdentifiers.keyUsage, "2.5.29.15"),
    (ObjectIdentifiers.subjectKeyIdentifier, "2.5.29.14"), (ObjectIdentifiers.extendedKeyUsage, "2.5.29.37"),
    (ObjectIdentifiers.clientAuthentication, "1.3.6.1.5.5.7.3.2"), (ObjectIdentifiers.commonName, "2.5.4.3"),
    (ObjectIdentifiers.userID, "0.9.2342.19200300.100.1.1"),
    (ObjectIdentifiers.appleLeafMarker, "1.2.840.113635.100.6.29"),
    (ObjectIdentifiers.appleIntermediateMarker, "1.2.840.113635.100.6.2.14"),
    (ObjectIdentifiers.appleMerchantIdentityMarker, "1.2.840.113635.100.6.28"),
    (ObjectIdentifiers.appleMerchantIDHash, "1.2.840.113635.100.6.32"),
  ])
  func `object identifiers have the numbers they are registered under`(_ oid: [UInt8], _ dotted: String) {
    #expect(oid == Self.contents(of: dotted))
  }

  @Test func `every identifier byte is taken apart and allowed by its class, form and number`() {
    let named: [(DERTag, UInt8)] = [
      (.boolean, 1), (.integer, 2), (.bitString, 3), (.octetString, 4), (.null, 5), (.objectIdentifier, 6),
      (.utf8String, 12), (.utcTime, 23), (.generalizedTime, 24), (.sequence, 48), (.set, 49),
    ]
    for (tag, byte) in named { #expect(tag.byte == byte) }
    for byte in UInt8.min...UInt8.max {
      let (group, form, number) = (byte / 64, byte / 32 % 2, byte % 32)
      let tag = DERTag(byte: byte)
      #expect(tag.number == number && tag.isConstructed == (form == 1) && tag.isUniversal == (group == 0))
      let isAllowed = number < 31 && (group > 0 || (number > 0 && (form == 1) == (number == 16 || number == 17)))
      #expect(tag.isAllowed == isAllowed, "\(byte)")
    }
    for number in UInt8(0)...30 {
      #expect(DERTag.constructedContext(number).byte == 160 + number)
      #expect(DERTag.primitiveContext(number).byte == 128 + number)
    }
  }

  private static func error(_ bytes: [UInt8]) -> DERError? {
    do {
      _ = try DERReader.single(bytes[...])
      return nil
    } catch {
      return error
    }
  }

  @Test func `contents of one and two bytes are canonical by their values`() {
    let all = (0...255).map { UInt8($0) }
    for first in all {
      #expect((Self.error([1, 1, first]) == nil) == (first == 0 || first == 255))
      #expect(Self.error([2, 1, first]) == nil)
      #expect(Self.error([3, 1, first]) == (first == 0 ? nil : .badContents))
      #expect(Self.error([5, 1, first]) == .badContents)
      #expect(Self.error([6, 1, first]) == (first < 128 ? nil : .badContents))
      for second in all {
        let value = Int(Int16(bitPattern: UInt16(first) * 256 + UInt16(second)))
        #expect(Self.error([2, 2, first, second]) == ((-128...127).contains(value) ? .badContents : nil))
        let isBits = first < 8 && Int(second).isMultiple(of: 1 << Int(first))
        #expect(Self.error([3, 2, first, second]) == (isBits ? nil : .badContents))
        #expect(Self.error([1, 2, first, second]) == .badContents)
      }
    }
    for type in [1, 2, 3, 6] as [UInt8] { #expect(Self.error([type, 0]) == .badContents) }
    for type in [4, 5, 12, 48, 0x80] as [UInt8] { #expect(Self.error([type, 0]) == nil) }
    #expect(Self.error([3, 3, 1, 255, 254]) == nil && Self.error([3, 3, 1, 254, 255]) == .badContents)
    #expect(Self.error([2, 3, 0, 128, 0]) == nil && Self.error([2, 3, 0, 127, 0]) == .badContents)
  }

  @Test func `an object identifier is a row of whole subidentifiers without leading zeros`() {
    let alphabet: [UInt8] = [0, 1, 127, 128, 129, 255]
    var rows: [[UInt8]] = [[]]
    for _ in 0..<4 { rows += rows.flatMap { row in alphabet.map { row + [$0] } } }
    for row in Set(rows) {
      var (isCanonical, group) = (!row.isEmpty, [UInt8]())
      for byte in row {
        group.append(byte)
        guard byte < 128 else { continue }
        if group[0] == 128 { isCanonical = false }
        group = []
      }
      #expect(Self.error(DER.oid(row)) == (isCanonical && group.isEmpty ? nil : .badContents), "\(row)")
    }
  }

  @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 257, 65_535, 65_536, 0x100_0000])
  func `a length has the fewest bytes, and its contents are there`(_ count: Int) throws {
    let contents = [UInt8](repeating: 7, count: count)
    let fewest = count < 128 ? 0 : (1...4).first { count < 1 << (8 * $0) } ?? 5
    for size in 0...6 where size > 0 || count < 128 {
      let digits = (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: count >> (8 * $0)) : 0 }
      guard size == 0 || count < 1 << (8 * size) else { continue }
      let header = [4, size == 0 ? UInt8(count) : 0x80 | UInt8(size)] + digits
      #expect(Self.error(header + contents) == (size == fewest ? nil : .badLength), "\(size)")
      #expect(Self.error(header + contents + [0]) == (size == fewest ? .trailingData : .badLength))
      guard size == fewest else { continue }
      let element = try DERReader.single((header + contents)[...])
      #expect(element.contents.count == count && element.encoded.count == header.count + count)
      for end in 0..<header.count { #expect(Self.error(Array(header[..<end])) == .truncated) }
      if count > 0 { #expect(Self.error(header + contents.dropLast()) == .truncated) }
    }
  }

  @Test func `more than four bytes of length, and none at all, are no length`() {
    for first in UInt8(0x80)...0xFF where !(0x81...0x84).contains(first) {
      #expect(Self.error([4, first, 1, 0, 0, 0, 0, 0, 0, 0, 0]) == .badLength)
    }
  }

  @Test func `a reader stops at what it does not expect, without having read it`() throws {
    var reader = DERReader([2, 1, 7, 5, 0])
    #expect(try reader.readOptional(.null) == nil)
    #expect(reader.nextTag == .integer && reader.rest.count == 5)
    #expect(try reader.read(.integer).contents.elementsEqual([7]))
    #expect(throws: DERError.trailingData) { try reader.finish() }
    var other = reader
    #expect((try? other.read(.integer)) == nil)
    #expect(try reader.readOptional(.null) != nil && reader.isAtEnd && reader.nextTag == nil)
    #expect(try reader.readOptional(.null) == nil)
    var end = reader
    #expect((try? end.read()) == nil && Self.error([]) == .truncated)
    try reader.finish()
  }

  @Test func `constructed values stand within one another to the limit`() {
    func walk(_ count: Int, depth: Int, limit: Int? = nil) -> DERError? {
      let nested = CertificateRuleTests.nested(count)
      do {
        if let limit {
          try DERReader(nested).walk(depth: depth, limit: limit)
        } else {
          try DERReader(nested).walk(depth: depth)
        }
        return nil
      } catch {
        return error
      }
    }
    for depth in 1...5 {
      for count in 0...20 { #expect(walk(count, depth: depth) == (count + depth - 1 <= 16 ? nil : .tooDeep)) }
      for count in 0...8 { #expect(walk(count, depth: depth, limit: 6) == (count + depth - 1 <= 6 ? nil : .tooDeep)) }
    }
    for bad in [[0x30, 0, 1, 1, 5], [0x30, 3, 1, 1, 5], [0x30, 2, 0x30, 0, 0x30, 3, 1, 1, 5], [0xA1, 3, 1, 1, 5]]
      as [[UInt8]]
    {
      #expect(throws: DERError.badContents) { try DERReader(bad).walk(depth: 1) }
    }
  }

  @Test func `a bit string is whole without unused bits, and a BOOLEAN is true by all its bits`() throws {
    func whole(_ bytes: [UInt8]) -> [UInt8]? { (try? DERReader.single(bytes[...]).wholeBitString()).map { Array($0) } }
    #expect(whole([3, 3, 0, 1, 2]) == [1, 2] && whole([3, 1, 0]) == [])
    for bytes in [[3, 2, 1, 2], [3, 2, 7, 128], [4, 2, 0, 1], [48, 0]] as [[UInt8]] { #expect(whole(bytes) == nil) }
    #expect(try DERReader.single([1, 1, 255]).isTrue && !DERReader.single([1, 1, 0]).isTrue)
  }

  // MARK: Times

  private static func time(_ tag: UInt8, _ text: [UInt8]) -> UnixTime? {
    try? DERReader.single(DER.value(tag, text)[...]).time()
  }

  /// The time that a text means, read character by character; nil if it is no time.
  private static func expected(_ tag: UInt8, _ text: [UInt8]) -> UnixTime? {
    let digits = tag == 0x17 ? 2 : 4
    guard text.count == digits + 11, text.last == UInt8(ascii: "Z"),
      text.dropLast().allSatisfy({ (48...57).contains($0) })
    else { return nil }
    func number(_ first: Int, _ count: Int) -> Int {
      Int(String(decoding: text[first..<first + count], as: UTF8.self)) ?? -1
    }
    let fields = (0..<5).map { number(digits + 2 * $0, 2) }
    let year = digits == 4 ? number(0, 4) : number(0, 2) + (text[0] < 53 ? 2000 : 1900)
    return UnixTime(year: year, month: fields[0], day: fields[1], hour: fields[2], minute: fields[3], second: fields[4])
  }

  @Test(arguments: [
    (0x17, "241231235959Z"), (0x17, "500228010203Z"), (0x18, "20240229114759Z"), (0x18, "99991231000000Z"),
  ])
  func `a time with any byte changed, dropped or added is what it says or none`(_ tag: UInt8, _ text: String) {
    let bytes = Array(text.utf8)
    #expect(Self.time(tag, bytes) != nil && Self.time(tag ^ 0x0F, bytes) == nil && Self.time(0x0C, bytes) == nil)
    for index in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        let changed = CertificateRuleTests.changed(bytes, index) { $0 = byte }
        #expect(Self.time(tag, changed) == Self.expected(tag, changed), "\(changed)")
      }
      let dropped = Array(bytes[..<index] + bytes[(index + 1)...])
      #expect(Self.time(tag, dropped) == nil && Self.time(tag, bytes[..<index] + [48] + bytes[index...]) == nil)
    }
    for year in 0..<100 {
      let text = Array(((year < 10 ? "0\(year)" : "\(year)") + "0615120000Z").utf8)
      #expect(Self.time(0x17, text)?.civil.year == (year < 50 ? 2000 : 1900) + year)
    }
  }
}

/// Points on the curve are accepted, and all that differ from one in a bit or a byte of the form are refused.
@Suite struct EllipticCurveTests {
  @Test(arguments: [(EllipticCurve.p256, TestPoints.p256, 32), (EllipticCurve.p384, TestPoints.p384, 48)])
  func `a point has its size and form, and is on its curve`(_ curve: EllipticCurve, _ point: [UInt8], _ size: Int) {
    #expect(curve.coordinateSize == size && curve.contains(point))
    for index in point.indices {
      for bit in 0..<8 {
        #expect(!curve.contains(CertificateRuleTests.changed(point, index) { $0 ^= 1 << UInt8(bit) }))
      }
    }
    for count in 0..<point.count { #expect(!curve.contains(Array(point[..<count]))) }
    for more in 1...40 { #expect(!curve.contains(point + [UInt8](repeating: 0, count: more))) }
    for form in UInt8.min...UInt8.max {
      #expect(curve.contains(CertificateRuleTests.changed(point, 0) { $0 = form }) == (form == 4))
    }
    #expect(!curve.contains([4] + [UInt8](repeating: 0, count: 2 * size)) && !curve.contains([0]))
    #expect(!curve.contains([4] + [UInt8](repeating: 255, count: 2 * size)))
    #expect(!curve.contains(size == 32 ? TestPoints.p384 : TestPoints.p256))
  }

  /// A square root of b: (0, root) is on P-256.
  private static let root: [UInt8] = [
    0x66, 0x48, 0x5C, 0x78, 0x0E, 0x2F, 0x83, 0xD7, 0x24, 0x33, 0xBD, 0x5D, 0x84, 0xA0, 0x6B, 0xB6,
    0x54, 0x1C, 0x2A, 0xF3, 0x1D, 0xAE, 0x87, 0x17, 0x28, 0xBF, 0x85, 0x6A, 0x17, 0x4F, 0x93, 0xF4,
  ]

  @Test func `a coordinate is below the prime`() {
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(EllipticCurve.p256.contains([4] + zero + Self.root), "not a point at all")
    #expect(!EllipticCurve.p256.contains([4] + CertificateRuleTests.primeP256 + Self.root))
    #expect(!EllipticCurve.p256.contains([4] + Self.root + CertificateRuleTests.primeP256))
  }
}
