import Gateways
import HostIO
import Reports
import StrictJSON

/// The answer of `assay gateway events`, for people and for programs.
package struct OnrampReport {
  private typealias Step = (entry: OnrampLog.Entry, violation: OnrampSequence.Violation?)

  private let steps: [Step]
  private let sequence: OnrampSequence

  /// - Parameter isOnWeb: as in `OnrampSequence`.
  package init(_ log: OnrampLog, isOnWeb: Bool) {
    var sequence = OnrampSequence(isOnWeb: isOnWeb)
    steps = log.entries.map { entry in
      if case .unreadable = entry { sequence.takeUnreadable() }
      guard case .event(let event) = entry else { return (entry, nil) }
      return (entry, sequence.take(event))
    }
    self.sequence = sequence
  }

  private var meaning: OnrampMeaning? { sequence.meaning }

  private var violationCount: Int { steps.count { $0.violation != nil } }

  package var exitCode: ExitCode {
    sequence.outcome == .failed || violationCount > 0 || sequence.hasUnreadableEvent ? .finding : .success
  }

  private var advice: String {
    sequence.advice ?? "The log does not show whether a payment was started: ask for the order's status."
  }

  /// The document `assay.gateway-events/1`.
  package var json: JSON {
    [
      "schema": "assay.gateway-events/1", "passed": exitCode == .success, "outcome": sequence.outcome.rawValue,
      "advice": advice,
      "meaning": meaning.map { meaning in
        JSON([
          "terminal": meaning.isTerminal, "mayRetry": meaning.mayRetry, "actor": meaning.actor.rawValue,
          "ignorableOnWeb": meaning.isIgnorableOnWeb, "charge": meaning.charge.rawValue,
        ])
      },
      "violations": violationCount, "events": steps.map(document),
    ]
  }

  private func document(_ step: Step) -> JSON {
    let (name, event): (String?, OnrampEvent?) =
      switch step.entry {
      case .event(let event): (event.name.rawValue, event)
      case .undescribed(let name): (name, nil)
      case .other, .unreadable: (nil, nil)
      }
    return [
      "name": name, "described": event != nil, "code": event?.failure?.code, "message": event?.failure?.message,
      "violation": step.violation?.rawValue, "unreadable": unreadable(step.entry),
    ]
  }

  private func unreadable(_ entry: OnrampLog.Entry) -> String? {
    if case .unreadable(let error) = entry { error.reason } else { nil }
  }

  /// Lines for people.
  package var text: String {
    var lines: [String] = []
    for (index, step) in steps.enumerated() {
      lines.append("\(Text.padded(String(index + 1), to: 3)) \(title(step.entry))")
      if case .event(let event) = step.entry, let message = event.failure?.message, !message.isEmpty {
        lines.append("    \(Text.harmless(message))")
      }
      if let violation = step.violation { lines.append("    ! \(violation.rawValue): \(violation.sentence)") }
    }
    var rows: [(name: String, value: String)] = [("outcome", outcome)]
    if let meaning {
      rows += [
        ("order", meaning.isTerminal ? "over" : "open"), ("retry", meaning.mayRetry ? "yes" : "no"),
        ("who acts", meaning.actor.rawValue), ("charge", charge(meaning.charge)),
      ]
    }
    rows.append(("advice", advice))
    return (lines + [""] + Text.pairs(rows)).joined(separator: "\n") + "\n"
  }

  private func title(_ entry: OnrampLog.Entry) -> String {
    switch entry {
    case .other: return "(not an event, ignored)"
    case .unreadable(let error): return "! cannot be read: \(error.reason)"
    case .undescribed(let name): return Text.harmless(name) + "  (not described, ignored)"
    case .event(let event):
      guard let failure = event.failure else { return event.name.rawValue }
      return event.name.rawValue + "  " + Text.harmless(failure.code)
    }
  }

  private var outcome: String {
    let words =
      switch sequence.outcome {
      case .succeeded: "the payment succeeded"
      case .inProgress: "the payment is in progress"
      case .cancelled: "the user cancelled, and may try again"
      case .failed: "the payment failed"
      }
    if sequence.hasUnreadableEvent { return words + ", as far as can be told without an event that cannot be read" }
    guard violationCount > 0 else { return words }
    return words + ", as far as can be told from events that are out of order"
  }

  private func charge(_ charge: OnrampMeaning.Charge) -> String {
    switch charge {
    case .notCharged: "not charged"
    case .willBeRefunded: "will be refunded"
    case .unknown: "not known"
    }
  }
}
