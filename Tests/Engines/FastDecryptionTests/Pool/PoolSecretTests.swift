import FastDecryption
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// A pool holds plaintexts only while their requests wait for a replay store: the memory of a process that does nothing
/// else is searched (`MemoryScan`) while a request waits, and when it is answered.
@Suite(.serialized, .disabled(if: Sanitizer.isPresent)) struct PoolSecretTests {
  /// How a request's wait for its store ends.
  enum Ending: String, CaseIterable {
    case accepted, refused, late
  }

  @Test(arguments: Ending.allCases)
  func `a plaintext that waited for a store is wiped when the request is answered`(_ ending: Ending) async {
    await #expect(processExitsWith: .success) { [name = ending.rawValue as String] in
      let ending = try #require(Ending(rawValue: name))
      let scan = MemoryScan()
      let (engine, token) = try SecretTests.sealedToken(for: scan)
      scan.addNumber(SealedToken.plaintextPart, named: "plaintext")
      let limit: Duration = ending == .late ? .seconds(5) : .seconds(600)
      let pool = try DecryptionPool(engine, configuration: .init(storeTimeLimit: limit))
      let store = ManualStore()
      try pool.submit(
        token, at: mintingTime, under: VerificationPolicy(freshness: .window(seconds: 300, replay: store)),
        opened: { _ in }, refused: { _ in })
      await store.received(1)
      // The scan finds now what must be wiped later.
      let held = try scan.findings()
      #expect(held.contains { $0.hasPrefix("plaintext, big-endian") }, "\(held)")
      if ending != .late { store.answer(0, ending == .accepted ? .fresh : .replayed) }
      while pool.metrics.accepted + pool.metrics.refused == 0 { try await Task.sleep(for: .milliseconds(1)) }
      // The worker wipes the place after the callback.
      var left = try scan.findings()
      for _ in 0..<100 where !left.isEmpty {
        try await Task.sleep(for: .milliseconds(10))
        left = try scan.findings()
      }
      #expect(left == [], "\(left)")
      await pool.shutDown()
    }
  }
}
