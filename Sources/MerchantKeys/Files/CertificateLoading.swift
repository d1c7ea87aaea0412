extension Certificate {
  /// The certificates in a file, whatever else it holds; of a .p12 also those that are not its key's.
  ///
  /// - Throws: what reading a file throws.
  public static func load(file: KeyFile) throws(KeyError) -> [Certificate] {
    let contents = try KeyFileContents(file)
    return contents.certificates + contents.companions
  }
}
