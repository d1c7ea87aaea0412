import Foundation
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

private func testMinter(seed: UInt64 = 1) throws -> Minter {
  try Minter(seed: seed, at: UnixTime(secondsSinceEpoch: 1_767_225_600))
}

@Suite struct CaseTests {
  static let cases: [MintedCase] = (try? testMinter().cases()) ?? []

  @Test func `every case can be minted, and names are unique kebab case`() throws {
    #expect(CaseTests.cases.count == CaseRecipe.all.count)
    var names = Set<String>()
    for recipe in CaseRecipe.all {
      #expect(names.insert(recipe.name).inserted, "\(recipe.name) twice")
      #expect(
        recipe.name.utf8.allSatisfy {
          ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x2B
        },
        "\(recipe.name)")
    }
  }

  @Test func `no two cases have one seed`() {
    #expect(Set(CaseRecipe.all.map(\.seed)).count == CaseRecipe.all.count)
    #expect(Set(CaseRecipe.byAge.map(\.seed)) == Set(CaseRecipe.all.map(\.seed)))
  }

  @Test func `a name has what its parts say, and the seed of what they were called before`() {
    let part: CaseName = .renamed(from: "old", "new")
    let name: CaseName = "rsa-\(part)-\(1)"
    #expect(name.text == "rsa-new-1" && name.seed == "rsa-old-1")
  }

  @Test func `every code that an EC_v1 token can end in has three cases at least`() {
    for code in TokenFault.Code.allCases where code != .keyUnavailable {
      let count = CaseTests.cases.count {
        if case .reject(let fault) = $0.test.expected { return fault.code == code }
        return false
      }
      #expect(count >= 3, "\(code.rawValue): \(count)")
    }
  }

  @Test func `there is a case of every forgery from A to M`() {
    for letter in "abcdefghijklm" {
      #expect(CaseRecipe.all.contains { $0.name.hasPrefix("forgery-\(letter)-") }, "\(letter)")
    }
  }

  @Test func `the same seed mints the same cases and another seed others`() throws {
    let recipes = CaseRecipe.all.enumerated().filter { $0.offset.isMultiple(of: 7) }.map(\.element)
    let first = try testMinter(seed: 5)
    let second = try testMinter(seed: 5)
    let other = try testMinter(seed: 6)
    for recipe in recipes {
      let made = try first.make(recipe)
      #expect(try made == second.make(recipe), "\(recipe.name)")
      #expect(try made != other.make(recipe), "\(recipe.name)")
    }
  }

  @Test func `a name that faults name is the member of stages 2 to 4 alone`() {
    for item in CaseTests.cases {
      guard case .reject(let fault) = item.test.expected, fault.member != nil else { continue }
      #expect((2...4).contains(fault.stage.rawValue), "\(item.test.name)")
    }
  }

  // RFC 8259 allows these numbers beyond a Double's range, but Foundation refuses them.
  static let beyondFoundation: Set<String> = ["number-of-json-6", "fractions-and-exponents-of-24-digits"]

  @Test func `an edit of sound JSON leaves JSON that Foundation reads, or is meant not to`() throws {
    for item in CaseTests.cases where !CaseTests.beyondFoundation.contains(item.test.name) {
      let reads = (try? JSONSerialization.jsonObject(with: Data(item.test.request))) is [String: Any]
      switch try #require(item.test.expected) {
      case .accept, .acceptUnsigned: #expect(reads, "\(item.test.name)")
      case .reject(let fault) where fault.stage > .json: #expect(reads, "\(item.test.name)")
      case .reject: break
      }
    }
  }

  @Test func `the right key opens every accepted case by OpenSSL alone`() throws {
    let minter = try testMinter()
    var keys = minter.merchants.flatMap { merchant in merchant.keys.map { (merchant.identifier, $0.pkcs8PEM) } }
    keys += minter.rsaMerchants.flatMap { merchant in merchant.keys.map { (merchant.identifier, $0.pkcs8PEM) } }
    var count = 0
    for item in CaseTests.cases {
      guard case .accept(let plaintext) = item.test.expected, !item.test.context.policy.isUnsigned else { continue }
      count += 1
      let opened = keys.contains { identifier, pem in
        (try? OpenSSLChecks.open(item.bareToken, privateKeyPEM: pem, merchantIdentifier: identifier)) == plaintext
      }
      #expect(opened, "\(item.test.name)")
    }
    #expect(count > 100, "\(count)")
  }

  @Test func `every rule of RSA_v1 and each of its codes is the subject of a case`() {
    let cases = CaseRecipe.all.filter { $0.name.hasPrefix("rsa-") }
    let codes = Set(
      cases.compactMap { recipe -> TokenFault.Code? in
        guard case .reject(let fault) = recipe.expected else { return nil }
        return fault.code
      })
    let elsewhere: Set<TokenFault.Code> = [
      // Codes of the document or the store, which do not depend on the version.
      .tokenTooLarge, .malformedJSON, .invalidHex, .currencyMismatch, .replayStoreFull, .replayStoreUnavailable,
      // Codes of the envelope, and of EC_v1 only.
      .malformedEnvelope, .ambiguousEnvelope, .envelopeFieldMismatch, .invalidEphemeralKey, .keyUnavailable,
    ]
    for code in Set(TokenFault.Code.allCases).subtracting(elsewhere) { #expect(codes.contains(code), "\(code)") }
    let clauses = Set(cases.map(\.clause))
    for clause in ["3.3", "4.3", "5.10", "5.11", "5.19", "7.4", "8.1", "8.4", "10.1", "11.4", "11.5", "12.1", "13.4"] {
      #expect(clauses.contains(clause), "\(clause)")
    }
  }
}
