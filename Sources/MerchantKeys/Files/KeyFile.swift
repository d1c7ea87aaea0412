/// The contents of a file with keys or certificates, and its name for errors. The caller reads it and wipes it.
public struct KeyFile: Sendable {
  /// What errors call it; merchant IDs are bound to it by this name.
  public let name: String
  /// The whole contents: PEM blocks, or one DER value.
  public private(set) var bytes: [UInt8]

  /// The contents of a file under the name that errors are to show.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The most octets accepted, 64 MiB.
  public static let sizeLimit = 64 << 20

  /// Overwrites the contents with zeros and drops them. Copies made of them are the caller's to wipe.
  public mutating func wipe() {
    bytes.wipe()
    bytes = []
  }
}
