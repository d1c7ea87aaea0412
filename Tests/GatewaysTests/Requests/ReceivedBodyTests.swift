import Foundation
import Gateways
import Testing

@Suite struct ReceivedBodyTests {
  private func json(_ body: String) -> String? {
    ReceivedBody.json(of: Array(body.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("a=1", #"{"a":"1"}"#), ("a=", #"{"a":""}"#), ("a=1&b=2", #"{"a":"1","b":"2"}"#),
    ("a=%7B%22%5C", #"{"a":"{\"\\"}"#),
    ("a=x+y%2Bz", #"{"a":"x y+z"}"#), ("a=%C3%A9", #"{"a":"é"}"#),
    ("a%5Bb%5d=1&a[c][d]=2", #"{"a":{"b":"1","c":{"d":"2"}}}"#),
    ("a=1=2\n", #"{"a":"1=2"}"#),
  ])
  func `a form is the object of its fields`(_ form: String, _ expected: String) {
    #expect(json(form) == expected)
  }

  @Test(arguments: [
    "", "a", "a=1&", "&a=1", "=1", "a=1&a=2", "a[b]=1&a[b]=2", "a=1&a[b]=2", "a[b]=1&a=2", "a[=1", "a]=1", "a[]=1",
    "a[b=1",
    "a[b]c=1", "a=1&A=2", "a[b]=1&A[c]=2", "a.b=1", "a%20=1", "%20a=1", "a%00=1", "é=1", "[a]=1", "a[b][c][d][e]=1",
    "a=%", "a=%4", "a=%zz", "a=%00", "a=%0A", "a=%7F", "a=%C3", "a=%ED%A0%80",
    "a=é",
    "a= 1", " a=1", #"{"a":"b=c"}"#, #" {"a":"b=c"}"#, "a=1\n\n", "a=1\r",
  ])
  func `what may be read in two ways, or in none, is no form`(_ body: String) {
    #expect(json(body) == nil)
  }

  @Test func `base64 alone stands for a token in the app's request`() throws {
    let base64 = Data(#"{"version":"EC_v1","data":"…","signature":"…","header":{"transactionId":"…"}}"#.utf8)
      .base64EncodedString()
    #expect(json(base64) == #"{"apple-wallet":{"payment-token":"\#(base64)"}}"#)
    #expect(json(base64 + "\n") == json(base64) && json(base64 + "\r\n") == json(base64))
    for other in [String(base64.prefix(60)), "A" + base64, base64 + "===", base64.replacing("J", with: "-")] {
      // A text with equals signs is read as a form, with a name that no gateway uses.
      #expect(json(other)?.contains("payment-token") != true)
    }
  }

  @Test func `no form is longer than a request, or has more fields than any`() {
    #expect(json("a=" + String(repeating: "b", count: 65_534)) != nil)
    #expect(json("a=" + String(repeating: "b", count: 65_535)) == nil)
    func fields(_ count: Int) -> String { (0..<count).map { "f\($0)=1" }.joined(separator: "&") }
    #expect(json(fields(64)) != nil)
    #expect(json(fields(65)) == nil)
  }
}
