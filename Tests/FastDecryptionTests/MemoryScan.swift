import Foundation
import PaymentToken

/// The C library's, which its Swift module leaves out.
@_silgen_name("memmem")
private func memmem(
  _ octets: UnsafeRawPointer, _ count: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeRawPointer?

/// Looks for octets in the writable memory of this process, stacks, heap and freed blocks alike.
///
/// What it looks for lies in a mapping of its own, which the search leaves out, as it does its own buffer.
final class MemoryScan {
  struct Needle {
    let name: String
    let offset: Int
    let count: Int
  }

  private let vault: UnsafeMutableRawPointer
  private let buffer: UnsafeMutableRawPointer
  private var needles: [Needle] = []
  private var used = 0

  private static let vaultSize = 1 << 16
  private static let bufferSize = 1 << 22

  init() {
    vault = Self.mapping(Self.vaultSize)
    buffer = Self.mapping(Self.bufferSize)
  }

  deinit {
    munmap(vault, Self.vaultSize)
    munmap(buffer, Self.bufferSize)
  }

  private static func mapping(_ size: Int) -> UnsafeMutableRawPointer {
    mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  }

  /// Unmasks octets into the vault and returns them there.
  func reveal(_ masked: String) -> UnsafeMutableRawBufferPointer {
    let octets = Hex.decode(masked) ?? []
    let place = UnsafeMutableRawBufferPointer(start: vault + used, count: octets.count)
    for (index, octet) in octets.enumerated() { place[index] = octet ^ SealedToken.mask }
    used += octets.count
    return place
  }

  /// Looks for twelve octets of a secret from each of several offsets: freed blocks lose their first sixteen octets.
  /// Numbers stand in memory in words or octets, lowest first, as well as highest first.
  func addNumber(_ masked: String, named name: String, offsets: [Int] = [0, 18]) {
    let octets = reveal(masked)
    let reversed = UnsafeMutableRawBufferPointer(start: vault + used, count: octets.count)
    for index in 0..<octets.count { reversed[index] = octets[octets.count - 1 - index] }
    let words = UnsafeMutableRawBufferPointer(start: vault + used + octets.count, count: octets.count)
    for index in 0..<octets.count { words[index] = octets[index ^ 3] }
    used += 2 * octets.count
    for (form, place) in [("big-endian", octets), ("little-endian", reversed), ("32-bit words", words)] {
      for offset in offsets {
        let start = place.baseAddress.map { $0 - vault } ?? 0
        needles.append(Needle(name: "\(name), \(form), from octet \(offset)", offset: start + offset, count: 12))
      }
    }
  }

  /// The names of what was found, with the kind of memory.
  func findings() throws -> [String] {
    let memory = open("/proc/self/mem", O_RDONLY)
    guard memory >= 0 else { return ["/proc/self/mem cannot be read"] }
    defer { close(memory) }
    var found: [String] = []
    for line in try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      let bounds = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard parts[1].hasPrefix("rw"), bounds.count == 2 else { continue }
      // Only this object's own mappings are left out; neighbours may have been merged with them.
      for piece in pieces(bounds[0]..<bounds[1]) {
        found += scan(piece, memory, kind: parts.count > 5 ? String(parts[5]) : "mapping")
      }
    }
    return found
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

  private func scan(_ range: Range<Int>, _ memory: Int32, kind: String) -> [String] {
    var found: [String] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let count = pread(memory, buffer, min(Self.bufferSize, range.upperBound - position), off_t(position))
      guard count > 64 else { return found }
      for needle in needles {
        guard let hit = memmem(buffer, count, vault + needle.offset, needle.count) else { continue }
        let address = String(position + (hit - UnsafeRawPointer(buffer)), radix: 16)
        found.append("\(needle.name) in \(kind) at \(address)")
      }
      // The pieces overlap, so that nothing lies across their border.
      position += position + count < range.upperBound ? count - 32 : count
    }
    return found
  }
}
