/// Data compressed in the format of gzip (RFC 1952) or zlib (RFC 1950). It is recognized here, not decompressed.
enum Compression {
  /// The shell command that decompresses it; nil for bytes that do not begin as either format.
  static func command(for bytes: [UInt8]) -> String? {
    guard bytes.count > 64 else { return nil }
    if bytes.starts(with: [0x1F, 0x8B, 0x08]) { return "gzip -dc" }
    // A window of 32 KiB without a dictionary, and a header that is a multiple of 31. Text can begin so: 0x78 is an x.
    let isZlib = bytes[0] == 0x78 && bytes[1] & 0x20 == 0 && (0x7800 | Int(bytes[1])).isMultiple(of: 31)
    guard isZlib, String(validating: bytes, as: UTF8.self) == nil else { return nil }
    return "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))'"
  }
}
