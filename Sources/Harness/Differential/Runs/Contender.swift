/// Who is asked: an engine of this process, or an external.
public protocol Contender: AnyObject {
  /// How reports call it.
  var name: String { get }

  /// Loads keys, roots and window for the trials that follow.
  func begin(_ setting: TrialSetting)

  /// Decides about a trial of that setting.
  func decide(_ trial: Trial) -> Decision

  /// Ends the setting; what is to be said about how that went.
  func end() -> [String]

  /// The last lines it wrote to its standard error, after a failure.
  var lastWords: [String] { get }
}
