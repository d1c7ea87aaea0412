import Corpus
import NamedCases
import TestSupport
import Testing

@Suite struct RegisterMatrixTests {
  @Test func `the generator leaves no hole at a register boundary, and a planted one is seen`() throws {
    let placements = try VectorGenerator().registerPlacements()
    let matrix = RegisterMatrix(placements)
    #expect(matrix.holes.isEmpty, "\(matrix.holes.prefix(5))")
    #expect(matrix.cells.count == 204)
    // The figure in Corpus/README.md.
    #expect(placements.count == 52_118 && CaseRecipe.registerBoundaries.count == 52_118)
    // Without the broken quotes at one offset, the same search finds holes at the register widths that this offset is
    // near to. Each has two missing placements: the offset from the start and that from the end.
    let fewer = RegisterMatrix(
      placements.filter { !($0.text == .name && $0.construct == .quote && $0.form == .broken(0) && $0.before == 64) })
    #expect(fewer.holes.map(\.width) == [32, 64])
    #expect(fewer.holes.allSatisfy { $0.text == .name && $0.construct == .quote })
    #expect(fewer.holes.map { fewer.total($0) - fewer.count($0) } == [2, 2])
    // Without a whole form, its cells are empty.
    let without = RegisterMatrix(placements.filter { $0.form != .broken(2) || $0.construct != .fourBytes })
    #expect(without.holes.count == 18 && without.holes.allSatisfy { without.count($0) == 0 })
  }
}
