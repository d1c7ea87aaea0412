import Corpus
import Foundation
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// The standing of a vector: who can make its token, which source makes it wrong, and how severe the other verdict is.
@Suite(.blocking) struct StandingTests {
  private static let tests = Result { try GeneratorTests.files().flatMap(\.file.cases) }

  @Test func `every vector has a standing`() throws {
    let tests = try Self.tests.get()
    #expect(tests.filter { $0.standing == nil }.map(\.name) == [])
    for severity in Standing.Severity.allCases {
      #expect(tests.count { $0.standing?.severity == severity } > 100, "\(severity)")
    }
  }

  @Test func `a token that must be accepted is at worst a lost payment, and only others are forgeries`() throws {
    for test in try Self.tests.get() {
      let standing = try #require(test.standing)
      if test.expected?.isAccepted == true {
        #expect([.interoperability, .choice].contains(standing.severity), "\(test.name)")
      } else {
        #expect(standing.severity != .interoperability, "\(test.name)")
      }
      if standing.isForgery { #expect(test.expected?.isAccepted == false, "\(test.name)") }
    }
  }

  @Test func `what this project alone demands is never critical`() throws {
    let critical = try Self.tests.get()
      .filter { $0.standing?.basis == .project && $0.standing?.severity == .critical }
    #expect(critical.map(\.name) == [])
  }

  @Test(arguments: [
    ("leaf-with-both-markers", Standing(.apple, .project, .choice)),
    ("leaf-with-both-markers-and-intermediate-with-none", Standing(.apple, .apple, .high)),
    (
      "forgery-k-explicit-parameters-in-the-ephemeral-key",
      Standing(.apple, .standard("rfc5480-2.1.1"), .strictness)
    ),
    ("forgery-k-explicit-parameters-with-another-b", Standing(.apple, .standard("rfc5480-2.1.1"), .strictness)),
    ("forgery-k-explicit-parameters-cut-to-91-bytes", Standing(.apple, .standard("rfc5480-2.1.1"), .high)),
    ("attributes-reordered-after-signing", Standing(.holder, .standard("rfc5652-5.3"), .choice)),
    ("a-signature-cut-by-one-byte", Standing(.holder, .standard("x690-8.1.5"), .strictness)),
    ("a-signature-that-ends-in-a-tag-for-a-value", Standing(.anyone, .apple, .critical)),
    ("a-signature-that-ends-in-a-tag", Standing(.holder, .standard("rfc5652-5.3"), .strictness)),
    ("ecdsa-s-negated", Standing(.holder, .standard("fips186-5-6.4.2"), .strictness)),
    ("no-attributes-although-some-were-signed", Standing(.anyone, .apple, .critical)),
    ("intermediate-that-is-no-authority", Standing(.apple, .standard("rfc5280-6.1.4"), .high)),
    ("public-key-hash-of-another-key-of-the-merchant", Standing(.holder, .project, .choice)),
    ("signing-time-by-utc-time-of-2049-in-2049", Standing(.apple, .project, .choice)),
    ("intermediate-valid-in-this-second-alone", Standing(.apple, .standard("rfc5280-4.1.2.5"), .choice)),
    ("intermediate-valid-from-this-second-on", Standing(.apple, .standard("rfc5280-4.1.2.5"), .interoperability)),
    ("forgery-h-application-data-moved-into-the-transaction-id", Standing(.holder, .project, .high)),
    ("forgery-h-1-bytes-of-application-data-moved-into-the-transaction-id", Standing(.holder, .apple, .critical)),
    ("forgery-h-half-of-the-transaction-id-as-application-data", Standing(.holder, .apple, .critical)),
    ("two-signer-infos-with-the-attacker-s-certificate-the-genuine-first", Standing(.holder, .project, .choice)),
    ("leaf-issued-under-another-name", Standing(.apple, .standard("rfc5280-6.1.3"), .strictness)),
    ("signed-with-the-key-of-the-intermediate", Standing(.apple, .apple, .high)),
    ("application-data-added", Standing(.anyone, .apple, .critical)),
    ("rsa-signature-encoding-over-sha-1", Standing(.apple, .standard("rfc8017-8.2.2"), .strictness)),
    ("rsa-signature-encoding-over-the-digest-again", Standing(.apple, .standard("rfc8017-8.2.2"), .high)),
    ("leaf-signature-value-without-der", Standing(.anyone, .standard("rfc5280-6.1.3"), .critical)),
    ("a-root-that-is-not-pinned", Standing(.anyone, .apple, .critical)),
    ("a-revoked-leaf-of-an-untrusted-chain", Standing(.anyone, .apple, .critical)),
    ("the-leaf-on-the-revoked-list", Standing(.apple, .standard("rfc5280-6.1.3"), .high)),
    ("ec-token-with-an-rsa-leaf", Standing(.anyone, .apple, .critical)),
    ("the-leaf-alone", Standing(.holder, .apple, .strictness)),
    ("a-token-of-the-attacker-with-the-leaf-alone", Standing(.anyone, .apple, .critical)),
    ("a-token-of-the-attacker-without-certificates", Standing(.anyone, .apple, .critical)),
    ("the-signed-content-inside", Standing(.holder, .apple, .strictness)),
    ("the-content-of-another-token-inside", Standing(.anyone, .apple, .critical)),
    ("the-signature-of-another-token", Standing(.anyone, .apple, .critical)),
    ("applepayjs-transaction-identifier-is-null", Standing(.holder, .project, .choice)),
    ("applepayjs-transaction-identifier-is-zeros", Standing(.holder, .project, .strictness)),
    ("unsigned-of-another-amount", Standing(.anyone, .apple, .high)),
  ])
  func `contested standings are as decided`(name: String, standing: Standing) throws {
    #expect(try #require(try Self.tests.get().first { $0.name == name }).standing == standing)
  }

  @Test(arguments: ["A", "B", "C", "D", "E", "F"])
  func `the classic forgeries can be made by anybody and are critical`(letter: String) throws {
    let forged = try Self.tests.get().filter { $0.name.contains("forgery-\(letter.lowercased())-") }
    #expect(!forged.isEmpty && forged.allSatisfy { $0.standing?.maker == .anyone && $0.standing?.isForgery == true })
  }

  @Test func `the classic forgeries of letters that have critical ones are critical`() throws {
    let prefixes = "abcdefgh".flatMap { ["forgery-\($0)-", "rsa-forgery-\($0)-"] }
    let names = CaseRecipe.all.filter(\.isForgery).map(\.name)
      .filter { name in prefixes.contains(where: name.hasPrefix) }
    #expect(names.count == prefixes.count)
    for test in try Self.tests.get() where names.contains(test.name) {
      #expect(test.standing?.isForgery == true, "\(test.name)")
    }
  }

  @Test(arguments: [
    ("apple", Standing.Basis.apple), ("project", .project), ("rfc5652-5.3", .standard("rfc5652-5.3")),
    ("fips186-5-6.4.2", .standard("fips186-5-6.4.2")),
  ])
  func `a basis is read as it is written`(word: String, basis: Standing.Basis) {
    #expect(Standing.Basis(word: word) == basis && basis.word == word)
  }

  @Test(arguments: ["", "Apple", "iso 1", "rfc 5652", "rfc5652\u{e9}"])
  func `a text that names no standard is no basis`(word: String) { #expect(Standing.Basis(word: word) == nil) }
}
