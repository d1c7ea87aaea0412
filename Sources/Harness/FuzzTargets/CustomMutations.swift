import Fuzzing

/// Mutations for libFuzzer, by target: the loop's own for whole tokens, trees for the rest.
extension FuzzTargets {
  /// Changes the input in place; 0 where libFuzzer's own mutations shall do it.
  ///
  /// - Returns: the new size.
  public static func mutate(
    _ target: String, _ data: UnsafeMutablePointer<UInt8>?, _ size: Int, _ maximum: Int, _ seed: UInt32
  ) -> Int {
    var random = QuickGenerator(seed: UInt64(seed), stream: UInt64(size))
    let isWhole = Self.isWhole(target)
    // The rest is left to libFuzzer, which knows what was compared.
    guard Int.random(in: 0..<12, using: &random) < (isWhole ? 8 : 4) else { return 0 }
    let input = bytes(data, size)
    guard !isWhole else { return put(TokenTarget.shared?.mutated(input, using: &random), data, maximum) }
    // Without seeds of the layer itself there is nothing to change: a sound one is a start.
    if size < 3 || Int.random(in: 0..<500, using: &random) == 0 {
      return put(TokenTarget.shared?.piece(for: target, using: &random), data, maximum)
    }
    return put(LayerMutations.mutated(input, for: target, using: &random), data, maximum)
  }

  /// Parts of two inputs in one; 0 where there is nothing to be made of them.
  public static func cross(
    _ target: String, _ first: UnsafePointer<UInt8>?, _ firstSize: Int, _ second: UnsafePointer<UInt8>?,
    _ secondSize: Int, _ output: UnsafeMutablePointer<UInt8>?, _ maximum: Int, _ seed: UInt32
  ) -> Int {
    var random = QuickGenerator(seed: UInt64(seed), stream: UInt64(firstSize))
    let (left, right) = (bytes(first, firstSize), bytes(second, secondSize))
    let crossed =
      isWhole(target)
      ? TokenTarget.shared?.crossed(left, right, using: &random)
      : LayerMutations.crossed(left, right, for: target, using: &random)
    return put(crossed, output, maximum)
  }

  /// Whether whole requests are its inputs.
  static func isWhole(_ target: String) -> Bool { target == "token" || target == "envelopes" }

  private static func put(_ bytes: [UInt8]?, _ data: UnsafeMutablePointer<UInt8>?, _ maximum: Int) -> Int {
    guard let bytes, let data, !bytes.isEmpty, bytes.count <= maximum else { return 0 }
    data.update(from: bytes, count: bytes.count)
    return bytes.count
  }
}
