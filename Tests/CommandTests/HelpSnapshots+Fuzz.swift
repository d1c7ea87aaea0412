/// The help of `assay fuzz`.
extension HelpSnapshots {
  static let fuzz: [(String, String)] = [
    (
      "fuzz run",
      """
      usage: assay fuzz run [options]

      Mutate tokens and compare the answers of both engines.

      options:
        --driver loop|libfuzzer         source of mutations (default: loop)
        --target token|envelopes|json|base64|cms|payload|line|gateways|kernel
                                        what to fuzz (default: token)
        --duration TIME                 how long to run: 30s, 90m or 8h (default: 1h)
        --jobs N                        number of processes (default: one per processor)
        --seed N                        seed of all choices (default: random, and reported)
        --dir DIR                       folder of the run, which is resumed if it exists (default: fuzz-run)
        --corpus DIR                    corpus folder (default: Corpus)
        --timeout SECONDS               limit of processor time for one input (default: 10)
        --without MUTATION              leave out a mutation (repeatable)
        --stop-at-finding               stop at the first finding
        --waivers FILE                  findings that do not fail: a finding's name and the reason on each line
        --sync DIR                      folder in which runs on several machines exchange samples
        --name NAME                     name of the run there (default: the machine's name and that of the run's folder)
      \(external)
        --json                          write one JSON event per line
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      The run's folder contains corpus/ findings/ unreproducible/ settings.json stats.json history.csv report.html.
      It is complete whenever the run is stopped. The loop runs in this program; libfuzzer, which sees coverage and memory
      errors, is built from Fuzz/ first and needs the sources.
      With --sync, each run publishes new samples into its own folder there, and executes those of the others, once a
      minute: Docs/Fuzzing.md, Many machines.
      A program of --external decides samples as well: Docs/Fuzzing.md, Any decryptor.
      Exits with 0 if this session found nothing, 1 for findings, 130 if interrupted (everything is saved). Waived findings
      and those that are unreproducible are counted apart.

      """
    ),
    (
      "fuzz merge",
      """
      usage: assay fuzz merge --into DIR [options] DIR…

      Copy the samples that add features into a folder.

      options:
        --into DIR  folder for the kept samples, or of a run; what it has stays
        --jobs N    number of processes (default: one per processor)
        --json      write one JSON document
        --quiet     suppress progress and remarks on standard error
        --help      show this help

      DIR are folders of runs, or of samples. Samples are executed from the smallest to the largest, so a merge into an
      empty folder also minimizes a corpus: it keeps the smallest sample with each feature. In a coverage build,
      coverage counts as well. An interrupted merge is continued by the same command. Links are not followed; what is no
      sample is counted. Unpack archives first.
      Exits with 1 if a sample crashes the engines or violates a property; it is named and not kept.

      """
    ),
    (
      "fuzz replay",
      """
      usage: assay fuzz replay [options] FINDING

      Run both engines on a finding or a sample again.

      options:
      \(external)
        --json                          write one JSON document
        --help                          show this help

      FINDING is the folder of a finding, or a sample file. Exits with 1 if the finding persists: if the engines differ,
      or accept a token that nobody signed. A finding of an external program needs the program: without it, or where it
      cannot run or does not support the sample, exits with 2.

      """
    ),
    (
      "fuzz minimize",
      """
      usage: assay fuzz minimize [options] FINDING

      Minimize a finding further than the run did.

      options:
        --duration TIME                 time limit (default: 60s)
      \(external)
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      Rewrites the finding's sample and input. Exits with 1 if the finding no longer occurs. A finding of an external
      program needs the program: without it, or where it cannot run or does not support the sample,
      exits with 2.

      """
    ),
    (
      "fuzz status",
      """
      usage: assay fuzz status [options] DIR

      Show the state of a run, or of all runs in a sync folder.

      options:
        --waivers FILE  findings that do not fail: a finding's name and the reason on each line
        --json          write one JSON document
        --help          show this help

      DIR is the folder of a run, or that of --sync: then a table of its runs, in which those that were not seen for an
      hour are marked silent. Exits with 1 if there are findings, of this session or earlier ones, that are not waived.

      """
    ),
  ]
}
