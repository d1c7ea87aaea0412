import COpenSSL

/// The password of encrypted key files, wiped when the object goes.
public final class Password: Sendable {
  /// The number of bytes.
  let count: Int
  /// The bytes and a NUL; written in `init` only.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  /// The most bytes accepted.
  public static let sizeLimit = 1_024

  /// Takes the contents of a password file but for one line end (LF or CRLF) at their end. They stay the caller's to wipe.
  ///
  /// - Throws: `KeyError.Code.unusablePassword` when it is too long or holds a NUL.
  public init(fileContents: [UInt8]) throws(KeyError) {
    var count = fileContents.count
    if fileContents.last == UInt8(ascii: "\n") {
      count -= 1
      if count > 0 && fileContents[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    let bytes = fileContents.prefix(count)
    guard count <= Password.sizeLimit, !bytes.contains(0) else { throw KeyError(.unusablePassword) }
    self.count = count
    memory = UnsafeMutableRawPointer.allocate(byteCount: count + 1, alignment: 1)
    UnsafeMutableRawBufferPointer(start: memory, count: count).copyBytes(from: bytes)
    memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
  }

  deinit {
    OPENSSL_cleanse(memory, count)
    memory.deallocate()
  }

  /// Calls `body` with the bytes, which a NUL follows.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafePointer(memory.assumingMemoryBound(to: CChar.self)))
  }
}

extension [UInt8] {
  /// Overwrites the bytes in a way no optimiser removes. An array that shares its storage is copied first: wipe the
  /// owner.
  mutating func wipe() {
    withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
