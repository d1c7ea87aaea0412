import Foundation

/// The sanitizers that the tests can be built with.
public enum Sanitizer {
  /// Whether the tests are built with AddressSanitizer or ThreadSanitizer. Programs then need many times the time and
  /// memory, and AddressSanitizer keeps freed blocks in a quarantine.
  public static let isPresent = has("__asan_init") || has("__tsan_init")

  /// Whether the program holds a function of this name.
  public static func has(_ name: String) -> Bool { dlsym(nil, name) != nil }
}
