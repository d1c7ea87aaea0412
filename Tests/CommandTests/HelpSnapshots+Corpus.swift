/// Those of `assay corpus`.
extension HelpSnapshots {
  static let corpus: [(String, String)] = [
    (
      "corpus list",
      """
      usage: assay corpus list [options]

      List the vectors and what each must end in.

      options:
        --corpus DIR     the corpus folder (default: Corpus)
        --flag NAME      those with this flag
        --clause NUMBER  those that name this rule of Docs/Verification.md
        --code CODE      those that must end in this code, or in accept
        --json           write one JSON document
        --help           show this help

      """
    ),
    (
      "corpus stats",
      """
      usage: assay corpus stats [options]

      Count vectors by code, flag and clause.

      options:
        --corpus DIR  the corpus folder (default: Corpus)
        --json        write one JSON document
        --help        show this help

      Clauses are the rules of Docs/Verification.md. keyUnavailable is no verdict about a token, and
      replayStoreFull depends on what else a store has seen: no vector demands them.

      """
    ),
    (
      "corpus lint",
      """
      usage: assay corpus lint [options]

      Check the corpus, every verdict by both engines.

      options:
        --corpus DIR  the corpus folder (default: Corpus)
        --foreign     a corpus of others: do not compare it with what generate makes
        --json        write one JSON document
        --quiet       no progress and no remarks on standard error
        --help        show this help

      Checks the form of each file, that ids and names are unique, that flags and clauses are explained, that each
      verdict is what both engines say, that nothing chains to Apple's own root, that nothing is there twice, that every
      clause has a vector and every code three, and that assay corpus generate makes the same bytes. Exit 1 if not.

      """
    ),
    (
      "corpus generate",
      """
      usage: assay corpus generate [options]

      Write the vectors, regressions and seeds that are minted.

      options:
        --corpus DIR  the corpus folder (default: Corpus)
        --json        write one JSON document
        --quiet       no progress and no remarks on standard error
        --help        show this help

      The same bytes on every machine, from the cases that assay mint --list-faults lists and one fixed seed. Other
      files of the corpus stay as they are; assay corpus lint names those that are no longer made.

      """
    ),
    (
      "corpus add",
      """
      usage: assay corpus add [options] FILE…

      Add raw inputs to the seeds.

      options:
        --corpus DIR                    the corpus folder (default: Corpus)
        --regression                    take files of vectors instead: what an engine here once got wrong
        --comment TEXT                  what broke, for regressions (default: the vector's own words)
        --envelope \(envelopes)
                                        what they come in (default: told by their shape)
        --json                          write one JSON document
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      Each is filed by envelope, version and content. One that is there already stays as it is. Whatever holds a
      certificate under Apple's own root is refused with exit 1: genuine tokens are nobody's to publish.
      A regression is a vector.json of a finding of assay fuzz. It is taken, under a name of its contents, once both
      engines agree with it: when what it found is mended.

      """
    ),
    (
      "corpus minimize",
      """
      usage: assay corpus minimize [options] DIR…

      Keep as few samples as cover the same code.

      options:
        --target token|envelopes|json|base64|cms|payload|line|kernel
                                        whose inputs they are (default: token)
        --into DIR                      where the kept ones go; what is there already stays
        --seeds                         take the kept ones into the seeds of the corpus as well
        --corpus DIR                    the corpus folder (default: Corpus)
        --json                          write one JSON document
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      DIR are folders of inputs: a run's corpus/, Corpus/seeds. The program of the target is built from Fuzz/ first and
      run with -merge=1: an input is kept when it covers what no smaller one does. Needs the sources.

      """
    ),
    (
      "corpus merge",
      """
      usage: assay corpus merge [options] DIR…

      Add the seeds of other corpora.

      options:
        --corpus DIR  the corpus folder (default: Corpus)
        --json        write one JSON document
        --quiet       no progress and no remarks on standard error
        --help        show this help

      Those that are there already stay as they are. What holds a certificate under Apple's own root is refused, and
      named, with exit 1.

      """
    ),
    (
      "corpus import-vectors",
      """
      usage: assay corpus import-vectors [options] FILE

      Add a file of vectors that others made.

      options:
        --corpus DIR  the corpus folder (default: Corpus)
        --name NAME   the file's name below vectors/imported (default: its own)
        --json        write one JSON document
        --quiet       no progress and no remarks on standard error
        --help        show this help

      The file is of schema assay.vectors/1. Every test is judged by both engines first, and nothing is written, with
      exit 1, where one of them says otherwise or a test breaks the rules of assay corpus lint.

      """
    ),
  ]
}
