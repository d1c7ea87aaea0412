#if Redis

import CRedisTLS

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The bytes of a password file, wiped when they are not needed any more.
final class Password {
  private static let capacity = 4_096
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Password.capacity, alignment: 1)
  private var count = 0

  /// Nil if the file cannot be read, has only line ends, or has 4,096 bytes or more.
  init?(file: String) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    while count < bytes.count {
      let length = read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { return nil }
      if length == 0 { break }
      count += length
    }
    guard count < bytes.count else { return nil }
    while count > 0, bytes[count - 1] == UInt8(ascii: "\n") || bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    guard count > 0 else { return nil }
  }

  deinit {
    if let start = bytes.baseAddress { credistls_wipe(start, bytes.count) }
    bytes.deallocate()
  }

  /// Adds the command AUTH.
  func append(user: String?, to outgoing: OutgoingBytes) {
    outgoing.beginCommand(user == nil ? 2 : 3)
    Array("AUTH".utf8).withUnsafeBytes { outgoing.append(word: $0) }
    if let user { Array(user.utf8).withUnsafeBytes { outgoing.append(word: $0) } }
    outgoing.append(word: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
  }
}

#endif
