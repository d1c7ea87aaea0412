import NamedCases
import Reports

/// The list of named cases, for people and for programs.
enum FaultList {
  static var json: JSON {
    .object([
      .init("schema", .string("assay.mint-faults/1")),
      .init(
        "faults",
        .array(
          CaseRecipe.all.map { recipe in
            .object([
              .init("name", .string(recipe.name)), .init("clause", .string(recipe.clause)),
              .init("expected", .string(FaultCase.verdict(recipe))), .init("note", .string(recipe.note)),
            ])
          })),
    ])
  }

  static var text: String {
    let width = CaseRecipe.all.map(\.name.count).max() ?? 0
    return CaseRecipe.all.map { recipe in
      Text.padded(recipe.name, to: width) + "  " + Text.padded(recipe.clause, to: 4) + "  " + FaultCase.verdict(recipe)
        + "\n"
    }.joined()
  }
}
