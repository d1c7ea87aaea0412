import PaymentToken
import StrictJSON

/// A log of the events of one order.
public struct OnrampLog: Hashable, Sendable {
  /// An entry of a log: an event or something else.
  public enum Entry: Hashable, Sendable {
    case event(OnrampEvent)
    /// The name of an undescribed event that begins with `onramp_api.`, such as a pressed button; ignored.
    case undescribed(String)
    /// Something else between events; ignored.
    case other
    /// An event that breaks the rules, or text that may be a damaged event. It may have been any event.
    case unreadable(OnrampReadingError)
  }

  /// Why a log cannot be read.
  public struct ReadingError: Error, Hashable, Sendable {
    /// The number of the element of an array, or of the line in a log of lines, from 1; 0 for the whole log.
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

  /// Reads a JSON array of events, one event, or one event per line. Empty lines, JSON without `eventName` and text
  /// that is not JSON are ignored. If they contain `onramp_api.`, they are unreadable events instead, because they may
  /// be an event that was cut off, or whose `eventName` was renamed. So is text that is not JSON if it contains
  /// `eventName`, or is the last line and begins with `{`.
  ///
  /// - Throws: the error of the first unreadable event if no described event can be read; `noEvents` without any event.
  public init(reading text: [UInt8]) throws(ReadingError) {
    let places: [Place] =
      switch try? JSON(reading: text.span) {
      case .array(let elements): elements.enumerated().map { ($0.offset + 1, Self.entry($0.element)) }
      case let tree?: [(1, Self.entry(tree))]
      case nil: Self.lines(text)
      }
    entries = places.map(\.entry)
    if !hasDescribedEvent {
      for case (let position, .unreadable(let reason)) in places {
        throw ReadingError(position: position, reason: reason)
      }
    }
    guard entries.contains(where: { $0 != .other }) else { throw ReadingError(position: 0, reason: .noEvents) }
  }

  private typealias Place = (position: Int, entry: Entry)

  private static func lines(_ text: [UInt8]) -> [Place] {
    var entries: [Place] = []
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    let last = lines.lastIndex { !$0.allSatisfy(isSpace) }
    for (index, line) in lines.enumerated() where !line.allSatisfy(isSpace) {
      let text = String(streamSafe: line)
      if let tree = try? JSON(reading: Array(line).span) {
        entries.append((index + 1, entry(tree)))
      } else if text.contains(eventPrefix) || text.contains("eventName")
        || index == last && line.first(where: { !isSpace($0) }) == UInt8(ascii: "{")
      {
        entries.append((index + 1, .unreadable(.malformedJSON)))
      } else {
        entries.append((index + 1, .other))
      }
    }
    return entries
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }

  private static let eventPrefix = "onramp_api."

  private static func entry(_ tree: JSON) -> Entry {
    guard OnrampEvent.isEvent(tree) else {
      return tree.text.contains(eventPrefix) ? .unreadable(.noEventName) : .other
    }
    do throws(OnrampReadingError) {
      return .event(try OnrampEvent(tree))
    } catch {
      if case .unknownEvent(let name) = error, name.utf8.starts(with: eventPrefix.utf8) { return .undescribed(name) }
      return .unreadable(error)
    }
  }
}
