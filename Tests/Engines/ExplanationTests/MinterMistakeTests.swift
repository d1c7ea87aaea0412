import Explanation
import Minting
import NamedCases
import PaymentToken
import TestSupport
import Testing

/// Tokens minted under a test PKI with one mistake each: the sentence names the value to change, and accuses nobody.
struct MinterMistakeTests {
  @Test(arguments: MinterMistake.all)
  func `the sentence for a mistake names its rule and its value`(mistake: MinterMistake) throws {
    let explanation = try Scenario.explain(mistake.prepare)
    #expect(explanation.fault?.code == mistake.code)
    if let rule = mistake.rule { #expect(explanation.subject?.contains(", rule \(rule)") ?? false) }
    for value in mistake.says { #expect(explanation.sentence.contains(value), "\(explanation.sentence)") }
    #expect(explanation.sentence.firstMatch(of: /forge|someone|[Dd]ownload/) == nil)
  }

  @Test(arguments: MinterMistake.payloads)
  func `a payload's member is named with its form, and its value is not shown`(payload: MinterMistake.Payload) throws {
    let explanation = try Scenario.explain(payload.mistake.prepare)
    #expect(explanation.fault?.code == .malformedPayload && explanation.diagnosis == .unexpectedPayload)
    #expect(explanation.subject == "\(payload.member), rule \(payload.rule)")
    #expect(explanation.sentence.contains(": it is \(payload.form), but must be "))
    let search = try SecretSearch(for: [payload.secret], from: String(decoding: payload.plaintext, as: UTF8.self))
    #expect(try search.findings(in: explanation.everything, marked: payload.form) == [])
  }

  /// The second certificate is self-signed and marked as an authority's, as `openssl req -x509` makes it.
  @Test func `a merchant's certificate without the extension is named with what it lacks`() throws {
    let minter = try ScenarioTests.minter.get()
    let key = minter.merchants[0].keys[0]
    var own = minter.pki.leafRecipe
    own.publicKeyInfo = key.pair.publicKeyInfo
    own.issuer = own.subject
    own.extensions = [Extensions.basicConstraints(authority: true)]
    let range = (-90 * Scenario.day, 600 * Scenario.day)
    let files = [
      try MerchantCertificate.pem(minter, key, from: range.0, to: range.1, hasMerchantIDHash: false),
      Scenario.chain(try own.issue(by: .ec(key.pair))),
    ]
    for file in files {
      var scenario = try Scenario(minter)
      scenario.files[1] = file
      let explanation = try scenario.explain()
      #expect(explanation.keyError?.code == .missingMerchantID && explanation.diagnosis == .merchantIDMissing)
      #expect(explanation.sentence.contains("1.2.840.113635.100.6.32"))
      scenario.merchantIDs = [minter.merchants[0].identifier]
      #expect(try scenario.explain().accepted)
    }
  }

  @Test func `under Apple's root a payload is to be kept and reported`() throws {
    let payload = try #require(MinterMistake.payloads.first)
    var scenario = try Scenario(ScenarioTests.minter.get())
    try payload.mistake.prepare(&scenario)
    let own = try scenario.explain()
    #expect(own.sentence.hasSuffix(try #require(Diagnosis.unexpectedPayload.sentenceForTesters)))
    // With Apple's root beside the tester's, it is still the tester's token.
    scenario.anchors = TrustAnchors(certificates: scenario.anchors.certificates + TrustAnchors.apple.certificates)
    #expect(try scenario.explain().sentence == own.sentence)
  }

  @Test func `a time within a certificate's validity helps without a window, as the sentence says`() throws {
    var scenario = try Scenario(ScenarioTests.minter.get())
    try scenario.issue { $0.leafRecipe.notAfter = .time(Scenario.time.advanced(by: -Scenario.day)) }
    #expect(try scenario.explain().sentence.hasSuffix(SignatureRule.fixOutsideValidity))
    scenario.now = Scenario.time.advanced(by: -2 * Scenario.day)
    scenario.policy = VerificationPolicy(freshness: .windowOff)
    #expect(try scenario.explain().accepted)
  }

  /// Each content is signed in place of the members; its word must occur in the finding.
  @Test func `a digest of something else is recognized`() throws {
    let minter = try ScenarioTests.minter.get()
    var layers = try minter.layers()
    layers.transactionId[4] = 0x0A
    let (key, data, id) = (layers.ephemeralPublicKey, layers.data, layers.transactionId)
    let contents: [(word: String, content: [UInt8])] = [
      ("-binary", Self.linesByOpenSSL(layers.signedContent)),
      ("-text", Array("Content-Type: text/plain\r\n\r\n".utf8) + Self.linesByOpenSSL(layers.signedContent)),
      ("PKCS7Options.Binary", Self.windowsLines(layers.signedContent)),
      ("another order", data + key + id), ("another order", id + data + key),
      ("in hexadecimal", key + data + Array(Hex.encode(id).utf8)),
      ("in base64", Array((Base64.encode(key) + Base64.encode(data) + Hex.encode(id)).utf8)),
      ("bare point", key.suffix(65) + data + id), ("without transactionId", key + data),
    ]
    var scenario = try Scenario(minter)
    func explain(over content: [UInt8]) throws -> Explanation {
      layers.signature = try layers.signer.sign(content, at: layers.signedAt, as: layers.signatureRecipe)
      scenario.token = layers.token
      return try scenario.explain()
    }
    let other = try explain(over: [1])
    for (word, content) in contents {
      let explanation = try explain(over: content)
      #expect(explanation.fault?.code == .signatureMismatch && explanation.subject == "messageDigest, rule 8.1")
      let found = try #require(explanation.checks.first { $0.outcome == .failed }?.findings.first?.found)
      #expect(found.contains(", that of the members") && found.contains(word), "\(found)")
    }
    #expect(
      try #require(other.checks.first { $0.outcome == .failed }?.findings.first).found.contains("that of") == false)
    #expect(try explain(over: layers.signedContent).accepted)
  }

  /// A short file as `openssl cms` reads it without -binary: each line up to a zero byte, until one begins with it.
  private static func linesByOpenSSL(_ content: [UInt8]) -> [UInt8] {
    let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
    var read: [UInt8] = []
    for (index, line) in lines.enumerated() {
      guard line.first != 0 else { break }
      let isWhole = !line.contains(0) && index < lines.count - 1
      read += line.prefix { $0 != 0 }.reversed().drop { $0 == 0x0D }.reversed() + (isWhole ? [0x0D, 0x0A] : [])
    }
    return read
  }

  private static func windowsLines(_ content: [UInt8]) -> [UInt8] {
    content.indices.flatMap { index in
      let isBare = content[index] == 0x0A && (index == 0 || content[index - 1] != 0x0D)
      return isBare ? [0x0D, 0x0A] : [content[index]]
    }
  }
}
