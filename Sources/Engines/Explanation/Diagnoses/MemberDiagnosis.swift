import Gateways
import PaymentToken
import ReferenceDecryption
import StrictJSON

/// Diagnoses of stages 1 to 4: how the token was altered in transit.
struct MemberDiagnosis {
  let fault: TokenFault
  /// The one envelope that the request matches, if the request was read as the token itself.
  let fitting: FittingEnvelope?
  let input: Input
  /// Whether the token is taken for a tester's own (`areOwn(for:)`).
  let isMinted: Bool

  private var text: TokenText? { input.text }

  private var path: String? { fault.member?.path }

  /// `tokenTooLarge`, at stage 1.
  var sizeVerdict: Verdict { nested ?? Verdict(.tokenTooLarge) }

  /// `malformedJSON` of a readable object, which has too many members.
  var jsonVerdict: Verdict { nested ?? Verdict(.tooManyMembers) }

  private var nested: Verdict? {
    guard let text, !text.isInParts else { return nil }
    let token = TokenPlace(in: input.token)
    if let token, token.steps.isEmpty { return nil }
    let path = token?.path
    let command = input.unwrapping?.command
    guard let fitting, let place = fitting.place ?? path else {
      return path.map { Verdict(.wrappedInEnvelope, $0, command: command) }
    }
    return Verdict(.wrappedInEnvelope, "\(place) (--envelope \(fitting.name))", command: command)
  }

  // MARK: Stage 3

  /// `conflictingMembers`.
  var conflictVerdict: Verdict { nested ?? Verdict(.versionContradictsKey, path) }

  /// `unsupportedVersion`.
  var versionVerdict: Verdict { nested ?? Verdict(.unsupportedVersion, path) }

  /// `wrongType`.
  var typeVerdict: Verdict {
    nested ?? emptyVerdict(.wrongType) ?? Verdict(headerIsText ? .doubleEncodedJSON : .wrongType, path)
  }

  /// The verdict if the applicationData of a test token is null or an empty string.
  private func emptyVerdict(_ diagnosis: Diagnosis) -> Verdict? {
    guard isMinted, fault.member == .applicationData, let value = text?[.applicationData],
      value.form == .null || value.string?.isEmpty ?? false
    else { return nil }
    return Verdict(
      diagnosis, path,
      remedy: "The member is \(value.string == nil ? "null" : "an empty string"), which is no hash: leave it out.")
  }

  /// `missingMember`.
  var missingVerdict: Verdict {
    if let nested { return nested }
    return switch fault.member {
    case .signature where isUnsigned: misplacedSignatureVerdict ?? Verdict(.unsignedNotAllowed, path)
    case .signature: Verdict(.missingSignature, path)
    case .transactionId where isUnsigned: Verdict(.unsignedReplay, path)
    case .header where isFlattened: Verdict(.flattenedHeader, path)
    case .ephemeralPublicKey where has(.wrappedKey), .wrappedKey where has(.ephemeralPublicKey):
      Verdict(.versionContradictsKey, path)
    case .version, .data, .header, .ephemeralPublicKey, .wrappedKey, .publicKeyHash, .transactionId, .applicationData,
      nil:
      Verdict(.missingMember, path)
    }
  }

  /// Whether the token is in parts without a signature.
  private var isUnsigned: Bool { (text?.isInParts ?? false) && !has(.signature) }

  /// The verdict if a request in parts has its signature in another place. Accepting unsigned tokens would be wrong.
  private var misplacedSignatureVerdict: Verdict? {
    guard let place = JSON(lenient: input.request)?.firstResult(strings: 2, Self.signaturePath) else { return nil }
    return Verdict(
      .missingSignature, place,
      remedy: "This signature is not where the gateway documents it, so the token counts as unsigned: send it in the "
        + "member signature, beside the token's other parts.")
  }

  /// The path to the value, if it is a CMS signature with certificates in a member `signature`, in any capitals.
  private static func signaturePath(of value: JSON, at path: ValuePath) -> String? {
    guard case .member(let name)? = path.steps.last, ChangedNames.original(of: name) == TokenMember.signature.name,
      let cms = value.string.flatMap({ TextForm(text: Array($0.utf8)).base64 }),
      SignatureTree(cms)?.certificates.isEmpty == false
    else { return nil }
    return path.text
  }

  private func has(_ member: TokenMember) -> Bool { text?[member] != nil }

  private var headerIsText: Bool {
    guard fault.member == .header, let form = text?.form(of: .header) else { return false }
    return TokenText(form.text.span) != nil
  }

  private var isFlattened: Bool {
    let names = ["ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId"]
    return names.contains { text?.members.value(of: $0) != nil }
  }

  // MARK: Stage 4

  /// The member that the fault names, and its text; nil if it is not a string.
  private var encoded: (member: TokenMember, form: TextForm)? {
    fault.member.flatMap { member in text?.form(of: member).map { (member, $0) } }
  }

  /// `invalidHex`.
  var hexVerdict: Verdict {
    guard let (member, form) = encoded else { return Verdict(.invalidEncoding, path) }
    let isDigest = form.repairedBase64?.count == Bytes32.count
    if member == .applicationData {
      return Verdict(isDigest ? .applicationDataAsBase64 : .applicationDataNotHashed, path)
    }
    return Verdict(isDigest ? .base64InsteadOfHex : .invalidEncoding, path)
  }

