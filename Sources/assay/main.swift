#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

ProcessSetup.prepare()
exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())).rawValue)
