import CTextKernels
import Testing
import TokenScanning

/// Compares every text kernel that this machine can run with a simple specification on every class of input.
/// `Scripts/check-arm64` does the same for arm64.
@Suite struct TextKernelTests {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// A class of inputs.
  enum InputClass: String, CaseIterable {
    case base64OfEveryLength, base64WithEveryByte, base64WithTwoStrangers
    case stringsOfEveryLength, stringsWithEveryByte, everyByteAfterABackslash, rowsOfBackslashes, stringsOfEscapes
    case codeUnits, escapesThatAreCutOff, randomStrings
  }

  struct Generator {
    var state: UInt64 = 0x5EED

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func base64(_ count: Int) -> [UInt8] { (0..<count).map { _ in TextKernelTests.alphabet[below(64)] } }
  }

  /// Below, at and above the steps of 16, 32 and 64 bytes.
  private static let lengths =
    [1, 4, 15, 16, 17, 20, 31, 32, 33, 36, 40, 44, 48, 63, 64, 65] + [68, 76, 96, 108, 128, 132]
  private static let alignments = Array(0..<64)

  private static func compare(_ operations: TextOperations, _ inputs: InputClass) throws -> TextComparison {
    let comparison = try TextComparison(operations)
    var generator = Generator()
    switch inputs {
    case .base64OfEveryLength:
      for count in stride(from: 0, through: 300, by: 4) {
        comparison.base64(generator.base64(count), offsets: alignments)
      }
    case .base64WithEveryByte:
      for count in lengths where count.isMultiple(of: 4) {
        var text = generator.base64(count)
        for position in 0..<count {
          let original = text[position]
          for byte in UInt8.min...UInt8.max {
            text[position] = byte
            comparison.base64(text)
          }
          text[position] = original
        }
      }
    case .base64WithTwoStrangers:
      // Their error marks must not cancel out.
      for _ in 0..<5_000 {
        var text = generator.base64(4 * (1 + generator.below(75)))
        for _ in 0..<2 { text[generator.below(text.count)] = UInt8(generator.below(256)) }
        comparison.base64(text)
      }
    case .stringsOfEveryLength:
      for count in 0...300 { comparison.json([UInt8](repeating: 0x7F, count: count), offsets: alignments) }
    case .stringsWithEveryByte: everyByte(after: 0, comparison)
    case .everyByteAfterABackslash:
      everyByte(after: 1, comparison)
      everyByte(after: 2, comparison)
    case .rowsOfBackslashes:
      for before in 0..<68 {
        for count in 1..<70 {
          let text = [UInt8](repeating: UInt8(ascii: "b"), count: before) + [UInt8](repeating: 0x5C, count: count)
          for after in ["", "\"", "n", "u00e9", "x", "\u{1}"] {
            comparison.json(text + Array(after.utf8))
            if count % 8 < 2 { comparison.json(text + Array(after.utf8) + [UInt8](repeating: 0x41, count: 70)) }
          }
        }
      }
    case .stringsOfEscapes:
      for gap in 1...80 {
        var text: [UInt8] = []
        while text.count < 300 {
          text += [UInt8](repeating: UInt8(ascii: "n"), count: generator.below(gap))
          text += [0x5C, Array("\"\\/bfnrt".utf8)[generator.below(8)]]
        }
        for count in (text.count - 70)...text.count { comparison.json(Array(text.prefix(count))) }
      }
    case .codeUnits: codeUnits(comparison, &generator)
    case .escapesThatAreCutOff:
      for escape in ["\\n", "\\u0041", "\\u20ac", "\\ud83d\\udd12"] {
        for before in 0..<70 {
          for count in 1...escape.utf8.count {
            comparison.json([UInt8](repeating: UInt8(ascii: "d"), count: before) + Array(escape.utf8.prefix(count)))
          }
        }
        let row = Array(String(repeating: escape, count: 40).utf8)
        for count in 0...row.count { comparison.json(Array(row.prefix(count))) }
      }
    case .randomStrings:
      let pieces = Array("\\\\\\\\\"/bfnrtuuAAAz ~\u{7F}\u{1F}\né".utf8)
      for _ in 0..<10_000 {
        let often = 1 + generator.below(40)
        let text = (0..<generator.below(301)).map { _ in
          generator.below(often) == 0 ? pieces[generator.below(pieces.count)] : UInt8(ascii: "n")
        }
        comparison.json(text)
      }
    }
    return comparison
  }

