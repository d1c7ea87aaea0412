import CSodium
import PaymentToken
import TokenScanning

/// An accepted token, but for the answer of a replay store on another machine. Its plaintext is wiped after
/// it is opened, at the latest when the last reference is released.
///
/// `@unchecked Sendable`: written before it is handed to another thread, and only read afterwards.
final class HeldToken: @unchecked Sendable {
  let facts: OpenedToken.Facts
  private let place: HeldPlaintexts.Place
  private let plaintextCount: Int
  private let keyCount: Int
  private let owner: HeldPlaintexts

  fileprivate init(_ token: borrowing OpenedToken, in place: HeldPlaintexts.Place, of owner: HeldPlaintexts) {
    facts = token.facts
    (plaintextCount, keyCount) = (token.plaintext.count, token.ephemeralPublicKey.count)
    (self.place, self.owner) = (place, owner)
    place.write(token.plaintext, at: 0)
    place.write(token.ephemeralPublicKey, at: plaintextCount)
  }

  deinit {
    place.wipe(plaintextCount)
    owner.putBack(place)
  }

  /// Calls `body` with the token, and wipes it. May be called once.
  func open<Result>(_ body: (borrowing OpenedToken) throws(TokenFault) -> Result) throws(TokenFault) -> Result {
    let place = place
    defer { place.wipe(plaintextCount) }
    let bytes = place.bytes
    return try body(
      OpenedToken(
        facts, ephemeralPublicKey: bytes.extracting(plaintextCount..<(plaintextCount + keyCount)),
        plaintext: bytes.extracting(first: plaintextCount)))
  }
}

/// Guarded memory for the plaintexts of held tokens, which cannot stay in the workspace that the next token needs.
///
/// A token takes a place from a list instead of pages from the system: chunks of places are allocated when they are
/// first needed, and kept. The few tokens that are larger than a place get a buffer of their own.
final class HeldPlaintexts: Sendable {
  /// Room for a plaintext and its token's ephemeral key.
  ///
  /// `@unchecked Sendable`: belongs to one token at a time.
  final class Place: @unchecked Sendable {
    fileprivate let size: Int
    private let start: UnsafeMutablePointer<UInt8>
    /// Keeps the memory.
    private let chunk: Chunk

    fileprivate init(in chunk: Chunk, at offset: Int, size: Int) {
      start = chunk.buffer.address(at: offset, count: size)
      (self.chunk, self.size) = (chunk, size)
    }

    fileprivate var bytes: Span<UInt8> {
      @_lifetime(borrow self)
      get { _overrideLifetime(Span(_unsafeStart: start, count: size), borrowing: self) }
    }

    fileprivate func write(_ source: Span<UInt8>, at offset: Int) {
      source.withUnsafeBufferPointer { source in
        precondition(offset + source.count <= size)
        guard let first = source.baseAddress else { return }
        (start + offset).update(from: first, count: source.count)
      }
    }

    fileprivate func wipe(_ count: Int) {
      sodium_memzero(start, count)
    }
  }

  /// Several places, or one for a large plaintext.
  ///
  /// `@unchecked Sendable`: each place belongs to one token at a time.
  fileprivate final class Chunk: @unchecked Sendable {
    fileprivate let buffer: ByteBuffer

    init?(size: Int) {
      guard let buffer = ByteBuffer(guardedCapacity: size) else { return nil }
      self.buffer = buffer
    }
  }

  private struct State {
    var free: [Place] = []
    var used = 0
  }

  private static let placesPerChunk = 64
  private static let placeSize = 1_024
  private let capacity: Int
  private let state = Guarded(State())

  /// - Parameter capacity: the most tokens that are held at a time.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Copies an opened token; nil if there is no room for it.
  func hold(_ token: borrowing OpenedToken) -> HeldToken? {
    guard let place = take(token.plaintext.count + token.ephemeralPublicKey.count) else { return nil }
    return HeldToken(token, in: place, of: self)
  }

  private func take(_ size: Int) -> Place? {
    state.withLock { state in
      guard state.used < capacity else { return nil }
      let place =
        size <= Self.placeSize ? freePlace(&state) : Chunk(size: size).map { Place(in: $0, at: 0, size: size) }
      if place != nil { state.used += 1 }
      return place
    }
  }

  private func freePlace(_ state: inout State) -> Place? {
    if state.free.isEmpty, let chunk = Chunk(size: Self.placesPerChunk * Self.placeSize) {
      for index in 0..<Self.placesPerChunk {
        state.free.append(Place(in: chunk, at: index * Self.placeSize, size: Self.placeSize))
      }
    }
    return state.free.popLast()
  }

  fileprivate func putBack(_ place: Place) {
    state.withLock { state in
      state.used -= 1
      if place.size == Self.placeSize { state.free.append(place) }
    }
  }
}
