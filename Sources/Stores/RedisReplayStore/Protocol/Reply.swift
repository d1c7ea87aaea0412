#if Redis

import CHiredis

/// A reply of the server, in RESP 2.
enum Reply: Equatable {
  /// `+OK`
  case ok
  /// Another simple string.
  case status
  /// A bulk string.
  case bytes([UInt8])
  case integer(Int64)
  case null
  case list([Reply])
  /// Up to 24 upper-case letters at the start of an error, such as `OOM`; `ERR` if there are none. The rest may quote a
  /// command, and is dropped.
  case error(String)
}

/// Splits what the server sends into replies, with hiredis.
final class ReplyReader {
  /// The received bytes are not RESP 2, or a reply is too large.
  struct Violation: Error {}

  private let reader: UnsafeMutablePointer<redisReader>
  /// Bytes since the last complete reply.
  private var incomplete = 0

  /// `INFO`, the largest reply that is asked for, has some 6 kB.
  private static let largestReply = 1 << 20

  /// Nil when there is no memory left.
  init?() {
    guard let reader = redisReaderCreate() else { return nil }
    self.reader = reader
  }

  deinit {
    redisReaderFree(reader)
  }

  func feed(_ bytes: UnsafeRawBufferPointer) throws(Violation) {
    incomplete += bytes.count
    guard incomplete <= Self.largestReply,
      redisReaderFeed(reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == REDIS_OK
    else { throw Violation() }
  }

  /// The next reply; nil until all of its bytes have been received.
  func next() throws(Violation) -> Reply? {
    var raw: UnsafeMutableRawPointer?
    guard redisReaderGetReply(reader, &raw) == REDIS_OK else { throw Violation() }
    guard let raw else { return nil }
    defer { freeReplyObject(raw) }
    incomplete = reader.pointee.len - reader.pointee.pos
    return try Self.reply(raw.assumingMemoryBound(to: redisReply.self).pointee)
  }

  private static func reply(_ raw: redisReply) throws(Violation) -> Reply {
    switch raw.type {
    case REDIS_REPLY_STATUS: return bytes(of: raw).elementsEqual("OK".utf8) ? .ok : .status
    case REDIS_REPLY_STRING: return .bytes(Array(bytes(of: raw)))
    case REDIS_REPLY_INTEGER: return .integer(raw.integer)
    case REDIS_REPLY_NIL: return .null
    case REDIS_REPLY_ERROR: return .error(firstWord(bytes(of: raw)))
    case REDIS_REPLY_ARRAY:
      var list: [Reply] = []
      for index in 0..<Int(raw.elements) {
        guard let element = raw.element?[index] else { throw Violation() }
        list.append(try reply(element.pointee))
      }
      return .list(list)
    default: throw Violation()
    }
  }

  private static func bytes(of raw: redisReply) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: raw.str, count: raw.str == nil ? 0 : Int(raw.len))
  }

  private static func firstWord(_ bytes: UnsafeRawBufferPointer) -> String {
    let letters = bytes.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }.prefix(24)
    return letters.isEmpty ? "ERR" : String(decoding: letters, as: UTF8.self)
  }
}

#endif