  /// Code units of every length in UTF-8 and around every bound, surrogates in pairs, alone and in the wrong order,
  /// also with a wrong byte somewhere; one after the other, or with other text between them.
  private static func codeUnits(_ comparison: TextComparison, _ generator: inout Generator) {
    let bounds = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF]
    for _ in 0..<5_000 {
      var text: [UInt8] = []
      let often = 1 + generator.below(4)
      while text.count < 200 {
        if generator.below(often) > 0 {
          text += [UInt8](repeating: UInt8(ascii: "u"), count: generator.below(30))
          text += Array(["", "\\n", "\\\\", "\\/", "d800"][generator.below(5)].utf8)
        }
        let unit = generator.below(3) == 0 ? bounds[generator.below(bounds.count)] : generator.below(0x10000)
        text += escape(unit, &generator)
        guard 0xD800...0xDBFF ~= unit, generator.below(8) > 0 else { continue }
        text += escape(0xDC00 + generator.below(0x400), &generator)
      }
      if generator.below(3) == 0 { text[generator.below(text.count)] = UInt8(generator.below(128)) }
      comparison.json(Array(text.prefix(generator.below(text.count + 1))))
      comparison.json(text)
    }
  }

  private static func escape(_ unit: Int, _ generator: inout Generator) -> [UInt8] {
    let digits = String(0x10000 + unit, radix: 16, uppercase: generator.below(2) == 0).dropFirst()
    return Array("\\u\(digits)".utf8)
  }

  /// Each byte at each position after a number of backslashes.
  private static func everyByte(after backslashes: Int, _ comparison: TextComparison) {
    for count in lengths where count > backslashes {
      for position in backslashes..<count {
        var text = [UInt8](repeating: UInt8(ascii: "n"), count: count)
        for index in (position - backslashes)..<position { text[index] = 0x5C }
        for byte in UInt8.min...UInt8.max {
          text[position] = byte
          comparison.json(text)
        }
      }
    }
  }

  @Test(arguments: TextOperations.supported, InputClass.allCases)
  func `a kernel meets the specification, also at the ends of pages`(
    _ operations: TextOperations, _ inputs: InputClass
  ) throws {
    let comparison = try Self.compare(operations, inputs)
    #expect(comparison.wrong == 0, "\(comparison.first ?? "")")
    #expect(comparison.count > 1_000)
  }

  /// A kernel with one fault, and the class of inputs that must detect it.
  enum Plant: CaseIterable {
    case acceptsAMinus, losesAnError, writesLess, takesDeleteForAControl, missesAControl, forgetsEscapes, endsAtASlash
    case readsOneMore, takesALoneSurrogate, encodesSurrogates

    var inputs: InputClass {
      switch self {
      case .acceptsAMinus: .base64WithEveryByte
      case .losesAnError: .base64WithTwoStrangers
      case .writesLess: .base64OfEveryLength
      case .takesDeleteForAControl: .stringsOfEveryLength
      case .missesAControl: .stringsWithEveryByte
      case .forgetsEscapes: .rowsOfBackslashes
      case .endsAtASlash: .everyByteAfterABackslash
      case .readsOneMore: .stringsOfEscapes
      case .takesALoneSurrogate: .escapesThatAreCutOff
      case .encodesSurrogates: .codeUnits
      }
    }

    var operations: TextOperations {
      var planted = TextOperations(assay_text_kernel_at(assay_text_kernel_count() - 1))
      let sound = planted
      switch self {
      case .acceptsAMinus:
        planted.base64 = { sound.base64($0, $1, $2) || ($1 > 0 && $0[$1 - 1] == UInt8(ascii: "-")) }
      case .losesAnError:
        planted.base64 = { text, count, room in
          (0..<count).count { TextKernelTests.alphabet.contains(text[$0]) } == count - 2
            || sound.base64(text, count, room)
        }
      case .writesLess:
        planted.base64 = { sound.base64($0, $1 == 300 ? 296 : $1, $2) }
      case .takesDeleteForAControl:
        planted.run = { text, count in
          count > 299 && text[299] == 0x7F ? assay_json_run(count: 299, has_escapes: false) : sound.run(text, count)
        }
      case .missesAControl:
        planted.run = { text, count in
          let run = sound.run(text, count)
          return run.count < count && text[run.count] == 0x1F
            ? assay_json_run(count: run.count + 1, has_escapes: run.has_escapes) : run
        }
      case .forgetsEscapes:
        planted.run = { assay_json_run(count: sound.run($0, $1).count, has_escapes: false) }
      case .endsAtASlash:
        planted.unescape = { text, count, room in
          for index in 0..<count where index > 0 && text[index] == UInt8(ascii: "/") && text[index - 1] == 0x5C {
            return sound.unescape(text, index - 1, room)
          }
          return sound.unescape(text, count, room)
        }
      case .readsOneMore:
        planted.unescape = { text, count, room in
          let copy = sound.unescape(text, count, room)
          return assay_json_copy(read: copy.read + (copy.read < count ? 1 : 0), written: copy.written)
        }
      case .takesALoneSurrogate:
        planted.run = { text, count in
          let run = sound.run(text, count)
          guard count >= run.count + 6, text[run.count + 2] == UInt8(ascii: "d") else { return run }
          return assay_json_run(count: run.count + 6, has_escapes: true)
        }
      case .encodesSurrogates:
        planted.unescape = { text, count, room in
          let copy = sound.unescape(text, count, room)
          for index in 0..<copy.written where room[index] == 0xF4 { room[index] = 0xF0 }
          return copy
        }
      }
      return planted
    }
  }

  @Test(arguments: Plant.allCases) func `a planted fault is detected`(_ plant: Plant) throws {
    #expect(try Self.compare(plant.operations, plant.inputs).wrong > 0)
  }

  @Test func `every kernel is listed once, the portable one last`() {
    print("text kernels tested: \(TextOperations.supported)")
    if !TextOperations.unsupported.isEmpty {
      print("text kernels NOT tested, this processor does not run them: \(TextOperations.unsupported)")
    }
    let names = TextKernel.all.map(\.name)
    #expect(Set(names) == ["avx512", "avx2", "neon", "portable"])
    #expect(names.count == 4)
    #expect(TextKernel.supported.last == .portable)
    #expect(TextKernel.portable.name == "portable")
    #expect(TextKernel(named: "portable") == .portable)
    #expect(TextKernel(named: "fastest") == nil)
    #expect(TextKernel(named: "") == nil)
    #if arch(arm64)
      #expect(TextKernel.supported.map(\.name) == ["neon", "portable"])
    #else
      #expect(TextKernel(named: "neon")?.isSupported == false)
    #endif
  }

  /// The setting applies to the whole process; results do not depend on it.
  @Test func `a kernel can be forced and reset`() throws {
    defer { TextKernel.force(nil) }
    for kernel in TextKernel.supported {
      #expect(TextKernel.force(kernel))
      #expect(TextKernel.current == kernel)
    }
    for kernel in TextKernel.all where !kernel.isSupported {
      #expect(!TextKernel.force(kernel))
      #expect(TextKernel.current == .portable)
    }
    #expect(TextKernel.force(nil))
    #expect(TextKernel.current.isSupported)
  }
}
