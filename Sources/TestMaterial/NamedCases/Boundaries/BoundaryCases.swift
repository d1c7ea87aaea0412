import PaymentToken

/// Both sides of the bounds of JSON text and its values, at the places where each rule applies.
///
/// These lists are generated, not written: each is a product of places, values next to a bound and ways to write them,
/// and the expected verdict follows from the bound alone.
extension CaseList {
  /// A case of a bound; without a fault it must be accepted.
  ///
  /// - Parameter isCommitted: whether the committed corpus has it.
  mutating func bound(
    _ clause: String, _ name: CaseName, _ fault: TokenFault?, isCommitted: Bool = false, _ build: @escaping Build
  ) {
    let name: CaseName = isCommitted ? "boundary-at-\(name)" : "boundary-\(name)"
    request(clause, .with(isCommitted ? .committedBoundary : .boundary, name), fault, build)
  }
}

extension CaseRecipe {
  /// The boundary cases. They are no named cases: there are too many of them for lists, the fuzzer and `assay mint`.
  package static let boundaries: [CaseRecipe] = {
    var list = CaseList()
    list.addNestingBoundaries()
    list.addEnvelopeNestingBoundaries()
    list.addCountBoundaries()
    list.addValueBoundaries()
    list.addRepetitionBoundaries()
    list.addAlphabetBoundaries()
    list.addPayloadAlphabetBoundaries()
    list.addEscapeBoundaries()
    list.addCharacterBoundaries()
    list.addAmountBoundaries()
    return list.recipes
  }()

  /// The boundary cases that the committed corpus has: some of those at the limits on nesting, members and values.
  package static let committedBoundaries = boundaries.filter { $0.traits.contains(.committedBoundary) }

  /// The cases at register boundaries, which are made many at a time by `RegisterCases`.
  package static let registerBoundaries = ScannedText.allCases.flatMap { RegisterBoundary.all(in: $0).map(\.recipe) }
}
