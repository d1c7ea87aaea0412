import Fuzzing

/// Custom mutators for libFuzzer: the loop's mutations for whole requests, layer mutations for the other targets.
extension FuzzTargets {
  /// Mutates the input in place.
  ///
  /// - Returns: the new size; 0 to let libFuzzer's own mutators do it.
  public static func mutate(
    _ name: String, _ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int, _ seed: UInt32
  ) -> Int {
    guard let target = FuzzTarget(rawValue: name) else { return 0 }
    var random = QuickGenerator(seed: UInt64(seed), stream: UInt64(size))
    // Leave some mutations to libFuzzer, which knows the operands of comparisons.
    guard Int.random(in: 0..<12, using: &random) < (target.runsInLoop ? 8 : 4) else { return 0 }
    let input = bytes(data, size)
    guard !target.runsInLoop else { return put(TokenTarget.shared?.mutated(input, using: &random), data, maximum) }
    // Inject a valid input of the layer, in case the corpus has none.
    if size < 3 || Int.random(in: 0..<500, using: &random) == 0 {
      return put(TokenTarget.shared?.piece(for: target, using: &random), data, maximum)
    }
    return put(LayerMutations.mutated(input, for: target, using: &random), data, maximum)
  }

  private static func put(_ bytes: [UInt8]?, _ data: UnsafeMutablePointer<UInt8>?, _ maximum: Int) -> Int {
    guard let bytes, let data, !bytes.isEmpty, bytes.count <= maximum else { return 0 }
    data.update(from: bytes, count: bytes.count)
    return bytes.count
  }
}
