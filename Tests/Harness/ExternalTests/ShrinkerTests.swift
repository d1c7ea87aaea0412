import Differential
import TestSupport
import Testing

@Suite(.blocking) struct ShrinkerTests {
  @Test func `only the bytes that the property needs are left`() {
    let input = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    let smaller = Shrinker().shrink(input) { $0.contains(UInt8(ascii: "f")) && $0.contains(UInt8(ascii: "q")) }
    #expect(smaller == Array("fq".utf8))
  }

  @Test func `whole JSON members are removed first`() {
    let input = Array(#"{"a":{"deep":[1,2,3],"x":1},"b":"\u007d","c":[{}],"d":null}"#.utf8)
    var seen: [[UInt8]] = []
    let smaller = Shrinker().shrink(input) { candidate in
      seen.append(candidate)
      return String(decoding: candidate, as: UTF8.self).contains(#""x":1"#)
        && candidate.first == UInt8(ascii: "{") && candidate.last == UInt8(ascii: "}")
    }
    #expect(seen[0] == Array(#"{"b":"\u007d","c":[{}],"d":null}"#.utf8))
    #expect(seen.contains(Array(#"{"a":{"x":1}}"#.utf8)))
    #expect(smaller == Array(#"{"x":1}"#.utf8))
  }

  /// A removal leaves valid base64 only if its length is a multiple of four.
  @Test func `a string in base64 is shortened within the limit of work`() {
    let input = Array("{\"data\":\"\(String(repeating: "Zm9v", count: 1_000))\"}".utf8)
    let smaller = Shrinker(milliseconds: 600_000).shrink(input) { candidate in
      let digits = candidate.dropFirst(9).dropLast(2)
      return candidate.starts(with: input.prefix(9)) && candidate.suffix(2) == input.suffix(2)
        && digits.count.isMultiple(of: 4) && digits.allSatisfy { $0 != UInt8(ascii: "\"") } && digits.count >= 8
    }
    #expect(smaller.count == 9 + 8 + 2)
  }

  @Test func `nothing is removed if everything is needed, and the limit of work is kept`() {
    let input = [UInt8](repeating: 7, count: 500)
    var bytes = 0
    let same = Shrinker(work: 30).shrink(input) { candidate in
      bytes += candidate.count
      return false
    }
    #expect(same == input && bytes < 30 * 500 && bytes > 29 * 500)
    #expect(Shrinker().shrink([], keeps: { _ in true }) == [])
    #expect(Shrinker().shrink([1, 2, 3], keeps: { _ in true }) == [])
  }
}
