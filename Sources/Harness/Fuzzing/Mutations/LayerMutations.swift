import Gateways
import Minting
import TestCases

/// Mutations for targets that read a single layer.
package enum LayerMutations {
  /// Returns mutated bytes; nil if the target has no mutations of its own.
  package static func mutated(
    _ bytes: [UInt8], for target: FuzzTarget, using random: inout QuickGenerator
  ) -> [UInt8]? {
    switch target {
    case .json: json(bytes, names: TokenNames.all + EnvelopeNames.all, Boundary.token, using: &random)
    case .payload:
      bytes.isEmpty
        ? nil
        : bytes.prefix(1) + json(Array(bytes.dropFirst()), names: PayloadNames.all, Boundary.payload, using: &random)
    case .line:
      json(bytes, names: ["id", "hello", "accepted", "code", "stage", "plaintext", "error"], using: &random)
    case .gateways: json(bytes, names: GatewayNames.all, using: &random)
    case .cms: cms(bytes, using: &random)
    case .token, .envelopes, .base64, .kernel: nil
    }
  }

  private static func json(
    _ bytes: [UInt8], names: [String], _ boundaries: [Boundary] = [], using random: inout QuickGenerator
  ) -> [UInt8] {
    guard var tree = JSONPiece(bytes) else { return ByteEdits.changed(bytes, using: &random) }
    let before = tree
    if let boundary = random.pick(from: boundaries), random.chance(4) {
      boundary.write(to: &tree, using: &random)
    } else {
      JSONEdits.change(&tree, names: names, using: &random)
    }
    if random.chance(3) { _ = Respelling.change(&tree, since: before, using: &random) }
    if random.chance(4) { return JSONEdits.spaced(tree.text, using: &random) }
    return random.chance(4) ? ByteEdits.changed(tree.text, using: &random) : tree.text
  }

  private static func cms(_ bytes: [UInt8], using random: inout QuickGenerator) -> [UInt8]? {
    guard let version = bytes.first else { return nil }
    guard var tree = ASN1Node(ber: Array(bytes.dropFirst())) else {
      return [version] + ByteEdits.changed(Array(bytes.dropFirst()), using: &random)
    }
    if random.chance(6) { WrapperLengths.change(&tree, using: &random) }
    if random.chance(8) {
      tree = ASN1Edits.cut(tree, using: &random)
    } else {
      ASN1Edits.change(&tree, donor: tree, using: &random)
    }
    return [random.chance(20) ? version ^ 1 : version] + tree.encoded
  }
}

/// The member names of gateways' bodies and logs.
enum GatewayNames {
  static let all: [String] = {
    let bodies = Gateway.all.flatMap(\.bodies) + Onramp.bodies + [OrderDocument.body]
    let names = bodies.flatMap(\.fields).flatMap { $0.path.split(separator: ".").map(String.init) }
    return Array(Set(names + ["eventName", "errorCode", "errorMessage"])).sorted()
  }()
}
