import Fuzzing
import HostIO

enum FuzzRunCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "run"], summary: "mutate tokens and compare the answers of both engines",
    options: FuzzOptions.definitions,
    remarks: [
      "The run's folder contains corpus/ findings/ unreproducible/ settings.json stats.json history.csv report.html.",
      "It is complete whenever the run is stopped. The loop runs in this program; libfuzzer, which sees coverage and memory",
      "errors, is built from Fuzz/ first and needs the sources.",
      "With --sync, each run publishes new samples into its own folder there, and executes those of the others, once a",
      "minute: Docs/Fuzzing.md, Many machines.",
      "A program of --external decides samples as well: Docs/Fuzzing.md, Any decryptor.",
      "Exits with 0 if this session found nothing, 1 for findings, 130 if interrupted (everything is saved). Waived findings",
      "and those that are unreproducible are counted apart.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let options = try FuzzOptions(arguments)
    if options.namesCorpus { try options.corpus.requireSeeds() }
    let folder = try RunFolder(making: options.folder)
    let settings = try FuzzSettings(options.plan, folder)
    let waivers = try arguments.waivers()
    let engines = try FuzzEngines()
    let display = FuzzDisplay(json: output.json, quiet: output.quiet)
    switch options.plan.driver {
    case .loop:
      return try FuzzCampaign(
        options.plan, folder, settings, engines: engines, seeds: options.corpus, waivers: waivers,
        display: display
      ).run()
    case .libfuzzer:
      return try LibFuzzerCampaign(
        options.plan, folder, settings, engines: engines, seeds: options.corpus, waivers: waivers,
        display: display
      ).run()
    }
  }
}
