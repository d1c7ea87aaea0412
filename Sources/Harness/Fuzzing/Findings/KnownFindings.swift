import HostIO
import PaymentToken
import Reports
import StrictJSON

/// Findings that are known and may stay until a date: `known.json` in a run's folder, or the file of `--known`.
package struct KnownFindings: Sendable {
  /// A finding that may stay.
  package struct Waiver: Hashable, Sendable {
    /// The last day, `YYYY-MM-DD`.
    package let until: String
    /// Why it may stay.
    package let comment: String
  }

  /// The waivers that are valid today, by the identifier of the finding.
  package private(set) var waivers: [String: Waiver] = [:]
  /// A sentence for each entry that is not valid, with the reason.
  package private(set) var remarks: [String] = []

  /// Creates an empty list.
  package init() {}

  /// Reads the document `assay.fuzz-known/1`.
  ///
  /// - Throws: `CommandError` if `bytes` are not such a document. A malformed or expired entry adds to `remarks`.
  package init(_ bytes: [UInt8], file: String, now: UnixTime) throws(CommandError) {
    let document = try? JSON(reading: bytes.span)
    guard document?["schema"]?.string == "assay.fuzz-known/1", let entries = document?["findings"]?.elements else {
      throw CommandError(.noAnswer, "\(Text.harmless(file)) is not a list of known findings (assay.fuzz-known/1).")
    }
    for (index, entry) in entries.enumerated() {
      guard let id = entry["finding"]?.string, let until = entry["until"]?.string,
        let comment = entry["comment"]?.string,
        !id.isEmpty, !comment.isEmpty, let day = UnixTime(rfc3339: "\(until)T00:00:00Z")
      else {
        remarks.append(
          "\(file), entry \(index + 1), waives nothing: it needs finding, until (a day like 2027-01-31) and comment.")
        continue
      }
      guard now.secondsSinceEpoch < day.secondsSinceEpoch + 86_400 else {
        remarks.append("\(file): the waiver for \(id) has expired on \(until).")
        continue
      }
      waivers[id] = Waiver(until: until, comment: comment)
    }
  }

  /// Reads a file; without a name, the folder's `known.json` if there is one.
  package init(_ path: String?, in folder: RunFolder, now: UnixTime) throws(CommandError) {
    let file = path ?? "\(folder.path)/known.json"
    guard path != nil || FileWriter.exists(file) || FolderWalk.isLink(file) else {
      self.init()
      return
    }
    // The folder may come from an untrusted source, so a link in it is refused. The user may name a link.
    try self.init(FileReader.corpusFile(file, followsLinks: path != nil), file: file, now: now)
  }

  /// The waiver for a finding; nil if there is none.
  package subscript(id: String) -> Waiver? { waivers[id] }
}
