import PaymentToken

/// Findings of stages 1 to 4.
extension CheckList {
  var sizeFindings: [Finding] {
    for fact in trace.facts {
      if case .tokenSize(let found, let limit) = fact {
        return [Finding("size", "\(found) bytes", expected: "at most \(limit)")]
      }
    }
    return []
  }

  func jsonFindings(_ fault: TokenFault?) -> [Finding] {
    let expected = "one JSON object in UTF-8"
    switch fault?.code {
    case nil: return [Finding("document", "one JSON object", expected: nil)]
    case .duplicateMember:
      return [Finding(fault?.member?.path ?? "a member", "more than once", expected: "once")]
    default:
      // Readable JSON without a repeated name can only break the limit of 64 members.
      let found = text == nil ? input.tokenForm.words : "more than 64 members"
      return [Finding("document", found, expected: expected)]
    }
  }

  func shapeFindings(_ fault: TokenFault?) -> [Finding] {
    var findings: [Finding] = []
    let version = facts.version?.rawValue
    if let version, fault?.code != .unsupportedVersion { findings.append(Finding("version", version)) }
    guard let fault, let member = fault.member else { return findings }
    switch fault.code {
    case .missingMember:
      let found = text?[member] == nil ? "absent" : "present, but unsigned"
      findings.append(Finding(member.path, found, expected: found == "absent" ? "present" : "signed"))
      if let text { findings.append(Finding("members found", memberNames(text))) }
    case .wrongType:
      let expected = member == .header ? "an object" : "a string"
      findings.append(Finding(member.path, text?[member]?.form.rawValue ?? "another type", expected: expected))
    case .conflictingMembers:
      findings.append(Finding(member.path, "present", expected: "absent"))
    default:
      findings.append(Finding(member.path, version ?? "another", expected: "a supported version"))
    }
    return findings
  }

  func encodingFindings(_ fault: TokenFault?) -> [Finding] {
    var sizes = facts.decodedSizes
    // A member of the wrong length did decode. It is shown once, with the expected length.
    sizes.removeAll { $0.member == fault?.member }
    var findings = sizes.map { Finding($0.member.path, "\($0.count) bytes") }
    if let member = fault?.member {
      let found = text?.form(of: member)?.words ?? "not readable"
      findings.append(Finding(member.path, found, expected: MemberRule(member).words))
    }
    return findings
  }

  /// The first 12 names in the token object and its header, each as its `shortName`, because a name may be anything.
  private func memberNames(_ text: TokenText) -> String {
    let header = text[.header]?.members ?? []
    let names =
      text.members.map { String(streamSafe: $0.name).shortName }
      + header.map { "header." + String(streamSafe: $0.name).shortName }
    let shown = names.prefix(12).joined(separator: ", ")
    return names.isEmpty ? "none" : names.count > 12 ? shown + ", …" : shown
  }
}
