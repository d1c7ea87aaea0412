import Foundation

/// The sanitizers that the tests can be built with.
public enum Sanitizer {
  /// Whether there is one: programs take many times as long and as much memory, and its allocator keeps freed blocks
  /// aside.
  public static let isPresent = has("__asan_init") || has("__tsan_init")

  /// Whether the program holds a function of this name.
  public static func has(_ name: String) -> Bool { dlsym(nil, name) != nil }
}
