/// The help of `assay bench`.
extension HelpSnapshots {
  static let bench: [(String, String)] = [
    (
      "bench run",
      """
      usage: assay bench run [options] [NAME…]

      Measure decryption and its parts.

      options:
        --seconds N        seconds for everything: preparation, warm-up and measurements (default: 40)
        --seed N           seed of tokens, order and intervals (default: 1)
        --tokens DIR       measure the tokens in the subfolders of DIR instead of minted ones
        --kernel NAME      kernel for P-256 or for text to measure with (see assay env) (repeatable)
        --external CMD     program that speaks the line protocol, measured like the engines (repeatable)
        --pipeline N       requests in flight when an external is measured pipelined, or 1 (default: 8)
        --timeout SECONDS  time limit for one answer of an external (default: 5)
        --memory MIB       address space limit of an external's processes, or off (default: 16384)
        --gate             exit with 1 if a threshold is not met, with 2 if one could not be checked
        --thresholds FILE  file of thresholds (default: Benchmarks/Thresholds.json)
        --report FORMAT    write a report: html|junit|markdown|github-benchmark|csv=FILE or github (repeatable)
        --json             write one JSON document
        --quiet            suppress progress and remarks on standard error
        --help             show this help

      NAME is the beginning of a name, a pattern with *, or '=NAME' for exactly one (default: all). Both engines are
      checked on every token before anything is timed. Benchmarks are interleaved on one pinned CPU. --gate checks
      allocation counts and ratios within the same rounds, never absolute times; a violation is measured again before it
      counts, and after three times --seconds (at least 30 s) the gate says what it could not decide. Each subfolder of
      --tokens contains a genuine token in token.json, private_key.pem and certificate.pem or merchant_id.txt; these tokens
      are verified as of their signing time under Apple's root. Externals get minted tokens and test keys. One that fails
      is dropped with the reason, and the rest is measured; the exit code is 2 if all are. Allocations are counted if
      libAllocationCounter.so is in the folder of this program. Docs/Measuring.md explains each figure.

      """
    ),
    (
      "bench compare",
      """
      usage: assay bench compare [options] [BASE [NEW]]

      Show what became slower between two builds or measurements.

      options:
        --base-binary PATH   another build of this program, timed alternately with this one
        --name NAME          only benchmarks that begin with NAME, which may contain *; '=NAME' for one (repeatable)
        --instructions       with --base-binary, also count instructions under valgrind
        --seconds N          seconds for all slices (default: until decided) or for the measurement (default: 40)
        --blocks N           number of process pairs, run one after the other (default: 12)
        --seed N             seed of tokens and intervals (default: 1)
        --fail-inconclusive  exit with 2 if nothing regressed but a result is inconclusive
        --thresholds FILE    file of thresholds (default: Benchmarks/Thresholds.json)
        --report FORMAT      write a report: html=FILE, junit=FILE, markdown=FILE or github (repeatable)
        --json               write one JSON document
        --quiet              suppress progress and remarks on standard error
        --help               show this help

      BASE and NEW are files written by bench run --json; without NEW this build is measured now. Times are
      then divided by those of libcrypto's operations in the same round. With --base-binary both builds are restarted in
      every block and timed alternately on one CPU: the only comparison of times that is reliable on a busy machine.
      Without --seconds the slices take 3 s per name, at least 10, and what is inconclusive is then compared in twice and
      four times as many blocks, for at most 15 s per name, at least 60. The first line says what slowdown could be seen.
      A benchmark has regressed if its median moved beyond the floor and the test over the blocks, corrected for the
      number of names, rules out chance. Exits with 0 for improvements and inconclusive results too, 1 if a benchmark
      regressed or is missing, 2 if there is nothing to compare or the machines differ.

      """
    ),
    (
      "bench list",
      """
      usage: assay bench list [options]

      List the names of all benchmarks.

      options:
        --json  write one JSON document
        --help  show this help

      """
    ),
    (
      "bench worker",
      """
      usage: assay bench worker [options] [NAME…]

      Run benchmarks as told on standard input, for bench compare.

      options:
        --seed N    seed of tokens (default: 1)
        --tokens N  number of different tokens, 1 to 64 (default: 8)
        --help      show this help

      Checks the answers, pins itself to a CPU, then answers each line until the input ends: names with the names of its
      benchmarks, time INDEX NANOSECONDS with the median nanoseconds per operation, run INDEX COUNT with done, memory
      with the peak resident bytes.

      """
    ),
    (
      "bench echo",
      """
      usage: assay bench echo [options]

      Answer the line protocol without decrypting, to measure the protocol itself.

      options:
        --help  show this help

      Answers every token with unsupported. bench run --external measures it like any other program.

      """
    ),
  ]
}
