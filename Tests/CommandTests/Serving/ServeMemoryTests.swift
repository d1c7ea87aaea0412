import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// The function of the C library, which its Swift module leaves out.
@_silgen_name("memmem")
private func memmem(
  _ bytes: UnsafeRawPointer, _ count: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeRawPointer?

/// Once `assay serve` waits for the next line, nothing of a payment that it answered with is found in its memory.
///
/// The test reads the memory of the process while that waits. Each search must also find known bytes in three kinds of
/// memory: the stack (the environment), the heap (a root that the engine keeps) and the buffer of lines (the part of a
/// next line). At the end the needles are written to the process, and the same search finds them. The process forbids
/// others to read its memory, so the test needs root.
// A sanitizer maps terabytes of shadow memory, which nobody can search, and keeps freed blocks aside, where nobody
// wipes them.
@Suite(
  .blocking, .serialized, .disabled(if: Sanitizer.isPresent),
  .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/proc/self/mem")))
struct ServeMemoryTests {
  /// A part of a line, which is in the buffer once the answer before it is done with.
  private static let control = "assay-control-of-lines"

  @Test(arguments: Conversation.engines, [UInt64(1), 2])
  func `no payment is left in memory after its answer`(_ engine: String, _ count: UInt64) throws {
    var recipe = TokenRecipe(index: 1)
    recipe.payload.accountNumber = Self.accountNumber
    recipe.payload.kind = .threeDSecure(cryptogram: Array(1...20), eciIndicator: "7")
    let token = try Conversation.minter.get().mint(recipe)
    let sealed = Data(token.bytes).base64EncodedString()
    let serving = try Serving(engine: engine)
    defer { serving.end() }
    try serving.say(try Conversation.hello())
    let needles = try Self.needles(of: token.layers.plaintext)
    for index in 0..<count {
      try serving.say(
        try Conversation.test("\(index)", ["token": sealed, "prelude": [sealed]]),
        answeredBy: { $0["plaintext"] as? String == Data(token.layers.plaintext).base64EncodedString() })
    }
    // A token that is refused for its amount was decrypted as well.
    try serving.say(try Conversation.test("refused", ["token": sealed, "policy": ["expect": ["amount": 1]]])) {
      $0.code == "amountMismatch"
    }
    serving.write(Data("{\"id\":\"\(Self.control)".utf8))
    let memory = try serving.memory(containing: Data(Self.control.utf8))
    #expect(
      memory.places(of: Data(Serving.environmentControl.utf8)).contains { $0.hasPrefix("[stack]") },
      "\(memory.names)")
    #expect(
      memory.places(of: serving.root.suffix(24)).contains { $0.hasPrefix("[heap]") || $0.hasPrefix("mapping") })
    for (name, bytes) in needles {
      let places = memory.places(of: bytes)
      #expect(places.isEmpty, "\(name): \(places)")
    }
    // The same bytes are found where they are planted.
    serving.write(needles.reduce(Data()) { $0 + $1.bytes } + Data(Self.seen.utf8))
    let planted = try serving.memory(containing: Data(Self.seen.utf8))
    for (name, bytes) in needles { #expect(!planted.places(of: bytes).isEmpty, "\(name)") }
  }

  /// An account number that is not in the program's own text, unlike those of the minter.
  private static let accountNumber = "4917610000000000"
  private static let seen = "assay-control-of-needles"

  /// Account number, cryptogram, and pieces of the plaintext and of its base64.
  private static func needles(of plaintext: [UInt8]) throws -> [(name: String, bytes: Data)] {
    let text = Data(plaintext)
    let encoded = Data(text.base64EncodedString().utf8)
    var needles = [
      ("account number", Data(accountNumber.utf8)),
      ("cryptogram", Data(Data(1...20).base64EncodedString().utf8)),
    ]
    for (name, bytes) in needles { try #require(text.range(of: bytes) != nil, "\(name)") }
    // The allocator overwrites the first 16 bytes of freed blocks, so all pieces of a text are searched for.
    for offset in stride(from: 0, to: text.count - 24, by: 24) {
      needles.append(("plaintext from \(offset)", text[offset..<offset + 24]))
    }
    for offset in stride(from: 0, to: encoded.count - 24, by: 24) {
      needles.append(("base64 from \(offset)", encoded[offset..<offset + 24]))
    }
    // A piece without a digit has only names of members, which the text of the engine contains too.
    return needles.filter { name, bytes in !name.hasPrefix("plaintext") || bytes.contains { $0 < 0x40 && $0 >= 0x30 } }
  }
}

/// An `assay serve` that runs.
private final class Serving {
  static let environmentControl = "assay-control-of-the-environment"
  let root: Data
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  init(engine: String) throws {
    let pem = try Conversation.minter.get().rootPEM
    let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    root = try #require(Data(base64Encoded: body))
    process.executableURL = Program.url
    process.arguments = ["serve", "--engine", engine]
    process.environment = ProcessInfo.processInfo.environment.merging(["CONTROL": Self.environmentControl]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func write(_ bytes: Data) {
    try? input.fileHandleForWriting.write(contentsOf: bytes)
  }

  /// Sends a message and takes its answer.
  func say(_ message: [String: Any], answeredBy isRight: ([String: Any]) -> Bool = { $0["error"] == nil }) throws {
    write(try JSONSerialization.data(withJSONObject: message) + Data("\n".utf8))
    while !received.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "it ended")
      received += more
    }
    let answer = try JSONSerialization.jsonObject(with: received) as? [String: Any]
    received = Data()
    #expect(isRight(try #require(answer)))
  }

  /// The writable memory, once `control` is in it.
  func memory(containing control: Data) throws -> Memory {
    for _ in 0..<200 {
      let memory = try Memory(of: process.processIdentifier)
      if !memory.places(of: control).isEmpty { return memory }
      Thread.block(forSeconds: 0.05)
    }
    throw Memory.Failure.unsettled
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.blockUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

/// A copy of the writable memory of a process.
private struct Memory {
  enum Failure: Error {
    /// A region could not be read to its end.
    case unreadable(String)
    /// What was waited for did not come.
    case unsettled
  }

  private var regions: [(name: String, bytes: Data)] = []

  init(of pid: pid_t) throws {
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw Failure.unreadable("/proc/\(pid)/mem") }
    defer { close(memory) }
    for line in try FileText.text("/proc/\(pid)/maps").split(separator: "\n") {
      let parts = line.split(whereSeparator: \.isWhitespace)
      let bounds = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard parts[1].hasPrefix("rw"), bounds.count == 2 else { continue }
      let size = bounds[1] - bounds[0]
      var bytes = Data(count: size)
      var count = 0
      try bytes.withUnsafeMutableBytes { buffer in
        while count < size {
          let got = pread(memory, buffer.baseAddress.map { $0 + count }, size - count, off_t(bounds[0] + count))
          guard got > 0 else { throw Failure.unreadable(String(line)) }
          count += got
        }
      }
      regions.append((parts.count > 5 ? String(parts[5]) : "mapping", bytes))
    }
  }

  /// The regions, with their sizes.
  var names: String { regions.map { "\($0.name) \($0.bytes.count)" }.joined(separator: ", ") }

  /// Where the bytes are, once for each region.
  func places(of needle: Data) -> [String] {
    regions.compactMap { name, bytes in
      bytes.withUnsafeBytes { bytes in
        needle.withUnsafeBytes { needle in
          guard let start = bytes.baseAddress, let first = needle.baseAddress,
            let hit = memmem(start, bytes.count, first, needle.count)
          else { return nil }
          return "\(name) at offset \(hit - start)"
        }
      }
    }
  }
}
