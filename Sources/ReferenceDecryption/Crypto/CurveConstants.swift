/// The numbers of a curve that the rules compare with (FIPS 186-4 appendix D.1.2), big-endian, all octets written.
package enum CurveConstants {
  /// P-256's p.
  package static let p256Prime = octets([
    0xFFFF_FFFF_0000_0001, 0x0000_0000_0000_0000, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
  ])
  /// P-256's n.
  package static let p256Order = octets([
    0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551,
  ])
  /// P-384's n.
  package static let p384Order = octets([
    0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
    0xC763_4D81_F437_2DDF, 0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973,
  ])

  private static func octets(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }
}
