import Explanation
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import TestCases
import Testing

/// A prepared scenario and its diagnosis.
struct PreparedScenario: CustomTestStringConvertible {
  /// What happened, in the user's words.
  let name: String
  let diagnosis: Diagnosis
  let prepare: @Sendable (inout Scenario) throws -> Void

  init(_ diagnosis: Diagnosis, _ name: String, _ prepare: @escaping @Sendable (inout Scenario) throws -> Void) {
    self.name = name
    self.diagnosis = diagnosis
    self.prepare = prepare
  }

  var testDescription: String { "\(diagnosis.rawValue): \(name)" }

  static let all =
    keys + certificates + lookalikes + keyFiles + rsaKeys + merchantIDs + members + inputs + signatures + orders
    + envelopes + heldTokens + tokensInTokens
    + wrappings + signatureForms

  // MARK: Which key

  static let keys: [PreparedScenario] = [
    PreparedScenario(.sound, "nothing is wrong") { _ in },
    PreparedScenario(.noKeyLoaded, "no key was given") { $0.files = [] },
    PreparedScenario(.unknownKey, "the key of another merchant ID") {
      $0.files = Scenario.files($0.minter.merchants[1].keys[0])
    },
    PreparedScenario(.privateKeyMissing, "the certificate without its key") {
      $0.files.removeFirst()
    },
    PreparedScenario(.identityCertificate, "the identity certificate and its key") {
      try $0.useNewKey(.identity, from: -90, to: 600)
    },
    PreparedScenario(.identityCertificate, "the identity certificate beside the processing key") {
      let key = $0.minter.merchants[0].keys[1]
      $0.files[1] = try MerchantCertificate.pem(
        $0.minter, key, .identity, from: -90 * Scenario.day, to: 600 * Scenario.day)
    },
    PreparedScenario(.identityCertificate, "an identity certificate without hash, and no merchant ID") {
      try $0.useNewKey(.identity, from: -90, to: 600, hasMerchantIDHash: false)
    },
    PreparedScenario(.certificateNotActivated, "the certificate of the named merchant was renewed a week ago") {
      $0.merchantIDs = [$0.minter.merchants[0].identifier]
      try $0.useNewKey(from: -7, to: 700)
    },
    PreparedScenario(.certificateNotActivated, "the renewed certificate with its key, the old one without") {
      try $0.useNewKey(from: -100, to: 600)
      let old = $0.minter.merchants[0].keys[0]
      $0.files.append(try MerchantCertificate.pem($0.minter, old, from: -700 * Scenario.day, to: 60 * Scenario.day))
    },
    PreparedScenario(.privateKeyMissing, "the old certificate without its key, the renewed one made after the token") {
      try $0.useNewKey(from: 100, to: 600)
      let old = $0.minter.merchants[0].keys[0]
      $0.files.append(try MerchantCertificate.pem($0.minter, old, from: -700 * Scenario.day, to: 60 * Scenario.day))
    },
    PreparedScenario(.olderKeyNeeded, "the certificate of the named merchant is newer than the token") {
      $0.merchantIDs = [$0.minter.merchants[0].identifier]
      try $0.useNewKey(from: 7, to: 700)
    },
    PreparedScenario(.merchantCertificateExpired, "the certificate of the named merchant ID expired last year") {
      $0.merchantIDs = [$0.minter.merchants[0].identifier]
      try $0.useNewKey(from: -900, to: -300)
    },
    PreparedScenario(.sandboxToken, "a sandbox token and a production key") {
      var pki = $0.minter.pki
      try $0.signed { layers in
        pki.leafRecipe.subject = .sequence([
          .set([.sequence([.oid([2, 5, 4, 3]), .utf8String("ecc-smp-broker-sign_UC4-SANDBOX")])])
        ])
        try pki.issueLeaf()
        layers.signer = TokenSigner(pki)
      }
      $0.files = Scenario.files($0.minter.merchants[1].keys[0])
    },
    PreparedScenario(.keyCertificateMismatch, "key and certificate of two merchants") {
      $0.files[0] = Scenario.files($0.minter.merchants[1].keys[0])[0]
      $0.files[1] = Scenario.files($0.minter.merchants[1].keys[1])[1]
    },
    PreparedScenario(.keyFormat, "a revocation list in place of the private key") {
      $0.files[0] = Scenario.file("list.pem", "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n")
    },
    PreparedScenario(.invalidEphemeralKey, "a point that is on no curve") {
      try $0.signed { $0.ephemeralPublicKey[90] ^= 1 }
    },
    PreparedScenario(.publicKeyHashAltered, "the publicKeyHash of another loaded key") {
      let other = $0.minter.merchants[0].keys[1]
      try $0.layers { $0.publicKeyHash = other.publicKeyHash }
      $0.files += Scenario.files(other)
    },
    PreparedScenario(.publicKeyHashAltered, "a publicKeyHash of no key, and the token's key loaded") {
      try $0.layers { $0.publicKeyHash[0] ^= 1 }
    },
    PreparedScenario(.publicKeyHashAltered, "the publicKeyHash of a certificate whose key was not given") {
      let other = $0.minter.merchants[1].keys[0]
      try $0.layers { $0.publicKeyHash = other.publicKeyHash }
      $0.files.append(Scenario.file("other.pem", other.certificatePEM))
    },
    PreparedScenario(.notForThisKey, "a key with certificates for two merchant IDs, and the certificate of the other") {
      try $0.useAnotherMerchantsCertificate($0.minter.merchants[1].keys[0])
    },
    PreparedScenario(.merchantIDFound, "a key with certificates for two merchant IDs, and the right one named") {
      try $0.useAnotherMerchantsCertificate($0.minter.merchants[1].keys[0])
      $0.candidates = [$0.minter.merchants[1].identifier]
    },
    PreparedScenario(.notForThisKey, "the publicKeyHash of the only loaded key, and another's data") {
      let other = $0.minter.merchants[0].keys[1]
      try $0.layers { $0.publicKeyHash = other.publicKeyHash }
      $0.files = Scenario.files(other)
    },
  ]

