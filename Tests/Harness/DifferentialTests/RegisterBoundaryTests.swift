import CTextKernels
import Differential
import FastDecryption
import Foundation
import Fuzzing
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing
import TokenScanning

/// Every construct at every offset around the ends of vector registers, in each text that is scanned, by both engines
/// and every text kernel that this machine can run. The first ring takes one case in five; the seed decides which.
@Suite struct RegisterBoundaryTests {
  private static let minter = Result { try Minter(seed: Hunt.seed, at: Hunt.now) }

  private let minter: Minter
  private let fast: FastDecryptor
  /// Reuses the results of signature checks, since most cases have the same signature.
  private let reference: ReferenceDecryptor

  init() throws {
    minter = try Self.minter.get()
    let keys = try Engines.keys(of: minter)
    fast = try FastDecryptor(keys: keys, anchors: minter.anchors)
    reference = try ReferenceDecryptor(keys: keys, anchors: minter.anchors, reusing: ResultCache().check)
  }

  private func verdicts(on tests: [TestCase], by kernel: TextKernel) -> [Verdict] {
    #expect(TextKernel.force(kernel))
    return fast.decryptBatch(tests.map(\.request), at: minter.time, under: VerificationPolicy()).map {
      $0.map { .signed($0) }
    }
  }

  /// Whether a verdict is the expected one, and the payment has the cardholder name that Foundation reads.
  private func isRight(_ verdict: Verdict, on test: TestCase) -> Bool {
    guard TestVerdict(verdict) == test.expected else { return false }
    guard case .success(.signed(let token)) = verdict else { return true }
    let object = try? JSONSerialization.jsonObject(with: Data(token.plaintext)) as? [String: Any]
    let name = object?["cardholderName"] as? String
    return token.payment.cardholderName.map { Array($0.utf8) } == name.map { Array($0.utf8) }
  }

  @Test(arguments: ScannedText.allCases)
  func `constructs at register boundaries get their verdicts and contents by every text kernel`(
    _ text: ScannedText
  ) throws {
    defer { TextKernel.force(nil) }
    let start = ThreadTime.nanoseconds
    let cases = try RegisterCases(text, by: minter)
    let all = RegisterBoundary.all(in: text)
    let step = Ring.isDeep ? 1 : 5
    let tests = try stride(from: Int(Hunt.seed % UInt64(step)), to: all.count, by: step).map { index in
      try cases.make(all[index]).test
    }
    let made = ThreadTime.nanoseconds
    let wanted = tests.map { $0.input.verdict(by: reference) }
    let decided = ThreadTime.nanoseconds
    let wrong = zip(tests, wanted).filter { !isRight($1, on: $0) }.map(\.0.name)
    #expect(wrong.isEmpty, "\(wrong.count), such as \(wrong.prefix(5))")
    for kernel in TextKernel.supported {
      // A verdict includes every member of the payment.
      let differing = zip(tests, zip(verdicts(on: tests, by: kernel), wanted)).filter { $1.0 != $1.1 }.map(\.0.name)
      #expect(differing.isEmpty, "\(kernel): \(differing.count), such as \(differing.prefix(5))")
    }
    let milliseconds = [made - start, decided - made, ThreadTime.nanoseconds - decided].map { $0 / 1_000_000 }
    print(
      "seed \(Hunt.seed): \(tests.count) cases at register boundaries in \(text.rawValue) by \(TextKernel.supported);",
      "CPU time of minting, reference, fast engine: \(milliseconds) ms")
    #expect(all.count > 6_000 && tests.count >= all.count / step)
    // `isRight` detects a wrong verdict.
    #expect(!isRight(.failure(TokenFault(.keyUnavailable)), on: tests[0]))
  }

  /// The portable kernel with a planted bug: it takes a backslash in its 32nd byte for plain text.
  private static var planted: assay_text_kernel {
    var table = assay_text_kernel_at(assay_text_kernel_count() - 1).pointee
    table.json_run = { text, count in
      let portable = assay_text_kernel_at(assay_text_kernel_count() - 1).pointee
      let run = portable.json_run(text, count)
      guard run.count == 31, count > 32, text[31] == UInt8(ascii: "\\") else { return run }
      let rest = portable.json_run(text + 32, count - 32)
      return assay_json_run(count: 32 + rest.count, has_escapes: run.has_escapes || rest.has_escapes)
    }
    return table
  }

  @Test func `a kernel that misses one byte of a register is found at the offset of that byte`() throws {
    let cases = try RegisterCases(.value, by: minter)
    let broken = RegisterBoundary.all(in: .value).filter { $0.construct == .escape && $0.form == .broken(0) }
    let tests = try broken.map { try cases.make($0).test }
    let table = UnsafeMutablePointer<assay_text_kernel>.allocate(capacity: 1)
    table.initialize(to: Self.planted)
    defer { table.deallocate() }
    assay_text_kernel_force(table)
    defer { TextKernel.force(nil) }
    let found = tests.filter { TestVerdict($0.input.verdict(by: fast)) != $0.expected }
    // The engine calls the kernel after 32 bytes of plain text.
    #expect(found.map(\.name) == ["boundary-broken-1-escape-in-value-after-63-bytes"])
  }

  @Test func `a case with a token of its own has the same verdict`() throws {
    let recipes = CaseRecipe.registerBoundaries
    let sample = stride(from: 0, to: recipes.count, by: 1_013).map { recipes[$0] }
    for recipe in sample {
      let test = try minter.make(recipe).test
      #expect(TestVerdict(test.input.verdict(by: reference)) == test.expected, "\(recipe.name)")
    }
    #expect(sample.count > 40)
  }
}
