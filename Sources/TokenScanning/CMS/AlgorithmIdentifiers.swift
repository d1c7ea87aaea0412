extension DERScanner {
  /// Consumes SHA-256's AlgorithmIdentifier, parameters NULL or absent: there are just these two forms (5.10).
  mutating func sha256AlgorithmIdentifier() throws(MalformedDER) {
    guard limit - position >= 2 else { throw MalformedDER() }
    if input[position + 1] == 11 {
      try exactly(CMSOctets.sha256Absent)
    } else {
      try exactly(CMSOctets.sha256Null)
    }
  }
}
