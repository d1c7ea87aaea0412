import Gateways
import Minting
import PaymentToken
import TestCases

/// A text that kernels scan, and the string in it that holds the constructs.
package enum ScannedText: String, CaseIterable, Sendable {
  /// The value and the name of an unknown member, the last one of the token.
  case value, name
  /// The cardholder's name, and an unknown name, the last ones of the payload.
  case payload, payloadName
  /// Members of the token that are decoded after they were scanned.
  case applicationData, data

  /// The member that is decoded.
  package var member: TokenMember? {
    switch self {
    case .applicationData: .applicationData
    case .data: .data
    case .value, .name, .payload, .payloadName: nil
    }
  }

  /// The constructs that it can have.
  package var constructs: [RegisterConstruct] {
    RegisterConstruct.allCases.filter { $0 != .character || member != nil }
  }

  /// The forms of a construct in it.
  package func forms(of construct: RegisterConstruct) -> [RegisterBoundary.Form] {
    let repeated: [RegisterBoundary.Form] = self == .name && construct != .length ? [.repeated] : []
    return [.whole] + construct.broken.indices.map { .broken($0) } + repeated
  }

  var isPayload: Bool { self == .payload || self == .payloadName }

  /// The fault of malformed JSON in it.
  var malformed: TokenFault { isPayload ? .malformedPayload : .malformedJSON }

  /// Puts a string into the text.
  fileprivate func put(_ string: String, in draft: inout CaseDraft) throws {
    let value = JSONObject.Member("unknown", .raw(string))
    let name = JSONObject.Member(rawName: string, .raw("0"))
    switch self {
    case .value: draft.json { $0.members.append(value) }
    case .name: draft.json { $0.members.append(name) }
    case .payload: try draft.payload { $0.append("cardholderName", .raw(string)) }
    case .payloadName: try draft.payload { $0.members.append(name) }
    case .applicationData: draft.set(.applicationData, .raw(string))
    case .data: draft.set(.data, .raw(string))
    }
  }
}

/// What a kernel must not miss where one register ends and the next begins.
package enum RegisterConstruct: String, CaseIterable, Sendable {
  case escape, quote, backslash, backslashes, codeUnit, surrogatePair, twoBytes, threeBytes, fourBytes, control
  /// A character of a base64 or hexadecimal alphabet as an escape; broken, one of neither alphabet.
  case character
  /// No construct, but the end of the string after 0 to 3 registers.
  case length

  /// The characters that it means.
  var content: String {
    switch self {
    case .escape: "\n"
    case .quote: "\""
    case .backslash: "\\"
    case .backslashes: "\\\\\\"
    case .codeUnit, .threeBytes: "€"
    case .surrogatePair, .fourBytes: "😀"
    case .twoBytes: "é"
    // A control character to Unicode, not to JSON.
    case .control: "\u{7F}"
    case .character, .length: ""
    }
  }

  /// Its text, whole.
  var whole: [UInt8] {
    switch self {
    case .escape: Array("\\n".utf8)
    case .quote, .backslash, .backslashes: content.utf8.flatMap { [UInt8(ascii: "\\"), $0] }
    case .codeUnit, .surrogatePair: Array(JSONText.escaped(content).dropFirst().dropLast())
    case .twoBytes, .threeBytes, .fourBytes, .control, .character, .length: Array(content.utf8)
    }
  }

  /// The same content, written otherwise.
  var otherwise: [UInt8] {
    switch self {
    case .codeUnit, .surrogatePair: Array(content.utf8)
    default: Array(JSONText.escaped(content).dropFirst().dropLast())
    }
  }

  /// Its broken texts. Each is followed by the end of the string or a character that is no hexadecimal digit.
  var broken: [[UInt8]] {
    switch self {
    case .escape: [Array("\\".utf8)]
    case .quote: [Array("\"".utf8)]
    case .backslash, .backslashes: [whole + whole.prefix(1)]
    case .codeUnit: [Array("\\u".utf8), Array("\\u20a".utf8)]
    case .surrogatePair: ["\\ud83d", "\\ud83d\\ude0", "\\ud83d\\u0041", "\\ude00"].map { Array($0.utf8) }
    // Of each length: a cut character, an overlong one, and bytes that encode no character of Unicode.
    case .twoBytes: [[0xC3], [0xC1, 0xBF], [0xA9]]
    case .threeBytes: [[0xE2, 0x82], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80]]
    case .fourBytes: [[0xF0, 0x9F, 0x98], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80]]
    case .control: [[0x1F]]
    case .character: [Array("-".utf8), JSONText.escape(UInt16(UInt8(ascii: "-")))]
    case .length: []
    }
  }
}

/// The boundary cases of a text, all made from one token: only those of the payload are encrypted and signed again.
package struct RegisterCases {
  private let text: ScannedText
  private let base: CaseDraft
  /// The text around the string, with its quotes.
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  /// The characters of the text's member.
  private let member: [UInt8]

  /// Mints the token.
  package init(_ text: ScannedText, by minter: Minter) throws(MintingError) {
    let draft = try CaseDraft(minter, seed: "register boundaries in \(text.rawValue)")
    do {
      try self.init(text, in: draft)
    } catch let error as MintingError { throw error } catch { throw .recipe("\(error)") }
  }

  /// Takes the token of a draft.
  init(_ text: ScannedText, in draft: CaseDraft) throws {
    var base = draft
    if text == .applicationData { try base.signApplicationData() }
    member = text.member.map { Array(base.value($0).dropFirst().dropLast()) } ?? []
    var marked = base
    try text.put("\"@\"", in: &marked)
    let scanned = text.isPayload ? marked.layers.plaintext : marked.bareToken
    guard let place = scanned.firstIndex(of: UInt8(ascii: "@")) else { throw MintingError.recipe("no string") }
    (prefix, suffix) = (Array(scanned[..<place]), Array(scanned[(place + 1)...]))
    (self.text, self.base) = (text, base)
  }

  /// Makes a case.
  package func make(_ boundary: RegisterBoundary) throws(MintingError) -> MintedCase {
    base.minter.made(try draft(of: boundary), of: boundary.recipe)
  }

  func draft(of boundary: RegisterBoundary) throws(MintingError) -> CaseDraft {
    var draft = base
    let scanned = prefix + boundary.string(over: member).text + suffix
    guard text.isPayload else {
      draft.token = scanned
      return draft
    }
    try draft.layers.encrypt(scanned)
    try draft.layers.sign()
    return draft
  }

  /// Where a case has its construct, by the bytes of the text.
  package func placement(of boundary: RegisterBoundary) -> RegisterPlacement {
    let (string, construct) = boundary.string(over: member)
    let scanned = prefix + string + suffix
    let place = (prefix.count + construct.lowerBound)..<(prefix.count + construct.upperBound)
    let quote = UInt8(ascii: "\"")
    return RegisterPlacement(
      text: text, construct: boundary.construct, form: boundary.form,
      before: place.lowerBound - 1 - (scanned[..<place.lowerBound].lastIndex(of: quote) ?? 0),
      after: (scanned[place.upperBound...].firstIndex(of: quote) ?? scanned.count) - place.upperBound,
      beginning: place.lowerBound)
  }
}

/// Where in a text a construct is.
package struct RegisterPlacement: Sendable {
  package let text: ScannedText
  package let construct: RegisterConstruct
  package let form: RegisterBoundary.Form
  /// The bytes between it and the beginning of its string, and between it and the end.
  package let before: Int
  package let after: Int
  /// The bytes between it and the beginning of the text.
  package let beginning: Int
}
