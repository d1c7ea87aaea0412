/// Holm's step-down correction for multiple tests, which bounds the chance of any false positive.
public enum HolmCorrection {
  /// The adjusted p-values, in the order given (Holm 1979). Each can be compared with the overall significance level.
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
