/// A merchant ID and the keys it is for.
public enum MerchantIDAssignment: Hashable, Sendable {
  /// For every key whose certificate does not tell it: without a certificate, or without Apple's extension in it.
  case uncertified(merchantID: String)
  /// For the private keys in the file of that name.
  case file(name: String, merchantID: String)

  /// Reads `ID` or `FILE=ID`; the last equals sign counts, for merchant IDs have none.
  public init(argument: String) {
    guard let separator = argument.lastIndex(of: "=") else {
      self = .uncertified(merchantID: argument)
      return
    }
    self = .file(
      name: String(argument[..<separator]), merchantID: String(argument[argument.index(after: separator)...]))
  }
}
