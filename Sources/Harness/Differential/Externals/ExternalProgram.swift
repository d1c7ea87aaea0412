/// How a program of others is run: by /bin/sh, in a process group of its own, with limits.
public struct ExternalProgram: Hashable, Sendable {
  /// The command line, as a shell reads it.
  public let command: String
  /// How long it may take for an answer, in milliseconds.
  public var timeoutMilliseconds: Int = 5_000
  /// How long it may take to answer `hello`: three times as long, for a start loads libraries.
  public var startMilliseconds: Int { 3 * timeoutMilliseconds }
  /// How long it may go on once its input is closed.
  public var endMilliseconds: Int = 2_000
  /// The most octets of an answer.
  public var answerLimit: Int = 1 << 20
  /// The most address space of each of its processes, in octets; nil is no limit. Virtual machines reserve much.
  public var addressSpaceLimit: UInt64? = 16 << 30
  /// The most processor time of each of its processes, in seconds.
  public var processorLimit: UInt64 = 14_400

  public init(command: String) {
    self.command = command
  }
}
