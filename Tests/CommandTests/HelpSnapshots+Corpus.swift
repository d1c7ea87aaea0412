/// The help of `assay corpus`.
extension HelpSnapshots {
  static let corpus: [(String, String)] = [
    (
      "corpus list",
      """
      usage: assay corpus list [options]

      List the vectors and their expected results.

      options:
        --corpus DIR     corpus folder (default: Corpus)
        --flag NAME      only vectors with this flag
        --clause NUMBER  only vectors of this rule in Docs/Verification.md
        --code CODE      only vectors that expect this code, or accept
        --json           write one JSON document
        --help           show this help

      """
    ),
    (
      "corpus lint",
      """
      usage: assay corpus lint [options]

      Check the corpus, and every verdict with both engines.

      options:
        --corpus DIR  corpus folder (default: Corpus)
        --foreign     do not compare with the output of corpus generate
        --json        write one JSON document
        --quiet       suppress progress and remarks on standard error
        --help        show this help

      Checks that files are well formed, ids and names are unique, flags and clauses are documented, both engines agree
      with each verdict, nothing chains to Apple's own root, nothing occurs twice, every clause has a vector and every
      code three, and assay corpus generate makes the same bytes. Exits with 1 otherwise.

      """
    ),
    (
      "corpus generate",
      """
      usage: assay corpus generate [options]

      Generate vectors, regressions and seeds.

      options:
        --corpus DIR  corpus folder (default: Corpus)
        --exhaustive  write every constructed case, as a corpus of its own, to the folder --dir
        --dir DIR     folder of the exhaustive corpus (default: .build/exhaustive-corpus)
        --json        write one JSON document
        --quiet       suppress progress and remarks on standard error
        --help        show this help

      Writes the same bytes on every machine, from the cases of assay mint --list-faults and one fixed seed. Other files
      of the corpus stay as they are; assay corpus lint names those that are no longer generated.
      --exhaustive writes each of these cases in every spelling that must not change its verdict, and both sides of each
      bound at every place where it applies: 1.5 gigabytes. assay diff DIR runs them.

      """
    ),
    (
      "corpus export",
      """
      usage: assay corpus export [options]

      Write the vectors of a suite as JSON Lines.

      options:
        --corpus DIR                 corpus folder (default: Corpus)
        --suite core|strict|project  which vectors (default: project, all of them)
        --out DIR                    folder of the file (default: .)
        --json                       write one JSON document
        --quiet                      suppress progress and remarks on standard error
        --help                       show this help

      Writes SUITE.jsonl, for test suites without the line protocol: one vector on each line with key, roots and expected
      result, after a header with count and SHA-256. Corpus/README.md describes it. Keys are public test keys.

      """
    ),
    (
      "corpus add",
      """
      usage: assay corpus add [options] FILE…

      Add raw inputs to the seeds.

      options:
        --corpus DIR                    corpus folder (default: Corpus)
        --regression                    add files of vectors instead: cases that an engine once got wrong
        --comment TEXT                  what was wrong, for regressions (default: the vector's own comment)
        --envelope \(envelopes)
                                        format of the inputs (default: detected)
        --json                          write one JSON document
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      Files each input by envelope, version and content. Existing inputs stay as they are. An input with a certificate
      under Apple's own root is refused, and the exit code is 1: genuine tokens must not be published.
      A regression is the vector.json of a finding of assay fuzz. It is added, under a name made from its content, once
      both engines agree with it: after the bug is fixed.

      """
    ),
  ]
}