  static let rsaKeys: [PreparedScenario] = [
    PreparedScenario(.sound, "nothing is wrong with a token of RSA_v1") { try $0.mintRSA() },
    PreparedScenario(.keyOfOtherVersion, "a token of RSA_v1 and an EC key") {
      let files = $0.files
      try $0.mintRSA()
      $0.files = files
    },
    PreparedScenario(.keyOfOtherVersion, "a token of EC_v1 and an RSA key") {
      $0.files = Scenario.files($0.minter.rsaMerchants[0].keys[0])
    },
    PreparedScenario(.identityCertificate, "the identity certificate and its key, of RSA as Apple makes them") {
      let key = $0.minter.rsaMerchants[0].keys[1]
      $0.files = [
        Scenario.file("identity.key", key.pkcs8PEM),
        try MerchantCertificate.pem(
          $0.minter, key.pair.publicKeyInfo, .identity, from: -90 * Scenario.day, to: 600 * Scenario.day),
      ]
    },
    PreparedScenario(.unknownKey, "a token of RSA_v1 and another RSA key") {
      try $0.mintRSA()
      $0.files = Scenario.files($0.minter.rsaMerchants[0].keys[1])
    },
    PreparedScenario(.publicKeyHashAltered, "the publicKeyHash of another RSA key") {
      try $0.mintRSA()
      let (right, other) = ($0.minter.rsaMerchants[0].keys[0], $0.minter.rsaMerchants[0].keys[1])
      $0.token = Array(
        $0.text.replacing(Base64.encode(right.publicKeyHash), with: Base64.encode(other.publicKeyHash)).utf8)
      $0.files += Scenario.files(other)
    },
    PreparedScenario(.publicKeyHashAltered, "a publicKeyHash of no RSA key, and the token's key loaded") {
      try $0.mintRSA()
      let hash = $0.minter.rsaMerchants[0].keys[0].publicKeyHash
      $0.token = Array(
        $0.text.replacing(Base64.encode(hash), with: Base64.encode([hash[0] ^ 1] + hash.dropFirst())).utf8)
    },
    PreparedScenario(.notWrappedForThisKey, "a token of RSA_v1 whose wrappedKey is that of another key") {
      try $0.mintRSA()
      var layers = try $0.minter.layers($0.rsaRecipe)
      layers.wrappedKey.swapAt(100, 200)
      layers.wrappedKey[101] ^= 1
      try layers.sign()
      $0.token = layers.token
    },
    PreparedScenario(.hexInsteadOfBase64, "a wrappedKey in hexadecimal, which is base64 of an allowed length") {
      try $0.mintRSA()
      let layers = try $0.minter.layers($0.rsaRecipe)
      $0.token = Array($0.text.replacing(Base64.encode(layers.wrappedKey), with: Hex.encode(layers.wrappedKey)).utf8)
    },
    PreparedScenario(.wrongLength, "a wrappedKey cut in half") {
      try $0.mintRSA()
      var object = try $0.minter.layers($0.rsaRecipe).object
      object["header"]?.object["wrappedKey"] = .string(Base64.encode([UInt8](repeating: 1, count: 128)))
      $0.token = JSONValue.object(object).text()
    },
    PreparedScenario(.keyPassword, "an encrypted key without its password") {
      $0.files[0] = Scenario.file(
        "merchant.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAcwAwYBKgQA\n-----END ENCRYPTED PRIVATE KEY-----\n")
    },
  ]

