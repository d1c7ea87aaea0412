/// Shortens demangled names of functions to the form that people write.
package enum FunctionName {
  /// Removes types, results and specializations: `M.Engine.(decrypt in _0A)<A>(_: M.Token, at: M.Time) throws -> A`
  /// becomes `M.Engine.decrypt(_:at:)`. A name of another form stays as it is.
  package static func short(_ name: String) -> String {
    var result = ""
    var rest = name[...]
    while let next = rest.first {
      guard next == "<" || next == "(" else {
        result.append(rest.removeFirst())
        if result.hasSuffix(" : ") {
          result.removeLast(3)
          rest = afterType(rest)
        }
        continue
      }
      guard let content = takeGroup(from: &rest) else { return name }
      if next == "<" {
        // `generic specialization <A> of M.f`: the function alone.
        if result.hasSuffix("specialization "), rest.hasPrefix(" of ") { (result, rest) = ("", rest.dropFirst(4)) }
      } else if let end = content.firstRange(of: " in _") {
        result += content[..<end.lowerBound]
      } else if content.hasPrefix("extension in ") {
        rest = rest.drop { $0 == ":" }
      } else {
        if result.hasSuffix(" ") { result.removeLast() } else { result += labels(of: content) }
        rest = afterType(rest)
      }
    }
    return result
  }

  /// Removes the bracketed group at the front and returns its content; nil if the group has no end.
  private static func takeGroup(from rest: inout Substring) -> Substring? {
    var depth = 0
    var last: Character = " "
    for index in rest.indices {
      let character = rest[index]
      if "(<[".contains(character) { depth += 1 }
      if ")]".contains(character) || character == ">" && last != "-" { depth -= 1 }
      last = character
      guard depth == 0 else { continue }
      defer { rest = rest[rest.index(after: index)...] }
      return rest[rest.index(after: rest.startIndex)..<index]
    }
    return nil
  }

  /// The text after the type at the front. In a closure's name, it is ` in ` and the enclosing function.
  private static func afterType(_ text: Substring) -> Substring {
    var rest = text
    while let next = rest.first, !rest.hasPrefix(" in ") {
      if next != "(" && next != "<" || takeGroup(from: &rest) == nil { rest.removeFirst() }
    }
    return rest
  }

  /// `(_:at:)` for the parameters `A, at: (B, C) -> D`.
  private static func labels(of parameters: Substring) -> String {
    var labels = ""
    var label: String? = parameters.isEmpty ? nil : ""
    var rest = parameters
    var isLabel = true
    while let next = rest.first {
      if next == "(" || next == "<", takeGroup(from: &rest) != nil { continue }
      rest.removeFirst()
      switch next {
      case ",":
        labels += (isLabel ? "_" : label ?? "_") + ":"
        (label, isLabel) = ("", true)
      case ":": isLabel = false
      case " ": break
      default: if isLabel { label?.append(next) }
      }
    }
    return label.map { "(\(labels)\(isLabel ? "_" : $0):)" } ?? "()"
  }
}
