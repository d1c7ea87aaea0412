import HostIO
import MerchantKeys
import PaymentToken
import Reports
import Workloads

/// A folder of folders, each with a genuine token and the merchant's key.
enum TokenFolder {
  /// Loads the tokens with a usable key, to be verified as of their signing time.
  static func load(_ path: String, quiet: Bool) throws(CommandError) -> TokenSet {
    var entries: [TokenSet.Entry] = []
    var sources: [KeyFile] = []
    var assignments: [MerchantIDAssignment] = []
    defer { for index in sources.indices { sources[index].wipe() } }
    for name in try FolderWalk.names(in: path) {
      let folder = "\(path)/\(name)"
      let key = "\(folder)/private_key.pem"
      guard FileWriter.exists("\(folder)/token.json"), FileWriter.exists(key) else { continue }
      let first = sources.count
      sources.append(try FileReader.keyFile(key))
      var merchantIDs: [MerchantIDAssignment] = []
      if FileWriter.exists("\(folder)/certificate.pem") {
        sources.append(try FileReader.keyFile("\(folder)/certificate.pem"))
      } else {
        let text = String(streamSafe: try FileReader.wholeFile("\(folder)/merchant_id.txt"))
        merchantIDs = [.file(name: key, merchantID: String(text.prefix { !$0.isNewline }))]
      }
      // A token whose key is unusable is skipped.
      let version: TokenVersion
      do {
        version = try MerchantKeySet(files: Array(sources[first...]), merchantIDs: merchantIDs)[0].version
      } catch {
        if !quiet { Console.remark("skipped \(Text.harmless(name)): \(error.code.rawValue).") }
        for index in sources.indices[first...] { sources[index].wipe() }
        sources.removeSubrange(first...)
        continue
      }
      assignments += merchantIDs
      let plaintext = "\(folder)/expected.json"
      entries.append(
        TokenSet.Entry(
          token: try FileReader.wholeFile("\(folder)/token.json"), version: version,
          plaintext: FileWriter.exists(plaintext) ? try FileReader.wholeFile(plaintext) : nil))
    }
    guard !entries.isEmpty else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) has no token with a key that can be used.")
    }
    return TokenSet(
      entries: entries,
      keys: try CommandError.of { try MerchantKeySet(files: sources, merchantIDs: assignments) }, anchors: .apple,
      now: UnixTime(secondsSinceEpoch: 0), policy: VerificationPolicy(freshness: .signingTime))
  }
}
