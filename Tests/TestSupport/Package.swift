public import Foundation

/// The checkout that is tested.
public enum Package {
  /// The root folder of the checkout.
  public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