  /// The command that writes the token with the base64 of its members repaired; nil if `data`, `signature` or
  /// `publicKeyHash` is not strict base64 afterwards.
  private func command(for repair: Base64Repair) -> String? {
    guard let unwrapping = input.unwrapping, let commands = unwrapping.commands,
      repair.repaired(unwrapping.token).isIntactToken
    else { return nil }
    return (commands + [repair.command]).joined(separator: " | ")
  }

  /// `invalidBase64`.
  var base64Verdict: Verdict {
    guard let (member, form) = encoded else { return Verdict(.invalidEncoding, path) }
    if form.isHex { return Verdict(.hexInsteadOfBase64, path) }
    if let bytes = form.withPlusesForSpaces, Self.isPlausible(bytes, of: form, for: member) {
      return Verdict(.spacesForPluses, path, command: command(for: .pluses))
    }
    if form.text.starts(with: "-----BEGIN ".utf8) {
      return member == .ephemeralPublicKey
        ? Verdict(.ephemeralKeyForm, path)
        : Verdict(
          .invalidEncoding, path,
          remedy: "The member is PEM, which begins -----BEGIN, but must be base64 of the DER alone: "
            + "take off the BEGIN and END lines and the line ends, or write DER and encode it.")
    }
    guard let bytes = form.repairedBase64, Self.isPlausible(bytes, of: form, for: member) else {
      return Verdict(.invalidEncoding, path)
    }
    return Verdict(.alteredBase64, path, command: command(for: .alphabet))
  }

  /// Whether a member may be an encoding of `bytes`. Prose with its spaces and hyphens replaced decodes too, but to a
  /// wrong length, to fewer bytes than a payload has, or to something other than the SEQUENCE of a signature.
  private static func isPlausible(_ bytes: [UInt8], of form: TextForm, for member: TokenMember) -> Bool {
    guard MemberRule(member).allows(bytes.count) else { return false }
    return switch member {
    case .signature: bytes.first == 0x30
    // One in 64 characters of base64 is a plus sign, and one in six characters of prose is a space.
    case .data: bytes.count >= 100 && form.text.count { $0 == 0x20 } * 16 <= form.text.count
    default: true
    }
  }

  /// `invalidLength`.
  var lengthVerdict: Verdict {
    guard let (member, form) = encoded else { return Verdict(.invalidEncoding, path) }
    if let empty = emptyVerdict(.wrongLength) { return empty }
    let rule = MemberRule(member)
    if !rule.isHex, form.isHex, let count = form.hexCount, rule.allows(count) {
      return Verdict(.hexInsteadOfBase64, path)
    }
    if member == .ephemeralPublicKey, let bytes = form.base64, MemberDiagnosis.isKey(bytes) {
      return Verdict(.ephemeralKeyForm, path)
    }
    let isOtherKey = member == .ephemeralPublicKey && isMinted
    return Verdict(.wrongLength, path, remedy: isOtherKey ? Diagnosis.ephemeralKeyForm.sentenceForTesters : nil)
  }

  /// Whether bytes look like a bare point on P-256, or like a SubjectPublicKeyInfo (SEQUENCE, its length, SEQUENCE) of
  /// more than the 91 bytes that stage 4 allows.
  private static func isKey(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0x04: bytes.count == 65
    case 0x02, 0x03: bytes.count == 33
    case 0x30:
      bytes.count > 91 && bytes.count < 4_096
        && (bytes.dropFirst(2).first == 0x30 || bytes.dropFirst(3).first == 0x30 || bytes.dropFirst(4).first == 0x30)
    default: false
    }
  }
}

/// Diagnoses of stage 0: the request.
struct EnvelopeDiagnosis {
  let facts: TraceFacts
  /// The one envelope that the request matches; nil for none or several.
  let fitting: FittingEnvelope?

  /// `malformedEnvelope`.
  var verdict: Verdict {
    switch facts.envelopeProblem {
    case .notJSON, nil: Verdict(.requestNotJSON)
    case .repeatedName(let path): Verdict(.repeatedNameInRequest, path.dotted)
    case .noToken(let paths):
      fitting.map { Verdict(.otherEnvelope, $0.name) } ?? Verdict(.noTokenInRequest, paths.listed)
    case .severalTokens(let paths): Verdict(.severalTokensInRequest, paths.listed)
    case .wrongType(let path, _): Verdict(.wrongTypeInRequest, path.dotted)
    case .notBase64(let path): Verdict(.invalidBase64InRequest, path.dotted)
    }
  }
}

/// The envelope that a request matches by rule 0.9, or `apple` if none matches and the request looks like a token.
struct FittingEnvelope {
  let name: String
  /// The dotted path of its token; nil when it is unknown, or the request is the token.
  let place: String?

  /// Nil when several envelopes match, when none does and the request is no token, or when it is not JSON.
  init?(_ request: Span<UInt8>) {
    var trace = Trace()
    let extracted = try? ReferenceDecryptor.extract(request, from: .automatic, trace: &trace)
    if let name = TraceFacts(trace).envelope {
      self.name = name
      place = trace.facts.compactMap { if case .tokenPlace(let route) = $0 { route.path.dotted } else { nil } }.first
      return
    }
    // A request that matches no envelope is read as the token, so check that it looks like one.
    guard extracted != nil, let token = TokenPlace(in: request.withUnsafeBufferPointer { Array($0) }),
      token.steps.isEmpty, token.hasOriginalNames
    else { return nil }
    name = Envelope.apple.name
    place = nil
  }
}
