import PaymentToken
import RedisReplayStore

/// A command line that cannot be understood; one sentence.
public struct UsageError: Error, Hashable, Sendable {
  public let message: String

  init(_ message: String) {
    self.message = message
  }
}

extension ServerOptions {
  /// An option: how it is written, what it does, and where its value goes.
  private struct Option {
    let name: String
    let placeholder: String
    var isRepeatable = false
    let help: String
    let set: (inout ServerOptions, String) throws(UsageError) -> Void
  }

  /// Reads the words of a command line; `--name value` and `--name=value` alike.
  ///
  /// - Throws: `UsageError`.
  public init(arguments: some Sequence<String>) throws(UsageError) {
    var rest = arguments.makeIterator()
    var given: Set<String> = []
    while let word = rest.next() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = Self.all.first(where: { $0.name == parts[0] }) else {
        // A word that does not look like an option is not repeated: it may be a key, pasted in place of a path.
        let isName = word.hasPrefix("--") && parts[0].utf8.count <= 40
        throw UsageError(isName ? "there is no option \(parts[0])." : "a word is no option, and the value of none.")
      }
      guard let value = parts.count > 1 ? parts[1] : rest.next() else {
        throw UsageError("\(option.name) needs a value: \(option.placeholder).")
      }
      guard given.insert(option.name).inserted || option.isRepeatable else {
        throw UsageError("\(option.name) is given twice.")
      }
      try option.set(&self, value)
    }
    guard !files.keys.isEmpty || !files.archives.isEmpty else { throw UsageError("--key or --p12 is needed.") }
    guard (files.tlsCertificate == nil) == (files.tlsKey == nil) else {
      throw UsageError("--tls-cert and --tls-key go together.")
    }
    guard files.clientAuthority == nil || files.tlsCertificate != nil else {
      throw UsageError("--client-ca needs --tls-cert.")
    }
    guard clientNames.isEmpty || files.clientAuthority != nil else {
      throw UsageError("--client-name needs --client-ca.")
    }
    guard replayServer.isComplete else { throw UsageError("--replay-… options need --replay redis://….") }
    if replayServer.address != nil, window == nil || now != nil {
      throw UsageError("--replay with a server needs a window, and the present time.")
    }
    if window == nil, let replayCapacity, replayCapacity > 0 { throw UsageError("--replay needs a window.") }
    guard refusesOlderTokens != true || window != nil && replayCapacity != 0 || replayServer.address != nil else {
      throw UsageError(
        "--replay-before-start refuse is about the memory of this process, which is not asked: leave it out, or say accept."
      )
    }
  }

  /// The description of all options.
  public static var help: String {
    let width = all.map { $0.name.count + $0.placeholder.count + 1 }.max() ?? 0
    let rows = all.map { option in
      let usage = "\(option.name) \(option.placeholder)"
      let help = option.help + (option.isRepeatable ? " (repeatable)" : "")
      return "  \(usage)\(String(repeating: " ", count: width - usage.count))  \(help)\n"
    }
    return """
      usage: token-server --key FILE --cert FILE [options]

      Takes payment tokens by HTTP and answers with the payment. Only for loopback, or with mutual TLS.

      options:
      \(rows.joined())
      SIGHUP reads keys and roots again. SIGTERM and SIGINT answer what was taken, and end the server.

      """
  }

  private static var all: [Option] {
    fileOptions + callerOptions + policyOptions + replayOptions + poolOptions + connectionOptions
  }

  private static var fileOptions: [Option] {
    [
      Option(name: "--key", placeholder: "FILE", isRepeatable: true, help: "private key, PEM or DER") {
        $0.files.keys.append($1)
      },
      Option(name: "--cert", placeholder: "FILE", isRepeatable: true, help: "its payment processing certificate") {
        $0.files.certificates.append($1)
      },
      Option(name: "--p12", placeholder: "FILE", isRepeatable: true, help: "private key with its certificate") {
        $0.files.archives.append($1)
      },
      Option(name: "--password-file", placeholder: "FILE", help: "password of .p12 files and encrypted keys") {
        $0.files.password = $1
      },
      Option(
        name: "--merchant-id", placeholder: "ID", isRepeatable: true,
        help: "for keys without a certificate; or KEYFILE=ID"
      ) {
        $0.files.merchantIDs.append($1)
      },
      Option(
        name: "--root", placeholder: "FILE", isRepeatable: true, help: "root to trust instead of Apple Root CA - G3"
      ) {
        $0.files.roots.append($1)
      },
      Option(
        name: "--watch-keys", placeholder: "SECONDS", help: "read these files again when they change, 0 for never (0)"
      ) { options, text throws(UsageError) in
        let seconds: Int = try number(text, for: "--watch-keys", in: 0...86_400)
        options.keyWatchInterval = seconds == 0 ? nil : .seconds(seconds)
      },
    ]
  }

  private static var callerOptions: [Option] {
    [
      Option(
        name: "--bearer-token-file", placeholder: "FILE",
        help: "what callers have to show one of, one a line; 32 bytes at least"
      ) {
        $0.files.bearerTokens = $1
      },
      Option(name: "--tls-cert", placeholder: "FILE", help: "speak TLS: the certificate with those above it, PEM") {
        $0.files.tlsCertificate = $1
      },
      Option(name: "--tls-key", placeholder: "FILE", help: "its private key, PEM") {
        $0.files.tlsKey = $1
      },
      Option(name: "--client-ca", placeholder: "FILE", help: "demand certificates of clients, by these authorities") {
        $0.files.clientAuthority = $1
      },
      Option(name: "--client-name", placeholder: "NAME", isRepeatable: true, help: "and one of these names in them") {
        options, name throws(UsageError) in
        // An empty name is a mistake: no certificate should match it.
        if name.isEmpty { throw UsageError("--client-name is a name, not empty.") }
        options.clientNames.append(name)
      },
    ]
  }

  private static var policyOptions: [Option] {
    [
      Option(name: "--window", placeholder: "SECONDS", help: "how far signing times may be from now, or off (300)") {
        options, text throws(UsageError) in
        options.window = text == "off" ? nil : try number(text, for: "--window", in: 0...UInt32.max)
      },
      Option(name: "--now", placeholder: "TIME", help: "verify at this time, for tests: 2026-01-31T12:00:00Z") {
        options, text throws(UsageError) in
        guard let time = UnixTime(rfc3339: text) else { throw UsageError("--now is a time: 2026-01-31T12:00:00Z.") }
        options.now = time
      },
    ]
  }

  private static var replayOptions: [Option] {
    [
      Option(
        name: "--replay", placeholder: "COUNT|ADDRESS",
        help: "transactions remembered, 0 for none (1000000); or redis://, rediss://, unix:"
      ) { options, text throws(UsageError) in
        guard text.contains(":") else {
          options.replayCapacity = try number(text, for: "--replay", in: 0...(1 << 28))
          return
        }
        do throws(RedisReplayStore.ConfigurationError) {
          options.replayServer.address = try RedisServer(text)
        } catch {
          throw UsageError("--replay: \(error.message)")
        }
      },
      Option(
        name: "--replay-before-start", placeholder: "accept|refuse",
        help: "tokens that may have been accepted before the start (accept; of a server: refuse)"
      ) { options, text throws(UsageError) in
        guard ["accept", "refuse"].contains(text) else {
          throw UsageError("--replay-before-start is accept or refuse.")
        }
        options.refusesOlderTokens = text == "refuse"
      },
      Option(name: "--replay-password-file", placeholder: "FILE", help: "password for that server") {
        $0.replayServer.passwordFile = $1
      },
      Option(name: "--replay-ca", placeholder: "FILE", help: "authorities for rediss:// instead of the system's") {
        $0.replayServer.authorityFile = $1
      },
      Option(name: "--replay-cert", placeholder: "FILE", help: "certificate to show to that server") {
        $0.replayServer.certificateFile = $1
      },
      Option(name: "--replay-key", placeholder: "FILE", help: "its private key") {
        $0.replayServer.keyFile = $1
      },
      Option(name: "--replay-wait", placeholder: "COUNT", help: "replicas that must have a transaction (0)") {
        options, text throws(UsageError) in
        options.replayServer.acknowledgingReplicas = try number(text, for: "--replay-wait", in: 0...64)
      },
    ]
  }

  private static var poolOptions: [Option] {
    [
      Option(name: "--workers", placeholder: "COUNT", help: "threads that decrypt (1)") {
        options, text throws(UsageError) in
        options.pool.workers = try number(text, for: "--workers", in: 1...1_024)
      },
      Option(name: "--cpus", placeholder: "LIST", help: "processors to pin them to: 2,3") {
        options, text throws(UsageError) in
        options.pool.cpus = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
          options.pool.cpus.append(try number(String(word), for: "--cpus", in: 0...65_535))
        }
      },
      Option(name: "--queue", placeholder: "COUNT", help: "requests that may wait; more are answered 503 (1024)") {
        options, text throws(UsageError) in
        options.pool.queueCapacity = try number(text, for: "--queue", in: 1...1_000_000)
      },
      Option(name: "--deadline-ms", placeholder: "COUNT", help: "how long one may wait, 0 for ever (1000)") {
        options, text throws(UsageError) in
        let milliseconds: Int = try number(text, for: "--deadline-ms", in: 0...3_600_000)
        options.deadline = milliseconds == 0 ? nil : .milliseconds(milliseconds)
      },
    ]
  }

  private static var connectionOptions: [Option] {
    [
      Option(name: "--listen", placeholder: "ADDRESS:PORT", help: "where to listen (127.0.0.1:8462)") {
        options, text throws(UsageError) in
        options.listen = try address(text, for: "--listen")
      },
      Option(
        name: "--metrics-listen", placeholder: "ADDRESS:PORT",
        help: "where /metrics, /ready and /live are, and nothing else (beside /decrypt)"
      ) { options, text throws(UsageError) in
        options.metricsListen = try address(text, for: "--metrics-listen")
      },
      Option(
        name: "--access-log", placeholder: "FILE|-",
        help: "a line of JSON for each request but those of --metrics-listen; or to standard output"
      ) {
        $0.accessLog = $1
      },
      Option(name: "--max-body", placeholder: "BYTES", help: "the largest body (65536)") {
        options, text throws(UsageError) in
        options.limits.body = try number(text, for: "--max-body", in: 1...Envelope.maximumRequestSize)
      },
      Option(name: "--max-connections", placeholder: "COUNT", help: "connections at once (256)") {
        options, text throws(UsageError) in
        options.limits.connections = try number(text, for: "--max-connections", in: 1...Limits.mostConnections)
      },
      Option(name: "--max-per-address", placeholder: "COUNT", help: "of them from one address, 0 for all (0)") {
        options, text throws(UsageError) in
        options.limits.connectionsPerAddress = try number(text, for: "--max-per-address", in: 0...100_000)
      },
      Option(
        name: "--timeout", placeholder: "SECONDS", help: "silence that ends a connection; twice that a request (10)"
      ) {
        options, text throws(UsageError) in
        options.limits.timeout = try number(text, for: "--timeout", in: 1...3_600)
      },
      Option(
        name: "--http-threads", placeholder: "COUNT",
        help: "threads that speak HTTP, one for 120 connections at least (1)"
      ) {
        options, text throws(UsageError) in
        options.limits.threads = try number(text, for: "--http-threads", in: 1...64)
      },
      Option(name: "--drain", placeholder: "SECONDS", help: "not ready for so long before it stops listening (0)") {
        options, text throws(UsageError) in
        options.drain = .seconds(try number(text, for: "--drain", in: 0...3_600) as Int)
      },
      Option(name: "--grace", placeholder: "SECONDS", help: "for requests that are under way when it stops (10)") {
        options, text throws(UsageError) in
        options.grace = .seconds(try number(text, for: "--grace", in: 0...3_600) as Int)
      },
    ]
  }

  private static func address(_ text: String, for name: String) throws(UsageError) -> ListenAddress {
    guard let address = ListenAddress(text) else {
      throw UsageError("\(name) is a numeric address and a port.")
    }
    return address
  }

  private static func number<Number: FixedWidthInteger>(
    _ text: String, for name: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Number(text),
      range.contains(number)
    else { throw UsageError("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).") }
    return number
  }
}
