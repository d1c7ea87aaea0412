/// Holm's step-down correction: of many names, one finds something somewhere by chance alone.
public enum HolmCorrection {
  /// The probabilities to hold against one limit for all, in the order given (Holm 1979).
  public static func adjusted(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    var adjusted = probabilities
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, probabilities[index] * Double(probabilities.count - rank)))
      adjusted[index] = largest
    }
    return adjusted
  }
}
