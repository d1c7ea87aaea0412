import Benchmarking
import Reports

/// All decryptors side by side: the engines, the external programs, and libcrypto's two curve operations alone.
extension BenchmarkReport {
  /// The plot and the tables; none for a single decryptor.
  var contenders: [HTML] {
    let rows = engineRows + externalRows
    guard rows.count > 1 || !externals.isEmpty else { return [] }
    return [
      .element("h2", "Decryptors side by side"),
      .element(
        "p", class: "soft",
        .text(
          "Tokens verified and decrypted per second, with 95% intervals over the rounds: more is better. An external "
            + "program's rate is that of one token at a time less the protocol; pipelined rates include the protocol.")
      ),
      .dotPlot(rows, label: "tokens per second of decryptors") { $0.fixed(0) },
    ] + externalTables
  }

  private var engineRows: [HTML.Interval] {
    let whole = results.filter { result in
      let parts = result.name.split(separator: "/")
      let isExternal = externals.contains { $0.roundTrip == result.name }
      return parts.count == 3 && parts[0] == "decrypt" && parts[2] == "ec_v1" && !isExternal
    }
    let rows = whole.compactMap { row("\($0.name.split(separator: "/")[1]) engine", $0.roundMedians, .good) }
    let parts = CryptoBenchmarks.names.compactMap { name in results.first { $0.name == name }?.roundMedians }
    guard parts.count == CryptoBenchmarks.names.count, let first = parts.first, !rows.isEmpty else { return rows }
    let sums = first.indices.map { round in parts.reduce(0) { $0 + $1[round] } }
    return rows + [row("libcrypto's ECDH and ECDSA alone", sums, .plain)].compactMap { $0 }
  }

  private var externalRows: [HTML.Interval] {
    externals.flatMap { external -> [HTML.Interval] in
      let tone: HTML.Tone = external.standing == .measured ? .good : external.standing == .unverified ? .bad : .warning
      let note = external.standing == .measured ? "" : " (\(external.standing.rawValue))"
      var rows: [HTML.Interval] = []
      if let time = external.decryption, time.low > 0 {
        let rate = 1e9 / time.ratio
        rows.append(
          .init(
            label: external.word + note, low: 1e9 / time.high, value: rate, high: 1e9 / time.low, text: rate.fixed(0),
            tone: tone))
      }
      let pipelined = results.first { $0.name == external.pipelined }
      return rows
        + [pipelined.flatMap { row("\(external.word), pipelined\(note)", $0.roundMedians, tone) }].compactMap { $0 }
    }
  }

  /// The rate of times, with its interval over the rounds.
  private func row(_ label: String, _ times: [Double], _ tone: HTML.Tone) -> HTML.Interval? {
    guard let rate = BootstrapInterval(samples: times.map { 1e9 / max($0, 1) }, seed: 1) else { return nil }
    return HTML.Interval(
      label: label, low: rate.low, value: rate.ratio, high: rate.high, text: rate.ratio.fixed(0), tone: tone)
  }

  private var externalTables: [HTML] {
    guard !externals.isEmpty else { return [] }
    let warmUps = externals.compactMap(ExternalText.warmUpCells)
    return [
      .table(header: ExternalText.header, rows: externals.map { ExternalText.cells($0, of: results) })
    ] + (warmUps.isEmpty ? [] : [.table(header: ExternalText.warmUpHeader, rows: warmUps)])
  }
}
