import CSodium
import PaymentToken
import TokenScanning

/// A slot for a token that meets all rules but 14.4, while that is undecided: its plaintext is in guarded memory.
///
/// Slots are reused; only a token that is larger than a slot gets a buffer of its own. Each slot taken from
/// `HeldPlaintexts` is put back later, which wipes it if `open` has not.
///
/// `@unchecked Sendable`: belongs to one thread at a time.
final class HeldToken: @unchecked Sendable {
  /// The slot's number, counted from 0 in its `HeldPlaintexts`.
  let index: Int
  private let chunk: PlaintextChunk
  private let offset: Int
  /// The buffer of a token that is larger than a slot.
  private var large: PlaintextChunk?
  /// Nil if the slot is empty.
  private(set) var facts: OpenedToken.Facts?
  private var plaintextCount = 0
  private var keyCount = 0

  /// Room for a plaintext and its token's ephemeral key.
  fileprivate static var size: Int { 1_024 }

  fileprivate init(_ index: Int, in chunk: PlaintextChunk, at offset: Int) {
    (self.index, self.chunk, self.offset) = (index, chunk, offset)
  }

  /// Copies an opened token to the slot; false if there is no memory for it.
  func hold(_ token: borrowing OpenedToken) -> Bool {
    let size = token.plaintext.count + token.ephemeralPublicKey.count
    if size > Self.size {
      guard let chunk = PlaintextChunk(size: size) else { return false }
      large = chunk
    }
    facts = token.facts
    (plaintextCount, keyCount) = (token.plaintext.count, token.ephemeralPublicKey.count)
    write(token.plaintext, at: 0)
    write(token.ephemeralPublicKey, at: plaintextCount)
    return true
  }

  /// Calls `body` with the token, and wipes it. May be called once for a token.
  func open<Result>(_ body: (borrowing OpenedToken) throws(TokenFault) -> Result) throws(TokenFault) -> Result {
    guard let facts else { preconditionFailure("a held token is opened once") }
    defer { wipe() }
    let bytes = bytes
    return try body(
      OpenedToken(
        facts, ephemeralPublicKey: bytes.extracting(plaintextCount..<(plaintextCount + keyCount)),
        plaintext: bytes.extracting(first: plaintextCount)))
  }

  /// Overwrites the token, if there is one.
  func wipe() {
    guard facts != nil else { return }
    facts = nil
    sodium_memzero(start, plaintextCount + keyCount)
    // Frees the buffer of a large token, which was wiped just now.
    large = nil
    (plaintextCount, keyCount) = (0, 0)
  }

  private var start: UnsafeMutablePointer<UInt8> {
    if let large { return large.buffer.address(count: plaintextCount + keyCount) }
    return chunk.buffer.address(at: offset, count: Self.size)
  }

  private var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { _overrideLifetime(Span(_unsafeStart: start, count: plaintextCount + keyCount), borrowing: self) }
  }

  private func write(_ source: Span<UInt8>, at offset: Int) {
    let start = start
    source.withUnsafeBufferPointer { source in
      precondition(offset + source.count <= plaintextCount + keyCount)
      guard let first = source.baseAddress else { return }
      (start + offset).update(from: first, count: source.count)
    }
  }
}

/// Guarded memory of several slots, or of one large token.
///
/// `@unchecked Sendable`: each slot belongs to one thread at a time.
private final class PlaintextChunk: @unchecked Sendable {
  let buffer: ByteBuffer

  init?(size: Int) {
    guard let buffer = ByteBuffer(guardedCapacity: size) else { return nil }
    self.buffer = buffer
  }
}

/// The slots of a pool for held tokens, allocated 64 at a time when they are first needed, and kept.
///
/// Has no bound of its own: the capacities of the queues, `storeCapacity` and the size of a batch bound what is held.
final class HeldPlaintexts: Sendable {
  private struct State {
    var free: [HeldToken] = []
    var count = 0
  }

  private static let slotsPerChunk = 64
  private let state: Locked<State>

  init(_ schedule: (any PoolSchedule)?) {
    state = Locked(State(), schedule)
  }

  /// Appends free slots to `slots`, at most as many as a chunk has; none if there is no memory.
  func take(into slots: inout [HeldToken]) {
    state.withLock { state in
      if state.free.isEmpty, let chunk = PlaintextChunk(size: Self.slotsPerChunk * HeldToken.size) {
        for index in 0..<Self.slotsPerChunk {
          state.free.append(HeldToken(state.count + index, in: chunk, at: index * HeldToken.size))
        }
        state.count += Self.slotsPerChunk
      }
      let count = min(state.free.count, Self.slotsPerChunk)
      slots.append(contentsOf: state.free.suffix(count))
      state.free.removeLast(count)
    }
  }

  /// Wipes slots and makes them free.
  func putBack(_ slots: some Collection<HeldToken>) {
    for slot in slots { slot.wipe() }
    state.withLock { $0.free.append(contentsOf: slots) }
  }
}

/// One thread's free slots, so that it takes the lock of `HeldPlaintexts` once for many tokens.
struct HeldStock: ~Copyable {
  private let plaintexts: HeldPlaintexts
  private var free: [HeldToken] = []

  /// The number of free slots at which a thread gives half of them back to `HeldPlaintexts`.
  private static var most: Int { 128 }

  init(of plaintexts: HeldPlaintexts) {
    self.plaintexts = plaintexts
    free.reserveCapacity(Self.most)
  }

  /// Copies an opened token to a slot; nil if there is no memory.
  mutating func hold(_ token: borrowing OpenedToken) -> HeldToken? {
    if free.isEmpty { plaintexts.take(into: &free) }
    guard let slot = free.popLast() else { return nil }
    guard slot.hold(token) else {
      free.append(slot)
      return nil
    }
    return slot
  }

  /// Wipes a slot that is no longer needed, and keeps it for another token.
  mutating func putBack(_ slot: HeldToken) {
    slot.wipe()
    free.append(slot)
    guard free.count == Self.most else { return }
    plaintexts.putBack(free.suffix(Self.most / 2))
    free.removeLast(Self.most / 2)
  }
}
