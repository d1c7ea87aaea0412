import Gateways
import Minting
import PaymentToken
import TestCases

extension Spelling {
  /// Other encodings of the CMS that rule 5.2 allows, and the certificates in the other order.
  static let signatures: [Spelling] = [
    wrappers("definite-wrappers", .shortest) { _ in .shortest },
    wrappers("long-form-wrappers", .long) { _ in .long(bytes: 4) },
    wrappers("long-form-wrappers-of-three-bytes", .long) { _ in .long(bytes: 3) },
    wrappers("indefinite-wrappers", .indefinite) { _ in .indefinite },
    wrappers("mixed-wrappers", .indefinite) { $0 % 2 == 0 ? .indefinite : .long(bytes: 3) },
    wrappers("wrappers-mixed-the-other-way", .indefinite) { $0 % 2 == 1 ? .indefinite : .shortest },
    cms("certificates-in-the-other-order", .certificateOrder) { subject, tree in
      guard let list = tree[.certificates], list.children.count > 1 else { throw Inapplicability.absent }
      tree[.certificates]?.children = list.children.reversed()
    },
  ]

  private static func wrappers(
    _ name: String, _ column: SpellingClass, _ length: @escaping @Sendable (Int) -> ASN1Node.Length
  ) -> Spelling {
    cms(name, column) { subject, tree in
      guard !["5.1", "5.2"].contains(subject.clause) else { throw Inapplicability.rule }
      for (index, path) in WrapperLengths.paths(in: tree).enumerated() {
        guard let node = tree.node(at: path), case .constructed = node.body else { throw Inapplicability.unreadable }
        // The fault may be in how a wrapper is written.
        if case .verbatim = node.length { throw Inapplicability.unreadable }
        tree.edit(path: path) { $0.length = length(index) }
      }
    }
  }

  private static func cms(
    _ name: String, _ column: SpellingClass,
    _ edit: @escaping @Sendable (SpellingSubject, inout ASN1Node) throws -> Void
  ) -> Spelling {
    let rewrite: Edit = { subject, carried in
      guard subject.reaches(.signatureShape) else { throw Inapplicability.early }
      guard let path = carried.path(of: .signature), let text = carried.token?.content(at: path),
        let bytes = LenientBase64.decodeCanonical(text)
      else { throw Inapplicability.absent }
      guard var tree = ASN1Node(ber: bytes), tree.encoded == bytes else { throw Inapplicability.unreadable }
      try edit(subject, &tree)
      let encoded = tree.encoded
      guard encoded != bytes else { throw Inapplicability.absent }
      carried.token?[path[...]] = .string(Base64.encode(encoded))
    }
    return Spelling(name, column, edit: rewrite) { subject in
      try subject.checkSizeIsFree()
      guard subject.reaches(.signatureShape) else { throw Inapplicability.early }
      guard var carried = subject.carried else { throw Inapplicability.absent }
      try rewrite(subject, &carried)
      guard carried.fits() else { throw Inapplicability.limit }
      return try subject.made(request: carried.written(), name)
    }
  }
}
