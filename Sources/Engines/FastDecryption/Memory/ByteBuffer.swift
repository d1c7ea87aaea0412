import CSodium

/// Bytes of fixed capacity, allocated once and wiped before they are freed.
///
/// The bytes lie outside the value, so that writing them needs no exclusive access to what holds the buffer; no caller
/// keeps two spans of one buffer of which one is mutable.
struct ByteBuffer: ~Copyable {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let isGuarded: Bool

  /// A buffer for public bytes.
  init(capacity: Int) {
    bytes = .allocate(capacity: capacity)
    bytes.initialize(repeating: 0)
    isGuarded = false
  }

  /// A buffer for secrets, between guard pages and kept out of swap where the system allows; nil when there is no memory.
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

  /// Makes room for public bytes where there is less; what the buffer held is then gone.
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

  /// The address of the byte at `offset`, for C; at least `count` bytes follow it.
  func address(at offset: Int = 0, count: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(offset >= 0 && count >= 0 && offset + count <= bytes.count)
    guard let base = bytes.baseAddress else { fatalError("a buffer without capacity has no address") }
    return base + offset
  }

  /// Copies the first `count` bytes of another buffer to `offset`.
  func copy(first count: Int, of other: borrowing ByteBuffer, to offset: Int) {
    address(at: offset, count: count).update(from: other.address(count: count), count: count)
  }

  /// Overwrites the first `count` bytes with zeros in a way no optimiser removes.
  func wipe(_ count: Int) {
    sodium_memzero(address(count: count), count)
  }
}
