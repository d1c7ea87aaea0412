/// The text violates RFC 8259 or a limit of Docs/Verification.md 2.1-2.5. All violations have the same verdict.
public struct MalformedJSON: Error, Sendable, BitwiseCopyable {
  public init() {}
}
