import PaymentToken

extension EnvelopeSelection {
  /// The envelopes it names.
  var envelopes: [Envelope] {
    switch self {
    case .named(let envelope): [envelope]
    case .automatic(let envelopes): envelopes
    }
  }

  /// Whether it names the same envelopes in the same way.
  ///
  /// An envelope that was built again is another one, even if it is equal: that costs a reader and changes no verdict.
  func isSame(as other: EnvelopeSelection) -> Bool {
    switch (self, other) {
    case (.named(let left), .named(let right)): left.isSame(as: right)
    case (.automatic(let left), .automatic(let right)): left.elementsEqual(right) { $0.isSame(as: $1) }
    case (.named, .automatic), (.automatic, .named): false
    }
  }
}

extension Envelope {
  /// String's `==` uses canonical equivalence: `\u{E9}` equals `e\u{301}`. Here names differ if any byte does.
  fileprivate func isSame(as other: Envelope) -> Bool {
    name.utf8.elementsEqual(other.name.utf8) && routes.isSame(as: other.routes) && marks.isSame(as: other.marks)
  }
}

extension Array {
  /// Whether both are the same array. Both exist here, so equal addresses mean equal contents.
  fileprivate func isSame(as other: [Element]) -> Bool {
    withUnsafeBufferPointer { here in other.withUnsafeBufferPointer { $0.baseAddress == here.baseAddress } }
  }
}
