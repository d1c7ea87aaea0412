import Foundation
import TestSupport
import Testing

/// Planted bytes that a memory scan must find: some in every kind of memory, as long as the object lives.
final class MemoryControls: @unchecked Sendable {
  enum Kind: String, CaseIterable, Codable, Sendable {
    case heap = "control: live block of the heap"
    case freed = "control: freed block"
    case stack = "control: stack of a waiting thread"
    case mapping = "control: mapping"
    case border = "control: mapping, across the border of two reads"
  }

  /// How many bytes are planted at each place.
  static let size = 16

  /// The size of the blocks, in bytes. Other blocks of these processes have other sizes.
  private static let blockSize = 984
  /// The offset of the planted bytes in a block or mapping: a freed block loses its first sixteen bytes.
  private static let inset = 32
  private static let page = 16_384

  /// How many bytes the search reads at once.
  private let border: Int
  private let end = Gate()
  private var addresses: [Kind: Int] = [:]
  private var blocks: [Kind: [UnsafeMutableRawPointer]] = [:]
  private var mappings: [(UnsafeMutableRawPointer, Int)] = []

  init(border: Int) {
    self.border = border
  }

  deinit {
    end.open()
    for block in blocks[.heap] ?? [] { free(block) }
    for (start, size) in mappings { munmap(start, size) }
  }

  func address(of kind: Kind) -> Int? { addresses[kind] }

  /// Draws the bytes, writes them to `copy` and plants them.
  func plant(_ kind: Kind, keeping copy: UnsafeMutableRawPointer) {
    for index in 0..<Self.size { copy.storeBytes(of: .random(in: 1...255), toByteOffset: index, as: UInt8.self) }
    switch kind {
    case .heap, .freed:
      // Several blocks, so that the search's own allocations cannot reuse all freed ones.
      let all = (0..<6).compactMap { _ in malloc(Self.blockSize) }
      for block in all { put(copy, at: block + Self.inset, kind) }
      blocks[kind] = all
    case .stack:
      let planted = Gate()
      let (source, end) = (Int(bitPattern: copy), end)
      Thread {
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 16) { place in
          guard let address = place.baseAddress, let copy = UnsafeRawPointer(bitPattern: source) else { return }
          self.put(copy, at: address, kind)
          planted.open()
          end.wait()
        }
      }.start()
      planted.wait()
    case .mapping:
      put(copy, at: map(Self.page) + Self.inset, kind)
    case .border:
      // The first page becomes inaccessible, so that the region begins with the second.
      let start = map(2 * Self.page + border)
      mprotect(start, Self.page, PROT_NONE)
      put(copy, at: start + Self.page + border - Self.size / 2, kind)
    }
  }

  /// Frees the blocks of the kind `freed`.
  func release() {
    for block in blocks.removeValue(forKey: .freed) ?? [] { free(block) }
  }

  private func put(_ copy: UnsafeRawPointer, at place: UnsafeMutableRawPointer, _ kind: Kind) {
    place.copyMemory(from: copy, byteCount: Self.size)
    addresses[kind] = Int(bitPattern: place)
  }

  private func map(_ size: Int) -> UnsafeMutableRawPointer {
    let start = MemoryScan.mapping(size)
    mappings.append((start, size))
    return start
  }
}
