import Foundation
import TestSupport
import Testing

/// Runs commands in environments that lack something. Each run ends with an answer or one sentence, and none rejects a
/// sound token.
@Suite(.blocking, .deep(.counts))
struct EnvironmentTableTests {
  /// A shell script that runs the command `"$@"` in an environment. `$preload` is the folder of what it preloads.
  struct Environment: CustomTestStringConvertible {
    let name: String
    let script: String
    var needsRoot = false
    /// Whether standard output or error is closed or cannot grow, so that no message is expected.
    var isSilent = false
    /// Whether nothing is missing that a command needs.
    var isWhole = false

    var testDescription: String { name }

    init(
      _ name: String, _ script: String, needsRoot: Bool = false, isSilent: Bool = false, isWhole: Bool = false
    ) {
      (self.name, self.script) = (name, script)
      (self.needsRoot, self.isSilent, self.isWhole) = (needsRoot, isSilent, isWhole)
    }

    static func with(_ assignments: String, _ name: String, isWhole: Bool = false) -> Environment {
      Environment(name, "\(assignments) exec \"$@\"", isWhole: isWhole)
    }

    static func clock(_ seconds: Int, _ name: String) -> Environment {
      .with("LD_PRELOAD=$preload/clock.so FAKE_CLOCK=\(seconds)", name)
    }

    /// System calls, separated by commas, fail with this `errno`.
    static func refusing(_ calls: String, with failure: Int, _ name: String) -> Environment {
      Environment(name, "exec $preload/refuse \(failure) \(calls) \"$@\"")
    }
  }

  private static let environments: [Environment] =
    [
      Environment("nothing unusual", "exec \"$@\"", isWhole: true),
      .with("OPENSSL_ia32cap=~0x200000200000000", "no AES instructions", isWhole: true),
      .with("OPENSSL_ia32cap=0:0", "no processor features", isWhole: true),
      .with("OPENSSL_MODULES=/nonexistent", "no modules"),
      .with("OPENSSL_CONF=/nonexistent", "no configuration"),
      Environment("no lockable memory", "ulimit -l 0; exec \"$@\""),
      Environment("1 GB of addresses", "ulimit -v 1000000; exec \"$@\""),
      Environment("300 MB of addresses", "ulimit -v 300000; exec \"$@\""),
      Environment("100 MB of addresses", "ulimit -v 100000; exec \"$@\""),
      Environment("100 MB of data", "ulimit -d 100000; exec \"$@\""),
      Environment("12 open files", "ulimit -n 12; exec \"$@\""),
      Environment("32 open files", "ulimit -n 32; exec \"$@\""),
      Environment("no file may grow", "ulimit -f 0; exec \"$@\"", isSilent: true),
      Environment("one process", "ulimit -u 1; exec \"$@\""),
      Environment("64 kB of stack", "ulimit -s 64; exec \"$@\""),
      Environment("1 MB of stack", "ulimit -s 1024; exec \"$@\""),
      Environment(
        "no /proc", "unshare -m sh -c 'mount -t tmpfs none /proc && exec \"$@\"' sh \"$@\"", needsRoot: true),
      Environment("no /dev", "unshare -m sh -c 'mount -t tmpfs none /dev && exec \"$@\"' sh \"$@\"", needsRoot: true),
      .refusing("mlock,mlock2", with: 1, "mlock forbidden"),
      .refusing("mlock,mlock2,madvise", with: 38, "neither mlock nor madvise"),
      .refusing("madvise", with: 1, "madvise forbidden"), .refusing("getrandom", with: 38, "no getrandom"),
      .refusing("clone3", with: 38, "no clone3"),
      .refusing("statx,rseq,prlimit64", with: 38, "neither statx nor prlimit"),
      .refusing("sched_setaffinity,sched_getaffinity,sched_yield", with: 1, "no scheduling"),
      .clock(-5, "a clock of 1969"),
      .clock(915_148_800, "a clock of 1999"), .clock(4_323_000_000, "a clock of 2106"),
      .clock(999_999_999_999_999, "a clock beyond all dates"),
      Environment("standard output closed", "exec \"$@\" >&-", isSilent: true),
      Environment("standard error closed", "exec \"$@\" 2>&-", isSilent: true),
      Environment("all streams closed", "exec \"$@\" <&- >&- 2>&-", isSilent: true),
      Environment("standard output full", "exec \"$@\" >/dev/full"),
      .with("TMPDIR=/nonexistent", "no temporary folder"),
      Environment("no variables", "exec env -i \"$@\""), .with("LC_ALL=xx_YY TZ=No/Where", "an unknown locale"),
      Environment("the folder removed", "mkdir gone && cd gone && rmdir ../gone; exec \"$@\""),
      Environment("new files unreadable", "umask 777; exec \"$@\""),
      Environment("one CPU", "exec taskset -c 0 \"$@\"", isWhole: true),
      .with("ASSAY_KERNEL=portable", "portable kernels", isWhole: true),
    ]

