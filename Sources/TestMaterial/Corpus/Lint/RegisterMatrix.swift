import Minting
import NamedCases

/// Counts the offsets around the ends of vector registers at which the generator puts each construct, in each scanned
/// text.
///
/// For a register of w bytes these are the offsets 0…2w+1 from the beginning of the string and from its end, and the
/// offsets from the beginning of the text modulo w; for lengths of strings, 0…3w. An offset is covered if every form of
/// the construct occurs there, valid and invalid. A cell with an uncovered offset is a hole.
package struct RegisterMatrix: Sendable {
  /// The bytes of a register of SSE2 or Advanced SIMD, AVX2, AVX-512.
  package static let widths = [16, 32, 64]

  /// A construct in a text, for registers of one width in bytes.
  package struct Cell: Hashable, Sendable {
    package let text: ScannedText
    package let construct: RegisterConstruct
    package let width: Int
  }

  private enum Offset: Hashable {
    case before(Int)
    case after(Int)
    /// The offset from the beginning of the text, modulo the width of the register.
    case beginning(Int, width: Int)
  }

  private typealias Offsets = [ScannedText: [RegisterConstruct: [RegisterBoundary.Form: Set<Offset>]]]
  private let offsets: Offsets

  /// Counts the placements of cases.
  package init(_ placements: [RegisterPlacement]) {
    var offsets: Offsets = [:]
    for placement in placements {
      var places: [Offset] = [.before(placement.before)]
      if placement.construct != .length {
        places += [.after(placement.after)] + Self.widths.map { .beginning(placement.beginning % $0, width: $0) }
      }
      offsets[placement.text, default: [:]][placement.construct, default: [:]][placement.form, default: []]
        .formUnion(places)
    }
    self.offsets = offsets
  }

  /// The cells, by text, width and construct.
  package var cells: [Cell] {
    ScannedText.allCases.flatMap { text in
      Self.widths.flatMap { width in text.constructs.map { Cell(text: text, construct: $0, width: width) } }
    }
  }

  /// The number of offsets of a cell.
  package func total(_ cell: Cell) -> Int { Self.wanted(cell).count }

  /// The number of covered offsets.
  package func count(_ cell: Cell) -> Int {
    let covered = offsets[cell.text]?[cell.construct] ?? [:]
    let forms = cell.text.forms(of: cell.construct).map { covered[$0] ?? [] }
    return Self.wanted(cell).count { offset in forms.allSatisfy { $0.contains(offset) } }
  }

  /// The cells that lack an offset.
  package var holes: [Cell] { cells.filter { count($0) < total($0) } }

  private static func wanted(_ cell: Cell) -> [Offset] {
    guard cell.construct != .length else { return (0...3 * cell.width).map { .before($0) } }
    let ends = 0...2 * cell.width + 1
    return ends.map { .before($0) } + ends.map { .after($0) }
      + (0..<cell.width).map { .beginning($0, width: cell.width) }
  }
}

extension VectorGenerator {
  /// The placements of all cases at register boundaries.
  package func registerPlacements() throws(MintingError) -> [RegisterPlacement] {
    var placements: [RegisterPlacement] = []
    for text in ScannedText.allCases {
      let cases = try RegisterCases(text, by: minter)
      placements += RegisterBoundary.all(in: text).map { cases.placement(of: $0) }
    }
    return placements
  }
}
