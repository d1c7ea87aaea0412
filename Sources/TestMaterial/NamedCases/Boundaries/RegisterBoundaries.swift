import Gateways
import Minting
import PaymentToken
import TestCases

/// A construct at one offset of a string that text kernels scan: whole, or broken.
///
/// A kernel reads 16, 32 or 64 bytes at a time. It starts where the text, the string or a construct begins, and reads
/// the remaining bytes in another way. So every construct is at every offset from the beginning and from the end of the
/// string, over two registers of 64 bytes. The cases of a text are generated from one token.
package struct RegisterBoundary: Sendable {
  package let text: ScannedText
  package let construct: RegisterConstruct
  package let form: Form
  let position: Position

  package enum Form: Hashable, Sendable {
    case whole
    /// The text at this index of `RegisterConstruct.broken`.
    case broken(Int)
    /// The same name twice in an object, the second time spelled otherwise.
    case repeated
  }

  /// Where the construct is in the string.
  enum Position {
    /// After that many bytes, before others.
    case after(Int)
    /// After that many bytes, at the end of the string.
    case last(Int)
    /// That many bytes before the end of the string.
    case before(Int)
  }

  /// The largest offset: two registers of 64 bytes and one byte.
  private static let reach = 129
  /// The longest string without a construct: three registers.
  private static let longest = 192

  /// All cases of a text.
  package static func all(in text: ScannedText) -> [RegisterBoundary] {
    text.constructs.flatMap { construct -> [RegisterBoundary] in
      func made(_ form: Form, _ position: Position) -> Self {
        Self(text: text, construct: construct, form: form, position: position)
      }
      guard construct != .length else { return (0...longest).map { made(.whole, .last($0)) } }
      return text.forms(of: construct).flatMap { form in
        (0...reach).flatMap { [made(form, .after($0)), made(form, text.member == nil ? .last($0) : .before($0))] }
      }
    }
  }

  // MARK: The string

  /// The string, without its quotes, and the range of the construct in it.
  ///
  /// - Parameter member: the characters of the token's member, of which the construct replaces one; empty in a text
  ///   that no rule reads.
  func string(over member: [UInt8]) -> (text: [UInt8], construct: Range<Int>) {
    if construct == .length {
      let text = text.member == nil ? plain(offset) : (0..<offset).map { member[$0 % member.count] }
      return (text, offset..<offset)
    }
    var (head, replaced, tail) = sides(of: member)
    // "x" is no hexadecimal digit, so that a cut escape stays cut.
    if case .broken = form, !tail.isEmpty { tail[0] = UInt8(ascii: "x") }
    let middle = written(over: replaced)
    var text = head + middle + tail
    if form == .repeated { text += Array("\":0,\"".utf8) + head + construct.otherwise + tail }
    return (text, head.count..<head.count + middle.count)
  }

  private var offset: Int {
    switch position {
    case .after(let offset), .last(let offset), .before(let offset): offset
    }
  }

  private func written(over character: UInt8) -> [UInt8] {
    if case .broken(let index) = form { return construct.broken[index] }
    return construct == .character ? JSONText.escape(UInt16(character)) : construct.whole
  }

  private func plain(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: count) }

  /// What is before the construct and after it, and the character that it replaces.
  private func sides(of member: [UInt8]) -> (head: [UInt8], replaced: UInt8, tail: [UInt8]) {
    let isMember = text.member != nil
    switch position {
    case .after(let count) where isMember:
      // A member that is too short gets longer by escapes.
      let escapes = escapes(in: member, count)
      let index = count - 5 * escapes
      return (Self.escaped(member[..<escapes]) + member[escapes..<index], member[index], Array(member[(index + 1)...]))
    case .before(let count):
      let escapes = escapes(in: member, count)
      let index = member.count - 1 - (count - 5 * escapes)
      let end = member.count - escapes
      return (Array(member[..<index]), member[index], member[(index + 1)..<end] + Self.escaped(member[end...]))
    case .after(let count): return (plain(count), 0, plain(Self.reach - count))
    case .last(let count): return (plain(count), 0, [])
    }
  }

  /// How many characters of a member must be escapes, so that `count` bytes are on one side of the construct and at
  /// least one character is on its other side.
  private func escapes(in member: [UInt8], _ count: Int) -> Int { max(0, (count - (member.count - 2) + 4) / 5) }

  private static func escaped(_ characters: ArraySlice<UInt8>) -> [UInt8] {
    characters.flatMap { JSONText.escape(UInt16($0)) }
  }

  // MARK: The case

  /// The expected fault; nil where the token is accepted.
  var fault: TokenFault? {
    switch form {
    case .repeated: .duplicateMember
    case .broken where construct != .character: text.malformed
    default: text.member.flatMap { fault(of: $0) }
    }
  }

  private func fault(of member: TokenMember) -> TokenFault? {
    let isHex = member == .applicationData
    let isOfAlphabet: Bool
    switch construct {
    case .character where form == .whole: return nil
    case .length where isHex && offset == 64: return nil
    case .length: isOfAlphabet = offset.isMultiple(of: isHex ? 2 : 4)
    default: isOfAlphabet = false
    }
    guard isOfAlphabet else { return isHex ? .invalidHex(member) : .invalidBase64(member) }
    // Rule 4.3: `data` has at least 17 bytes.
    return isHex || offset / 4 * 3 < 17 ? .invalidLength(member) : .signatureMismatch
  }

  private var clause: String {
    if text.malformed == .malformedPayload { return "13.1" }
    if let member = text.member, form == .whole || construct == .character {
      return member == .applicationData ? "4.2" : "4.1"
    }
    return form == .repeated ? "2.6" : construct.whole.first == UInt8(ascii: "\\") ? "2.3" : "2.2"
  }

  private var name: String {
    let form =
      switch form {
      case .whole: ""
      case .broken(let index): "broken-\(index + 1)-"
      case .repeated: "repeated-"
      }
    let place =
      switch position {
      case .after(let count): "after-\(count)-bytes"
      case .last(let count): "at-the-end-after-\(count)-bytes"
      case .before(let count): "\(count)-bytes-before-the-end"
      }
    return "\(form)\(construct.rawValue.kebabCase)-in-\(text.rawValue.kebabCase)-\(place)"
  }

  /// The case with a token of its own.
  var recipe: CaseRecipe {
    let isSurrogate = construct == .surrogatePair && clause == "2.3" && fault != nil
    return CaseRecipe(
      name: .standing(isSurrogate ? .loneSurrogate : nil, .with(.boundary, "boundary-\(name)")), clause: clause,
      expected: fault.map { .reject($0) } ?? .accept
    ) { draft in
      draft = try RegisterCases(text, in: draft).draft(of: self)
    }
  }
}