  private static let isRoot = geteuid() == 0

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let clock = """
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      int clock_gettime(clockid_t clock, struct timespec *time) {
        long result = syscall(SYS_clock_gettime, clock, time);
        if (clock == CLOCK_REALTIME) time->tv_sec = atoll(getenv("FAKE_CLOCK"));
        return (int)result;
      }
      time_t time(time_t *result) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        if (result) *result = time.tv_sec;
        return time.tv_sec;
      }
      """
    let fetch = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      static int calls;
      static int fails(void) {
        const char *at = getenv("FETCH_FAILS_AT"), *from = getenv("FETCH_FAILS_FROM");
        if (getenv("FETCH_CRASHES")) abort();
        int call = calls++;
        return at ? call == atoi(at) : call >= atoi(from);
      }
      #define FETCH(name) \\
        void *name(void *context, const char *algorithm, const char *properties) { \\
          void *(*real)(void *, const char *, const char *) = dlsym(RTLD_NEXT, #name); \\
          return fails() ? NULL : real(context, algorithm, properties); \\
        }
      FETCH(EVP_MD_fetch) FETCH(EVP_CIPHER_fetch) FETCH(EVP_KEYMGMT_fetch) FETCH(EVP_SIGNATURE_fetch)
      FETCH(EVP_ASYM_CIPHER_fetch) FETCH(EVP_KDF_fetch) FETCH(EVP_MAC_fetch) FETCH(EVP_KEYEXCH_fetch)
      void *EVP_CIPHER_CTX_new(void) {
        void *(*real)(void) = dlsym(RTLD_NEXT, "EVP_CIPHER_CTX_new");
        return fails() ? NULL : real();
      }
      """
    // A provider that has stopped takes no more keys. Without its functions, the fast engine uses EVP as well.
    let cipher = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      void *OSSL_PROVIDER_query_operation(void *provider, int operation, int *isUncacheable) { return NULL; }
      int EVP_DecryptInit_ex(void *context, void *cipher, void *engine, const unsigned char *key, const void *iv) {
        static int keys;
        int (*real)(void *, void *, void *, const unsigned char *, const void *) =
          dlsym(RTLD_NEXT, "EVP_DecryptInit_ex");
        return key && keys++ >= atoi(getenv("KEYS_TAKEN")) ? 0 : real(context, cipher, engine, key, iv);
      }
      """
    // Refuses the threads of the program itself. Those of libraries are made: libdispatch waits until it has one.
    let threads = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <string.h>
      int pthread_create(void *thread, void *attributes, void *routine, void *argument) {
        int (*real)(void *, void *, void *, void *) = dlsym(RTLD_NEXT, "pthread_create");
        Dl_info from;
        int isOther = dladdr(routine, &from) && strstr(from.dli_fname, ".so");
        return isOther ? real(thread, attributes, routine, argument) : EAGAIN;
      }
      """
    // A filter of system calls (seccomp(2)): load the number, compare, return.
    let refuse = """
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/prctl.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      #define CALL(name) {#name, SYS_##name}
      static const struct { const char *name; unsigned number; } known[] = {
        CALL(mlock), CALL(mlock2), CALL(madvise), CALL(getrandom), CALL(clone3), CALL(statx), CALL(rseq),
        CALL(prlimit64), CALL(sched_setaffinity), CALL(sched_getaffinity), CALL(sched_yield),
      };
      int main(int count, char **words) {
        struct sock_filter code[64] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
        unsigned short length = 1;
        for (char *name = strtok(words[2], ","); name; name = strtok(NULL, ",")) {
          unsigned call = 0;
          while (strcmp(known[call].name, name)) if (++call == sizeof known / sizeof *known) return 125;
          code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, known[call].number, 0, 1);
          code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | atoi(words[1]));
        }
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        struct sock_fprog program = {length, code};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 125;
        return execvp(words[3], words + 3), 125;
      }
      """
    let sources = [
      ("clock.so", clock), ("fetch.so", fetch), ("cipher.so", cipher), ("threads.so", threads), ("refuse", refuse),
    ]
    for (name, text) in sources {
      let source = try folder.write(text + "\n", to: "\(name).c")
      let kind = name.hasSuffix(".so") ? ["-shared", "-fPIC"] : []
      let words = ["clang"] + kind + ["-o", folder.path(name), source, "-ldl"]
      let outcome = try Program.run(words, program: URL(filePath: "/usr/bin/env"))
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    #expect(try Program.run(["mint", "--out", folder.path("minted"), "--seed", "7", "--at", Self.time]).status == 0)
  }

  private static let time = MintedFolder.time

  private var keys: [String] {
    let minted = folder.path("minted")
    return ["--key", "\(minted)/merchant.key", "--cert", "\(minted)/merchant.pem", "--root", "\(minted)/root.pem"]
  }

  private var commands: [[String]] {
    let (minted, corpus) = (folder.path("minted"), Package.folder.appending(path: "Corpus").path)
    let token = ["\(minted)/token.json", "--at", Self.time] + keys
    return [
      ["decrypt"] + token, ["decrypt", "--engine", "reference"] + token, ["explain"] + token,
      ["keys", "inspect", "\(minted)/merchant.pem", "--at", Self.time], ["mint", "--out", folder.path("out")],
      ["diff", "\(corpus)/vectors/gcm.json"], ["env"], ["version"], ["gateway", "show", "mpgs"],
      ["fuzz", "run", "--duration", "1s", "--jobs", "1", "--dir", folder.path("run"), "--corpus", corpus],
      ["bench", "run", "stage/json/fast", "--seconds", "0.2"],
      ["corpus", "list", "--corpus", corpus, "--code", "unknownMerchantKey"],
    ]
  }

  private func run(_ words: [String], in environment: Environment) throws -> Program.Outcome {
    for name in ["out", "run"] { try? FileManager.default.removeItem(atPath: folder.path(name)) }
    let script = "cd '\(folder.url.path)'; preload=$1; shift; \(environment.script)"
    return try Program.run(
      ["-k", "10", "120", "sh", "-c", script, "sh", folder.url.path, Program.url.path] + words,
      program: URL(filePath: "/usr/bin/timeout"))
  }

  @Test(arguments: environments)
  func `every command ends in an answer or a sentence`(in environment: Environment) throws {
    guard Self.isRoot || !environment.needsRoot else { return print("\(environment.name) skipped: only root can") }
    for command in commands {
      let outcome = try run(command, in: environment)
      // `env` ends with 1 if something fails here. From other commands, 1 would reject a sound token, key or corpus.
      // `mint` ends with 64 at a time at which no certificates can be made.
      let isAnswer = [0, 2].contains(outcome.status) || outcome.status == 1 && command == ["env"]
      #expect(isAnswer || outcome.status == 64 && command[0] == "mint", "\(command) \(outcome)")
      #expect(outcome.status == 0 || !environment.isWhole || command == ["env"], "\(command) \(outcome)")
      guard outcome.status != 0, !environment.isSilent, command != ["env"] else { continue }
      let lines = outcome.error.split(separator: "\n").filter { $0.hasPrefix("assay: ") }
      #expect(lines.last?.hasSuffix(".") == true, "\(command) \(outcome.error)")
      #expect(!outcome.error.contains("Fatal error") && !outcome.error.contains("Backtrac"), "\(command)")
    }
  }

  /// Each fetch of an algorithm, and each new context of a cipher, fails in one run alone, and in another together with
  /// all that follow it. A run in which none fails ends the loop.
  @Test(arguments: ["fast", "reference", "explain"])
  func `no fetch of an algorithm that fails is a verdict`(engine: String) throws {
    let token = [folder.path("minted/token.json"), "--at", Self.time] + keys
    let words = engine == "explain" ? ["explain"] + token : ["decrypt", "--engine", engine] + token
    for mode in ["AT", "FROM"] {
      var place = 0
      var failures = 0
      while true {
        let environment = Environment.with("LD_PRELOAD=$preload/fetch.so FETCH_FAILS_\(mode)=\(place)", "fetch")
        let outcome = try run(words, in: environment)
        if outcome.status == 0 { break }
        #expect(outcome.status == 2, "\(mode) \(place): \(outcome)")
        // The code is keyUnavailable once the engine exists.
        let said = outcome.error + outcome.text
        let isNamed = ["cryptographyUnavailable", "keyUnavailable"].contains(where: said.contains)
        #expect(isNamed, "\(mode) \(place): \(outcome.error)")
        failures += 1
        place += 1
        try #require(place < 500)
      }
      #expect(failures > 40, "\(mode)")
    }
  }

  @Test(arguments: ["fast", "reference"])
  func `a cipher that takes no more keys is no verdict about a token`(engine: String) throws {
    let token = try String(contentsOfFile: folder.path("minted/token.json"), encoding: .utf8)
    let lines = try folder.write(String(repeating: token.filter { !$0.isNewline } + "\n", count: 3), to: "three.jsonl")
    let words = ["decrypt", "--engine", engine, "--lines", lines, "--at", Self.time] + keys
    var counts: Set<Int> = []
    for place in 0... {
      try #require(place < 50)
      let outcome = try run(words, in: .with("LD_PRELOAD=$preload/cipher.so KEYS_TAKEN=\(place)", "cipher"))
      let documents = outcome.text.split(separator: "\n")
      let accepted = documents.count { $0.contains(#""accepted":true"#) }
      let undecided = documents.count { $0.contains("keyUnavailable") }
      #expect(documents.count == accepted + undecided, "\(place) \(outcome)")
      #expect(documents.count == 3 || outcome.error.contains("cryptographyUnavailable"), "\(place) \(outcome)")
      #expect(outcome.status == (accepted < 3 ? 2 : 0), "\(place) \(outcome)")
      counts.insert(accepted)
      if accepted == 3 { break }
    }
    #expect(counts == [0, 1, 2, 3])
  }

  @Test func `a crash shows no memory, unless backtraces are asked for`() throws {
    let token = ["explain", folder.path("minted/token.json"), "--at", Self.time] + keys
    for (variables, isSilent) in [("", true), ("SWIFT_BACKTRACE=enable=yes", false)] {
      let crashing = Environment.with("LD_PRELOAD=$preload/fetch.so FETCH_CRASHES=1 \(variables)", "a crash")
      let outcome = try run(token, in: crashing)
      #expect(![0, 1, 2].contains(outcome.status))
      #expect(outcome.error.isEmpty == isSilent, "\(outcome.error)")
    }
  }

  /// The minimum that a command asks for (`ProcessSetup`), in kB, of address space and of data alike.
  private func least(of command: [String]) -> Int {
    (["bench", "corpus", "diff", "fuzz"].contains(command[0]) ? 512 : 128) << 10
  }

  @Test(arguments: ["-n 32", "-s 1024", "-v LEAST", "-d LEAST"])
  func `what is asked for is enough, and less is refused by its name`(limit: String) throws {
    let words = limit.split(separator: " ")
    // How much memory `env` reserves depends on how many of its threads allocate.
    for command in commands + Array(repeating: ["env"], count: 20) {
      let least = Int(words[1]) ?? least(of: command)
      let enough = try run(command, in: Environment("", "ulimit \(words[0]) \(least); exec \"$@\""))
      #expect(enough.status == 0, "\(command) \(enough)")
      let less = try run(command, in: Environment("", "ulimit \(words[0]) \(least - 1); exec \"$@\""))
      #expect(less.status == 2 && less.error.contains("ulimit \(words[0])"), "\(command) \(less)")
    }
  }

  @Test func `core dumps that cannot be forbidden are mentioned`() throws {
    for (environment, isMentioned) in [
      (Environment.refusing("prlimit64", with: 1, "no limits"), true), (Self.environments[0], false),
    ] {
      let outcome = try run(["version"], in: environment)
      #expect(outcome.status == 0 && outcome.error.contains("core dumps") == isMentioned, "\(outcome)")
    }
  }

  @Test(arguments: [Int.min, .max])
  func `a certificate is not valid at the first and the last second of a clock`(seconds: Int) throws {
    let outcome = try run(["keys", "inspect", folder.path("minted/merchant.pem")], in: .clock(seconds, "its end"))
    #expect(outcome.status == 1, "\(outcome)")
  }

  @Test func `threads that cannot be made are no wrong answer of an engine`() throws {
    let environment = Environment.with("LD_PRELOAD=$preload/threads.so", "no threads")
    for name in ["pool/lone", "decrypt/fast/ec_v1/threads1"] {
      let outcome = try run(["bench", "run", name, "--seconds", "0.2"], in: environment)
      #expect(outcome.status == 2, "\(outcome)")
    }
  }

  @Test func `threads that cannot be made are no finding of diff or of fuzzing`() throws {
    let environment = Environment.with("LD_PRELOAD=$preload/threads.so", "no threads")
    for (command, status) in [("diff", 2), ("fuzz", 0)] {
      let words = try #require(commands.first { $0[0] == command })
      let outcome = try run(words, in: environment)
      #expect(outcome.status == status && (outcome.text + outcome.error).contains("ulimit -u"), "\(outcome)")
    }
  }

  @Test func `tokens are decided where no thread can be started, also those that give their signer a table`() throws {
    let token = try String(contentsOfFile: folder.path("minted/token.json"), encoding: .utf8)
    let lines = try folder.write(String(repeating: token.filter { !$0.isNewline } + "\n", count: 20), to: "20.jsonl")
    let words = ["decrypt", "--lines", lines, "--jobs", "1", "--at", Self.time] + keys
    let outcome = try run(words, in: .refusing("clone3", with: 11, "no more threads"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.split(separator: "\n").count { $0.contains(#""accepted":true"#) } == 20)
  }

  @Test func `a token that is not sound is refused in every environment that decides`() throws {
    // The test of all environments accepts no status 1 of `decrypt`. This token shows that 1 would be seen.
    let token = try folder.write(#"{"version":"EC_v1"}"#, to: "bad.json")
    let outcome = try run(["decrypt", token, "--at", Self.time] + keys, in: Self.environments[0])
    #expect(outcome.status == 1)
  }
}
