import Corpus
import Foundation
import NamedCases
import PaymentToken
import TestCases
import Testing

/// The suites `core`, `strict` and `project`.
struct SuiteTests {
  private static let groups = Result { try GeneratorTests.files().flatMap { $0.file.groups } }

  private static func tests(_ suite: CorpusSuite) throws -> [TestCase] {
    suite.groups(of: try groups.get()).flatMap(\.cases)
  }

  private static let crashes = ["nesting-of-6000", "unclosed-brackets-up-to-the-limit-of-size"]

  private static func names(_ suite: CorpusSuite) throws -> Set<String> { Set(try tests(suite).map(\.name)) }

  private static let core = Result {
    let output = try GeneratorTests.outputs.get().first { $0.path == CorpusSuite.corePath }
    return try #require(output)
  }

  @Test func `each suite contains the one before it, and project everything`() throws {
    let (core, strict, project) = (try Self.names(.core), try Self.names(.strict), try Self.names(.project))
    #expect(core.isSubset(of: strict) && strict.isSubset(of: project))
    #expect(core.count < 260 && strict.count > 3_000 && strict.count < project.count)
    #expect(try Self.tests(.project).count == Self.groups.get().reduce(0) { $0 + $1.cases.count })
  }

  @Test func `what is strict is decided by Apple's format or a standard, is a forgery, or may crash a decryptor`()
    throws
  {
    let (decided, others) = (try Self.tests(.strict), try Self.tests(.project))
    let choices = decided.filter { $0.standing?.basis == .project || $0.standing?.severity == .choice }
    #expect(choices.filter { $0.standing?.isForgery == false }.map(\.name) == Self.crashes)
    let left = Set(others.map(\.name)).subtracting(decided.map(\.name))
    #expect(
      others.filter { left.contains($0.name) }.allSatisfy {
        $0.standing?.basis == .project || $0.standing?.severity == .choice
      })
  }

  @Test func `core is a file of about 170 vectors below 1 MB`() throws {
    let bytes = try Self.core.get().bytes
    #expect(bytes.count < 1_000_000)
    #expect((140...220).contains(try VectorReader.read(bytes).cases.count))
  }

  @Test func `the numbers of vectors that make a suite complete are those of the generated files`() throws {
    #expect(try VectorReader.read(Self.core.get().bytes).cases.count == CorpusSuite.coreCount)
    let vectors = try GeneratorTests.files().filter { $0.path.hasPrefix("vectors/") }
    let names = vectors.flatMap { $0.file.groups.flatMap { $0.cases.map(\.name) } }
    #expect(Set(names).count == CorpusSuite.vectorCount)
  }

  @Test func `the vectors of core are those of the other files, but for numbers and certificates`() throws {
    let file = try VectorReader.read(Self.core.get().bytes)
    var others: [String: (setting: TestSetting, test: TestCase)] = [:]
    for group in try Self.groups.get() { for test in group.cases { others[test.name] = (group.setting, test) } }
    for group in file.groups {
      for test in group.cases {
        var (setting, other) = try #require(others[test.name])
        other.id = test.id
        for index in setting.keys.indices { setting.keys[index].certificatePem = nil }
        #expect(test == other && group.setting == setting, "\(test.name)")
      }
    }
    #expect(file.cases.map(\.id) == (1...file.cases.count).map { String($0) })
    // Choosing the core suite from its own tests changes nothing.
    #expect(CorpusSuite.core.groups(of: file.groups) == file.groups)
  }

  @Test func `core has every classic forgery, leading zeros, a crash, and usual tokens of both versions`() throws {
    let tests = try Self.tests(.core)
    let names = Set(tests.map(\.name))
    let forgeries = CaseRecipe.all.filter(\.isForgery).map(\.name)
    #expect(forgeries.count > 20 && names.isSuperset(of: forgeries))
    for letter in "ABCDEFGHIJKLM" {
      #expect(tests.contains { $0.flags.contains("Forgery\(letter)") }, "\(letter)")
    }
    #expect(
      names.isSuperset(of: [
        "shared-secret-that-begins-with-a-zero-byte", "rsa-key-of-zeros", "nesting-of-6000", "empty-input",
        "for-key-1-of-merchant-1", "rsa-token-for-a-key-of-2048-bits",
      ]))
    let accepted = tests.filter { $0.expected?.isAccepted == true }
    #expect(accepted.count > 30 && accepted.count < tests.count - 90)
  }

  @Test func `the core suite accepts tokens in currencies of 0, 2 and 3 decimals and with leading zeros`() throws {
    let tests = try Self.tests(.core).filter { $0.name.contains("-paid") }
    let names = Set(tests.map(\.name))
    #expect(
      names.isSuperset(of: [
        "125000-jpy-paid", "125000-kwd-paid", "125000-aud-paid", "125000-jpy-paid-as-expected",
        "125000-kwd-paid-as-expected", "1250-jpy-paid-and-125000-expected", "12500-kwd-paid-and-125000-expected",
      ]))
    for (name, code) in [("jpy", "392"), ("kwd", "414"), ("aud", "036")] {
      let test = try #require(tests.first { $0.name == "125000-\(name)-paid" })
      let payment = try JSONSerialization.jsonObject(with: Data(try #require(test.expected?.plaintext)))
      let members = try #require(payment as? [String: Any])
      #expect(members["currencyCode"] as? String == code && members["transactionAmount"] as? Int == 125_000)
    }
    // An order that a program meets only if it scales the amount by 100.
    for test in try Self.tests(.project) where test.name.hasSuffix("-and-125000-expected") {
      #expect(test.expected?.fault?.code == .amountMismatch && test.standing?.severity == .high, "\(test.name)")
    }
  }

  @Test func `core has both sides of each rule of bare signed tokens, and each severe refusal`() throws {
    func isBare(_ test: TestCase) -> Bool {
      test.context.policy.envelope == .named(.apple) && !test.context.policy.isUnsigned
        && test.context.isForOtherPrograms && test.request.count < 6_000
        && !test.clauses.contains { $0.hasPrefix("0.") || $0 == "11.3" } && !test.name.hasPrefix("boundary-")
    }
    func rules(_ tests: [TestCase]) -> Set<String> {
      Set(tests.flatMap { test in test.clauses.map { "\($0) \(test.expected?.isAccepted == true)" } })
    }
    func severe(_ tests: [TestCase]) -> Set<String> {
      Set(
        tests.compactMap { test in
          guard let standing = test.standing, standing.severity <= .high, case .reject(let fault)? = test.expected
          else {
            return nil
          }
          return "\(standing.severity) \(standing.maker) \(test.clauses) \(fault.code)"
        })
    }
    let (core, strict) = (try Self.tests(.core), try Self.tests(.strict).filter(isBare))
    #expect(rules(core).isSuperset(of: rules(strict)), "\(rules(strict).subtracting(rules(core)))")
    #expect(severe(core).isSuperset(of: severe(strict)), "\(severe(strict).subtracting(severe(core)))")
    #expect(severe(strict).count > 40)
  }
}
