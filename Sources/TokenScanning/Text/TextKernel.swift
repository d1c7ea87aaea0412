import CTokenScanning

/// The routines that go through long texts: base64, and the strings of JSON.
public enum TextKernel: String, Sendable, CaseIterable {
  /// Swift, eight or sixteen octets a step.
  case portable
  /// AVX-512 with VBMI and VBMI2, 64 octets a step.
  case avx512

  /// Whether this machine runs it.
  public var isAvailable: Bool { self == .portable || assay_text_has_avx512() }

  /// The fastest one of this machine. Asked for every text: the processor's features take less time than a static's `once`.
  @inlinable
  public static var best: TextKernel { assay_text_has_avx512() ? .avx512 : .portable }
}
