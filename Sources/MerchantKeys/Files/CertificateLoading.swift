extension Certificate {
  /// The certificates in a file, PEM or DER, whatever else it holds.
  ///
  /// - Throws: what reading a file throws.
  public static func load(file: KeyFile) throws(KeyError) -> [Certificate] {
    let contents = try KeyFileContents(file)
    return contents.certificates + contents.companions
  }
}
