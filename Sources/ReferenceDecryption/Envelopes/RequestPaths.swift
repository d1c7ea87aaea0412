/// Paths of member names through a request, the outermost name first.
extension [JSONMember] {
  /// What stands at the end of `path`: every name of it is there, each but the last in an object (rule 0.4).
  ///
  /// Several values where a name is repeated on the way (rule 0.9); at most one where none is.
  func values(at path: ArraySlice<String>) -> [JSONValue] {
    guard let name = path.first else { return [] }
    let found = filter { $0.name.isText(name) }.map(\.value)
    guard path.count > 1 else { return found }
    return found.compactMap(\.members).flatMap { $0.values(at: path.dropFirst()) }
  }

  /// The same for a whole path.
  func values(at path: [String]) -> [JSONValue] { values(at: path[...]) }

  /// How far along `path` the first name stands that occurs more than once in its object (rule 0.3), whether or not
  /// the rest of the path is there; nil when none does.
  func depthOfRepetition(along path: ArraySlice<String>) -> Int? {
    guard let name = path.first else { return nil }
    let found = filter { $0.name.isText(name) }
    if found.count > 1 { return 1 }
    guard let object = found.first?.value.members else { return nil }
    return object.depthOfRepetition(along: path.dropFirst()).map { $0 + 1 }
  }
}
