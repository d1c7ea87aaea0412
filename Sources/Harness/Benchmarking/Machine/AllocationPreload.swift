import HostIO

/// Restarts this program with the allocation counter preloaded.
package enum AllocationPreload {
  private static let guardVariable = "ASSAY_ALLOCATION_COUNTER"
  private static let library = "libAllocationCounter.so"

  /// Restarts the program, or returns if the counter is loaded already or cannot be loaded.
  package static func restartIfPossible() {
    #if os(Linux)
      guard let program = Environment.programPath(), let slash = program.lastIndex(of: "/") else { return }
      let path = String(program[...slash]) + library
      // The variable is set before the restart, so that the program restarts only once.
      guard getenv(guardVariable) == nil else { return hide() }
      // A sanitizer replaces the allocator itself; two replacements conflict.
      guard !ProcessSetup.isSanitized else { return }
      guard access(path, R_OK) == 0 else { return }
      // By name: LD_PRELOAD would split a path at spaces and colons. The dynamic linker finds it beside the program.
      let preloaded = [library] + [Environment.value("LD_PRELOAD")].compactMap { $0 }
      guard setenv("LD_PRELOAD", preloaded.joined(separator: ":"), 1) == 0,
        setenv(guardVariable, "1", 1) == 0
      else { return }
      execv(program, CommandLine.unsafeArgv)
      // The restart failed: continue without the counter.
      hide()
    #endif
  }

  /// Keeps the library from the programs that this one starts: counting would slow down externals.
  private static func hide() {
    guard let preloaded = Environment.value("LD_PRELOAD"), preloaded.hasPrefix(library) else { return }
    let others = preloaded.dropFirst(library.count).drop { $0 == ":" }
    if others.isEmpty { unsetenv("LD_PRELOAD") } else { setenv("LD_PRELOAD", String(others), 1) }
  }
}
