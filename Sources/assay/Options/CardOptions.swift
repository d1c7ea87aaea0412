import HostIO
import Minting
import PaymentToken
import Reports

/// The options of `assay mint` for the card in a token. Without any, every token has the same card.
struct CardOptions {
  static let definitions: [OptionDefinition] = [
    .value("--cards", "N", "number of test cards, drawn from the seed, which tokens take in turn"),
    .choice("--network", TestCard.Network.allCases.map(\.rawValue), "network of these cards (default: any)"),
    .value("--pan", "DIGITS", "account number of a test card, with a valid check digit"),
    .value("--expiry", "YYYY-MM-DD", "expiration date of the account number; YYYY-MM is the last day of a month"),
    .value("--eci", "DIGITS", "eciIndicator of 1 or 2 digits, or none"),
    .value("--cryptogram", "HEX", "bytes of onlinePaymentCryptogram"),
    .flag("--merchant-token", "make merchant tokens (MPAN), with merchantTokenIdentifier and its metadata"),
  ]

  private let cards: UInt64?
  private let network: TestCard.Network?
  private let accountNumber: String?
  private let expiry: String?
  /// Nil if not given; an inner nil if the token must have none.
  private let eciIndicator: String??
  private let cryptogram: [UInt8]?
  private let isMerchantToken: Bool

  init(_ arguments: ParsedArguments) throws(CommandError) {
    cards = try arguments.number("--cards", in: 1...10_000)
    network = arguments.choice("--network")
    accountNumber = try Self.accountNumber(arguments)
    expiry = try arguments.value("--expiry").map { (text) throws(CommandError) in try Self.expiry(text) }
    eciIndicator = try arguments.value("--eci").map { (text) throws(CommandError) in try Self.eciIndicator(text) }
    cryptogram = try arguments.value("--cryptogram").map { (text) throws(CommandError) in
      guard let bytes = Hex.decode(text), !bytes.isEmpty else { throw .usage("--cryptogram must be hexadecimal.") }
      return bytes
    }
    isMerchantToken = arguments.has("--merchant-token")
    guard accountNumber == nil || (cards == nil && network == nil) else {
      throw .usage("--pan is one card: --cards and --network draw others.")
    }
    guard arguments.value("--type") != "emv" || (eciIndicator == nil && cryptogram == nil) else {
      throw .usage("--eci and --cryptogram are for --type 3dsecure: EMV data has a cryptogram of its own.")
    }
  }

  /// Warns of an account number that may belong to a real card. The warning does not contain the number.
  func remarkRealNumber(_ output: OutputOptions) {
    guard let accountNumber, !TestCard.isInTestRange(accountNumber) else { return }
    output.remark("--pan is in no range of published test numbers: never put the number of a real card into a token.")
  }

  /// Puts the card into a payload.
  ///
  /// - Parameter index: the index of the token.
  func apply(to payload: inout PayloadRecipe, index: UInt64, of minter: Minter) {
    if cards != nil || network != nil { draw(into: &payload, index: index, of: minter) }
    if let accountNumber { payload.accountNumber = accountNumber }
    if let expiry { payload.expirationDate = expiry }
    if case .threeDSecure(let drawn, let indicator) = payload.kind {
      payload.kind = .threeDSecure(
        cryptogram: cryptogram ?? drawn, eciIndicator: eciIndicator ?? indicator)
    }
    if isMerchantToken { addMerchantToken(to: &payload, of: minter) }
  }

  private func draw(into payload: inout PayloadRecipe, index: UInt64, of minter: Minter) {
    var stream = minter.generator.stream("test card", index % (cards ?? 1))
    let card = TestCard(network, after: minter.time.civil.year, from: &stream)
    payload.accountNumber = card.accountNumber
    payload.expirationDate = card.expirationDate
    guard case .threeDSecure = payload.kind else { return }
    var cryptograms = minter.generator.stream("test cryptogram", index)
    payload.kind = .threeDSecure(cryptogram: cryptograms.bytes(20), eciIndicator: card.eciIndicator)
  }

  /// Adds a merchant token. Its identifier depends only on the seed and the account number, so a card keeps it.
  private func addMerchantToken(to payload: inout PayloadRecipe, of minter: Minter) {
    let digest = Hashing.sha256(Array("merchant token \(minter.seed) \(payload.accountNumber)".utf8))
    payload.merchantTokenIdentifier = "TEST" + Hex.encode(Array(digest.prefix(12))).uppercased()
    let (year, month) = (payload.expirationDate.prefix(2), payload.expirationDate.dropFirst(2).prefix(2))
    payload.merchantTokenMetadata =
      #"{"cardMetadata":{"expirationDate":"20\#(year)-\#(month)","fpanSuffix":"\#(payload.accountNumber.suffix(4))"},"#
      + #""cardArt":[]}"#
  }
}

extension CardOptions {
  /// The error does not contain the number, since messages end up in logs.
  private static func accountNumber(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    guard let number = arguments.value("--pan") else { return nil }
    guard (12...19).contains(number.utf8.count), TestCard.hasCheckDigit(number) else {
      throw .usage("--pan must be 12 to 19 digits of which the last is their check digit (Luhn).")
    }
    return number
  }

  /// Converts `YYYY-MM-DD`, `YYYY-MM` (the last day of the month) or `YYMMDD` to YYMMDD.
  private static func expiry(_ text: String) throws(CommandError) -> String {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let candidates =
      switch text.utf8.count {
      case 6 where isDigits: ["20\(text.prefix(2))-\(text.dropFirst(2).prefix(2))-\(text.suffix(2))"]
      case 7: (28...31).reversed().map { "\(text)-\($0)" }
      default: [text]
      }
    guard text.hasPrefix("20") || text.utf8.count == 6,
      let date = candidates.lazy.compactMap({ UnixTime(rfc3339: $0 + "T00:00:00Z") }).first
    else {
      throw .usage(
        "--expiry must be a date like 2030-12-31, or a month like 2030-12, not \(PastedText.shown(text)).")
    }
    return String(date.rfc3339.prefix(10).filter { $0 != "-" }.dropFirst(2))
  }

  private static func eciIndicator(_ text: String) throws(CommandError) -> String? {
    if text == "none" { return nil }
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDigits, (1...2).contains(text.utf8.count) else {
      throw .usage("--eci must be 1 or 2 digits, or none, not \(PastedText.shown(text)).")
    }
    return text
  }
}
