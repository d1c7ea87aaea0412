import Gateways
import Minting

extension JSONObject {
  /// The first value at a path through objects; setting it replaces other values on the path by objects.
  subscript(path: [String]) -> JSONValue? {
    get {
      guard let name = path.first else { return nil }
      return path.count == 1 ? self[name] : self[name]?.object[Array(path.dropFirst())]
    }
    set {
      guard let name = path.first else { return }
      guard path.count > 1 else {
        self[name] = newValue
        return
      }
      var inner = self[name] ?? .object(JSONObject())
      inner.object[Array(path.dropFirst())] = newValue
      self[name] = inner
    }
  }

  /// The characters of the string at a path, as they are written.
  func text(at path: [String]) -> String {
    String(decoding: (self[path]?.text() ?? []).dropFirst().dropLast(), as: UTF8.self)
  }

  /// Adds a member once more, with the same value; null if there is none.
  mutating func appendAgain(_ name: String) { append(name, self[name] ?? .raw("null")) }

  /// Adds two members of one name.
  mutating func appendTwice(_ name: String, _ value: JSONValue = .raw("null")) {
    for _ in 0..<2 { append(name, value) }
  }

  /// Moves the value at a path to another.
  mutating func move(_ path: [String], to other: [String]) {
    let value = self[path]
    self[path] = nil
    self[other] = value
  }

  /// Replaces the values at several paths; nil removes one.
  mutating func set(_ values: KeyValuePairs<[String], JSONValue?>) {
    for (path, value) in values { self[path] = value }
  }

  /// Replaces several members' values; nil removes one.
  mutating func set(_ values: KeyValuePairs<String, JSONValue?>) {
    for (name, value) in values { self[name] = value }
  }

  /// Edits the object at a path; the empty path is this one.
  mutating func edit(_ path: [String], _ body: (inout JSONObject) -> Void) {
    guard !path.isEmpty else { return body(&self) }
    var inner = self[path] ?? .object(JSONObject())
    body(&inner.object)
    self[path] = inner
  }
}
