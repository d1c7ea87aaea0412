import Foundation
import TestSupport
import Testing

/// A library to preload that kills a program before one of the system calls that change files below a folder: the
/// first, the second, and so on. It kills the program's first process, and the forked one that calls.
struct WriteKiller {
  private let library: String

  init(in folder: TemporaryFolder) throws {
    library = folder.path("killer.so")
    let source = try folder.write(Self.text + "\n", to: "killer.c")
    let words = ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"]
    let outcome = try Program.run(words, program: URL(filePath: "/usr/bin/env"))
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  /// Runs the program killed at its first write below a folder, its second, and so on, until a run has fewer.
  ///
  /// - Parameters:
  ///   - words: the arguments of a run, by its number.
  ///   - below: the path of its folder.
  ///   - check: looks at what a killed run has left.
  /// - Returns: the number of killed runs.
  func killAtEachWrite(
    below: (Int) -> String, _ words: (Int) throws -> [String], check: (Int) throws -> Void
  ) throws -> Int {
    for place in 0..<2_000 {
      let environment = ["LD_PRELOAD": library, "KILL_BELOW": below(place), "KILL_AT": "\(place)"]
      let killed = try Program.run(try words(place), environment: environment)
      if killed.status == 0 { return place }
      #expect(killed.status == -SIGKILL, "\(place): \(killed.error)")
      try check(place)
    }
    Issue.record("the program writes without end")
    return 0
  }

  /// The counter is shared with forked processes. The first process is killed before the one that calls.
  private static let text = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <unistd.h>
    static pid_t first;
    static int *calls, place;
    static const char *below;
    __attribute__((constructor)) static void begin(void) {
      first = getpid();
      below = getenv("KILL_BELOW");
      place = atoi(getenv("KILL_AT"));
      calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    static void count(const char *path) {
      if (!below || strncmp(path, below, strlen(below)) != 0) return;
      if (__sync_fetch_and_add(calls, 1) != place) return;
      kill(first, SIGKILL);
      kill(getpid(), SIGKILL);
    }
    static void count_descriptor(int descriptor) {
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t size = readlink(link, path, sizeof path - 1);
      if (size < 0) return;
      path[size] = 0;
      count(path);
    }
    #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
    int open(const char *path, int flags, ...) {
      va_list more;
      va_start(more, flags);
      mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
      va_end(more);
      if (flags & O_CREAT) count(path);
      return NEXT(open)(path, flags, mode);
    }
    ssize_t write(int descriptor, const void *bytes, size_t size) {
      if (descriptor > 2) count_descriptor(descriptor);
      return NEXT(write)(descriptor, bytes, size);
    }
    int fsync(int descriptor) { count_descriptor(descriptor); return NEXT(fsync)(descriptor); }
    int rename(const char *from, const char *to) { count(from); return NEXT(rename)(from, to); }
    int link(const char *from, const char *to) { count(from); return NEXT(link)(from, to); }
    int unlink(const char *path) { count(path); return NEXT(unlink)(path); }
    int mkdir(const char *path, mode_t mode) { count(path); return NEXT(mkdir)(path, mode); }
    """
}
