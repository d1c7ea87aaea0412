public import TestCases

/// Who is asked: an engine of this process, or an external.
public protocol Contender: AnyObject {
  /// How reports call it.
  var name: String { get }

  /// Loads keys and roots for the cases that follow, all of which have this window, in seconds.
  func begin(_ setting: TestSetting, windowSeconds: UInt32?)

  /// Decides about a case of that setting.
  func decide(_ trial: TestCase) -> Decision

  /// Ends the setting; what is to be said about how that went.
  func end() -> [String]

  /// The last lines it wrote to its standard error, after a failure.
  var lastWords: [String] { get }
}
