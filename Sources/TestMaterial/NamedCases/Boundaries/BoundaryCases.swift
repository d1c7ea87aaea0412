extension CaseList {
  /// What the names of boundary cases begin with.
  static let boundaryPrefix = "boundary-"
}

extension CaseRecipe {
  /// Both sides of every bound, at every place where the rule applies. They are no named cases: there are too many of
  /// them for lists, the fuzzer and `assay mint`.
  package static let boundaries: [CaseRecipe] = []
}
