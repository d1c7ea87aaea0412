import Foundation
import TestSupport
import Testing

/// Reads BER-TLV with the package ber-tlv of PyPI, which is not this project's.
private enum TLVReader {
  static let isInstalled: Bool = {
    guard InstalledProgram.find("python3") != nil,
      (try? python(["-c", "import ber_tlv.tlv"]))?.status == 0
    else {
      print("The Python package ber-tlv is not installed (pip install ber-tlv): EMV data is not read by others.")
      return false
    }
    return true
  }()

  private static func python(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["python3"] + arguments, program: URL(filePath: "/usr/bin/env"))
  }

  private static let script = """
    from base64 import b64decode
    from json import dumps
    from sys import argv
    from ber_tlv.tlv import Tlv
    print(dumps({f"{tag:X}": value.hex() for tag, value in Tlv.parse(b64decode(argv[1], validate=True))}))
    """

  /// The values by their tags, both in hexadecimal.
  static func read(_ base64: String) throws -> [String: String] {
    let outcome = try python(["-c", script, base64])
    #expect(outcome.status == 0, "\(outcome.error)")
    return try #require(try outcome.json() as? [String: String])
  }
}

@Suite(.blocking) struct EMVDataTests {
  private func emvData(_ options: [String] = []) throws -> String {
    let minted = try MintedFolder(["--type", "emv", "--amount", "123456", "--currency", "USD"] + options)
    let payment = try minted.decrypt(["--output", "plaintext"]).json()
    #expect(payment["paymentDataType"] as? String == "EMV")
    return try #require((payment["paymentData"] as? [String: Any])?["emvData"] as? String)
  }

  @Test(.enabled(if: TLVReader.isInstalled))
  func `a reader that is not ours finds the payment in EMV data`() throws {
    let values = try TLVReader.read(emvData())
    #expect(
      Set(values.keys).isSuperset(of: [
        "9F26", "9F27", "9F10", "9F37", "9F36", "95", "9A", "9C", "9F02", "5F2A", "82", "9F1A", "9F03",
      ]))
    #expect(values["9F02"] == "000000123456" && values["5F2A"] == "0840" && values["9A"] == "260301")
    #expect(values["9F26"]?.count == 16 && values["9F27"] == "80" && values["9F37"]?.count == 8)
    #expect(try TLVReader.read(emvData(["--count", "1", "--version", "RSA_v1"]))["9F02"] == "000000123456")
  }

  @Test func `the data objects fill the EMV data exactly, and no tag occurs twice`() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: emvData())))
    var tags: [[UInt8]] = []
    var position = 0
    while position < bytes.count {
      let size = bytes[position] & 0x1F == 0x1F ? 2 : 1
      try #require(position + size < bytes.count)
      let length = Int(bytes[position + size])
      tags.append(Array(bytes[position..<position + size]))
      position += size + 1 + length
    }
    #expect(position == bytes.count)
    #expect(tags.count >= 13 && Set(tags).count == tags.count)
  }
}
