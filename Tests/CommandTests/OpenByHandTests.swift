import Foundation
import TestSupport
import Testing

private let tools = ["openssl", "python3"]

private let toolsAreInstalled: Bool = {
  let missing = tools.filter { InstalledProgram.find($0) == nil }
  if !missing.isEmpty { print("Opening tokens by hand is skipped without \(missing.joined(separator: " and ")).") }
  return missing.isEmpty
}()

/// Minted tokens, opened by the openssl command alone: `Scripts/open-by-hand`.
@Suite(.blocking, .enabled(if: toolsAreInstalled)) struct OpenByHandTests {
  private let script = Package.folder.appending(path: "Scripts/open-by-hand").path

  private func openByHand(_ folder: String, key: String, _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      [script, folder + "/token.json", key, folder + "/root.pem", MintedFolder.time] + more,
      program: URL(filePath: "/bin/sh"))
  }

  @Test(arguments: ["EC_v1", "RSA_v1"], ["3dsecure", "emv"])
  func `openssl opens a minted token by hand, to the same bytes as decrypt`(version: String, type: String) throws {
    let minted = try MintedFolder(["--version", version, "--type", type, "--cards", "1"])
    let folder = minted.folder.url.path
    let byHand = try openByHand(
      folder, key: folder + "/merchant.key", version == "EC_v1" ? ["--cert", folder + "/merchant.pem"] : [])
    #expect(byHand.status == 0, "\(byHand.error)")
    #expect(byHand.error.contains("CMS Verification successful"))
    #expect(byHand.output == (try minted.decrypt(["--output", "plaintext"]).output) && !byHand.output.isEmpty)
  }

  @Test(arguments: ["EC_v1", "RSA_v1"])
  func `openssl opens a token for its own key`(version: String) throws {
    let tool = try OpenSSLTool()
    try tool(
      "genpkey -out own.key "
        + (version == "EC_v1"
          ? "-algorithm EC -pkeyopt ec_paramgen_curve:P-256" : "-algorithm RSA -pkeyopt rsa_keygen_bits:3072"))
    try tool("pkey -in own.key -pubout -out own.pub")
    let merchant = "merchant.com.example.by-hand"
    let minted = try Program.run([
      "mint", "--out", tool.path("minted"), "--at", MintedFolder.time, "--cert", tool.path("own.pub"), "--merchant-id",
      merchant, "--version", version, "--application-data", String(repeating: "5a", count: 32),
    ])
    #expect(minted.status == 0, "\(minted.error)")
    let identifier = version == "EC_v1" ? ["--merchant-id", merchant] : []
    let byHand = try openByHand(tool.path("minted"), key: tool.path("own.key"), identifier)
    #expect(byHand.status == 0, "\(byHand.error)")
    let payment = try byHand.json()
    #expect(payment["applicationPrimaryAccountNumber"] as? String == MintedFolder.accountNumber)
  }

  @Test func `another merchant, another key or changed data ends by hand as well`() throws {
    let minted = try MintedFolder()
    let folder = minted.folder.url.path
    let (key, certificate) = (folder + "/merchant.key", ["--cert", folder + "/merchant.pem"])
    #expect(try openByHand(folder, key: key, ["--merchant-id", "merchant.test.assay.two"]).status == 1)
    let tool = try OpenSSLTool()
    try tool("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out other.key")
    #expect(try openByHand(folder, key: tool.path("other.key"), certificate).status == 1)
    #expect(try openByHand(folder, key: key, certificate).status == 0)
    let token = try String(contentsOfFile: minted.token, encoding: .utf8)
    let start = try #require(token.firstRange(of: #""data":""#)).upperBound
    let changed = token.replacingCharacters(in: start...start, with: token[start] == "A" ? "B" : "A")
    try changed.write(toFile: minted.token, atomically: true, encoding: .utf8)
    let refused = try openByHand(folder, key: key, certificate)
    #expect(refused.status != 0 && refused.output.isEmpty)
  }
}

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
