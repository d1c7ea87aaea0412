import PaymentToken
import TokenScanning

/// The layouts of the signatures that a thread has read last, so that it need not parse others like them.
///
/// Apple's signatures have a layout for each signer and length, of which three are common. A new layout replaces the
/// oldest. Reading does not depend on the engine.
struct KnownLayouts: ~Copyable {
  private static var capacity: Int { 8 }
  /// Twice as long as Apple's. Longer signatures are parsed each time.
  private static var longestModel: Int { 4_096 }

  private var layouts: [SignedDataLayout] = []
  /// The input of each layout, `longestModel` bytes apart.
  private let models = ByteBuffer(capacity: capacity * longestModel)
  private var oldest = 0

  init() {
    layouts.reserveCapacity(Self.capacity)
  }

  /// The view of a token's decoded `signature`; nil if none of the layouts is its own.
  func view(of input: Span<UInt8>, version: TokenVersion) -> SignedDataView? {
    for index in layouts.indices where layouts[index].count == input.count {
      let model = models.span.extracting(start(index)..<start(index) + input.count)
      if let view = layouts[index].view(of: input, version: version, like: model) { return view }
    }
    return nil
  }

  /// Adds a layout, unless its input is too long.
  ///
  /// - Parameter input: `layout.count` bytes.
  mutating func add(_ layout: SignedDataLayout, of input: UnsafePointer<UInt8>) {
    guard layout.count <= Self.longestModel else { return }
    models.address(at: start(oldest), count: layout.count).update(from: input, count: layout.count)
    if oldest < layouts.count { layouts[oldest] = layout } else { layouts.append(layout) }
    oldest = (oldest + 1) % Self.capacity
  }

  /// The offset of a layout's input.
  private func start(_ index: Int) -> Int { index * Self.longestModel }
}
