import Descriptions
import FastDecryption
import HostIO
import PaymentToken
import Reports
import StrictJSON
import TokenScanning

/// Where a request came from.
package enum ResultPlace: Hashable, Sendable {
  /// A line of the input, from 1.
  case line(Int)
  /// A file of a folder, by its name there.
  case file(String)
}

/// How the results of many requests are written, one on each line.
package enum ResultForm: Sendable {
  /// The documents of `assay decrypt --json`, with the place as their last member.
  case json
  case csv([ResultColumn])

  /// The line before the first result.
  package var header: String? {
    guard case .csv(let columns) = self else { return nil }
    return columns.map(\.rawValue).joined(separator: ",") + "\n"
  }
}

/// Writes the results of many requests as lines.
///
/// The document of a token that the fast engine has opened is written here member by member, without a JSON tree.
/// `DecryptReport` writes all other documents. Tests compare the two for every kind of token.
package struct ResultWriter {
  /// The lines since `wipe`.
  package private(set) var bytes: [UInt8] = []
  private let engine: String
  private let form: ResultForm
  private let reveal: Bool
  private let keyFile: (Bytes32, TokenVersion) -> String?

  // The text of the last token's members. It is reused for equal members, which most tokens of a file have.
  private var lastStart: (members: Start, text: [UInt8])?
  private var lastMiddle: (members: Middle, text: [UInt8])?
  /// The documents of rejected tokens by fault, without the place and the closing brace.
  private var rejections: [TokenFault: [UInt8]] = [:]

  /// - Parameter keyFile: returns the file of the private key with this publicKeyHash; nil if it came from no file.
  package init(
    engine: String, form: ResultForm, reveal: Bool, keyFile: @escaping (Bytes32, TokenVersion) -> String?
  ) {
    self.engine = engine
    self.form = form
    self.reveal = reveal
    self.keyFile = keyFile
  }

  /// Removes all lines, and wipes them if they show account numbers and cryptograms.
  package mutating func wipe() {
    if reveal { bytes.wipe() }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds the line of a request.
  package mutating func add(_ outcome: DecryptOutcome, at place: ResultPlace) {
    if case .csv(let columns) = form {
      let row = ResultRow(document(of: outcome), at: place)
      for (index, column) in columns.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(row.cell(column))
      }
      bytes.append(UInt8(ascii: "\n"))
      return
    }
    if case .rejected(let fault) = outcome {
      let known = rejections[fault] ?? text(of: outcome)
      rejections[fault] = known
      bytes += known
    } else {
      bytes += text(of: outcome)
    }
    append(end: place)
  }

  /// The text of a document without the place and the closing brace.
  private func text(of outcome: DecryptOutcome) -> [UInt8] {
    Array(Text.harmlessLines(document(of: outcome).text).utf8.dropLast())
  }

  private func document(of outcome: DecryptOutcome) -> JSON {
    let file = outcome.key.flatMap { keyFile($0.hash, $0.version) }
    return DecryptReport(engine: engine, outcome: outcome, keyFile: file, advice: nil, reveal: reveal).json
  }

  private mutating func append(end place: ResultPlace) {
    switch place {
    case .line(let number):
      append(",\"line\":" as StaticString)
      append(decimal: number)
      append("}\n" as StaticString)
    case .file(let name): append(",\"file\":\(Self.quoted(name))}\n")
    }
  }

  // MARK: Accepted tokens

  /// Adds the line of an accepted token whose plaintext is still in the engine's buffer.
  ///
  /// - Throws: `TokenFault` if `token.fields` do not belong to the plaintext. An engine never passes such a token.
  package mutating func add(
    _ token: borrowing OpenedToken, archival: Bool, at place: ResultPlace
  ) throws(TokenFault) {
    guard case .json = form, !hasRareMembers(token.fields) else {
      return add(.accepted(try token.withoutPlaintext(), archival: archival), at: place)
    }
    appendStart(Start(envelope: token.envelope, version: token.version))
    append(hex: token.transactionId)
    append("\",\"applicationData\":" as StaticString)
    if let applicationData = token.applicationData {
      append("\"" as StaticString)
      append(hex: applicationData)
      append("\"" as StaticString)
    } else {
      append("null" as StaticString)
    }
    appendMiddle(
      Middle(
        signedAt: token.signedAt, verifiedAt: token.verifiedAt, isArchival: archival,
        isFromSandbox: token.isFromSandbox, keyHash: token.publicKeyHash, version: token.version))
    appendPayment(token.fields, in: token.plaintext)
    append(end: place)
  }

  /// Whether the payload has members that only `DecryptReport` can write.
  private func hasRareMembers(_ fields: PayloadFields) -> Bool {
    fields.accountNumber.hasEscapes || fields.authenticationResponses != nil
      || reveal && fields.merchantTokenMetadata != nil
  }

  /// The members before the transaction identifier.
  private struct Start: Hashable {
    let envelope: String
    let version: TokenVersion
  }

  private mutating func appendStart(_ start: Start) {
    if lastStart?.members != start {
      let first = "{\"schema\":\"assay.decrypt/1\",\"accepted\":true,\"engine\":\"fast\",\"envelope\":"
      let text = first + Self.quoted(start.envelope) + ",\"version\":" + Self.quoted(start.version.rawValue)
      lastStart = (start, Array((text + ",\"signed\":true,\"transactionId\":\"").utf8))
    }
    if let lastStart { bytes += lastStart.text }
  }

  /// The members between the application data and the payment.
  private struct Middle: Hashable {
    let signedAt: UnixTime
    let verifiedAt: UnixTime
    let isArchival: Bool
    let isFromSandbox: Bool
    let keyHash: Bytes32
    let version: TokenVersion
  }

  private mutating func appendMiddle(_ middle: Middle) {
    if lastMiddle?.members != middle {
      let file = keyFile(middle.keyHash, middle.version).map(Self.quoted) ?? "null"
      let text =
        ",\"signedAt\":\"\(middle.signedAt.rfc3339)\",\"verifiedAt\":\"\(middle.verifiedAt.rfc3339)\""
        + ",\"archival\":\(middle.isArchival),\"sandbox\":\(middle.isFromSandbox),\"publicKeyHash\":\"\(Base64.encode(middle.keyHash.bytes))\""
        + ",\"keyFile\":\(file)"
      lastMiddle = (middle, Array(text.utf8))
    }
    if let lastMiddle { bytes += lastMiddle.text }
  }

  private mutating func appendPayment(_ fields: PayloadFields, in text: Span<UInt8>) {
    append(",\"payment\":{\"applicationPrimaryAccountNumber\"" as StaticString)
    append(":\"" as StaticString)
    append(accountNumber: text.extracting(fields.accountNumber.range))
    append("\",\"applicationExpirationDate\"" as StaticString)
    append(":" as StaticString)
    append(fields.expirationDate, in: text)
    append(",\"currencyCode\":" as StaticString)
    append(fields.currencyCode, in: text)
    append(",\"transactionAmount\":" as StaticString)
    append(decimal: Int(fields.transactionAmount))
    append(secret: ",\"cardholderName\"", fields.cardholderName, in: text)
    append(",\"deviceManufacturerIdentifier\"" as StaticString)
    append(":" as StaticString)
    append(fields.deviceManufacturerIdentifier, in: text)
    // Literals are split: whole, they would contain the pieces of a payload that ServeMemoryTests looks for in memory.
    switch fields.paymentData {
    case .threeDSecure(let cryptogram, let eciIndicator):
      append(",\"paymentDataType\":" as StaticString)
      append("\"3DSecure\",\"paymentData\":" as StaticString)
      append("{" as StaticString)
      append(secret: "\"onlinePaymentCryptogram\"", cryptogram, in: text)
      if let eciIndicator {
        append(",\"eciIndicator\":" as StaticString)
        append(eciIndicator, in: text)
      }
    case .emv(let emvData, let encryptedPINData):
      append(",\"paymentDataType\":" as StaticString)
      append("\"EMV\",\"paymentData\":" as StaticString)
      append("{" as StaticString)
      append(secret: "\"emvData\"", emvData, in: text)
      append(secret: ",\"encryptedPINData\"", encryptedPINData, in: text)
    }
    append("}" as StaticString)
    append(secret: ",\"merchantTokenIdentifier\"", fields.merchantTokenIdentifier, in: text)
    if fields.merchantTokenMetadata != nil { append(",\"merchantTokenMetadata\":\"***\"" as StaticString) }
    append("}" as StaticString)
  }

  /// Writes 12 to 19 digits. Unless `reveal`, all but the first six and the last four are masked.
  private mutating func append(accountNumber digits: Span<UInt8>) {
    digits.withUnsafeBufferPointer { digits in
      guard !reveal else { return bytes.append(contentsOf: digits) }
      bytes.append(contentsOf: digits[..<6])
      for _ in 6..<(digits.count - 4) { bytes.append(UInt8(ascii: "*")) }
      bytes.append(contentsOf: digits[(digits.count - 4)...])
    }
  }

  /// Writes a member if it exists, masked unless `reveal`.
  private mutating func append(secret name: StaticString, _ value: JSONString?, in text: Span<UInt8>) {
    guard let value else { return }
    append(name)
    append(":" as StaticString)
    if reveal {
      append(value, in: text)
    } else {
      append("\"***\"" as StaticString)
    }
  }

  /// Writes a string of the payload.
  private mutating func append(_ value: JSONString, in text: Span<UInt8>) {
    let content = text.extracting(value.range)
    guard !value.hasEscapes, content.isPrintableASCII else {
      return append(Self.quoted(value.text(in: text)))
    }
    bytes.append(0x22)
    content.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    bytes.append(0x22)
  }

  // MARK: Text

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func quoted(_ text: String) -> String { Text.harmlessLines(JSON.string(text).text) }

  /// Writes a number of 0 or more.
  private mutating func append(decimal value: Int) {
    var (digits, rest) = (1, value)
    while rest >= 10 { (digits, rest) = (digits + 1, rest / 10) }
    let end = bytes.count + digits
    for _ in 0..<digits { bytes.append(UInt8(ascii: "0")) }
    rest = value
    for index in 1...digits {
      bytes[end - index] += UInt8(rest % 10)
      rest /= 10
    }
  }

  private mutating func append(hex value: Bytes32) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Bytes32.count) { digits in
      value.withUnsafeBytes { source in
        for (index, byte) in source.enumerated() {
          digits.initializeElement(at: 2 * index, to: Self.digit(byte >> 4))
          digits.initializeElement(at: 2 * index + 1, to: Self.digit(byte & 15))
        }
      }
      bytes.append(contentsOf: digits)
    }
  }

  /// The digit of a value below 16. Branch-free, because branches on random digits are mispredicted.
  private static func digit(_ value: UInt8) -> UInt8 {
    value &+ UInt8(ascii: "0") &+ ((9 &- value) >> 7) &* (UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}

extension Span<UInt8> {
  fileprivate var isPrintableASCII: Bool {
    for index in indices where self[index] < 0x20 || self[index] >= 0x7F { return false }
    return true
  }
}

extension OpenedToken {
  /// A copy without the plaintext and the ephemeral key, which no result shows.
  fileprivate func withoutPlaintext() throws(TokenFault) -> DecryptedToken {
    DecryptedToken(
      envelope: envelope, version: version, transactionId: transactionId, publicKeyHash: publicKeyHash,
      ephemeralPublicKey: nil, applicationData: applicationData, signedAt: signedAt, verifiedAt: verifiedAt,
      isFromSandbox: isFromSandbox, payment: try fields.payment(in: plaintext), plaintext: [])
  }
}
