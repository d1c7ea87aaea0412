public import Foundation

/// The checkout that is tested.
public enum Package {
  /// Its folder.
  public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
