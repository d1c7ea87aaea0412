import Descriptions
import Gateways
import HostIO
import PaymentToken
import Reports

/// Requests that are taken from the input together, in its order.
package struct RequestBatch {
  /// The requests; an empty one for each that could not be read.
  private(set) var requests: [[UInt8]] = []
  /// The place of each of `requests`.
  private(set) var places: [ResultPlace] = []
  /// Why some of `requests` could not be read, by their indices.
  private(set) var unreadable: [Int: String] = [:]

  /// The part of the input that was read up to the end of this batch, 0...1; nil if the input's size is unknown.
  var fraction: Double?

  /// The maximum number of requests in a batch.
  private static let size = 64

  var count: Int { requests.count }
  var isFull: Bool { count >= Self.size }

  mutating func removeAll() {
    requests.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    unreadable.removeAll(keepingCapacity: true)
  }

  /// Adds a request. A body that is a form or bare base64 is converted to JSON (`ReceivedBody`).
  mutating func add(_ received: [UInt8], at place: ResultPlace) {
    let isJSON = received.first == UInt8(ascii: "{")
    requests.append(isJSON ? received : ReceivedBody.json(of: received) ?? received)
    places.append(place)
  }

  mutating func addUnreadable(_ reason: String, at place: ResultPlace) {
    unreadable[requests.count] = reason
    requests.append([])
    places.append(place)
  }
}

/// The input of many requests. One thread at a time uses it.
package protocol RequestSource: AnyObject {
  /// The part of the input that has been read, 0...1; nil if its size is unknown.
  var fraction: Double? { get }
  /// A phrase that counts skipped blank lines; nil if there are none.
  var omissions: String? { get }

  /// Adds requests, at least one unless the input has ended.
  ///
  /// - Throws: `CommandError` if the input cannot be read any further.
  func fill(_ batch: inout RequestBatch) throws(CommandError)

  /// The command that prints the request at a place, for `assay explain` to read; nil if no command can.
  func command(showing place: ResultPlace) -> String?
}

extension RequestSource {
  /// How many bytes of a request are read: one more than the maximum, so that an engine sees that it is too long.
  static var requestLimit: Int { Envelope.maximumRequestSize + 1 }

  /// Results would be read as requests.
  fileprivate static func isOutput(_ path: String) -> CommandError {
    CommandError(.usage, "\(Text.harmless(path)) is input and output: write the results to another file.")
  }
}

/// A request on each line. Lines of white space are skipped and counted.
package final class LineSource: RequestSource {
  private let path: String
  private let descriptor: Int32
  private let size: Int?
  private var reader: LineReader
  private var line = 0
  private var blankCount = 0
  private var failure: CommandError?

  /// The size of the read buffer, in bytes.
  private static let capacity = 1 << 18
  /// How long a batch that has requests waits for the next line, in milliseconds.
  private static let patience: Int32 = 1

  /// - Parameter path: the file, or `-` for standard input.
  /// - Throws: `CommandError` if it cannot be opened, or is also the output.
  package init(_ path: String, stop: StopSignal) throws(CommandError) {
    self.path = path
    descriptor = try path == "-" ? STDIN_FILENO : FileReader.descriptor(of: path)
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    size = isFile ? Int(status.st_size) : nil
    // Tokens are encrypted, so lines need not be wiped.
    reader = LineReader(
      descriptor, limit: Self.requestLimit, wipesLines: false, capacity: Self.capacity, stop: stop)
    if Console.answerIs(status) { throw Self.isOutput(path == "-" ? "standard input" : path) }
  }

  deinit {
    if path != "-" { close(descriptor) }
  }

  package var fraction: Double? { size.map { min(1, Double(reader.bytesRead) / Double($0)) } }

  package var omissions: String? { blankCount == 0 ? nil : "\(Text.counted(blankCount, "blank line")) left out" }

  package func command(showing place: ResultPlace) -> String? {
    guard case .line(let number) = place, size != nil, path != "-" else { return nil }
    return "sed -n \(number)p \(ShellWord.quoted(Text.harmless(path)))"
  }

  package func fill(_ batch: inout RequestBatch) throws(CommandError) {
    // Report a failure only after the results of the requests that were read before it.
    if let failure { throw failure }
    do {
      while !batch.isFull {
        if batch.count > 0, try !reader.isReady(within: Self.patience) { return }
        guard try addLine(to: &batch) else { return }
      }
    } catch {
      let name = path == "-" ? "standard input" : Text.harmless(path)
      let failure = CommandError(
        .noAnswer, "\(name) could not be read any further: \(SystemError.text(error.number)).")
      guard batch.count > 0 else { throw failure }
      self.failure = failure
    }
  }

  /// Adds the request of the next line, if that is not blank; false at the end.
  private func addLine(to batch: inout RequestBatch) throws(DescriptorFailure) -> Bool {
    switch try reader.next() {
    case .end: return false
    case .tooLong:
      line += 1
      batch.add([UInt8](repeating: 0x20, count: Self.requestLimit), at: .line(line))
    case .complete:
      line += 1
      let request = reader.withLine(Self.request)
      if request.isEmpty {
        blankCount += 1
      } else {
        batch.add(request, at: .line(line))
      }
    }
    return true
  }

  /// A line without a carriage return at its end; nothing for a blank one.
  private static func request(_ line: Span<UInt8>) -> [UInt8] {
    line.withUnsafeBufferPointer { bytes in
      let end = bytes.last == 0x0D ? bytes.count - 1 : bytes.count
      guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return [] }
      return Array(bytes[..<end])
    }
  }
}

/// A request in each file of a folder, in the order of their names' bytes. Hidden files are skipped. Only regular files
/// are read: whoever may write into the folder could put a link to a secret there, or a FIFO.
package final class FolderSource: RequestSource {
  private let path: String
  private let names: [String]
  private let stop: StopSignal
  private var next = 0

  /// - Throws: `CommandError` if the folder cannot be read, or one of its files is also the output.
  package init(_ path: String, stop: StopSignal) throws(CommandError) {
    self.path = path
    self.stop = stop
    names = try FolderWalk.names(in: path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for name in names {
      var status = stat()
      if lstat("\(path)/\(name)", &status) == 0, Console.answerIs(status) { throw Self.isOutput("\(path)/\(name)") }
    }
  }

  package var fraction: Double? { Double(next) / Double(max(1, names.count)) }

  package var omissions: String? { nil }

  package func command(showing place: ResultPlace) -> String? {
    guard case .file(let name) = place else { return nil }
    return "cat \(ShellWord.quoted(Text.harmless("\(path)/\(name)")))"
  }

  package func fill(_ batch: inout RequestBatch) throws(CommandError) {
    while !batch.isFull, next < names.count, !stop.isRaised {
      let name = names[next]
      next += 1
      // `String` replaces invalid UTF-8 in a name by this character. The result may be the name of another file.
      guard !name.contains("\u{FFFD}") else {
        batch.addUnreadable("its name is not UTF-8", at: .file(name))
        continue
      }
      do {
        batch.add(try FileReader.unlinkedFile("\(path)/\(name)", limit: Self.requestLimit), at: .file(name))
      } catch {
        batch.addUnreadable(error.message, at: .file(name))
      }
    }
  }
}
