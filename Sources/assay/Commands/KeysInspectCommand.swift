import Descriptions
import HostIO
import MerchantKeys
import PaymentToken

/// `assay keys inspect`: what keys and certificates are, whether they belong together, and when they expire.
struct KeysInspectCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["keys", "inspect"], summary: "say what keys and certificates are, and when they expire",
      operands: "FILE...", operandLimit: 1_000,
      options: [
        .value("--password-file", "FILE", "password of encrypted keys and .p12 files"),
        .value("--warn-days", "N", "exit 1 when a certificate has fewer days left (default: 0)"),
        .value("--at", "TIME", "the time they are counted from, RFC 3339 or now (default: now)"),
        .json, .quiet,
      ],
      remarks: [
        "Reads keys, certificates, signing requests and public keys: PEM, DER, .p12. Exit 1 also when a certificate is not",
        "valid at that time, or when keys are given and a merchant's certificate belongs to none of them.",
      ])
  }

  private let files: [String]
  private let passwordFile: String?
  private let warnDays: Int64
  private let time: UnixTime
  private let json: Bool
  private let quiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.operands
    guard !files.isEmpty else { throw UsageError("keys inspect needs a file.") }
    passwordFile = arguments.value("--password-file")
    guard (files + (passwordFile.map { [$0] } ?? [])).count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("standard input can be read for one thing only.")
    }
    warnDays = try arguments.number("--warn-days", in: 0...36_500) ?? 0
    time = arguments.value("--at") == "now" ? WallClock.now : try arguments.time("--at") ?? WallClock.now
    json = arguments.has("--json")
    quiet = arguments.has("--quiet")
  }

  func run() throws(CommandError) -> ExitCode {
    let password = try PasswordFile.read(passwordFile)
    var entries: [InspectedFile] = []
    for path in files { entries.append(try InspectedFile(path, password)) }
    let report = KeysReport(files: entries, time: time, warnDays: warnDays)
    try Console.answer(json ? report.json.text + "\n" : report.text)
    if report.exitCode == .finding && !quiet { Console.remark(report.findings.joined(separator: "; ") + ".") }
    return report.exitCode
  }
}
