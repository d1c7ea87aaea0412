import COpenSSL

/// The password of encrypted key files, wiped when the object is released.
public final class Password: Sendable {
  let count: Int
  /// The bytes and a NUL. Written only in `init` and `deinit`.
  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  /// The maximum size, in bytes.
  package static let sizeLimit = 1_024

  /// Copies the contents of a password file, and drops one LF or CRLF at the end. The caller wipes the contents.
  ///
  /// - Throws: `KeyError.Code.unusablePassword` if it is too long or contains a NUL.
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

  /// Calls `body` with the NUL-terminated bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafePointer(memory.assumingMemoryBound(to: CChar.self)))
  }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros; the compiler cannot remove this. If the storage is shared, only a copy is wiped:
  /// call it on the only owner.
  mutating func wipe() {
    withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
