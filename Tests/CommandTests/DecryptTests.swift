import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct DecryptTests {
  @Test(arguments: ["fast", "reference"])
  func `a minted token is opened, and the document says what it says`(engine: String) throws {
    let outcome = try MintedFolder().decrypt(["--json", "--engine", engine])
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    #expect(outcome.text.hasPrefix(#"{"schema":"assay.decrypt/1","accepted":true,"#))
    let document = try outcome.json()
    #expect(document["engine"] as? String == engine)
    #expect(document["envelope"] as? String == "apple")
    #expect(document["version"] as? String == "EC_v1")
    #expect(document["signed"] as? Bool == true)
    #expect((document["transactionId"] as? String)?.count == 64)
    #expect(document["signedAt"] as? String == MintedFolder.time)
    #expect(document["archival"] as? Bool == false)
    #expect(Data(base64Encoded: try #require(document["publicKeyHash"] as? String))?.count == 32)
    let payment = try #require(document["payment"] as? [String: Any])
    #expect(payment["applicationPrimaryAccountNumber"] as? String == "411111******1111")
    #expect(payment["transactionAmount"] as? Int == 1250)
    #expect(payment["currencyCode"] as? String == "978")
    #expect(payment["paymentDataType"] as? String == "3DSecure")
    #expect((payment["paymentData"] as? [String: Any])?["onlinePaymentCryptogram"] as? String == "***")
    #expect((payment["paymentData"] as? [String: Any])?["eciIndicator"] as? String == "7")
  }

  @Test func `both engines answer the same but for their name`() throws {
    let minted = try MintedFolder(["--cardholder", "Ada Lovelace", "--type", "emv"])
    for output in ["text", "json", "plaintext"] {
      let fast = try minted.decrypt(["--output", output, "--reveal"])
      let reference = try minted.decrypt(["--output", output, "--reveal", "--engine", "reference"])
      #expect(fast.status == 0)
      #expect(fast.text == reference.text.replacing("reference", with: "fast"))
    }
  }

  @Test(arguments: [["--output", "text"], ["--output", "json"]])
  func `account number, cryptogram and name are on no stream unless revealed`(output: [String]) throws {
    let minted = try MintedFolder(["--cardholder", "Ada Lovelace"])
    let key = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    let masked = try minted.decrypt(output)
    let revealed = try minted.decrypt(output + ["--reveal"])
    let cardData = try SecretSearch(
      for: [MintedFolder.accountNumber, MintedFolder.cryptogram, "Lovelace"], from: revealed.text)
    #expect(try cardData.findings(in: masked.text + masked.error, marked: "411111******1111") == [])
    let keys = try SecretSearch(forLinesOf: key)
    #expect(try keys.findings(in: revealed.text + revealed.error, marked: MintedFolder.accountNumber) == [])
  }

  @Test func `the plaintext of an archived token is said to be no new payment, unless remarks are not wanted`() throws {
    let minted = try MintedFolder()
    func decrypt(_ more: [String]) throws -> Program.Outcome {
      let options = ["--key", "merchant.key", "--cert", "merchant.pem", "--root", "root.pem"].map {
        $0.hasPrefix("-") ? $0 : minted.folder.path($0)
      }
      return try Program.run(
        ["decrypt", minted.token, "--at", "signing-time", "--output", "plaintext"] + options + more)
    }
    #expect(try decrypt([]).error.hasPrefix("assay: archived: "))
    let quiet = try decrypt(["--quiet"])
    #expect(quiet.status == 0 && quiet.error.isEmpty && !quiet.output.isEmpty)
  }

  @Test func `plaintext is the exact bytes and nothing else`() throws {
    let outcome = try MintedFolder().decrypt(["--output", "plaintext"])
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    let payload = try outcome.json()
    #expect(payload["applicationPrimaryAccountNumber"] as? String == MintedFolder.accountNumber)
    #expect(outcome.output.last == UInt8(ascii: "}"))
  }

  @Test func `a token is read from standard input, with or without a dash`() throws {
    let minted = try MintedFolder()
    let input = URL(filePath: minted.token)
    #expect(try minted.decrypt(input: input).status == 0)
    #expect(try minted.decrypt(["-"], input: input).status == 0)
  }

  @Test func `a root from standard input is there for the explanation of a rejection, too`() throws {
    let minted = try MintedFolder()
    let words =
      ["decrypt", minted.token, "--key", minted.folder.path("merchant.key"), "--cert"]
      + [minted.folder.path("merchant.pem"), "--root", "-", "--at", "2001-01-01", "--json"]
    let outcome = try Program.run(words, input: URL(filePath: minted.folder.path("root.pem")))
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == "certificateNotYetValid")
  }

  @Test func `an altered token is refused with code, stage, member and advice`() throws {
    let minted = try MintedFolder()
    var token = try String(contentsOfFile: minted.token, encoding: .utf8)
    token = token.replacing("\"EC_v1\"", with: "7")
    try token.write(toFile: minted.token, atomically: true, encoding: .utf8)
    let outcome = try minted.decrypt(["--json"])
    #expect(outcome.status == 1)
    let document = try outcome.json()
    #expect(document["schema"] as? String == "assay.decrypt/1")
    #expect(document["accepted"] as? Bool == false)
    #expect(document["payment"] == nil)
    let error = try #require(document["error"] as? [String: Any])
    #expect(error["code"] as? String == "wrongType")
    #expect(error["stage"] as? Int == 3)
    #expect(error["member"] as? String == "version")
    #expect((error["message"] as? String)?.isEmpty == false)
    let text = try minted.decrypt()
    #expect(text.status == 1)
    #expect(text.text.contains("wrongType") && text.text.contains("stage") && text.text.contains("version"))
  }

  @Test func `a refusal writes no plaintext`() throws {
    let minted = try MintedFolder()
    let outcome = try minted.decrypt(["--output", "plaintext", "--expect-amount", "1"])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("amountMismatch"))
  }

  @Test func `Apple's root does not vouch for a minted token`() throws {
    let minted = try MintedFolder()
    let outcome = try Program.run([
      "decrypt", minted.token, "--key", minted.folder.path("merchant.key"), "--cert",
      minted.folder.path("merchant.pem"), "--at", MintedFolder.time, "--json",
    ])
    #expect(outcome.status == 1)
    #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == "untrustedChain")
  }

  @Test(arguments: [
    (["--expect-currency", "840"], "currencyMismatch"), (["--expect-amount", "1249"], "amountMismatch"),
    (["--expect-application-data", String(repeating: "0", count: 64)], "applicationDataMismatch"),
  ])
  func `expectations are held against the token`(options: [String], code: String) throws {
    let outcome = try MintedFolder().decrypt(options + ["--json"])
    #expect(outcome.status == 1)
    #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == code)
  }

  @Test func `expectations that fit are met`() throws {
    let data = String(repeating: "ab", count: 32)
    let minted = try MintedFolder(["--amount", "99", "--currency", "840", "--application-data", data])
    let outcome = try minted.decrypt([
      "--expect-amount", "99", "--expect-currency", "840", "--expect-application-data", data, "--json",
    ])
    #expect(outcome.status == 0)
    #expect(try outcome.json()["applicationData"] as? String == data)
  }

  @Test func `the window counts around the verification time, and can be switched off`() throws {
    let minted = try MintedFolder()
    let files = Array(minted.options.prefix(6))
    func status(_ more: [String]) throws -> (Int32, String?) {
      let outcome = try Program.run(["decrypt", minted.token, "--json"] + files + more)
      return (outcome.status, (try outcome.json()["error"] as? [String: Any])?["code"] as? String)
    }
    #expect(try status(["--at", "2026-03-01T12:05:00Z"]) == (0, nil))
    #expect(try status(["--at", "2026-03-01T12:05:01Z"]) == (1, "signingTimeOutsideWindow"))
    #expect(try status(["--at", "2026-03-01T13:05:01+01:00"]) == (1, "signingTimeOutsideWindow"))
    #expect(try status(["--at", "2026-03-01T12:05:01Z", "--window", "301"]) == (0, nil))
    #expect(try status(["--at", "2026-03-01T12:05:01Z", "--window", "off"]) == (0, nil))
    let archival = try Program.run(["decrypt", minted.token, "--json", "--at", "signing-time"] + files)
    #expect(try archival.json()["archival"] as? Bool == true)
    #expect(try archival.json()["verifiedAt"] as? String == MintedFolder.time)
    let text = try Program.run(["decrypt", minted.token, "--at", "signing-time"] + files)
    #expect(text.text.contains("signing time"))
  }

  @Test func `a revoked list that cannot be read in full is no answer`() throws {
    let minted = try MintedFolder()
    // The digest is not that of a certificate in the token.
    let harmless = try minted.folder.write(String(repeating: "0", count: 64) + "\n\n", to: "revoked.txt")
    #expect(try minted.decrypt(["--revoked", harmless]).status == 0)
    let broken = try minted.folder.write("0123\n", to: "broken.txt")
    let outcome = try minted.decrypt(["--revoked", broken])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("broken.txt line 1"))
  }

  @Test func `a key without a certificate takes its merchant identifier from the command line`() throws {
    let minted = try MintedFolder()
    let key = minted.folder.path("merchant.key")
    let bare = [
      "decrypt", minted.token, "--key", key, "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time,
      "--json",
    ]
    let right = "merchant.test.assay.one"
    #expect(try Program.run(bare + ["--merchant-id", right]).status == 0)
    #expect(try Program.run(bare + ["--merchant-id", "\(key)=\(right)"]).status == 0)
    let wrong = try Program.run(bare + ["--merchant-id", "merchant.other"])
    #expect(wrong.status == 1)
    #expect((try wrong.json()["error"] as? [String: Any])?["code"] as? String == "decryptionFailed")
    #expect(try Program.run(bare).status == 2)
  }

  @Test(.enabled(if: RealTokens.available))
  func `genuine tokens of Apple are opened as of their signing time`() throws {
    for real in RealTokens.all where real.genuine && real.version == "EC_v1" {
      guard let folder = RealTokens.directory?.appending(path: real.name), let expected = real.expected,
        real.privateKeyPEM != nil
      else { continue }
      let binding =
        real.certificatePEM == nil
        ? ["--merchant-id", try #require(real.merchantID)] : ["--cert", folder.appending(path: "certificate.pem").path]
      for engine in ["fast", "reference"] {
        let outcome = try Program.run(
          [
            "decrypt", folder.appending(path: "token.json").path, "--key",
            folder.appending(path: "private_key.pem").path, "--at", "signing-time", "--output", "plaintext",
            "--engine", engine,
          ] + binding)
        #expect(outcome.status == 0, "\(real.name) \(engine)")
        #expect([UInt8](outcome.output) == expected, "\(real.name) \(engine)")
      }
    }
  }
}
