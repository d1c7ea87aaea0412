import Descriptions
import HostIO
import MerchantKeys
import PaymentToken

/// `assay keys inspect`: describes keys and certificates, whether they match, and when they expire.
struct KeysInspectCommand: Command {
  static let definition = CommandDefinition(
    path: ["keys", "inspect"], summary: "describe keys and certificates, and when they expire",
    operands: "FILE…", operandLimit: 1_000,
    options: [
      .value("--password-file", "FILE", "password of encrypted keys and .p12 files"),
      .value("--warn-days", "N", "exit with 1 if a certificate has fewer days left (default: 0)"),
      .value("--at", "TIME", "time from which days are counted, RFC 3339 or now (default: now)"),
      .json, .quiet,
    ],
    remarks: [
      "Reads keys, certificates, signing requests and public keys: PEM, DER, .p12. Also exits with 1 if a certificate is",
      "not valid at that time, or if keys are given and a merchant's certificate matches none of them.",
    ])

  private let files: [String]
  private let passwordFile: String?
  private let warnDays: Int64
  private let time: UnixTime

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.operands
    guard !files.isEmpty else { throw UsageError("keys inspect needs a file.") }
    passwordFile = arguments.value("--password-file")
    try UsageError.checkStandardInput(files + [passwordFile].compactMap { $0 })
    warnDays = try arguments.number("--warn-days", in: 0...36_500) ?? 0
    time = try arguments.timeOrNow("--at")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let password = try PasswordFile.read(passwordFile)
    var entries: [InspectedFile] = []
    for path in files { entries.append(try InspectedFile(path, password)) }
    let report = KeysReport(files: entries, time: time, warnDays: warnDays)
    try output.answer(report.json, report.text)
    if report.exitCode == .finding { output.remark(report.findings.joined(separator: "; ") + ".") }
    return report.exitCode
  }
}
