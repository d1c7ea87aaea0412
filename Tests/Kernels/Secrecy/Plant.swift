import CSecrecy

/// A deliberate leak, which the check must report.
enum Plant: String, CaseIterable {
  /// A branch on a bit of the scalar.
  case branch = "--plant-branch"
  /// A load from a table, indexed by a byte of the scalar.
  case load = "--plant-load"
  /// The plaintext stays marked as secret after its tag is verified, so the engine's reader branches on a secret. This
  /// shows that Z, key and plaintext are marked, and that the check covers the engine's code.
  case secretPlaintext = "--plant-secret-plaintext"

  func execute(on scalar: UnsafeRawBufferPointer) {
    switch self {
    case .branch: plantedBranch(scalar)
    case .load: plantedLoad(scalar)
    case .secretPlaintext: assay_keep_all_secret()
    }
  }
}

/// Receives the planted results, so that the compiler cannot remove the plants.
nonisolated(unsafe) private var sink = 0

@inline(never)
private func plantedBranch(_ scalar: UnsafeRawBufferPointer) {
  // Each arm is a call, because the compiler would select between two values without a branch.
  if scalar[31] & 1 == 1 { countOne() } else { countMany() }
}

@inline(never)
private func plantedLoad(_ scalar: UnsafeRawBufferPointer) {
  let table = [UInt8](repeating: 3, count: 256)
  // `loadUnaligned` does not check the index, which would be a branch.
  table.withUnsafeBytes { sink &+= Int($0.loadUnaligned(fromByteOffset: Int(scalar[30]), as: UInt8.self)) }
}

@inline(never)
private func countOne() { sink &+= 1 }

@inline(never)
private func countMany() { print("secrecy-check: planted") }
