import HostIO
import Minting
import NamedCases
import TestCases

/// Collects constructed cases as groups of vectors.
struct ConstructedVectors {
  private let generator: VectorGenerator
  private var groups: [TestGroup] = []
  private var indices: [GroupKey: Int] = [:]
  private(set) var count = 0
  /// Roughly the bytes of the file.
  private(set) var size = 0

  private struct GroupKey: Hashable {
    let setting: TestSetting
    let context: TestContext
  }

  init(_ generator: VectorGenerator) {
    self.generator = generator
  }

  /// Adds a case; one that the line protocol cannot express is left out.
  mutating func add(_ made: MintedCase, from base: MintedCase) {
    guard made.test.context.isForOtherPrograms else { return }
    let setting = TestSetting(of: generator.minter, keys: generator.keys(for: made), anchors: made.anchors)
    count += 1
    let test = generator.test(of: made, from: base, id: count)
    size += (test.request.count + test.context.prelude.reduce(0) { $0 + $1.count }) * 4 / 3 + 400
    var context = made.test.context
    context.prelude = []
    if case .window(let seconds, .some) = context.policy.freshness {
      context.policy.freshness = .window(seconds: seconds, replay: .capacity(10))
    }
    let group = GroupKey(setting: setting, context: context)
    if let index = indices[group] {
      groups[index].cases.append(test)
    } else {
      indices[group] = groups.count
      groups.append(TestGroup(setting: setting, cases: [test]))
    }
  }

  /// The file of all cases so far.
  func output(named name: String) -> CorpusFile {
    CorpusFile(path: "vectors/\(name).json", bytes: VectorWriter.write(generator.file(of: groups)))
  }
}

extension VectorGenerator {
  /// Every named case, the oldest family first.
  func subjects(progress: (Int, Int) -> Void = { _, _ in }) throws(MintingError) -> [SpellingSubject] {
    let recipes = CaseRecipe.byAge
    var subjects: [SpellingSubject] = []
    subjects.reserveCapacity(recipes.count)
    for (index, recipe) in recipes.enumerated() {
      progress(index, recipes.count)
      subjects.append(try SpellingSubject(recipe, by: minter))
    }
    progress(recipes.count, recipes.count)
    return subjects
  }

  /// The constructed cases of the committed corpus: a selection of spellings that shows every class at every place
  /// where one can be, and some of the boundary cases.
  func constructed(_ selection: CoveringSelection) throws(MintingError) -> [CorpusFile] {
    var spellings = ConstructedVectors(self)
    for choice in selection.chosen { spellings.add(choice.made, from: choice.base) }
    var boundaries = ConstructedVectors(self)
    for recipe in CaseRecipe.committedBoundaries {
      let made = try minter.make(recipe)
      boundaries.add(made, from: made)
    }
    return [spellings.output(named: "spellings"), boundaries.output(named: "boundaries")]
  }

  /// The approximate size of the largest file of the exhaustive corpus, in bytes: below `FileReader.corpusFileLimit`.
  private static let largestFile = 24 << 20

  /// Every named case in every spelling that applies to it, and every boundary case: the exhaustive corpus.
  ///
  /// - Parameters:
  ///   - progress: called with the number of minted cases and the number of all cases.
  ///   - write: takes each file as soon as it is complete.
  /// - Throws: what `write` throws, and `CommandError` when minting fails.
  /// - Returns: the number of vectors.
  package func exhaustive(
    progress: (Int, Int) -> Void, write: (CorpusFile) throws(CommandError) -> Void
  ) throws(CommandError) -> Int {
    var open: [SpellingClass?: ConstructedVectors] = [:]
    var numbers: [SpellingClass?: Int] = [:]
    var total = 0
    func close(_ column: SpellingClass?) throws(CommandError) {
      guard let vectors = open.removeValue(forKey: column), vectors.count > 0 else { return }
      numbers[column, default: 0] += 1
      total += vectors.count
      let name = (column?.rawValue ?? "boundaries").lowercased()
      try write(vectors.output(named: "\(name)-\(numbers[column, default: 0])"))
    }
    let recipes = CaseRecipe.all + CaseRecipe.boundaries + CaseRecipe.registerBoundaries
    for (index, recipe) in recipes.enumerated() {
      progress(index, recipes.count)
      let made: [(SpellingClass?, MintedCase)]
      let base: MintedCase
      do {
        (base, made) = try constructed(recipe)
      } catch {
        throw CommandError(.internalError, "minting failed: \(error).")
      }
      for (column, test) in made {
        open[column, default: ConstructedVectors(self)].add(test, from: base)
        if open[column]?.size ?? 0 > Self.largestFile { try close(column) }
      }
    }
    for column in [nil] + SpellingClass.allCases { try close(column) }
    return total
  }

  /// A recipe's cases, each with its column; nil for a case in its own spelling.
  private func constructed(
    _ recipe: CaseRecipe
  ) throws(MintingError) -> (base: MintedCase, cases: [(SpellingClass?, MintedCase)]) {
    let subject = try SpellingSubject(recipe, by: minter)
    let isAsItIs = recipe.isBoundary || recipe.traits.contains(.exhaustiveOnly)
    var cases: [(SpellingClass?, MintedCase)] = isAsItIs ? [(nil, subject.made)] : []
    // There are too many boundary cases for all spellings; they have spellings of their own.
    guard !recipe.isBoundary else { return (subject.made, cases) }
    for spelling in Spelling.all {
      if case .success(let made) = try subject.spelled(spelling) { cases.append((spelling.column, made)) }
    }
    return (subject.made, cases)
  }
}
