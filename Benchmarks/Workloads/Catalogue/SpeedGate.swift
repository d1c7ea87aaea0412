public import Benchmarking
import Gateways
import PaymentToken

/// What must hold on every machine: counts and ratios of the same rounds, never an absolute time.
public enum SpeedGate {
  /// The fast engine opens at least so many tokens while the reference opens one.
  public static let leastOverReference = 10.0
  /// A token takes the fast engine at most so many times what libcrypto's two operations take.
  public static let mostOverCryptoParts = 1.15
  /// A token takes it at most so many times as long in a gateway's request as raw, and this where the request has the
  /// token in a string, which has to be unescaped or decoded.
  public static let mostOverRaw = (inPlace: 1.03, inString: 1.05)

  /// What does not hold, a sentence each; nil when something needed was not measured.
  ///
  /// A ratio fails only when its whole interval lies on the wrong side.
  public static func findings(in report: BenchmarkReport) -> [String]? {
    func interval(_ name: String) -> BootstrapInterval? {
      report.ratios.first { $0.definition.name == name }?.interval
    }
    guard let overReference = interval("fast over reference"), let overParts = interval("fast over its crypto parts"),
      let allocations = report.results.first(where: { $0.name == DecryptBenchmarks.name("fast") })?.allocations
    else { return nil }
    var findings: [String] = []
    if allocations.ownCalls > 0 {
      findings.append("the fast engine allocates \(allocations.ownCalls.fixed(3)) times a token; 0 is allowed.")
    }
    if overReference.high < leastOverReference {
      findings.append(
        "the fast engine is \(overReference.ratio.fixed(1)) times as fast as the reference; "
          + "\(leastOverReference.fixed(0)) are required.")
    }
    if overParts.low > mostOverCryptoParts {
      findings.append(
        "a token takes \(overParts.ratio.fixed(3)) times as long as its crypto parts; "
          + "\(mostOverCryptoParts.fixed(2)) are allowed.")
    }
    return findings + gatewayFindings(in: report)
  }

  /// The same for gateways' requests, as far as they were measured.
  private static func gatewayFindings(in report: BenchmarkReport) -> [String] {
    var findings: [String] = []
    for gateway in Gateway.all {
      let name = GatewayBenchmarks.name(of: gateway.name)
      if let calls = report.results.first(where: { $0.name == name })?.allocations?.ownCalls, calls > 0 {
        findings.append("\(name) allocates \(calls.fixed(3)) times a token; 0 is allowed.")
      }
      let most = gateway.envelope.holdsTokenInString ? mostOverRaw.inString : mostOverRaw.inPlace
      guard let ratio = report.ratios.first(where: { $0.definition.numerator == name })?.interval, ratio.low > most
      else {
        continue
      }
      findings.append(
        "\(name) takes \(ratio.ratio.fixed(3)) times as long as a raw token; \(most.fixed(2)) are allowed.")
    }
    return findings
  }
}

extension Envelope {
  fileprivate var holdsTokenInString: Bool { routes.contains { $0.wrapping == .text || $0.wrapping == .base64 } }
}
