import Foundation
import TestSupport
import Testing

/// Environments by commands: each ends in an answer or in one sentence, and none is a verdict about a sound token.
@Suite(.blocking, .deep(.counts))
struct EnvironmentTableTests {
  /// An environment, as a shell script that runs the command `"$@"` in it. `$1` is the folder with what it preloads.
  struct Environment: CustomTestStringConvertible {
    let name: String
    let script: String
    var needsRoot = false
    /// Whether a closed or full standard output or error leaves nothing to be read.
    var isSilent = false

    var testDescription: String { name }

    init(_ name: String, _ script: String, needsRoot: Bool = false, isSilent: Bool = false) {
      (self.name, self.script, self.needsRoot, self.isSilent) = (name, script, needsRoot, isSilent)
    }

    static func with(_ assignments: String, _ name: String) -> Environment {
      Environment(name, "\(assignments) exec \"$@\"")
    }

    static func clock(_ seconds: Int, _ name: String) -> Environment {
      .with("LD_PRELOAD=$preload/clock.so FAKE_CLOCK=\(seconds)", name)
    }

    /// System calls, by their numbers on x86-64, that fail.
    static func refusing(_ calls: String, with failure: Int, _ name: String) -> Environment {
      Environment(name, "exec python3 $preload/refuse.py \(failure) \(calls) \"$@\"")
    }
  }

  private static let environments: [Environment] =
    [
      Environment("nothing unusual", "exec \"$@\""), .with("OPENSSL_ia32cap=~0x200000200000000", "no AES instructions"),
      .with("OPENSSL_ia32cap=0:0", "no processor features"), .with("OPENSSL_MODULES=/nonexistent", "no modules"),
      .with("OPENSSL_CONF=/nonexistent", "no configuration"),
      Environment("no lockable memory", "ulimit -l 0; exec \"$@\""),
      Environment("1 GB of addresses", "ulimit -v 1000000; exec \"$@\""),
      Environment("12 open files", "ulimit -n 12; exec \"$@\""),
      Environment("32 open files", "ulimit -n 32; exec \"$@\""),
      Environment("no file may grow", "ulimit -f 0; exec \"$@\"", isSilent: true),
      Environment("one process", "ulimit -u 1; exec \"$@\""),
      Environment("a small stack", "ulimit -s 256; exec \"$@\""),
      Environment(
        "no /proc", "unshare -m sh -c 'mount -t tmpfs none /proc && exec \"$@\"' sh \"$@\"", needsRoot: true),
      Environment("no /dev", "unshare -m sh -c 'mount -t tmpfs none /dev && exec \"$@\"' sh \"$@\"", needsRoot: true),
      .refusing("149,325", with: 1, "mlock forbidden"), .refusing("149,325,28", with: 38, "neither mlock nor madvise"),
      .refusing("28", with: 1, "madvise forbidden"), .refusing("318", with: 38, "no getrandom"),
      .refusing("435", with: 38, "no clone3"), .refusing("332,334,302", with: 38, "neither statx nor prlimit"),
      .refusing("203,204,24", with: 1, "no scheduling"), .clock(-5, "a clock of 1969"),
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
      Environment("one CPU", "exec taskset -c 0 \"$@\""), .with("ASSAY_KERNEL=portable", "portable kernels"),
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
      """
    for (name, text) in [("clock", clock), ("fetch", fetch)] {
      let source = try folder.write(text + "\n", to: "\(name).c")
      let words = ["clang", "-shared", "-fPIC", "-o", folder.path("\(name).so"), source, "-ldl"]
      let outcome = try Program.run(words, program: URL(filePath: "/usr/bin/env"))
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    // A filter of system calls (seccomp(2)): load the number, compare, return.
    let refuse = """
      ctypes, os, struct, sys = map(__import__, ["ctypes", "os", "struct", "sys"])
      failure, calls = int(sys.argv[1]), [int(call) for call in sys.argv[2].split(",")]
      code = [struct.pack("HBBI", 0x20, 0, 0, 0)]
      for call in calls:
          code += [struct.pack("HBBI", 0x15, 0, 1, call), struct.pack("HBBI", 0x06, 0, 0, 0x50000 | failure)]
      code.append(struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000))
      text = ctypes.create_string_buffer(b"".join(code))
      program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(text)))
      library = ctypes.CDLL(None)
      assert library.prctl(38, 1, 0, 0, 0) == 0 and library.prctl(22, 2, program, 0, 0) == 0
      os.execvp(sys.argv[3], sys.argv[3:])
      """
    _ = try folder.write(refuse + "\n", to: "refuse.py")
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
      ["bench", "run", "stage/json/fast", "--seconds", "1"],
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
      // `env` shows what fails with 1; of a sound token, key or corpus it would be an accusation.
      // Certificates of such a time cannot be made, and `mint` asks for another one.
      let isAnswer = [0, 2].contains(outcome.status) || outcome.status == 1 && command == ["env"]
      #expect(isAnswer || outcome.status == 64 && command[0] == "mint", "\(command) \(outcome)")
      guard outcome.status != 0, !environment.isSilent, command != ["env"] else { continue }
      let lines = outcome.error.split(separator: "\n").filter { $0.hasPrefix("assay: ") }
      #expect(lines.last?.hasSuffix(".") == true, "\(command) \(outcome.error)")
      #expect(!outcome.error.contains("Fatal error") && !outcome.error.contains("Backtrac"), "\(command)")
    }
  }

  /// Each fetch of an algorithm fails once, alone and together with all that follow it. Beyond the last one every
  /// command succeeds.
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
        // The second once the engine was made.
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

  @Test func `a crash shows no memory, unless backtraces are asked for`() throws {
    let token = ["explain", folder.path("minted/token.json"), "--at", Self.time] + keys
    for (variables, isSilent) in [("", true), ("SWIFT_BACKTRACE=enable=yes", false)] {
      let tiny = Environment("a stack that overflows", "ulimit -s 64; \(variables) exec \"$@\"")
      let outcome = try run(token, in: tiny)
      #expect(![0, 1, 2].contains(outcome.status))
      #expect(outcome.error.isEmpty == isSilent, "\(outcome.error)")
    }
  }

  @Test func `a token that is not sound is refused in every environment that decides`() throws {
    // The test above accepts no verdict of 1: here there is one, so it would be seen.
    let token = try folder.write(#"{"version":"EC_v1"}"#, to: "bad.json")
    let outcome = try run(["decrypt", token, "--at", Self.time] + keys, in: Self.environments[0])
    #expect(outcome.status == 1)
  }
}
