import Foundation
import Gateways
import HostIO
import StrictJSON
import TestSupport
import Testing

/// Random changes of logs of events: whatever is changed, no log promises more than its events say.
@Suite struct OnrampLogChangeTests {
  /// How a log is read. Each case but `whole` leaves something out, and the property must then fail.
  private enum Reading: CaseIterable {
    case whole
    case withoutUnreadableEvents, withoutSecondStarts, withoutCodesOfSuccesses
  }

  private static let logs: [(events: String, outcome: OnrampSequence.Outcome)] = [
    ("load_pending load_success commit_success polling_start polling_success", .succeeded),
    ("load_pending load_success GUEST_INVALID_CARD commit_success polling_start polling_success", .succeeded),
    ("load_pending load_success commit_success polling_start GUEST_TRANSACTION_BUY_FAILED", .failed),
    ("load_pending load_success commit_success polling_start GUEST_TRANSACTION_SEND_FAILED", .failed),
    ("load_pending load_success commit_success polling_start GUEST_TRANSACTION_TRANSACTION_FAILED", .failed),
    ("load_pending load_success commit_success polling_start", .inProgress),
    ("load_pending load_success commit_success", .inProgress),
    ("load_pending load_success cancel", .cancelled),
    ("load_pending load_success GUEST_CARD_HARD_DECLINED", .failed),
    ("load_pending load_success GUEST_CARD_RISK_DECLINED cancel", .failed),
    ("load_pending INIT", .failed), ("load_pending GUEST_APPLE_PAY_NOT_SUPPORTED", .failed),
  ]

  private static func lines(_ words: String) throws -> [String] {
    try words.split(separator: " ").map { word in
      let event =
        if let code = OnrampErrorCode(rawValue: "ERROR_CODE_\(word)") {
          OnrampEvent(code, message: "…")
        } else {
          try #require(OnrampEvent.Name(rawValue: "onramp_api.\(word)").flatMap { OnrampEvent($0) })
        }
      return String(decoding: event.json.text(), as: UTF8.self)
    }
  }

  // MARK: Changes

  private static let values: [JSON?] =
    [nil, .null, .boolean(true), .number("0"), .array([]), .object([]), .string("")]
    + (OnrampEvent.Name.allCases.map(\.rawValue) + OnrampErrorCode.allCases.map(\.rawValue)
    + ["onramp_api.apple_pay_button_pressed", "onramp_api.polling_succes", "coinbase.cancel", "ERROR_CODE_NEW"])
    .map { .string($0) }

  /// One random change of one line, or of the order of two.
  private static func change(_ lines: inout [String], using random: inout SplitMix64) throws {
    guard let index = lines.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: lines.remove(at: index)
    case 1: lines.insert(lines[index], at: Int.random(in: 0...lines.count, using: &random))
    case 2: lines.swapAt(index, lines.indices.randomElement(using: &random) ?? index)
    case 3: lines[index].removeLast(Int.random(in: 0...lines[index].count / 2, using: &random))
    default:
      guard var event = (try? JSON(reading: Array(lines[index].utf8).span))?.members else { return }
      let value = values.randomElement(using: &random) ?? nil
      if Bool.random(using: &random) {
        event.removeAll { $0.name == "eventName" }
        if let value { event.append(.init("eventName", value)) }
      } else {
        let data = value.map { JSON.object([.init("errorCode", $0)]) }
        event.removeAll { $0.name == "data" }
        if let data { event.append(.init("data", data)) }
      }
      lines[index] = JSON.object(event).text(.fewest)
    }
  }

  // MARK: The property

  private static func sequence(_ lines: [String], _ reading: Reading) -> (OnrampLog, OnrampSequence)? {
    var lines = lines
    if reading == .withoutCodesOfSuccesses {
      lines = lines.map { $0.contains("_error\"") ? $0 : $0.replacing(/,?"data":\{"errorCode":"[^"]*"\}/, with: "") }
    }
    guard let log = try? OnrampLog(reading: Array(lines.joined(separator: "\n").utf8)) else { return nil }
    var sequence = OnrampSequence()
    var starts = 0
    for entry in log.entries {
      switch entry {
      case .event(let event):
        if event.name == .commitSuccess { starts += 1 }
        if reading == .withoutSecondStarts, event.name == .commitSuccess, starts > 1 { continue }
        sequence.take(event)
      case .unreadable:
        if reading != .withoutUnreadableEvents { sequence.takeUnreadable() }
      case .undescribed, .other: continue
      }
    }
    return (log, sequence)
  }

  /// What the outcome of a log promises beyond its events; nil if nothing.
  private static func broken(_ lines: [String], _ reading: Reading) -> String? {
    guard let (log, sequence) = sequence(lines, reading) else { return nil }
    let events = log.entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
    let result = events.first { $0.name.isTerminal }
    let success = lines.contains { line in
      guard let tree = try? JSON(reading: Array(line.utf8).span) else { return false }
      let code = tree["data"]?["errorCode"]
      return tree["eventName"] == .string("onramp_api.polling_success")
        && [nil, .null, .string("")].contains(code)
    }
    if sequence.outcome == .succeeded, !success || result?.name != .pollingSuccess { return "succeeded" }
    let hasUnreadable = log.entries.contains { if case .unreadable = $0 { true } else { false } }
    let isUnknown = sequence.meaning?.charge == .unknown && sequence.meaning?.mayRetry == false
    if hasUnreadable, !isUnknown { return "an event that cannot be read" }
    if events.count(where: { $0.name == .commitSuccess }) > 1, !isUnknown { return "two starts" }
    // Once a payment may have been started, only its result's own code promises anything.
    let isStarted = events.contains { [.commitSuccess, .pollingStart, .pollingSuccess].contains($0.name) }
    guard isStarted, let meaning = sequence.meaning else {
      return isStarted && sequence.advice?.contains("pressed again") == true ? "pressed again" : nil
    }
    return isUnknown || meaning == result?.meaning ? nil : "\(meaning)"
  }

  private static func found(_ reading: Reading, count: Int, using random: inout SplitMix64) throws -> String? {
    for log in logs {
      for _ in 0..<count {
        var changed = try lines(log.events)
        for _ in 0..<Int.random(in: 1...3, using: &random) { try change(&changed, using: &random) }
        if let broken = broken(changed, reading) { return "\(broken): \(changed)" }
      }
    }
    return nil
  }

  @Test func `no change of one to three members or lines makes a log promise more than its events say`() throws {
    let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    let count = Ring.count(1_000, deep: 100_000)
    print("seed \(seed): \(count) changes of each log")
    var random = SplitMix64(seed: seed)
    for log in Self.logs {
      let lines = try Self.lines(log.events)
      #expect(Self.sequence(lines, .whole)?.1.outcome == log.outcome && Self.broken(lines, .whole) == nil)
    }
    #expect(try Self.found(.whole, count: count, using: &random) == nil)
    for reading in Reading.allCases.dropFirst() {
      #expect(try Self.found(reading, count: 3_000, using: &random) != nil, "\(reading)")
    }
  }
}
