import StrictJSON

/// A log of the events of one order.
public struct OnrampLog: Hashable, Sendable {
  /// One event of a log.
  public enum Entry: Hashable, Sendable {
    case event(OnrampEvent)
    /// The name of an undescribed event, such as a pressed button; ignored.
    case undescribed(String)
    /// Another line in a log of lines; ignored.
    case other
  }

  /// Why a log cannot be read.
  public struct ReadingError: Error, Hashable, Sendable {
    /// The number of the event, or of the line in a log of lines, from 1; 0 for the whole log.
    public let position: Int
    /// What is wrong with it.
    public let reason: OnrampReadingError
  }

  /// In the order of the log.
  public let entries: [Entry]

  /// Whether it contains a described event.
  public var hasDescribedEvent: Bool {
    entries.contains { entry in
      if case .event = entry { return true }
      return false
    }
  }

  /// A log of these events.
  public init(_ events: [OnrampEvent]) {
    entries = events.map { .event($0) }
  }

  /// Reads a JSON array of events, one event, or one event per line. Ignores empty lines, JSON without `eventName`, and
  /// text that is not JSON, unless it contains `onramp_api.` and so may be a truncated event.
  ///
  /// - Throws: the first event that cannot be read.
  public init(reading text: [UInt8]) throws(ReadingError) {
    entries =
      switch try? JSON(reading: text.span) {
      case .array(let elements): try Self.entries(elements)
      case let tree?: [try Self.entry(tree, at: 1)]
      case nil: try Self.lines(text)
      }
    guard entries.contains(where: { $0 != .other }) else { throw ReadingError(position: 0, reason: .noEvents) }
  }

  private static func entries(_ elements: [JSON]) throws(ReadingError) -> [Entry] {
    var entries: [Entry] = []
    for (index, element) in elements.enumerated() { entries.append(try entry(element, at: index + 1)) }
    return entries
  }

  private static func lines(_ text: [UInt8]) throws(ReadingError) -> [Entry] {
    var entries: [Entry] = []
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      if let tree = try? JSON(reading: Array(line).span) {
        entries.append(OnrampEvent.isEvent(tree) ? try entry(tree, at: index + 1) : .other)
      } else if String(decoding: line, as: UTF8.self).contains(eventPrefix) {
        throw ReadingError(position: index + 1, reason: .malformedJSON)
      } else {
        entries.append(.other)
      }
    }
    return entries
  }

  private static let eventPrefix = "onramp_api."

  private static func entry(_ tree: JSON, at position: Int) throws(ReadingError) -> Entry {
    do throws(OnrampReadingError) {
      return .event(try OnrampEvent(tree))
    } catch {
      if case .unknownEvent(let name) = error, name.utf8.starts(with: eventPrefix.utf8) { return .undescribed(name) }
      throw ReadingError(position: position, reason: error)
    }
  }
}
