/// Those of `assay bench`.
extension HelpSnapshots {
  static let bench: [(String, String)] = [
    (
      "bench run",
      """
      usage: assay bench run [options] [NAME…]

      Measure decryption and its parts.

      options:
        --seconds N        time for all measurements together (default: 40)
        --seed N           seed of tokens, order and intervals (default: 1)
        --rate N           tokens arriving a second in load/open/fast (default: 5000)
        --tokens DIR       measure the tokens in DIR's folders instead of minted ones
        --kernel NAME      measure with this kernel of P-256, or of texts (see assay env) (repeatable)
        --external CMD     a program of the line protocol, measured beside the engines (repeatable)
        --gate             exit with 1 when what the thresholds say does not hold
        --thresholds FILE  the limits that count (default: Benchmarks/Thresholds.json)
        --folder DIR       where baselines are kept (default: Benchmarks/Baselines)
        --report FORMAT    html=FILE, junit=FILE, markdown=FILE or github (repeatable)
        --json             write one JSON document
        --quiet            no progress and no remarks on standard error
        --help             show this help

      NAME is the beginning of a name, or a whole one with * for anything (default: all but sweeps). Both engines are
      checked on every token before anything is timed. Benchmarks are interleaved on one pinned CPU; only ratios of the
      same rounds and allocation counts are gated, never absolute times. Genuine tokens are measured as well when
      ASSAY_REAL_TOKENS names their folder. A folder of DIR holds token.json, private_key.pem and certificate.pem or
      merchant_id.txt; such tokens are verified as of their signing time under Apple's root. Externals get minted tokens
      and test keys. Allocations are counted when libAllocationCounter.so lies beside this program.
      Docs/Measuring.md says what each figure means.

      """
    ),
    (
      "bench compare",
      """
      usage: assay bench compare [options] [BASE [NEW]]

      Say what became slower between two builds or measurements.

      options:
        --base-binary PATH  another build of this program, timed in turns with this one
        --name NAME         only benchmarks that begin with NAME, which may hold * (repeatable)
        --instructions      with --base-binary, count instructions under valgrind as well
        --seconds N         time for all slices, or the measurement (default: 10 at least, 3 a name; 40)
        --blocks N          pairs of processes started one after the other (default: 12)
        --seed N            seed of tokens and intervals (default: 1)
        --thresholds FILE   the limits that count (default: Benchmarks/Thresholds.json)
        --folder DIR        where baselines are kept (default: Benchmarks/Baselines)
        --report FORMAT     html=FILE, junit=FILE, markdown=FILE or github (repeatable)
        --json              write one JSON document
        --quiet             no progress and no remarks on standard error
        --help              show this help

      BASE and NEW are baselines or files of bench run --json; without NEW this build is measured now. Times are then
      taken in units of libcrypto's operations of the same round. With --base-binary both builds are started anew in
      every block and timed in turns on one CPU: the one comparison of times that a busy machine does not mislead.
      A benchmark regressed when its median moved beyond the floor and the test on the blocks, corrected for the number
      of names, says it is not chance. Ends with 0 also for improvements and what stays inconclusive, with 1 for what
      regressed or is missing, with 2 when there is nothing to compare or the machines differ.

      """
    ),
    (
      "bench baseline save",
      """
      usage: assay bench baseline save [options] NAME

      Measure, and keep the result under a name.

      options:
        --seconds N     time for all measurements together (default: 40)
        --seed N        seed of tokens, order and intervals (default: 1)
        --rate N        tokens arriving a second in load/open/fast (default: 5000)
        --tokens DIR    measure the tokens in DIR's folders instead of minted ones
        --kernel NAME   measure with this kernel of P-256, or of texts (see assay env) (repeatable)
        --external CMD  a program of the line protocol, measured beside the engines (repeatable)
        --name NAME     only benchmarks that begin with NAME, which may hold * (repeatable)
        --from FILE|-   keep a measurement made by bench run --json instead of measuring
        --folder DIR    where baselines are kept (default: Benchmarks/Baselines)
        --replace       overwrite a baseline of that name
        --quiet         no progress and no remarks on standard error
        --help          show this help

      """
    ),
    (
      "bench baseline list",
      """
      usage: assay bench baseline list [options]

      List the measurements kept.

      options:
        --folder DIR  where baselines are kept (default: Benchmarks/Baselines)
        --json        write one JSON document
        --help        show this help

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
      "bench pool",
      """
      usage: assay bench pool [options]

      Measure a DecryptionPool: lone requests, a full pool, and open-loop load.

      options:
        --workers N  threads of the pool (default: 1)
        --polls N    microseconds for which an idle worker polls before it sleeps (default: 50)
        --seconds N  time for each line of load (default: 2)
        --seed N     seed of tokens and arrivals (default: 1)
        --json       write one JSON document
        --quiet      no progress and no remarks on standard error
        --help       show this help

      Workers have the last CPUs, requests come from one thread on the CPU before them. Every answer is checked, and that
      there is exactly one. Capacity is what the pool does with 64 requests in flight. Under open-loop load requests come
      at random times, whether others are answered or not; latency is that of the accepted ones, from when they were
      due. 'p99 by 0.1 s' is the median of the tenths of a second: what it is while nobody takes a CPU away. 'held up' is
      for how long the thread that hands requests over could not. Docs/Embedding.md says what follows from the figures.

      """
    ),
    (
      "bench worker",
      """
      usage: assay bench worker [options] [NAME…]

      Do benchmarks when told to on standard input, for bench compare.

      options:
        --seed N    seed of tokens (default: 1)
        --tokens N  so many different tokens, 1 to 64 (default: 8)
        --help      show this help

      Checks the answers, pins itself to a CPU, then answers each line until the input ends: names with the benchmarks
      it has, time INDEX NANOSECONDS with the median nanoseconds an operation, run INDEX COUNT with done, memory with
      the peak resident bytes.

      """
    ),
    (
      "bench echo",
      """
      usage: assay bench echo [options]

      Answer the line protocol without decrypting: what the protocol itself costs.

      options:
        --help  show this help

      Every token is answered with unsupported. bench run --external measures it beside the others.

      """
    ),
  ]
}
