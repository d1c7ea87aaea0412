import CP256
import Minting
import Testing

/// Hardware faults are detected: a result that is not a point on the curve is never used.
@Suite struct FaultTests {
  private let curve = Curve()

  @Test(arguments: Kernel.agreeing) func `a flipped bit in one limb of a key agreement is detected, only in its lane`(
    _ kernel: Kernel
  ) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("faults")
    let agreements = (0..<kernel.lanes).map { _ in
      Kernel.Agreement(
        peer: curve.multiply(curve.scalar(generator.bytes(32)))!, scalar: curve.scalar(generator.bytes(32)))
    }
    let right = kernel.agree(agreements)
    let none = Kernel.Fault(window: -1, coordinate: 0, limb: 0, bit: 0, lane: 0)
    #expect(kernel.agree(agreements, fault: none).map(\.secret) == right.map(\.secret))
    for _ in 0..<max(60, kernel.count(Hunt.count / 400)) {
      // The top four bits of the top limb are left out, since values with them exceed the kernels' bounds.
      let limb = Int.random(in: 0..<5, using: &generator)
      let fault = Kernel.Fault(
        window: Int.random(in: 0...50, using: &generator), coordinate: Int.random(in: 0..<3, using: &generator),
        limb: limb, bit: Int.random(in: 0..<(limb == 4 ? 48 : 52), using: &generator),
        lane: Int.random(in: 0..<kernel.lanes, using: &generator))
      for (lane, result) in kernel.agree(agreements, fault: fault).enumerated() {
        #expect(result.status == (lane == fault.lane ? .unsure : .done), "\(fault)")
        #expect(result.secret == (lane == fault.lane ? [UInt8](repeating: 0, count: 32) : right[lane].secret))
      }
    }
  }

  @Test(arguments: Kernel.all) func `a flipped bit in an entry of a table is detected by the signatures that use it`(
    _ kernel: Kernel
  ) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("tables")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Kernel.Table(signer.point))
    var noticed = 0
    let count = max(20, kernel.count(Hunt.count / 4_000))
    for _ in 0..<count {
      // Entry 0 of position 0 is the point itself, which u2 = 1 uses.
      let word = Int.random(in: 0..<8, using: &generator)
      let bit = Int.random(in: 0..<64, using: &generator)
      let u1 = curve.scalar(generator.bytes(32))
      guard let (digest, r, s) = signer.signature(u1: u1, u2: curve.scalar(1)) else { continue }
      let signature = Kernel.Signature(digest: digest, r: r, s: s, table: table)
      #expect(kernel.verify([signature])[0] == .done)
      table.words[word] ^= 1 << UInt64(bit)
      #expect(kernel.verify([signature])[0] == .unsure)
      noticed += 1
      table.words[word] ^= 1 << UInt64(bit)
    }
    #expect(noticed == count)
  }
}
