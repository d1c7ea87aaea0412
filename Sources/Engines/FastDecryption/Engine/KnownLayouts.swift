import PaymentToken
import TokenScanning

/// The layouts of the signatures that a workspace parsed last. A signature with one of these layouts is not parsed.
///
/// Apple's signatures have one layout for each pair of signer and length; three are common. A new layout replaces the
/// oldest. Layouts do not depend on the engine.
struct KnownLayouts: ~Copyable {
  private static var capacity: Int { 8 }
  /// The longest signature that is kept, twice as long as Apple's. Longer ones are parsed each time.
  private static var longestModel: Int { 4_096 }

  private var layouts: [SignedDataLayout] = []
  /// The input of each layout, `longestModel` bytes apart.
  private let models = ByteBuffer(capacity: capacity * longestModel)
  private var oldest = 0

  init() {
    layouts.reserveCapacity(Self.capacity)
  }

  /// The view of a token's decoded `signature`; nil if it has none of these layouts.
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
