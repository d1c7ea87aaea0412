/// Those of `assay fuzz`.
extension HelpSnapshots {
  static let fuzz: [(String, String)] = [
    (
      "fuzz run",
      """
      usage: assay fuzz run [options]

      Mutate tokens and ask both engines, for an hour or a night.

      options:
        --driver loop|libfuzzer         what drives the mutations (default: loop)
        --target token|envelopes|json|base64|cms|payload|line|kernel
                                        what is fuzzed (default: token)
        --duration TIME                 how long, 30s, 90m or 8h (default: 1h)
        --jobs N                        so many processes (default: one a processor)
        --seed N                        seed of all choices (default: drawn, and written)
        --dir DIR                       the run's folder; one that is there is gone on with (default: fuzz-run)
        --corpus DIR                    the corpus folder (default: Corpus)
        --timeout SECONDS               how long one input may take (default: 10)
        --without MUTATION              leave a mutation out (repeatable)
        --stop-at-finding               end at the first finding
        --json                          write an event a line, as JSON
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      The run's folder holds corpus/ findings/ settings.json stats.json stats.csv report.html. It is whole whenever the
      run is ended, and a run in a folder that is there goes on. The loop runs in this program; libfuzzer, which sees
      coverage and errors of memory, is built from Fuzz/ first and needs the sources.
      Ends with 0 when nothing was found, 1 for findings, 130 when it was interrupted (all is saved).

      """
    ),
    (
      "fuzz replay",
      """
      usage: assay fuzz replay [options] FINDING

      Ask both engines about a finding or a sample again.

      options:
        --json  write one JSON document
        --help  show this help

      FINDING is the folder of a finding, or a sample's file. Ends with 1 when it still shows: when the engines differ,
      or what is accepted was signed by nobody.

      """
    ),
    (
      "fuzz minimize",
      """
      usage: assay fuzz minimize [options] FINDING

      Make a finding smaller than the run had time for.

      options:
        --duration TIME  how long it may take (default: 60s)
        --quiet          no progress and no remarks on standard error
        --help           show this help

      Rewrites the finding's sample and input. Ends with 1 when it does not show any more.

      """
    ),
    (
      "fuzz status",
      """
      usage: assay fuzz status [options] DIR

      Show how a run stands, while it runs or after.

      options:
        --json  write one JSON document
        --help  show this help

      Ends with 1 when there are findings.

      """
    ),
  ]
}
