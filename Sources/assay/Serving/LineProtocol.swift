/// What the line protocol fixes: one JSON object a line on standard input, one answer a line on standard output.
enum LineProtocol {
  /// The version that `hello` names.
  static let version = 1

  /// What `hello` is answered with: the versions of tokens, and the demands of a policy, that are met.
  static let supported = ["EC_v1", "RSA_v1", "envelopes", "expect", "replay", "revoked", "unsigned"]

  /// The most octets of a line, 4 MiB: a thousand keys, or a dozen of the largest requests.
  static let lineLimit = 4 << 20
}
