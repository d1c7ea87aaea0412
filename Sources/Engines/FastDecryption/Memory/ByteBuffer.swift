import CSodium

/// A buffer of bytes. A guarded buffer is wiped before it is freed.
///
/// The bytes are outside the value, so that writing them needs no exclusive access to the value that holds the buffer.
/// Callers must not use a mutable span together with another span of the same buffer.
struct ByteBuffer: ~Copyable {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let isGuarded: Bool

  /// A buffer for public bytes.
  init(capacity: Int) {
    bytes = .allocate(capacity: capacity)
    bytes.initialize(repeating: 0)
    isGuarded = false
  }

  /// A buffer for secrets: between guard pages, and locked in memory if the system allows it. Nil if there is no
  /// memory.
  init?(guardedCapacity capacity: Int) {
    guard sodium_init() >= 0, let memory = sodium_malloc(capacity) else { return nil }
    bytes = UnsafeMutableBufferPointer(
      start: memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity), count: capacity)
    isGuarded = true
  }

  deinit {
    if isGuarded {
      sodium_free(bytes.baseAddress)
    } else {
      bytes.deallocate()
    }
  }

  /// Grows a buffer for public bytes to `capacity` if it is smaller. Growing discards the contents.
  mutating func reserve(_ capacity: Int) {
    if bytes.count < capacity { self = ByteBuffer(capacity: capacity) }
  }

  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self) }
  }

  var mutableSpan: MutableSpan<UInt8> {
    @_lifetime(borrow self)
    get { mutableSpan(from: 0) }
  }

  /// The bytes from `offset` on.
  @_lifetime(borrow self)
  func mutableSpan(from offset: Int) -> MutableSpan<UInt8> {
    precondition(offset >= 0 && offset <= bytes.count)
    let rest = UnsafeMutableBufferPointer(rebasing: bytes[offset...])
    return _overrideLifetime(MutableSpan(_unsafeElements: rest), borrowing: self)
  }

  /// The address of the `count` bytes at `offset`, for C.
  func address(at offset: Int = 0, count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(offset >= 0 && count >= 0 && offset + count <= bytes.count)
    guard let base = bytes.baseAddress else { fatalError("a buffer without capacity has no address") }
    return base + offset
  }

  /// Copies the first `count` bytes of another buffer to `offset`.
  func copy(first count: Int, of other: borrowing ByteBuffer, to offset: Int) {
    address(at: offset, count: count).update(from: other.address(count: count), count: count)
  }

  var isZero: Bool { bytes.reduce(0, |) == 0 }

  /// Overwrites the first `count` bytes with zeros. Optimizers do not remove this.
  func wipe(_ count: Int) {
    sodium_memzero(address(count: count), count)
  }
}
