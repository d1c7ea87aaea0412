import CSecrecy
import Minting

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Scripts/check-secrecy runs this under valgrind. Returns 0 if all verdicts are right, 1 after a wrong verdict, and 2
/// for wrong usage or without valgrind. After an error the program exits with 1.
func run(_ arguments: [String]) throws -> Int32 {
  guard assay_secrets_are_tracked() == 1 else {
    print("secrecy-check: no valgrind here, or built without -DASSAY_SECRECY: use Scripts/check-secrecy")
    return 2
  }
  let plant = arguments.first.flatMap(Plant.init(rawValue:))
  guard arguments.count <= 1, arguments.isEmpty == (plant == nil) else {
    print("usage: secrecy-check [\(Plant.allCases.map(\.rawValue).joined(separator: " | "))]")
    return 2
  }
  var checks = [try SecrecyCheck.chosenScalars(seed: 20_261)]
  if let plant { checks[0].execute(plant) } else { checks.append(try .mintedKeys(seed: 20_262)) }
  var isRight = true
  for index in checks.indices {
    for name in checks[index].decryptAll() {
      print("secrecy-check: wrong verdict: \(name)")
      isRight = false
    }
    print("secrecy-check: \(checks[index].summary)")
  }
  return isRight ? 0 : 1
}

do {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch {
  print("secrecy-check: \(error)")
  exit(1)
}