  // MARK: Which merchant ID

  /// The token's key without its certificate.
  ///
  /// - Parameter given: the merchant ID that is given for it, and then the candidates.
  private static func uncertified(
    _ diagnosis: Diagnosis, _ name: String, _ given: @escaping @Sendable (TestMerchant) -> [String]
  ) -> PreparedScenario {
    PreparedScenario(diagnosis, name) {
      let identifiers = given($0.minter.merchants[0])
      $0.files.removeLast()
      $0.merchantIDs = Array(identifiers.prefix(1))
      $0.candidates = Array(identifiers.dropFirst())
    }
  }

  static let merchantIDs: [PreparedScenario] = [
    uncertified(.wrongMerchantID, "another merchant ID, and no certificate") { _ in ["merchant.com.example.other"] },
    uncertified(.wrongMerchantID, "another merchant ID, and the hash of the right one among the candidates") {
      ["merchant.com.example.other", Hex.encode($0.identifierHash)]
    },
    uncertified(.merchantIDFound, "another merchant ID, and the right one among the candidates") {
      ["merchant.com.example.other", "merchant.com.example.third", $0.identifier]
    },
    uncertified(.merchantIDFound, "the merchant ID in capitals and with a space") {
      [$0.identifier.uppercased() + " "]
    },
    uncertified(.merchantIDFound, "the merchant ID without its prefix") {
      [String($0.identifier.dropFirst("merchant.".count))]
    },
    uncertified(.merchantIDFound, "the merchant ID with a capital") { ["M" + $0.identifier.dropFirst()] },
    uncertified(.merchantIDFound, "the merchant ID after the identifier of the team") {
      ["ABCDE12345." + $0.identifier]
    },
    uncertified(.merchantIDFound, "the merchant ID in quotation marks and with a line end") {
      ["\"\($0.identifier)\"\n"]
    },
    uncertified(.merchantIDGivenAsHash, "the hash of the merchant ID") { [Hex.encode($0.identifierHash)] },
    PreparedScenario(.merchantIDMissing, "neither certificate nor merchant ID") { $0.files.removeLast() },
    PreparedScenario(.merchantIDMismatch, "the certificate, and another merchant ID") {
      $0.merchantIDs = ["merchant.com.example.other"]
    },
    PreparedScenario(.unusableKeys, "an empty merchant ID") { $0.merchantIDs = [""] },
  ]

  // MARK: The payment and the order

  static let orders: [PreparedScenario] = [
    PreparedScenario(.otherOrder, "another amount") {
      $0.policy = VerificationPolicy(expectations: Expectations(transactionAmount: 1))
    },
    PreparedScenario(.otherOrder, "ten times the amount") {
      $0.policy = VerificationPolicy(expectations: Expectations(transactionAmount: 12_500))
    },
    PreparedScenario(.amountInOtherUnits, "major units for minor ones") {
      $0.policy = VerificationPolicy(expectations: Expectations(transactionAmount: 125_000))
    },
    PreparedScenario(.otherCurrency, "another currency") {
      $0.policy = VerificationPolicy(expectations: Expectations(currencyCode: "000"))
    },
    PreparedScenario(.otherOrder, "other application data") {
      let data = Bytes32([UInt8](repeating: 1, count: 32))
      $0.policy = VerificationPolicy(expectations: Expectations(applicationData: data))
    },
    PreparedScenario(.replayedTransaction, "the same token again") {
      $0.policy = VerificationPolicy(
        freshness: .window(seconds: 300, replay: MemoryReplayStore(capacity: 1)))
      _ = try $0.explain()
    },
    PreparedScenario(.replayStoreFull, "a store without room") {
      $0.policy = VerificationPolicy(
        freshness: .window(seconds: 300, replay: MemoryReplayStore(capacity: 0)))
    },
    PreparedScenario(.replayStoreUnavailable, "a store that does not answer") {
      $0.policy = TestPolicy(freshness: .window(seconds: 300, replay: .silent)).verificationPolicy()
    },
    PreparedScenario(.unexpectedPayload, "a payload without an account number") {
      try $0.signed { try $0.encrypt(Array("{}".utf8)) }
    },
  ]
}
