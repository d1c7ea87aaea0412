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

  @Test func `nothing is removed if everything is needed, and the limit of attempts is kept`() {
    let input = [UInt8](repeating: 7, count: 500)
    var tries = 0
    let same = Shrinker(tries: 30).shrink(input) { _ in
      tries += 1
      return false
    }
    #expect(same == input && tries == 30)
    #expect(Shrinker().shrink([], keeps: { _ in true }) == [])
    #expect(Shrinker().shrink([1, 2, 3], keeps: { _ in true }) == [])
  }
}
