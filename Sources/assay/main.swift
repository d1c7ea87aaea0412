import HostIO

ProcessSetup.prepare()
if CommandLine.arguments.isEmpty {
  Console.remark("the command line is unknown: Swift reads it from /proc, which is not mounted here.")
  exit(ExitCode.noAnswer.rawValue)
}
exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())).rawValue)
