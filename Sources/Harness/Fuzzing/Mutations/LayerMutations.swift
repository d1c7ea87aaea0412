import Gateways
import Minting

/// Mutations of one layer's octets by themselves, for targets that read nothing else.
public enum LayerMutations {
  /// The octets changed; nil where the target has no mutations of its own.
  public static func mutated(
    _ octets: [UInt8], for target: String, using random: inout QuickGenerator
  ) -> [UInt8]? {
    switch target {
    case "json": json(octets, names: TokenNames.all + EnvelopeNames.all, using: &random)
    case "payload":
      octets.isEmpty
        ? nil : octets.prefix(1) + json(Array(octets.dropFirst()), names: PayloadNames.all, using: &random)
    case "line":
      json(octets, names: ["id", "hello", "accepted", "code", "stage", "plaintext", "error"], using: &random)
    case "gateways": json(octets, names: GatewayNames.all, using: &random)
    case "cms": cms(octets, using: &random)
    default: nil
    }
  }

  /// Parts of two in one.
  public static func crossed(
    _ first: [UInt8], _ second: [UInt8], for target: String, using random: inout QuickGenerator
  ) -> [UInt8]? {
    guard target == "cms", let version = first.first, var tree = ASN1Node(ber: Array(first.dropFirst())),
      let other = ASN1Node(ber: Array(second.dropFirst()))
    else {
      guard !first.isEmpty, !second.isEmpty else { return nil }
      return Array(first.prefix(random.below(first.count) + 1)) + Array(second.suffix(random.below(second.count) + 1))
    }
    let part = other.node(at: random.below(other.nodeCount))
    tree.edit(at: random.below(tree.nodeCount)) { $0 = part }
    return [version] + tree.encoded
  }

  private static func json(_ octets: [UInt8], names: [String], using random: inout QuickGenerator) -> [UInt8] {
    guard var tree = JSONPiece(octets) else { return OctetEdits.changed(octets, using: &random) }
    JSONEdits.change(&tree, names: names, using: &random)
    if random.chance(4) { return JSONEdits.spaced(tree.text, using: &random) }
    return random.chance(4) ? OctetEdits.changed(tree.text, using: &random) : tree.text
  }

  private static func cms(_ octets: [UInt8], using random: inout QuickGenerator) -> [UInt8]? {
    guard let version = octets.first else { return nil }
    guard var tree = ASN1Node(ber: Array(octets.dropFirst())) else {
      return [version] + OctetEdits.changed(Array(octets.dropFirst()), using: &random)
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

/// Names that mean something in gateways' bodies and logs.
enum GatewayNames {
  static let all: [String] = {
    let bodies = Gateway.all.flatMap(\.bodies) + Onramp.bodies + [OrderDocument.body]
    let names = bodies.flatMap(\.fields).flatMap { $0.path.split(separator: ".").map(String.init) }
    return Array(Set(names + ["eventName", "errorCode", "errorMessage"])).sorted()
  }()
}
