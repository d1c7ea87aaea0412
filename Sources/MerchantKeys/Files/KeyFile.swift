/// The contents of a file with keys or certificates, and its name for errors. The caller reads it and wipes it.
public struct KeyFile: Sendable {
  /// What errors call it; merchant IDs are bound to it by this name.
  public let name: String
  /// The whole contents: PEM blocks, one DER value, or a .p12.
  public private(set) var bytes: [UInt8]
  /// What opens the file, should it be encrypted.
  public let password: Password?

  /// The contents of a file under the name that errors are to show.
  public init(name: String, bytes: [UInt8], password: Password? = nil) {
    self.name = name
    self.bytes = bytes
    self.password = password
  }

  /// The most octets accepted, 64 MiB.
  public static let sizeLimit = 64 << 20

  /// Overwrites the contents with zeros and drops them. Copies made of them are the caller's to wipe.
  public mutating func wipe() {
    bytes.wipe()
    bytes = []
  }
}
