/// Flags of forgeries that published decryptors accept, and of genuine tokens that they refuse.
extension VectorFlag {
  static let forgeries: [VectorFlag] = [
    VectorFlag(
      "ForgeryA", .authBypass, trait: .forgery(.a),
      "An intermediate that the attacker signed, with Apple's marker.",
      "Anybody can make tokens: the decryptor trusts the intermediate that the token brings.",
      links: [cwe(296), doi("10.1109/SP.2014.15")]),
    VectorFlag(
      "ForgeryB", .authBypass, trait: .forgery(.b),
      "The genuine leaf and intermediate are present, and a third certificate signs.",
      "Anybody can make tokens: the chain that was verified is not the signer's.",
      links: [cwe(295)]),
    VectorFlag(
      "ForgeryC", .authBypass, trait: .forgery(.c),
      "The attacker's certificate has the issuer and serial number of the genuine leaf.",
      "Anybody can make tokens: the signer's certificate is found by issuer and serial number alone.",
      links: [cwe(295)]),
    VectorFlag(
      "ForgeryD", .authBypass, trait: .forgery(.d),
      "A genuine CMS with another digest and time, and the old signature value.",
      "Anybody can make tokens: the result of the verification is ignored.",
      cves: ["CVE-2008-5077"], links: [cwe(252)]),
    VectorFlag(
      "ForgeryE", .authBypass, trait: .forgery(.e),
      "A complete chain of the attacker's.",
      "Anybody can make tokens: the root is not compared with a pinned one.",
      links: [cwe(296)]),
    VectorFlag(
      "ForgeryF", .authBypass, trait: .forgery(.f),
      "Any application data over another token's CMS.",
      "Anybody can make tokens: a check is skipped when application data is present.",
      cves: ["CVE-2014-1266"], links: [cwe(358)]),
    VectorFlag(
      "ForgeryG", .authBypass, trait: .forgery(.g),
      "A ciphertext bit is flipped under the old tag.",
      "Amounts can be altered: the tag is not verified.",
      links: [doi("10.6028/NIST.SP.800-38D"), weaknessesOfGCM]),
    VectorFlag(
      "ForgeryH", .authBypass, trait: .forgery(.h),
      "Bytes moved between transactionId and applicationData: the signed bytes have no separators.",
      "One token has two transactions, and is no longer bound to the order.",
      cves: ["CVE-2008-1930"]),
    VectorFlag(
      "ForgeryI", .edgeCase, trait: .forgery(.i),
      "A shared secret that begins with a zero byte. It must be accepted.",
      "One payment in 256 fails.",
      links: [doi("10.6028/NIST.SP.800-56Ar3")]),
    VectorFlag(
      "ForgeryJ", .denialOfService, trait: .forgery(.j),
      "Data that is shorter than a tag.",
      "The process crashes, or reads out of bounds.",
      cves: ["CVE-2017-3731"], links: [cwe(125)]),
    VectorFlag(
      "ForgeryK", .confidentiality, trait: .forgery(.k),
      "The ephemeral key brings its own curve parameters.",
      "The merchant's private key is used on a curve of the attacker's choice.",
      cves: ["CVE-2020-0601"],
      links: [doi("10.1007/3-540-44598-6_8"), doi("10.1007/978-3-319-24174-6_21"), rfc(5480, "2.1.1")]),
    VectorFlag(
      "ForgeryL", .edgeCase, trait: .forgery(.l),
      "A transactionId with leading zeros. It must be accepted.",
      "Payments are lost where the identifier is parsed as a number.",
      links: [cwe(704)]),
    VectorFlag(
      "ForgeryM", .authBypass, trait: .forgery(.m),
      "Bytes moved from one signed member to the next, under the genuine signature.",
      "The end of the ciphertext becomes a new transactionId, and a replay is not detected.",
      cves: ["CVE-2008-1930"]),
  ]
}
