import Gateways
import HostIO
import PaymentToken
import Reports

extension ParsedArguments {
  /// A decimal number within a range; nil if the option is absent.
  func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(CommandError) -> Number? {
    guard let text = value(name) else { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Number(text), range.contains(number)
    else {
      let (first, last) = (range.lowerBound, range.upperBound)
      throw .usage("\(name) must be a whole number from \(first) to \(last), not \(PastedText.shown(text)).")
    }
    return number
  }

  /// Seconds up to an hour, with or without decimals; nil if the option is absent.
  func seconds(_ name: String) throws(CommandError) -> Double? {
    guard let text = value(name) else { return nil }
    guard text.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, let seconds = Double(text), (0.1...3_600).contains(seconds)
    else {
      throw .usage("\(name) must be seconds from 0.1 to 3600, like 20 or 2.5, not \(PastedText.shown(text)).")
    }
    return seconds
  }

  /// 64 hexadecimal digits; nil if the option is absent.
  func bytes32(_ name: String) throws(CommandError) -> Bytes32? {
    guard let text = value(name) else { return nil }
    guard let bytes = Bytes32(hex: text) else { throw .usage("\(name) must be 64 hexadecimal digits.") }
    return bytes
  }

  /// The three digits of an ISO 4217 code, given as digits (any three) or as letters; nil if the option is absent.
  func currency(_ name: String) throws(CommandError) -> String? {
    guard let text = value(name) else { return nil }
    if let currency = Currency.alphabetic(text) { return currency.numericCode }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard text.utf8.count == 3, text.utf8.allSatisfy({ digits.contains($0) }) else {
      let meant = Currency.alphabetic(text.uppercased()).map { "; did you mean \($0.alphabeticCode)?" } ?? "."
      throw .usage("\(name) must be an ISO 4217 code, like 978 or EUR\(meant)")
    }
    return text
  }

  /// An amount in minor units: digits alone, or with a decimal point if the currency is known; nil if the option is
  /// absent.
  ///
  /// - Parameter currency: the numeric code.
  func amount(_ name: String, in currency: String?) throws(CommandError) -> Int64? {
    if let text = value(name), text.contains(",") {
      let (point, shown) = (text.replacing(",", with: "."), PastedText.shown(text))
      let isDecimal = text.wholeMatch(of: /[0-9]+,[0-9]{1,2}/) != nil
      let meant = isDecimal ? "\(point), not \(shown)" : "like 1250 or 12.50, not \(shown)"
      throw .usage("\(name) takes a point before its decimals, and no commas: \(meant).")
    }
    guard let text = value(name), text.contains(".") else { return try number(name, in: 0...Currency.largestAmount) }
    guard let code = currency else {
      throw .usage("\(name) must be minor units, without a decimal point, unless the currency is given as well.")
    }
    guard let currency = Currency.numeric(code) else {
      throw .usage("\(name) must be minor units, without a decimal point: \(code) is no currency of ISO 4217.")
    }
    do {
      return try currency.minorUnits(ofDecimalText: text)
    } catch {
      let (code, shown) = (currency.alphabeticCode, PastedText.shown(text))
      throw .usage("\(name) must be an amount of \(code), not \(shown): \(error.reason).")
    }
  }

  /// The time that an option gives; the current time if it is `now` or the option is absent.
  func timeOrNow(_ name: String) throws(CommandError) -> UnixTime {
    value(name) == "now" ? WallClock.now : try time(name) ?? WallClock.now
  }

  /// The value of an option with choices; nil if the option is absent.
  func choice<Value: RawRepresentable<String>>(_ name: String) -> Value? {
    value(name).flatMap(Value.init(rawValue:))
  }

  /// A time; nil if the option is absent.
  func time(_ name: String) throws(CommandError) -> UnixTime? {
    guard let text = value(name) else { return nil }
    guard let time = UnixTime(argument: text) else {
      throw .usage("\(name) must be a time like 2026-01-31T12:00:00Z or a date, not \(PastedText.shown(text)).")
    }
    return time
  }
}

extension UnixTime {
  /// RFC 3339, or a date alone: the beginning of that day in UTC.
  init?(argument text: String) {
    self.init(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text)
  }
}

extension CommandError {
  /// Checks that at most one of the files of a command is standard input, `-`.
  static func checkStandardInput(_ files: [String]) throws(CommandError) {
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw .usage("standard input can be used only once.")
    }
  }
}

extension ReportRequest {
  private init(_ text: String, _ forms: [String]) throws(CommandError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("html", 2): self = .html(parts[1])
    case ("junit", 2): self = .junit(parts[1])
    case ("markdown", 2): self = .markdown(parts[1])
    case ("github", 1): self = .github
    case (let name?, 2) where forms.contains { $0.hasPrefix(name + "=") }: self = .form(name, parts[1])
    default:
      let all = OptionDefinition.reportForms + forms + ["github"]
      throw .usage("--report must be \(all.listed("or")), not \(PastedText.shown(text)).")
    }
  }

  /// - Parameter forms: the forms that only this command has, such as `csv=FILE`.
  static func all(in arguments: ParsedArguments, also forms: [String] = []) throws(CommandError) -> [ReportRequest] {
    var reports: [ReportRequest] = []
    var files: Set<String> = []
    for text in arguments.values("--report") {
      reports.append(try ReportRequest(text, forms))
      let file = text.split(separator: "=", maxSplits: 1).last.map(String.init) ?? text
      guard file != "-" else { throw .usage("--report needs a file: it does not write to standard output.") }
      guard files.insert(text == file ? "\(text)=" : file).inserted else {
        throw .usage("two reports go to \(PastedText.shown(file)).")
      }
    }
    return reports
  }
}

/// The time of day. Engines never read it: they take the time as an argument.
enum WallClock {
  static var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(time(nil))) }
}
