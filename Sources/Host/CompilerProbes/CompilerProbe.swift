/// A piece of code with a known result, of a kind that some compiler gets wrong when it optimizes.
///
/// `assay env` runs the probes that cannot trap, as compiled into it. `Scripts/check-compiler` compiles this folder by
/// itself at each level of optimization, runs every probe in a process of its own, and searches the sources for most
/// of the forms. Docs/decisions/0011-miscompiled-code.md describes the first.
package struct CompilerProbe: Sendable {
  /// Words joined by hyphens.
  package let name: String
  /// What the compiler gets wrong.
  package let summary: String
  /// The report in the compiler's tracker; nil if there is none.
  package let report: String?
  /// Whether assay relies on the form: a compiler that gets it wrong must not build assay.
  package let isUsed: Bool
  /// Whether a wrong result may be a trap: then only a process of its own can run the probe.
  package let mayTrap: Bool
  private let body: @Sendable (UInt64) -> Bool

  init(
    _ name: String, _ summary: String, report: String? = nil, isUsed: Bool = false, mayTrap: Bool = false,
    _ body: @escaping @Sendable (UInt64) -> Bool
  ) {
    self.name = name
    self.summary = summary
    self.report = report
    self.isUsed = isUsed
    self.mayTrap = mayTrap
    self.body = body
  }

  /// Whether the result is right for several values: memory that was never written may hold one of them by chance.
  package func isRight() -> Bool {
    [77, 0x0123_4567_89AB_CDEF, 3, 0xFEDC_BA98, 1 << 63, 5].allSatisfy { body(opaque($0)) }
  }

  /// Every probe.
  package static let all = wrongForms + usedForms

  /// The probes that this compiler got wrong, of those that cannot trap.
  package static var failed: [CompilerProbe] { all.filter { !$0.mayTrap && !$0.isRight() } }
}

/// Returns a value that the optimizer knows nothing about.
@inline(never) @_optimize(none) func opaque<Value>(_ value: Value) -> Value { value }
