/// An ASN.1 value to encode in BER or DER (X.690), or in a malformed variant that a strict parser must refuse.
///
/// A tree can be edited freely before it is encoded: lengths are computed from the contents unless `length` overrides
/// them.
package struct ASN1Node: Hashable, Sendable {
  /// How the length is written.
  package enum Length: Hashable, Sendable {
    /// DER's only form.
    case shortest
    /// `80`, the contents, `00 00`.
    case indefinite
    /// The long form with this number of length bytes, minimal or not.
    case long(bytes: Int)
    /// These bytes, right or wrong.
    case verbatim([UInt8])
  }

  /// The contents after the length.
  package enum Body: Hashable, Sendable {
    case primitive([UInt8])
    case constructed([ASN1Node])
  }

  /// The identifier bytes; none at all for bytes taken verbatim.
  package var identifier: [UInt8]
  /// How the length is written.
  package var length: Length
  /// The contents after the length.
  package var body: Body

  /// A value of the given identifier bytes and body.
  package init(identifier: [UInt8], length: Length = .shortest, body: Body) {
    self.identifier = identifier
    self.length = length
    self.body = body
  }

  /// The values inside; setting them makes the body constructed, the identifier stays.
  package var children: [ASN1Node] {
    get {
      if case .constructed(let nodes) = body { return nodes }
      return []
    }
    set { body = .constructed(newValue) }
  }

  /// The bytes inside, those of the children when constructed; setting them makes the body primitive, the identifier
  /// stays.
  package var contents: [UInt8] {
    get {
      if case .primitive(let bytes) = body { return bytes }
      var bytes: [UInt8] = []
      appendContents(to: &bytes)
      return bytes
    }
    set { body = .primitive(newValue) }
  }

  /// The child at `index`.
  package subscript(index: Int) -> ASN1Node {
    get { children[index] }
    set { children[index] = newValue }
  }

  /// The encoding.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    bytes += identifier
    let start = bytes.count
    appendContents(to: &bytes)
    guard !identifier.isEmpty else { return }
    // The length is known only now; it is inserted before the contents.
    let count = bytes.count - start
    if length == .shortest, count < 128 {
      bytes.insert(UInt8(count), at: start)
    } else {
      bytes.insert(contentsOf: lengthBytes(of: count), at: start)
    }
    if case .indefinite = length { bytes += [0, 0] }
  }

  private func appendContents(to bytes: inout [UInt8]) {
    switch body {
    case .primitive(let contents): bytes += contents
    case .constructed(let nodes): for node in nodes { node.append(to: &bytes) }
    }
  }

  private func lengthBytes(of count: Int) -> [UInt8] {
    switch length {
    case .indefinite: return [0x80]
    case .verbatim(let bytes): return bytes
    case .long(let bytes):
      return [0x80 | UInt8(bytes)] + (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    case .shortest:
      guard count >= 128 else { return [UInt8(count)] }
      let bytes = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
      return [0x80 | UInt8(bytes)] + (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
  }
}
