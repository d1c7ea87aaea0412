import COpenSSL
import Foundation
import Minting
import PaymentToken
import Testing

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

  @Test func `every code that an EC_v1 token can end in has three cases at least`() {
    let elsewhere: [TokenFault.Code] = [
      .keyUnavailable
    ]
    for code in TokenFault.Code.allCases where !elsewhere.contains(code) {
      let count = CaseTests.cases.count {
        if case .reject(let fault) = $0.expected { return fault.code == code }
        return false
      }
      #expect(count >= 3, "\(code.rawValue): \(count)")
    }
  }

  @Test func `all forgeries from A to M are there`() {
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
      guard case .reject(let fault) = item.expected, fault.member != nil else { continue }
      #expect((2...4).contains(fault.stage.rawValue), "\(item.name)")
    }
  }

  // Foundation refuses numbers beyond a Double's range, which RFC 8259 allows.
  static let beyondFoundation: Set<String> = ["number-of-json-6"]

  @Test func `an edit of sound JSON leaves JSON that Foundation reads, or is meant not to`() {
    for item in CaseTests.cases where !CaseTests.beyondFoundation.contains(item.name) {
      let reads = (try? JSONSerialization.jsonObject(with: Data(item.token))) is [String: Any]
      switch item.expected {
      case .accept, .acceptUnsigned: #expect(reads, "\(item.name)")
      case .reject(let fault) where fault.stage > .json: #expect(reads, "\(item.name)")
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
      guard case .accept(let plaintext) = item.expected, !item.policy.isUnsigned else { continue }
      count += 1
      let opened = keys.contains { identifier, pem in
        (try? OpenSSLChecks.open(item.bareToken, privateKeyPEM: pem, merchantIdentifier: identifier)) == plaintext
      }
      #expect(opened, "\(item.name)")
    }
    #expect(count > 100, "\(count)")
  }
}
