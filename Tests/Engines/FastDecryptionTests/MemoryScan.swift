import Foundation
import PaymentToken
import Synchronization

/// `memmem` of the C library, which its Swift module leaves out.
@_silgen_name("memmem")
private func memmem(
  _ bytes: UnsafeRawPointer, _ count: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeRawPointer?

/// Searches the writable memory of this process for bytes: stacks, heap and freed blocks. For a process that does
/// nothing else (an exit test), since memory that other threads map and unmap meanwhile cannot be searched.
///
/// Each search is checked: `MemoryControls` plants bytes in every kind of memory, and a search that does not find all
/// of them throws. So does a search that cannot read a region, or whose regions keep changing.
///
/// The searched bytes are in a mapping of their own, which the search skips, like its own buffer.
final class MemoryScan {
  struct Needle {
    let name: String
    let offset: Int
    let count: Int
  }

  /// The search is inconclusive.
  enum Failure: Error, Equatable {
    /// Planted bytes were not found in these kinds of memory.
    case blind([MemoryControls.Kind])
    /// A writable region could not be read to its end.
    case unreadable(String)
    /// The list of regions changed during each attempt.
    case unsettled
  }

  private let vault: UnsafeMutableRawPointer
  private let buffer: UnsafeMutableRawPointer
  private let controls: MemoryControls
  private var needles: [Needle] = []
  private var used = 0

  private static let vaultSize = 1 << 16
  private static let bufferSize = 1 << 22

  init() {
    vault = Self.mapping(Self.vaultSize)
    buffer = Self.mapping(Self.bufferSize)
    controls = MemoryControls(border: Self.bufferSize)
    for kind in MemoryControls.Kind.allCases {
      needles.append(Needle(name: kind.rawValue, offset: used, count: MemoryControls.size))
      controls.plant(kind, keeping: vault + used)
      used += MemoryControls.size
    }
  }

  deinit {
    munmap(vault, Self.vaultSize)
    munmap(buffer, Self.bufferSize)
  }

  static func mapping(_ size: Int) -> UnsafeMutableRawPointer {
    mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  }

  /// Unmasks bytes into the vault and returns them there.
  func reveal(_ masked: String) -> UnsafeMutableRawBufferPointer {
    let bytes = Hex.decode(masked) ?? []
    let place = UnsafeMutableRawBufferPointer(start: vault + used, count: bytes.count)
    for (index, byte) in bytes.enumerated() { place[index] = byte ^ SealedToken.mask }
    used += bytes.count
    return place
  }

  /// Looks for twelve bytes of a secret from each of several offsets: freed blocks lose their first sixteen bytes. A
  /// number has three forms: big-endian, little-endian, and little-endian 32-bit words with the highest first.
  func addNumber(_ masked: String, named name: String, offsets: [Int] = [0, 18]) {
    let bytes = reveal(masked)
    let reversed = UnsafeMutableRawBufferPointer(start: vault + used, count: bytes.count)
    for index in 0..<bytes.count { reversed[index] = bytes[bytes.count - 1 - index] }
    let words = UnsafeMutableRawBufferPointer(start: vault + used + bytes.count, count: bytes.count)
    for index in 0..<bytes.count { words[index] = bytes[index ^ 3] }
    used += 2 * bytes.count
    for (form, place) in [("big-endian", bytes), ("little-endian", reversed), ("32-bit words", words)] {
      for offset in offsets {
        let start = place.baseAddress.map { $0 - vault } ?? 0
        needles.append(Needle(name: "\(name), \(form), from byte \(offset)", offset: start + offset, count: 12))
      }
    }
  }

  /// The names of the secrets that were found, without the controls, and where each was found.
  ///
  /// - Parameter isLeftOut: selects regions that the search skips, so that a test can break it.
  func findings(leavingOut isLeftOut: (Range<Int>) -> Bool = { _ in false }) throws(Failure) -> [String] {
    controls.release()
    var regions = Self.regions()
    for _ in 0..<20 {
      let attempt = Result { () throws(Failure) in try search(regions, leavingOut: isLeftOut) }
      // If regions changed meanwhile, mostly because of this search's own memory, another attempt is necessary.
      let after = Self.regions()
      guard after == regions else {
        regions = after
        continue
      }
      let found = try attempt.get()
      let missed = MemoryControls.Kind.allCases.filter { kind in !found.contains { $0.needle == kind.rawValue } }
      guard missed.isEmpty else { throw .blind(missed) }
      return found.filter { MemoryControls.Kind(rawValue: $0.needle) == nil }.map { "\($0.needle) in \($0.place)" }
    }
    throw .unsettled
  }

  private func search(
    _ regions: [Region], leavingOut isLeftOut: (Range<Int>) -> Bool
  ) throws(Failure) -> [(needle: String, place: String)] {
    var found: [(needle: String, place: String)] = []
    for region in regions where !isLeftOut(region.range) {
      // Only this object's own mappings are left out; neighbours may have been merged with them.
      for piece in pieces(region.range) { try scan(piece, region.kind, into: &found) }
    }
    return found
  }

  /// The region that holds the planted bytes of a kind.
  func region(of kind: MemoryControls.Kind) -> Range<Int>? {
    guard let address = controls.address(of: kind) else { return nil }
    return Self.regions().first { $0.range.contains(address) }?.range
  }

  private struct Region: Equatable {
    let range: Range<Int>
    let kind: String
  }

  /// The writable regions of /proc/self/maps.
  private static func regions() -> [Region] {
    guard let file = fopen("/proc/self/maps", "r") else { return [] }
    defer { fclose(file) }
    var regions: [Region] = []
    regions.reserveCapacity(1_024)
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0, let line {
      let parts = String(cString: line).split(whereSeparator: \.isWhitespace)
      let bounds = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard parts[1].hasPrefix("rw"), bounds.count == 2 else { continue }
      regions.append(Region(range: bounds[0]..<bounds[1], kind: parts.count > 5 ? String(parts[5]) : "mapping"))
    }
    return regions
  }

  private func pieces(_ range: Range<Int>) -> [Range<Int>] {
    let own = [
      (Int(bitPattern: vault), Self.vaultSize), (Int(bitPattern: buffer), Self.bufferSize),
    ].map { $0.0..<($0.0 + $0.1) }.sorted { $0.lowerBound < $1.lowerBound }
    var pieces: [Range<Int>] = []
    var start = range.lowerBound
    for hole in own where hole.overlaps(range) {
      if start < hole.lowerBound { pieces.append(start..<hole.lowerBound) }
      start = max(start, hole.upperBound)
    }
    if start < range.upperBound { pieces.append(start..<range.upperBound) }
    return pieces
  }

  private func scan(
    _ range: Range<Int>, _ kind: String, into found: inout [(needle: String, place: String)]
  ) throws(Failure) {
    let memory = open("/proc/self/mem", O_RDONLY)
    guard memory >= 0 else { throw .unreadable("/proc/self/mem") }
    defer { close(memory) }
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = min(Self.bufferSize, range.upperBound - position)
      let count = pread(memory, buffer, wanted, off_t(position))
      guard count == wanted else { throw .unreadable("\(kind), \(String(position, radix: 16)): \(count) of \(wanted)") }
      for needle in needles {
        guard let hit = memmem(buffer, count, vault + needle.offset, needle.count) else { continue }
        let address = String(position + (hit - UnsafeRawPointer(buffer)), radix: 16)
        found.append((needle.name, "\(kind) at \(address)"))
      }
      // The pieces overlap, so that nothing across their border is missed.
      position += position + count < range.upperBound ? count - 32 : count
    }
  }
}
