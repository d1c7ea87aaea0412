/// Flags of forgeries that published decryptors accept, and of genuine tokens that they refuse.
extension VectorFlag {
  static let forgeries: [VectorFlag] = [
    VectorFlag(
      "ForgeryA", .authBypass, words: ["forgery-a-"],
      "An intermediate that the attacker signed himself carries Apple's marker.",
      "Everybody can make tokens: the token's own intermediate was trusted."),
    VectorFlag(
      "ForgeryB", .authBypass, words: ["forgery-b-"],
      "The genuine leaf and intermediate come along, and a third certificate signs.",
      "Everybody can make tokens: the chain that was verified is not the signer's."),
    VectorFlag(
      "ForgeryC", .authBypass, words: ["forgery-c-"],
      "The attacker's certificate has the issuer and serial number of the genuine leaf.",
      "Everybody can make tokens: the signer was looked up by its number."),
    VectorFlag(
      "ForgeryD", .authBypass, words: ["forgery-d-"],
      "A genuine CMS with another digest and time, and the old signature value.",
      "Everybody can make tokens: the result of the verification was dropped."),
    VectorFlag(
      "ForgeryE", .authBypass, words: ["forgery-e-"], without: ["the-merchant-s-certificate-as-the-leaf"],
      "A complete chain of the attacker's.",
      "Everybody can make tokens: the root was not compared with a pinned one."),
    VectorFlag(
      "ForgeryF", .authBypass, words: ["forgery-f-"],
      "Any application data over someone else's CMS.",
      "Everybody can make tokens: a check is skipped where application data is there."),
    VectorFlag(
      "ForgeryG", .authBypass, words: ["forgery-g-"],
      "A ciphertext bit is flipped under the old tag.",
      "Amounts can be altered: the tag was not verified."),
    VectorFlag(
      "ForgeryH", .authBypass, words: ["forgery-h-"],
      "Bytes moved between transactionId and application data: the signed bytes have no separators.",
      "One token has two transactions, and its binding to the order is gone."),
    VectorFlag(
      "ForgeryI", .edgeCase, words: ["forgery-i-"],
      "A shared secret that begins with a zero byte. It must be accepted.",
      "One payment in 256 is lost."),
    VectorFlag(
      "ForgeryJ", .denialOfService, words: ["forgery-j-"],
      "Data that is shorter than a tag.",
      "The process crashes, or reads what lies beside."),
    VectorFlag(
      "ForgeryK", .confidentiality, words: ["forgery-k-"],
      "The ephemeral key brings its own curve parameters.",
      "The merchant's private key is used on a curve of the attacker's choice."),
    VectorFlag(
      "ForgeryL", .edgeCase, words: ["forgery-l-"],
      "A transactionId with leading zeros. It must be accepted.",
      "Payments are lost where the identifier is taken for a number."),
    VectorFlag(
      "ForgeryM", .authBypass, words: ["forgery-m-"],
      "Bytes moved from one signed member to the next, under the genuine signature.",
      "The end of the ciphertext passes for a transaction of its own, and replays are not seen."),
  ]
}
