import PaymentToken
import ReferenceDecryption

/// Stages 1 to 4: what happened to the token on its way.
struct MemberDiagnosis {
  let fault: TokenFault
  /// Where the request was read as the token: the one envelope whose shape it has.
  let fitting: FittingEnvelope?
  /// The token's octets.
  let input: [UInt8]
  /// Nil when the input is not one JSON object.
  let text: TokenText?

  var verdict: Verdict {
    switch fault.code {
    case .tokenTooLarge: nested ?? Verdict(.tokenTooLarge)
    case .malformedJSON: Verdict(text == nil ? InputForm(input).diagnosis : .malformedJSON)
    case .duplicateMember: Verdict(.duplicateMember, path)
    case .missingMember, .wrongType, .unsupportedVersion, .conflictingMembers: shapeVerdict
    default: encodingVerdict
    }
  }

  private var path: String? { fault.member?.path }

  private var nested: Verdict? {
    guard let text, !text.isInParts, !NestedToken.isToken(text.members) else { return nil }
    let path = NestedToken.path(in: text.members)
    guard let fitting, let place = fitting.place ?? path else { return path.map { Verdict(.wrappedInEnvelope, $0) } }
    return Verdict(.wrappedInEnvelope, "\(place) (--envelope \(fitting.name))")
  }

  // MARK: Stage 3

  private var shapeVerdict: Verdict {
    if let nested { return nested }
    switch fault.code {
    case .conflictingMembers: return Verdict(.versionContradictsKey, path)
    case .unsupportedVersion where versionContradictsKey: return Verdict(.versionContradictsKey, path)
    case .unsupportedVersion: return Verdict(.unsupportedVersion, path)
    case .wrongType where headerIsText: return Verdict(.doubleEncodedJSON, path)
    case .wrongType: return Verdict(.wrongType, path)
    default: return missingVerdict
    }
  }

  private var missingVerdict: Verdict {
    switch fault.member {
    case .signature where isUnsigned: Verdict(.unsignedNotAllowed, path)
    case .signature: Verdict(.missingSignature, path)
    case .transactionId where isUnsigned: Verdict(.unsignedReplay, path)
    case .header where isFlattened: Verdict(.flattenedHeader, path)
    case .ephemeralPublicKey where has(.wrappedKey), .wrappedKey where has(.ephemeralPublicKey):
      Verdict(.versionContradictsKey, path)
    default: Verdict(.missingMember, path)
    }
  }

  /// Parts that nobody signed.
  private var isUnsigned: Bool { (text?.isInParts ?? false) && !has(.signature) }

  private func has(_ member: TokenMember) -> Bool { text?[member] != nil }

  private var versionContradictsKey: Bool {
    guard let version = text?.form(of: .version)?.text else { return false }
    return version.elementsEqual(TokenVersion.rsaV1.rawValue.utf8) && has(.ephemeralPublicKey) && !has(.wrappedKey)
  }

  private var headerIsText: Bool {
    guard fault.member == .header, let form = text?.form(of: .header) else { return false }
    return TokenText(form.text.span) != nil
  }

  private var isFlattened: Bool {
    let names = ["ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId"]
    return names.contains { text?.members.value(of: $0) != nil }
  }

  // MARK: Stage 4

  private var encodingVerdict: Verdict {
    guard let member = fault.member, let form = text?.form(of: member) else { return Verdict(.invalidEncoding, path) }
    switch fault.code {
    case .invalidHex where member == .applicationData:
      let isDigest = form.repairedBase64?.count == Octets32.count
      return Verdict(isDigest ? .applicationDataAsBase64 : .applicationDataNotHashed, path)
    case .invalidHex:
      return Verdict(form.repairedBase64?.count == Octets32.count ? .base64InsteadOfHex : .invalidEncoding, path)
    case .invalidBase64:
      if form.isHex { return Verdict(.hexInsteadOfBase64, path) }
      return Verdict(form.repairedBase64 == nil ? .invalidEncoding : .alteredBase64, path)
    default:
      return lengthVerdict(member, form)
    }
  }

  private func lengthVerdict(_ member: TokenMember, _ form: TextForm) -> Verdict {
    let rule = MemberRule(member)
    if !rule.isHex, form.isHex, let count = form.hexCount, rule.allows(count) {
      return Verdict(.hexInsteadOfBase64, path)
    }
    if member == .ephemeralPublicKey, let octets = form.base64, MemberDiagnosis.isKey(octets) {
      return Verdict(.ephemeralKeyForm, path)
    }
    return Verdict(.wrongLength, path)
  }

  /// A point on P-256, or a whole SubjectPublicKeyInfo: SEQUENCE, its length, SEQUENCE.
  private static func isKey(_ octets: [UInt8]) -> Bool {
    switch octets.first {
    case 0x04: octets.count == 65
    case 0x02, 0x03: octets.count == 33
    case 0x30:
      octets.count > 91 && octets.count < 4_096
        && (octets.dropFirst(2).first == 0x30 || octets.dropFirst(3).first == 0x30 || octets.dropFirst(4).first == 0x30)
    default: false
    }
  }
}
