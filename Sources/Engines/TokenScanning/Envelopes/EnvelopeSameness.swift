import PaymentToken

// String's `==` uses canonical equivalence: `\u{E9}` equals `e\u{301}`. Names in requests are compared byte for byte.

extension EnvelopeSelection {
  /// The envelopes it names.
  var envelopes: [Envelope] {
    switch self {
    case .named(let envelope): [envelope]
    case .automatic(let envelopes): envelopes
    }
  }

  /// Whether every name, path and text is the same, byte for byte.
  func isSame(as other: EnvelopeSelection) -> Bool {
    switch (self, other) {
    case (.named(let left), .named(let right)): left.isSame(as: right)
    case (.automatic(let left), .automatic(let right)): left.isSame(as: right) { $0.isSame(as: $1) }
    case (.named, .automatic), (.automatic, .named): false
    }
  }
}

extension Envelope {
  fileprivate func isSame(as other: Envelope) -> Bool {
    name.isSame(as: other.name) && marks.isSame(as: other.marks) { $0.isSame(as: $1) }
      && routes.isSame(as: other.routes) { $0.isSame(as: $1) }
  }
}

extension Envelope.Route {
  fileprivate func isSame(as other: Envelope.Route) -> Bool {
    path.isSame(as: other.path) { $0.isSame(as: $1) } && wrapping.isSame(as: other.wrapping)
      && fields.isSame(as: other.fields) { $0.isSame(as: $1) }
  }
}

extension Envelope.Wrapping {
  fileprivate func isSame(as other: Envelope.Wrapping) -> Bool {
    guard case .parts(let parts) = self, case .parts(let others) = other else { return self == other }
    return parts.isSame(as: others) { $0.member == $1.member && $0.name.isSame(as: $1.name) }
  }
}

extension Envelope.Field {
  fileprivate func isSame(as other: Envelope.Field) -> Bool {
    guard path.isSame(as: other.path, by: { $0.isSame(as: $1) }) else { return false }
    switch (rule, other.rule) {
    case (.text(let left), .text(let right)), (.number(let left), .number(let right)): return left.isSame(as: right)
    case (.transactionId, .transactionId): return true
    case (.text, _), (.number, _), (.transactionId, _): return false
    }
  }
}

extension Envelope.Mark {
  fileprivate func isSame(as other: Envelope.Mark) -> Bool {
    isPresent == other.isPresent && path.isSame(as: other.path) { $0.isSame(as: $1) }
  }
}

extension Array {
  fileprivate func isSame(as other: [Element], by areSame: (Element, Element) -> Bool) -> Bool {
    // Usually both are the same array. Both exist here, so equal addresses mean equal contents.
    let address = withUnsafeBufferPointer { $0.baseAddress }
    return other.withUnsafeBufferPointer { $0.baseAddress == address } || elementsEqual(other, by: areSame)
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { utf8.span.elementsEqual(other.utf8.span) }
}
